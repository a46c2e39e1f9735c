"""May a clear that the client lets us see go through? (D6)

The client's own `/clear` asks nobody. A command of the user's that is named like it does
reach the prompt hook, and only there can a clear be held back.
"""

import re
from typing import Literal

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass

_CLEARS = pattern(r"^/(?:clear|new|reset)(?=\s|$)(?P<words>.*)", re.DOTALL)
_FORCE = pattern(r"(?<!\S)--force(?!\S)")
RECENT_SECONDS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear:
    """A prompt that would clear the session."""

    force: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    outcome: Literal["pass", "block", "forced"]
    reason: str = ""


def clear_in(prompt: str) -> Clear | None:
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
) -> Verdict:
    """Say whether a clear may go on.

    Never a deadlock: where the store cannot take a save, nobody could satisfy the guard,
    so it lets the clear pass and says so.
    """
    if not required or is_saved:
        return Verdict("pass")
    if not store_works:
        return Verdict("pass", "the store cannot be used, so the guard stands aside")
    if clear.force and allow_force:
        return Verdict("forced", "cleared by force, without a recent checkpoint")
    way = "type /holdfast:checkpoint first"
    if allow_force:
        way += ", or add --force"
    return Verdict("block", f"No clear without a recent checkpoint: {way}.")
