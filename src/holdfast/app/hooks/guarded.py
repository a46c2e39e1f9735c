"""A prompt that would clear the session, where the host lets a hook see one (D6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.hooks.guard import RECENT_SECONDS, Clear, Verdict, clear_in, judge
from holdfast.kernel.errors import STORE_TROUBLE

if TYPE_CHECKING:
    from holdfast.app.hooks.event import HookContext, HookEvent


def guarded(event: HookEvent, context: HookContext) -> Verdict | None:
    """Judge a prompt that would clear the session; None if it would not."""
    clear = clear_in(event.prompt)
    if clear is None:
        return None
    verdict = (
        _judged(clear, event, context) if context.settings.guard else Verdict("pass")
    )
    if verdict.reason:
        context.audit(f"{verdict.outcome} {event.session_id}: {verdict.reason}")
    return verdict


def _judged(clear: Clear, event: HookEvent, context: HookContext) -> Verdict:
    from holdfast.app.checkpoints.status import status  # noqa: PLC0415  # few prompts would clear

    is_saved, works = False, True
    try:
        context.ports.open_store()  # made where there is none: that is no trouble
        found = status(event.session_id, context.scope(), context.ports)
        own = found.last is not None and found.last.draft.session_id == event.session_id
        age = found.age_seconds
        is_recent = own and age is not None and age <= RECENT_SECONDS
        is_saved = is_recent or not found.changed
    except STORE_TROUBLE:
        works = False
    return judge(
        clear,
        required=context.settings.guard,
        allow_force=context.settings.allow_force,
        is_saved=is_saved,
        # What the store could not take waits in the spool: nothing more can be done.
        store_works=works and not context.ports.spool.waiting(),
    )
