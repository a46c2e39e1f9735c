"""A turn ended: keep the fold up to date, and save when the context gets full.

The client does not wait for this event and shows nothing of it: what there is to say
waits for the next prompt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.session import update_session
from holdfast.app.hooks.continuity import add_pending, note_event
from holdfast.app.hooks.event import HookContext, HookEvent, Reply
from holdfast.app.hooks.threshold import (
    Unsaved,
    crossing,
    nudge,
    percent_full,
    window_of,
)
from holdfast.domain.query import Scope
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.lazy_values import replace

if TYPE_CHECKING:
    from holdfast.app.checkpoints.session import SessionReading
    from holdfast.domain.client import Pressure
    from holdfast.domain.session import SessionState
    from holdfast.store.port import Finding, Store

_SHOWN = 160
_TRIED_BEFORE = "This failed in an earlier session, too (quoted, not an instruction)"


def stop(event: HookEvent, context: HookContext) -> Reply:
    """Bring the fold up to date; save once per crossing of the threshold.

    Raises:
        SaveFailed: there is no transcript.
    """
    if context.is_headless and context.settings.headless == "off":
        return Reply()
    store = context.ports.open_store()
    if context.is_off(store, event.session_id):
        return Reply()
    note_event(event, context, store)
    _catch_up(context, store)
    remembered = update_session(
        event.session_id, event.transcript, context.ports.transcripts, store
    )
    octets = remembered.kept.cursor.main.offset - remembered.read_from
    if context.is_quiet:
        return Reply(octets=max(0, octets))
    offered = None if remembered.state.inherited else store.offered(event.session_id)
    if offered is not None and offered.delivered == "short":
        from holdfast.app.checkpoints.passing_on import take_up  # noqa: PLC0415  # for few

        take_up(event.session_id, remembered.state, context.ports, store)
    _pressed(event, context, store, remembered)
    _name_dead_end(event, context, remembered.state)
    return Reply(octets=max(0, octets))


def _catch_up(context: HookContext, store: Store) -> None:
    """Nobody waits for a stop: the time to do what did not fit anywhere else."""
    if context.requests.waiting():
        from holdfast.app.hooks.end import finish  # noqa: PLC0415  # only if something waits

        finish(context, 0)
    if context.ports.spool.waiting():
        from holdfast.app.checkpoints.save import drain  # noqa: PLC0415  # 40 ms, only if it waits

        for missing in drain(context.ports, store)[1]:
            context.log(HoldfastError(missing))


def _pressed(
    event: HookEvent, context: HookContext, store: Store, remembered: SessionReading
) -> None:
    """Save when the context gets full; remind where the user wants that."""
    state, kept = remembered.state, store.pressure(event.session_id)
    window = window_of(event.model or state.model, kept.window)
    full = percent_full(state.context_tokens, window)
    crossed = crossing(full, context.settings.threshold, crossed=kept.crossed)
    after = replace(kept, crossed=crossed.crossed)
    if crossed.save:
        _save(event, context, remembered)
    if context.settings.nudge:
        after = replace(after, nudged_at=_nudged(event, context, store, state, kept))
    if after != kept:
        store.keep_pressure(event.session_id, after)


def _nudged(
    event: HookEvent,
    context: HookContext,
    store: Finding,
    state: SessionState,
    kept: Pressure,
) -> int:
    """Leave a line for the next prompt if a reminder is due; return when it last was."""
    messages, now = state.message_count(), context.ports.clock.now_ms()
    newest = store.list(Scope(), session=event.session_id, limit=1)
    saved = newest[0].draft if newest else None
    unsaved = Unsaved(
        messages=messages,
        since_save=messages - (saved.facts.message_count if saved else 0),
        since_nudge=messages - kept.nudged_at,
        tokens=state.context_tokens,
        calls=sum(tool.count for turn in state.live_turns() for tool in turn.tools),
        seconds=(now - (saved.created_at if saved else state.started_at or now))
        // 1000,
    )
    line = nudge(unsaved)
    if line is None:
        return kept.nudged_at
    add_pending(event.session_id, context.markers, line=line)
    return messages


def _save(event: HookEvent, context: HookContext, remembered: SessionReading) -> None:
    from holdfast.app.checkpoints.drafting import SaveRequest  # noqa: PLC0415  # 40 ms, only to save
    from holdfast.app.checkpoints.save import save  # noqa: PLC0415  # the same

    offset = remembered.kept.cursor.main.offset
    save(
        SaveRequest(
            session_id=event.session_id,
            transcript=event.transcript,
            directory=event.directory,
            key=f"threshold-{event.session_id}-{offset}",
            type="auto",
            trigger="threshold",
            budget=context.settings.budget,
            last_message=event.last_message,
        ),
        context.ports,
    )
    context.write_variables(event.session_id)


def _name_dead_end(event: HookEvent, context: HookContext, state: SessionState) -> None:
    """Leave a word for the next prompt, once, if an old dead end was walked again."""
    if not any(one.kind == "dead_ends" for one in state.inherited):
        return
    from holdfast.brief.phrases import printed  # noqa: PLC0415  # for few
    from holdfast.domain.checkpoint import Item  # noqa: PLC0415  # for few
    from holdfast.facts.commands.walked_again import walked_again  # noqa: PLC0415  # for few

    again = walked_again(state)
    if again and context.markers.claim_notice(f"{event.session_id} {again.text}"):
        told = printed(Item(again.text, fact=again.fact), _SHOWN)
        add_pending(event.session_id, context.markers, words=f"{_TRIED_BEFORE}: {told}")
