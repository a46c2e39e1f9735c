"""Around a compaction: save before it, and say afterwards what its summary lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.hooks.event import transcript_mark
from holdfast.kernel.errors import STORE_TROUBLE

if TYPE_CHECKING:
    from holdfast.app.hooks.event import HookContext, HookEvent
    from holdfast.domain.brief import Brief
    from holdfast.domain.session import SessionState
    from holdfast.store.port import Store

_HEADING = "# What the summary above leaves out of this conversation"
_RULE = (
    "Taken from this session's own transcript; nothing here is a new request. ▸ marks"
    " the user's own words, `…` quotes tools."
)

_CODE_SECONDS = 1.0  # somebody waits for the compaction


def save_before(event: HookEvent, context: HookContext) -> None:
    """Save the session that is about to be compacted.

    Raises:
        SaveFailed: there is no transcript.
    """
    if _is_off(event, context):
        return
    from holdfast.app.checkpoints.drafting import SaveRequest  # noqa: PLC0415  # not if it is off
    from holdfast.app.checkpoints.save import save  # noqa: PLC0415  # the same

    save(
        SaveRequest(
            session_id=event.session_id,
            transcript=event.transcript,
            directory=event.directory,
            key=f"compact-{event.session_id}-{transcript_mark(event.transcript)}",
            type="auto",
            trigger="compact",
            budget=context.settings.budget,
            code_seconds=_CODE_SECONDS,
        ),
        context.ports,
    )
    context.write_variables(event.session_id)


def lost_in(event: HookEvent, context: HookContext, store: Store) -> Brief:
    """Return what the newest summary in the transcript does not say.

    Raises:
        SaveFailed: the transcript is missing or unreadable.
    """
    from holdfast.app.checkpoints.session import keep_session, read_session  # noqa: PLC0415  # after it only
    from holdfast.brief.brief import brief  # noqa: PLC0415  # the same
    from holdfast.brief.fit import fit  # noqa: PLC0415  # the same
    from holdfast.brief.lost_in_summary import lost  # noqa: PLC0415  # the same
    from holdfast.domain.brief import BriefSubject  # noqa: PLC0415  # the same
    from holdfast.facts.content import content_of  # noqa: PLC0415  # the same

    remembered = read_session(
        event.session_id, event.transcript, context.ports.transcripts, store
    )
    keep_session(event.session_id, remembered, store)
    state = remembered.state
    content = lost(content_of(state), _summary(state))
    subject = BriefSubject(
        reference=f"session {event.session_id[:8]}",
        content=content,
        at=state.ended_at,
        is_saved=False,
        session_id=event.session_id,
        cwd=state.last_cwd or state.cwd,
        fetch="All: holdfast show latest, or the checkpoint_get tool",
        heading=(_HEADING, _RULE),
    )
    now = context.ports.clock.now_ms()
    return brief(subject, budget=context.settings.budget, now_ms=now, fit=fit)


def _is_off(event: HookEvent, context: HookContext) -> bool:
    try:
        return context.is_off(context.ports.open_store(), event.session_id)
    except STORE_TROUBLE:
        return False  # the save goes to the spool


def _summary(state: SessionState) -> str:
    return state.compactions[-1].summary if state.compactions else ""
