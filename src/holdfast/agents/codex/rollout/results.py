"""What came back from a tool of Codex CLI: outcome, exit status, output. Pure.

The client writes a head above what a command printed; only that head is believed, and
only where it stands first.
"""

import json
from typing import Any

from holdfast.agents.redact_events import Cleaner
from holdfast.domain.event import Cause, Origin, Outcome, ToolReturned, WorkSeen
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

_HEAD = pattern(
    r"(?:Chunk ID: \w+\n)?(?:Exit code: (-?\d{1,9})\n)?(?:Wall time: [\d.]+ seconds\n)"
    r"(?:Process exited with code (-?\d{1,9})\n)?(?:Process running with session ID (\d{1,9})\n)?"
    r"(?:Original token count: \d+\n)?(?:Total output lines: \d+\n)?Output:\n"
)
# What the client says itself where a call came to nothing.
_FAILED = (
    "unsupported call",
    "unsupported custom tool call",
    "failed to parse function arguments",
    "apply_patch verification failed",
    "exec_command failed",
    "write_stdin failed",
    "execution error",
    "tool call error",
    "err: ",
)
_SLIPS = _FAILED[:4]
_REFUSED = (
    "exec command rejected by user",
    "patch rejected by user",
    "rejected by user",
)
_STOPPED = ("aborted by user", "aborted")
_OLD_FORM = '{"output":'


class _Answer(NamedTuple):
    text: str
    status: int | None = None
    session: str = ""  # of a command that still runs
    failed: bool = False


def returned(
    payload: dict[str, Any], origin: Origin, call_id: str, clean: Cleaner
) -> ToolReturned:
    """Return what a tool answered as an event."""
    answer = _answer(payload.get("output"))
    outcome, cause = _outcome(answer)
    work: WorkSeen = ""
    if answer.session or answer.status is not None:
        work = "running" if answer.session else "ended"
    output = clean.output(answer.text)
    return ToolReturned(
        origin,
        call_id,
        outcome,
        answer.status if answer.status is None or answer.status >= 0 else None,
        output,
        len(answer.text),
        reference=clean.identifier(answer.session),
        cause=cause,
        work=work,
    )


def _answer(output: object) -> _Answer:
    failed = False
    if isinstance(output, dict):
        failed = output.get("success") is False
        output = output.get("content")
    text = text_of(output)
    if text.startswith(_OLD_FORM) and (known := _old_form(text)):
        return known
    if found := _HEAD.match(text):
        status = found[1] or found[2]
        return _Answer(
            text[found.end() :],
            int(status) if status else None,
            found[3] or "",
            failed,
        )
    return _Answer(text, failed=failed)


def _old_form(text: str) -> _Answer | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    printed, about = found.get("output"), found.get("metadata")
    status = about.get("exit_code") if isinstance(about, dict) else None
    if not isinstance(printed, str):
        return None
    return _Answer(printed, status if isinstance(status, int) else None)


def _outcome(answer: _Answer) -> tuple[Outcome, Cause]:
    if answer.status is None:
        return _outcome_in_words(answer)
    if answer.status < 0:
        return "interrupted", "stopped"
    return ("failed" if answer.status else "ok"), ""


def _outcome_in_words(answer: _Answer) -> tuple[Outcome, Cause]:
    """Return what the client says where there is no exit status."""
    said = answer.text[:200].lower()
    if said.startswith(_REFUSED):
        return "interrupted", "refused"
    if said.startswith(_STOPPED):
        return "interrupted", "stopped"
    if said.startswith(_FAILED) or answer.failed:
        return "failed", "slip" if said.startswith(_SLIPS) else ""
    return "ok", ""


def text_of(content: object) -> str:
    """Return the text of a content: a string, or items, of which images are dropped."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part.get("text") for part in content if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))
