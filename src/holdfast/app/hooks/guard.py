"""Decide whether a clear may go through, if the client asks hooks (D6).

The client's own `/clear` asks nobody. A command of the user's that is named like it does
reach the prompt hook, and only there can a clear be held back.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from holdfast.kernel.errors import STORE_TROUBLE
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    from holdfast.app.hooks.event import HookContext, HookEvent

_CLEARS = pattern(r"^/(?:clear|new|reset)(?=\s|$)(?P<words>.*)", re.DOTALL)
_FORCE = pattern(r"(?<!\S)--force(?!\S)")
RECENT_SECONDS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear:
    """A prompt that would clear the session."""

    force: bool


@dataclass(frozen=True, slots=True)
class ClearVerdict:
    outcome: Literal["pass", "block", "forced"]
    reason: str = ""


def requested_clear(prompt: str) -> Clear | None:
    """Return the clear that a prompt asks for, if it asks for one."""
    found = _CLEARS.match(prompt.strip())
    return Clear(force=bool(_FORCE.search(found["words"]))) if found else None


def judge(
    clear: Clear,
    *,
    required: bool,
    allow_force: bool,
    is_saved: bool,
    store_works: bool,
) -> ClearVerdict:
    """Say whether a clear may go on.

    Never a deadlock: where the store cannot take a save, nobody could satisfy the guard,
    so it lets the clear pass and says so.
    """
    if not required or is_saved:
        return ClearVerdict("pass")
    if not store_works:
        return ClearVerdict(
            "pass", "the store cannot be used, so the clear was not stopped"
        )
    if clear.force and allow_force:
        return ClearVerdict("forced", "cleared by force, without a recent checkpoint")
    way = "type /holdfast:checkpoint first"
    if allow_force:
        way += ", or add --force"
    return ClearVerdict("block", f"A clear needs a recent checkpoint:  {way}.")


def guard_clear(event: HookEvent, context: HookContext) -> ClearVerdict | None:
    """Judge a prompt that would clear the session; None if it would not."""
    clear = requested_clear(event.prompt)
    if clear is None:
        return None
    verdict = (
        _judged(clear, event, context)
        if context.settings.guard
        else ClearVerdict("pass")
    )
    if verdict.reason:
        context.audit(f"{verdict.outcome} {event.session_id}: {verdict.reason}")
    return verdict


def _judged(clear: Clear, event: HookEvent, context: HookContext) -> ClearVerdict:
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
