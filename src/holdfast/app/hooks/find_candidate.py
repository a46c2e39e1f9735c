"""Find the session that could be continued here, and all that the decision asks of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.query import Scope
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.start.decision import (
    Branch,
    StartCandidate,
    is_anybodys,
    is_by_hand,
    is_candidate,
    is_related,
    is_unfinished,
    last_active,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.app.hooks.event import HookContext, HookEvent
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.store.hook_port import Clients
    from holdfast.store.port import Finding, Sessions, Store

_MOST_LOOKED_AT = 8
_MOST_GENERATIONS = 10
_MOST_SAVES = 20  # of one session


@dataclass(frozen=True, slots=True)
class FoundCandidate:
    checkpoint: Checkpoint
    candidate: StartCandidate


def find_here(
    event: HookEvent,
    context: HookContext,
    store: Store,
    crashed: frozenset[str] = frozenset(),
) -> FoundCandidate | None:
    """Return what a new session here could continue: this place first, then next door."""
    scope = context.scope()
    if not scope.project_id:
        return None
    here: list[Checkpoint] = []
    for limit in (1, _MOST_LOOKED_AT):  # the newest is nearly always the one
        here = _candidates(store.list(scope, limit=limit), event, store)
        for checkpoint in here:
            if is_related(checkpoint.draft.working_directory, event.directory):
                judged = _judged(checkpoint, event, context, store, is_here=True)
                if checkpoint.draft.session_id in crashed:
                    judged = replace(judged, crashed=True)
                return FoundCandidate(checkpoint, judged)
    project = store.list(scope.in_project(), limit=_MOST_LOOKED_AT)
    for checkpoint in (*here, *_candidates(project, event, store)):
        judged = _judged(checkpoint, event, context, store, is_here=False)
        return FoundCandidate(checkpoint, judged)
    return None


def find_before(
    session_id: str, event: HookEvent, context: HookContext, store: Store
) -> FoundCandidate | None:
    """Return what the cleared session left; an empty one passes its parent's on."""
    current: str | None = session_id
    for _ in range(_MOST_GENERATIONS):
        if current is None:
            return None
        newest = store.list(Scope(), session=current, limit=1)
        if newest and _is_candidate(newest[0], store):
            judged = _judged(newest[0], event, context, store, is_here=True)
            return FoundCandidate(newest[0], judged)
        record = store.session(current)
        current = record.parent_session if record else None
    return None


def other_work(
    checkpoint: Checkpoint, context: HookContext, store: Finding
) -> tuple[Checkpoint, ...]:
    """Return the newest checkpoint of each other work of the project, as far as it is near.

    A session that began from another goes on with its work: it is no other.
    """
    draft = checkpoint.draft
    ours = {draft.session_id, draft.parent_session, draft.root_session}
    newest: dict[str, Checkpoint] = {}
    for other in store.list(context.scope().in_project(), limit=_MOST_LOOKED_AT):
        theirs = {other.draft.session_id, other.draft.root_session} - {""}
        if ours.isdisjoint(theirs):
            newest.setdefault(other.draft.session_id, other)
    return tuple(newest.values())


def _candidates(
    checkpoints: Iterable[Checkpoint], event: HookEvent, store: Finding
) -> list[Checkpoint]:
    """Return the newest checkpoint of each session worth continuing."""
    seen = {event.session_id}
    chosen = []
    for checkpoint in checkpoints:
        session = checkpoint.draft.session_id
        if session not in seen and _is_candidate(checkpoint, store):
            chosen.append(checkpoint)
        seen.add(session)
    return chosen


def _is_candidate(newest: Checkpoint, store: Finding) -> bool:
    """Say whether a session is one by its newest checkpoint, or was saved by hand before."""
    if is_candidate(newest):
        return True
    if not is_anybodys(newest):
        return False
    session = newest.draft.session_id
    return any(map(is_by_hand, store.list(Scope(), session=session, limit=_MOST_SAVES)))


def _judged(
    checkpoint: Checkpoint,
    event: HookEvent,
    context: HookContext,
    store: Store,
    *,
    is_here: bool,
) -> StartCandidate:
    draft = checkpoint.draft
    receivers = set(store.receivers(checkpoint.checkpoint_id)) - {event.session_id}
    age_ms = context.ports.clock.now_ms() - last_active(checkpoint)
    return StartCandidate(
        unfinished=is_unfinished(checkpoint),
        age_seconds=max(0, age_ms // 1000),
        crashed=draft.trigger == "rescue" and not _ended_later(checkpoint, store),
        branch=_branch(draft.code.branch, context),
        is_here=is_here,
        is_alive=_is_alive(draft.session_id, context, store),
        is_delivered=bool(receivers),
    )


def _ended_later(checkpoint: Checkpoint, store: Sessions) -> bool:
    """A rescued session may have been resumed, and ended as sessions do."""
    record = store.session(checkpoint.draft.session_id)
    ended = record.ended_at if record else None
    return ended is not None and ended > checkpoint.draft.created_at


def _branch(then: str | None, context: HookContext) -> Branch:
    now = context.ports.code.head(context.workspace).branch
    if not then or not now or then == now:
        return "same"
    fate = context.ports.code.branch_fate(context.workspace, then)
    return "differs" if fate == "there" else fate


def _is_alive(session_id: str, context: HookContext, store: Clients) -> bool:
    return any(
        client.session_id == session_id
        and client.pid != context.client_pid
        and context.processes.started(client.pid) == client.started
        for client in store.clients()
    )
