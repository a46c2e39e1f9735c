"""A prompt that would clear the session, where the host lets a hook see one (D6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.hooks.guard import RECENT_SECONDS, Clear, Verdict, clear_in, judge
from holdfast.kernel.errors import STORE_TROUBLE

if TYPE_CHECKING:
    from holdfast.app.hooks.event import Hands, HookEvent


def guarded(event: HookEvent, hands: Hands) -> Verdict | None:
    """Judge a prompt that would clear the session; None if it would not."""
    clear = clear_in(event.prompt)
    if clear is None:
        return None
    verdict = _judged(clear, event, hands) if hands.wishes.guard else Verdict("pass")
    if verdict.reason:
        hands.audit(f"{verdict.outcome} {event.session_id}: {verdict.reason}")
    return verdict


def _judged(clear: Clear, event: HookEvent, hands: Hands) -> Verdict:
    from holdfast.app.checkpoints.status import status  # noqa: PLC0415  # few prompts would clear

    is_saved, works = False, True
    try:
        hands.tools.open_store()  # made where there is none: that is no trouble
        found = status(event.session_id, hands.scope(), hands.tools)
        own = found.last is not None and found.last.draft.session_id == event.session_id
        age = found.age_seconds
        is_recent = own and age is not None and age <= RECENT_SECONDS
        is_saved = is_recent or not found.changed
    except STORE_TROUBLE:
        works = False
    return judge(
        clear,
        required=hands.wishes.guard,
        allow_force=hands.wishes.allow_force,
        is_saved=is_saved,
        # What the store could not take waits in the spool: nothing more can be done.
        store_works=works and not hands.tools.spool.waiting(),
    )
