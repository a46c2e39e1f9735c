"""Find the session that could be continued here, and the facts to decide about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.passing_on import has_worked, work_before
from holdfast.app.checkpoints.which_session import is_over
from holdfast.domain.query import Scope
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.start.decision import (
    Branch,
    StartCandidate,
    is_related,
    is_unfinished,
    last_active,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.app.hooks.event import HookContext, HookEvent
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.store.port import Finding, Sessions, Store

_LOOKED_AT = (1, 8, 40)


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
    for limit in _LOOKED_AT:  # the newest is nearly always the one
        here = _candidates(_newest(scope, limit, store), event, store)
        for checkpoint in here:
            if is_related(checkpoint.draft.working_directory, event.directory):
                judged = _judged(checkpoint, event, context, store, is_here=True)
                if checkpoint.draft.session_id in crashed:
                    judged = replace(judged, crashed=True)
                return FoundCandidate(checkpoint, judged)
    project = _newest(scope.in_project(), _LOOKED_AT[1], store)
    for checkpoint in (*here, *_candidates(project, event, store)):
        judged = _judged(checkpoint, event, context, store, is_here=False)
        return FoundCandidate(checkpoint, judged)
    return None


def _newest(scope: Scope, limit: int, store: Finding) -> tuple[Checkpoint, ...]:
    """Return the newest checkpoints. Of what a backfill brought, no more than the last
    work, if that was left unfinished after all that was saved while it happened."""
    found = store.list(scope, limit=limit)
    if not any(c.draft.trigger == "backfill" for c in found):
        return found
    # A later run brings older work under higher numbers.
    found = store.list(scope, limit=max(limit, _LOOKED_AT[-1]))
    live = store.list(scope, limit=limit, live=True)
    brought = _last_brought(found, store) if scope.workspace else None
    if brought is None or not is_unfinished(brought):
        return live
    is_newest = not live or last_active(live[0]) < brought.draft.created_at
    return (brought, *live) if is_newest else live


def _last_brought(found: Iterable[Checkpoint], store: Finding) -> Checkpoint | None:
    """Return the last work that a backfill brought: a session in which somebody only
    asked something, or in which nobody sat, hides none before it."""
    brought = (c for c in found if c.draft.trigger == "backfill")
    by_time = sorted(brought, key=lambda c: c.draft.created_at, reverse=True)
    return next((c for c in by_time if has_worked(c, store)), None)


def find_before(
    session_id: str, event: HookEvent, context: HookContext, store: Store
) -> FoundCandidate | None:
    """Return what the cleared session left; one without work of its own passes its
    parent's on."""
    work = work_before(session_id, store)
    if work.checkpoint is None:
        return None
    judged = _judged(
        work.checkpoint, event, context, store, is_here=True, passed_on=work.sessions
    )
    return FoundCandidate(work.checkpoint, judged)


def _candidates(
    checkpoints: Iterable[Checkpoint], event: HookEvent, store: Finding
) -> list[Checkpoint]:
    """Return the newest checkpoint of each session worth continuing."""
    seen = {event.session_id}
    chosen = []
    for checkpoint in checkpoints:
        session = checkpoint.draft.session_id
        if session not in seen and has_worked(checkpoint, store):
            chosen.append(checkpoint)
        seen.add(session)
    return chosen


def _judged(
    checkpoint: Checkpoint,
    event: HookEvent,
    context: HookContext,
    store: Store,
    *,
    is_here: bool,
    passed_on: tuple[str, ...] = (),
) -> StartCandidate:
    draft = checkpoint.draft
    receivers = {*store.receivers(checkpoint.checkpoint_id), *_heirs(checkpoint, store)}
    receivers -= {event.session_id, *passed_on}
    age_ms = context.ports.clock.now_ms() - last_active(checkpoint)
    return StartCandidate(
        unfinished=is_unfinished(checkpoint),
        age_seconds=max(0, age_ms // 1000),
        crashed=draft.trigger == "rescue" and not _ended_later(checkpoint, store),
        branch=_branch(draft.code.branch, context),
        is_here=is_here,
        is_alive=_is_alive(draft.session_id, context, store),
        is_delivered=any(_is_at_it(one, context, store) for one in receivers),
    )


def _heirs(checkpoint: Checkpoint, store: Store) -> list[str]:
    """Return the sessions that were told of a work in short, and took it up."""
    own = checkpoint.draft.session_id
    told = store.told_of([checkpoint.checkpoint_id])
    records = (store.session(one) for one in told if one != own)
    return [r.session_id for r in records if r and r.parent_session == own]


def _is_at_it(session_id: str, context: HookContext, store: Store) -> bool:
    """Say whether a session that was told goes on with the work, or may still do: not
    one whose process is gone and that did nothing, however it ended."""
    if _is_alive(session_id, context, store):
        return True
    newest = store.list(Scope(), session=session_id, limit=1)
    return bool(newest) and has_worked(newest[0], store)


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


def _is_alive(session_id: str, context: HookContext, store: Store) -> bool:
    return any(
        client.session_id == session_id
        and client.pid != context.client_pid
        and context.is_running(client)
        and not is_over(client, store)
        for client in store.clients()
    )
