"""What came back from a tool: outcome, exit status, lines changed, output. Pure."""

from holdfast.agents.claude_code.transcript.lines import Block, Result
from holdfast.agents.clean import Cleaner
from holdfast.domain.event import Origin, Outcome, ToolReturned
from holdfast.kernel.lazy_patterns import pattern

_EXIT = pattern(r"Exit code (\d{1,9})\b")
_ERROR_BEGIN, _ERROR_END = "<tool_use_error>", "</tool_use_error>"
# What the client answers for a user who refused a call or stopped it.
_REFUSALS = (
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
    "[Request interrupted by user",
    "Interrupted by user",
    "User rejected tool use",
)


_NOTHING = Result()


def returned(
    block: Block,
    result: Result | str | list[object] | None,
    origin: Origin,
    clean: Cleaner,
) -> ToolReturned:
    """Return what a tool answered as an event."""
    known = _NOTHING if result is None or isinstance(result, (str, list)) else result
    call_id = clean.identifier(block.call_id)
    is_error = block.is_error is True
    if not is_error:
        # Reading, searching and editing give back what is in the files anyway.
        if known.file is not None or known.files_found is not None:
            return ToolReturned(origin, call_id, "ok")
        if isinstance(known.patch, list):
            changed = _lines_changed(known, known.patch)
            return ToolReturned(
                origin, call_id, "ok", None, "", 0, *changed, is_counted=True
            )
    printed = text_of(block.content)
    outcome = _outcome(printed, known, is_error=is_error)
    return ToolReturned(
        origin,
        call_id,
        outcome,
        _exit_status(printed, known, outcome),
        clean.output(_unwrapped(printed)),
        len(printed),
        reference=_reference(known, clean),
    )


def text_of(content: object) -> str:
    """Return the text of a content: a string, or blocks, of which images are dropped."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part.get("text") if isinstance(part, dict) else part for part in content)
    return "\n".join(text for text in texts if isinstance(text, str))


def _lines_changed(result: Result, patch: list[object]) -> tuple[int, int, bool]:
    """Return how many lines were added and removed, and whether the file is new."""
    if result.type == "create":
        content = result.content if isinstance(result.content, str) else ""
        return content.count("\n") + (content[-1:] not in ("", "\n")), 0, True
    added = removed = 0
    for hunk in patch:
        lines = hunk.get("lines") if isinstance(hunk, dict) else None
        if isinstance(lines, list):
            signs = [line[:1] for line in lines if isinstance(line, str)]
            added += signs.count("+")
            removed += signs.count("-")
    return added, removed, False


def _outcome(printed: str, result: Result, *, is_error: bool) -> Outcome:
    if result.interrupted is True:
        return "interrupted"
    if not is_error:
        return "ok"
    return "interrupted" if printed.startswith(_REFUSALS) else "failed"


def _exit_status(printed: str, result: Result, outcome: Outcome) -> int | None:
    if outcome == "failed":
        found = _EXIT.match(printed)
        return int(found[1]) if found else None
    is_finished_shell = result.stderr is not None and result.background_id is None
    if outcome == "interrupted" or not is_finished_shell:
        return None
    # The client explains a 1 that is no failure, such as grep's "No matches found".
    return 1 if result.verdict else 0


def _unwrapped(printed: str) -> str:
    if not printed.startswith(_ERROR_BEGIN):
        return printed
    return printed.removeprefix(_ERROR_BEGIN).removesuffix(_ERROR_END)


def _reference(result: Result, clean: Cleaner) -> str:
    task = result.task
    task_id = task.get("id") if isinstance(task, dict) else None
    started = result.background_id or result.agent_id
    return clean.identifier(started or (task_id if isinstance(task_id, str) else None))
