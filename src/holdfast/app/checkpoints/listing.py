"""List checkpoints: the newest of a project, a session, a chain, or of all."""

from collections.abc import Callable
from typing import Literal

from holdfast.app.ports import Ports
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.query import Query, Scope

Offer = Literal["none", "made", "asked"]  # asked: the user has not said yes


def offer_of(session_id: str | None, checkpoint_id: str, ports: Ports) -> Offer:
    """Return what a session's start said about a checkpoint."""
    offer = ports.open_store().offered(session_id) if session_id else None
    if offer is None or offer.checkpoint_id != checkpoint_id:
        return "none"
    is_answered = offer.rule != "prompt" or offer.delivered == "brief"
    return "made" if is_answered else "asked"


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
