"""A session starts: link it, decide what it is told, offer it. Nothing is consumed here.

A start may fire twice, or never get a prompt: what is told is recorded as offered, and
as delivered only at the first prompt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.hooks.continuity import (
    Pending,
    keep_pending,
    left_beside,
    note_start,
    read_pending,
    session_before,
)
from holdfast.app.hooks.event import HookContext, HookEvent, Reply
from holdfast.app.hooks.find_candidate import find_before, find_here
from holdfast.app.hooks.rescue import Rescued, rescue, rescue_cleared, save_left
from holdfast.app.hooks.start_reply import (
    StartPlan,
    paths_to_look_at,
    saved_by_clear,
    start_reply,
)
from holdfast.domain.client import Delivery
from holdfast.domain.query import Scope
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.start.decision import Situation, decide

if TYPE_CHECKING:
    from holdfast.domain.client import Client
    from holdfast.store.hook_port import Deliveries
    from holdfast.store.port import Finding, Store

_LEAVING = ("startup", "resume", "clear")  # another session of the same process


def start(event: HookEvent, context: HookContext, *, is_done: bool = True) -> Reply:
    """Return what the client shows and the model reads at this start.

    `is_done` says whether the ends that were asked for before are carried out.
    """
    if context.is_headless and context.settings.headless == "off":
        return Reply()
    store = context.ports.open_store()
    is_leaving = event.source in _LEAVING
    before = session_before(event, context, store) if is_leaving else None
    cleared = note_start(event, context, store, before)
    rescued = rescue(context, store) if event.source == "startup" else Rescued()
    is_left_late = False
    if before is not None and before.session_id == cleared:
        rescued = Rescued(is_late=rescue_cleared(before, context, store))
    else:
        is_left_late = _save_left(event, context, store, before)
    is_late = (
        rescued.is_late
        or is_left_late
        or (not is_done and _is_waiting(event, cleared, context))
    )
    plan = plan_start(
        event, context, store, StartHistory(cleared, rescued.sessions, is_late=is_late)
    )
    reply = start_reply(event, context, store, plan)
    keep_offer(event, context, store, plan, reply.tokens)
    is_clear = event.source == "clear"
    is_unseen = is_clear and bool(reply.line) and context.may_lose_lines()
    left = read_pending(event.session_id, context.markers) or Pending()
    waiting = Pending(
        late=is_late,
        unseen=is_unseen,
        left_out=reply.left_out,
        # Not its line: a compaction was saved before it.
        words=reply.context if event.is_deaf else left.words,
    )
    is_offer = plan.told.what != "nothing" or plan.told.rule == "fresh"
    if is_late or is_unseen or is_offer:
        keep_pending(waiting, event.session_id, context.markers)
    context.write_variables(event.session_id)
    heard = "" if event.is_deaf else reply.context
    return replace(reply, context=heard, finish_later=rescued.is_late)


def _save_left(
    event: HookEvent, context: HookContext, store: Store, before: Client | None
) -> bool:
    """Save what the process of this start left; say whether some is still to do."""
    if not context.has_windows:
        is_other = before is not None and before.session_id != event.session_id
        return before is not None and is_other and save_left(before, context, store)
    windows = left_beside(event, context, store)
    late = [save_left(window, context, store) for window in windows]
    for window in windows:
        store.end_client(window.pid, window.started)  # one that goes on will say so
    return any(late)


@dataclass(frozen=True, slots=True)
class StartPreview:
    what: str
    rule: str
    context: str
    line: str
    tokens: int


def preview(event: HookEvent, context: HookContext) -> StartPreview:
    """Return what a start would be told now. Nothing is offered and nothing is kept."""
    store = context.ports.open_store()
    plan = plan_start(event, context, store, StartHistory())
    reply = start_reply(event, context, store, plan)
    told = plan.told
    return StartPreview(told.what, told.rule, reply.context, reply.line, reply.tokens)


@dataclass(frozen=True, slots=True)
class StartHistory:
    """What went before a start, as far as its process tells."""

    cleared: str | None = None
    crashed: frozenset[str] = frozenset()
    is_late: bool = False  # the save that this start is about is not finished


def plan_start(
    event: HookEvent, context: HookContext, store: Store, before: StartHistory
) -> StartPlan:
    """Decide what a start would be told, changing nothing."""
    found, boundary, is_told = None, "", False
    drift: tuple[tuple[str, str], ...] = ()
    if event.source == "startup" and not before.is_late:
        found = find_here(event, context, store, before.crashed)
    elif event.source == "clear" and before.cleared:
        found = find_before(before.cleared, event, context, store)
    elif event.source == "compact":
        boundary = _boundary(event, store)
        offered = store.offered(event.session_id)
        is_told = bool(boundary and offered and offered.boundary == boundary)
    elif event.source == "resume":
        drift = _drift(event, context, store)
    told = decide(
        Situation(
            source=event.source,
            mode=context.settings.resume,
            is_off=context.is_off(store, event.session_id),
            is_fresh=store.is_fresh(context.workspace),
            is_headless=context.is_quiet,
            asks_at_clear=context.settings.save_on_clear == "prompt",
            is_late=before.is_late,
            candidate=found.candidate if found else None,
            is_boundary_told=is_told,
            has_drift=bool(drift),
        )
    )
    return StartPlan(
        told=told,
        found=found,
        drift=drift,
        boundary=boundary,
        saved=saved_by_clear(before.cleared, context, store),
    )


def keep_offer(
    event: HookEvent,
    context: HookContext,
    store: Deliveries,
    plan: StartPlan,
    cost: int,
) -> None:
    """Keep what a start tells, until a prompt shows that somebody is there."""
    found, told = plan.found, plan.told
    store.offer(
        Delivery(
            session_id=event.session_id,
            what=told.what,
            rule=told.rule,
            workspace=context.workspace,
            source=event.source,
            checkpoint_id=found.checkpoint.checkpoint_id if found else "",
            boundary=plan.boundary,
            tokens=cost,
            offered_at=context.ports.clock.now_ms(),
        )
    )


def _is_waiting(event: HookEvent, cleared: str | None, context: HookContext) -> bool:
    """Say whether what this start could be told of is among what is still to be saved."""
    waiting = context.requests.waiting()
    if event.source != "startup":
        return any(request.session_id == cleared for request in waiting)
    return any(
        context.ports.code.identity(request.directory).workspace == context.workspace
        for request in waiting
        if request.saves and request.trigger != "headless"
    )


def _boundary(event: HookEvent, store: Finding) -> str:
    """Return what names a compaction: the checkpoint that was made before it."""
    newest = store.list(Scope(), session=event.session_id, limit=1)
    return newest[0].checkpoint_id if newest else ""


def _drift(
    event: HookEvent, context: HookContext, store: Finding
) -> tuple[tuple[str, str], ...]:
    newest = store.list(Scope(), session=event.session_id, limit=1)
    if not newest:
        return ()
    draft = newest[0].draft
    # Not when the file was written: the client touches it as it resumes.
    since = max(
        draft.created_at, context.ports.transcripts.last_message_at(event.transcript)
    )
    paths = paths_to_look_at(newest[0])
    return context.ports.code.changed(draft.working_directory, paths, since)
