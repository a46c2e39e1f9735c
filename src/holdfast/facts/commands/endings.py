"""How a run ended, as far as anybody said: by a status that was printed, or by what the
client told of a command that it did not let run to its end. A status is never made up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from holdfast.domain.checkpoint import CommandRef
    from holdfast.domain.session import Call
    from holdfast.facts.commands.runs import Ran

_FAILED = "failed"
_TIMED_OUT = pattern(
    r"^\W*(?:Error: )?Command timed out after (?:(\d+)m ?)?(?:(\d+)(?:\.\d+)?(m?s))?",
    re.MULTILINE,
)
# What a server says once it can be asked.
_IS_UP = pattern(
    r"\bready\b|\blistening\b|\bLocal(?: URL)?:|\bserving\b|\b(?:running|started|available) (?:on|at)\b",
    re.IGNORECASE,
)


def exit_of(run: Ran) -> int | None:
    """Return the exit status; a run that went well without saying so ended with 0."""
    if run.hidden or run.unsaid or ended_of(run):
        return None
    if run.call.exit_status is not None:
        return run.call.exit_status
    return 0 if run.call.outcome == "ok" else None


def ended_of(run: Ran) -> str:
    """Return in a word or two how a run ended that did not go well, where no status was
    printed, or another one than its own."""
    call = run.call
    if not run.failed:
        return ""
    if call.cause == "refused":
        return "refused"
    if took := _time_out(call):
        is_up = run.kind == "server" and _IS_UP.search(call.output)
        return "started" if is_up else f"timed out after {took}"
    if call.exit_status:
        return ""
    return "blocked" if call.cause == "stopped" else _FAILED


def has_failed(command: CommandRef) -> bool:
    """Say whether a command went wrong by itself: nobody stopped it."""
    return bool(command.exit) or command.ended == _FAILED


def _time_out(call: Call) -> str:
    """Return after how long the client ended a command, in its own figures."""
    found = _TIMED_OUT.search(call.output) if "timed out" in call.output else None
    if found is None:
        return ""
    minutes, number, unit = found[1], found[2], found[3]
    parts = [f"{minutes} min"] if minutes else []
    if number and int(number):
        parts.append(f"{number} {unit}")
    return " ".join(parts)
