"""Find checkpoints: the one a reference names, or the newest of a project, session, chain.

Hooks resume by a reference: nothing heavy is imported here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from holdfast.domain.query import Query, Scope
from holdfast.domain.text import one_line, plain
from holdfast.kernel.errors import CheckpointNotFound, ReferenceAmbiguous
from holdfast.kernel.ids import Latest

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app.ports import Ports
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.kernel.ids import Reference
    from holdfast.store.port import Checkpoints, Finding

_CANDIDATES = 3
_TITLE = 40
_BROUGHT = 40  # records of later runs that are looked through for younger work
_MOST_BACK = 100  # counted in the workspace; further back, in the project
Offer = Literal["none", "made", "asked"]  # asked: the user has not said yes


def find(store: Finding, reference: Reference, scope: Scope) -> Checkpoint:
    """Return the checkpoint that a reference names; `latest` is this workspace's, if it
    has one.

    Raises:
        CheckpointNotFound: nothing answers; the message names the newest there are.
        ReferenceAmbiguous: several do; the hint names them.
    """
    is_near = isinstance(reference, Latest) and reference.back < _MOST_BACK
    if isinstance(reference, Latest) and is_near and scope.workspace:
        here = store.list(scope, limit=reference.back + 1)
        if len(here) > reference.back:
            return here[reference.back]
    try:
        found = store.find(reference, scope)
        return lately(found, store) if reference == Latest() else found
    except ReferenceAmbiguous:
        raise
    except CheckpointNotFound as missing:
        newest = store.list(scope.in_project(), limit=_CANDIDATES)
        if not newest:
            raise
        there = ", ".join(_named(checkpoint) for checkpoint in newest)
        if isinstance(reference, Latest) and all(each.machine for each in newest):
            raise CheckpointNotFound(
                f"nothing was saved on this machine yet; others made {there}",
                hint="continue from one of them by its name, such as `holdfast resume"
                f" {plain(newest[0].reference)}`",
            ) from None
        raise CheckpointNotFound(
            f"{missing.message}; the newest are {there}", hint=missing.hint
        ) from None


def if_kept(checkpoint_id: str, store: Checkpoints) -> Checkpoint | None:
    """Return a checkpoint by its id, or None if it is no longer there."""
    try:
        return store.get(checkpoint_id)
    except CheckpointNotFound:
        return None


def lately(newest: Checkpoint, store: Finding) -> Checkpoint:
    """Return the newest work, given the highest number: what a backfill brought may be
    of an older time than what was saved while it happened in the same place, or than
    what an earlier run brought."""
    draft = newest.draft
    if draft.trigger != "backfill":
        return newest
    place = Scope(project_id=draft.project_id, workspace=draft.workspace)
    near = store.list(place, limit=_BROUGHT)
    brought = (c for c in near if c.draft.trigger == "backfill")
    live = store.list(place, limit=1, live=True)
    return max((newest, *brought, *live), key=lambda c: c.draft.created_at)


def _named(checkpoint: Checkpoint) -> str:
    title = one_line(plain(checkpoint.draft.content.title), _TITLE)
    return f"`{plain(checkpoint.name or checkpoint.reference)}` ({title})"


def offer_of(session_id: str | None, checkpoint_id: str, ports: Ports) -> Offer:
    """Return what a session's start said about a checkpoint."""
    offer = ports.open_store().offered(session_id) if session_id else None
    if offer is None or offer.checkpoint_id != checkpoint_id:
        return "none"
    is_answered = offer.rule != "prompt" or offer.delivered == "brief"
    return "made" if is_answered else "asked"


def count_checkpoints(
    here: Callable[[], Scope],
    ports: Ports,
    *,
    everywhere: bool = False,
    session: str | None = None,
    lineage: str | None = None,
) -> int:
    """Return how many `list_checkpoints` could return."""
    scope = Scope() if everywhere or session or lineage else here().in_project()
    return ports.open_store().count(scope, session=session, lineage=lineage)


def list_checkpoints(  # noqa: PLR0913  # each filter is one a user can name
    here: Callable[[], Scope],
    ports: Ports,
    *,
    everywhere: bool = False,
    session: str | None = None,
    lineage: str | None = None,
    auto_only: bool = False,
    limit: int = 20,
) -> tuple[Checkpoint, ...]:
    """Return the newest checkpoints of the project, a session, a chain, or of all."""
    store = ports.open_store()
    is_global = everywhere or session or lineage
    scope = Scope() if is_global else here().in_project()
    if auto_only:
        query = Query(type="auto", session=session, lineage=lineage, sort="desc")
        hits = store.search(query, scope, max(0, limit))
        return tuple(hit.checkpoint for hit in hits)
    return store.list(scope, session=session, lineage=lineage, limit=max(0, limit))
