"""What came back from a tool: outcome, exit status, lines changed, output.

And what the client's own sentences in it mean: a refusal with the user's words, what was
chosen, how a sub-agent's report ends. Of the last files of a reading also how the code fails that
was read, and the names in what was written. Pure.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from holdfast.agents.claude_code.transcript.lines import MessageBlock, Result
from holdfast.agents.redact_events import Cleaner, beginning
from holdfast.domain.event import Cause, Origin, Outcome, ToolReturned, WorkSeen
from holdfast.domain.text import identifiers, one_line
from holdfast.kernel.lazy_patterns import pattern

_EXIT = pattern(r"Exit code (\d{1,9})\b")
_BEGINNING = 400  # characters
_ERROR_BEGIN, _ERROR_END = "<tool_use_error>", "</tool_use_error>"

# What the client answers for a user who refused a call or stopped it.
_REFUSALS = (
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
    "[Request interrupted by user",
    "Interrupted by user",
    "User rejected tool use",
)
_REFUSED = pattern(
    r"doesn't want to (?:proceed|take this action)|tool use was rejected"
)
_BY_USER = "The user doesn't want to "
# What stands before the user's own words, newer clients' and older ones'.
_TYPED = (
    "To tell you how to proceed, the user said:\n",
    "The user provided the following reason for the rejection:",
)

# What the client may add behind these words.
_ADDED = "Note: The user's next message may contain"

# What the agent corrects by itself.
_SLIP = pattern(
    r"File does not exist|No such tool|exceeds maximum allowed|InputValidationError"
    r"|EISDIR|tool_use_error",
    re.IGNORECASE,
)

# What it would not run, or not to its end: said before anything else.
_STOPPED = pattern(
    r"\W*(?:tool_use_error>)?(?:(?:Error|ERROR): )?(?:Command timed out after |This command requires approval|This Bash command contains"
    r"|PreToolUse:\S+ hook |\w+ operation blocked by hook|Blocked: "
    r"|cd to '[^']*' was blocked|\S+ (?:to|in|from) '[^']*' was blocked|Permission to use |Claude requested permissions"
    r"|Permission for this action (?:was|has been) denied|Tool permission (?:request failed|stream closed)"
    r"|Sibling tool call errored|\[Request interrupted|Cancelled: )"
)

# What it says of work in the background, above what that printed.
_PRINTED = pattern(r"<(?:output|stdout|stderr)>")
_STATUS = pattern(r"<status>\s*(\w+)\s*</status>")
_WORK_EXIT = pattern(r"<exit_code>\s*(\d{1,9})\s*</exit_code>")
_WORK_GONE = pattern(
    r"\W*(?:Error: )?(?:No (?:task|shell|agent) found|(?:Shell|Task) \S+ is not running)"
)

# `User has answered your questions: "Q"="A", "Q"="A" user notes: N. You can now
# continue …`: the pairs are what was decided, the rest is packaging.
_ANSWER, _QUESTION = '"="', ', "'  # what stands before each
_ANNOUNCES = "User has answered your questions"
_GOES_ON = ". You can now continue"
# What the client puts where an answer would stand when the user is away.
_NOBODY_ANSWERED = "No response after "
_NO_ANSWER = (_ANNOUNCES, _NOBODY_ANSWERED)
_NOTES, _PREVIEW = '" user notes: ', '" selected preview:'
_LONGEST = 320  # characters of a question, and of an answer
_MOST_CHOICES = 8

# In place of what a command did not print: `(Bash completed with no output)`.
_SILENT = " completed with no output)"

# Behind a sub-agent's report, or in place of one.
_TRAILER = pattern(r"\n(?:agentId: |<usage>)")
_LAUNCHED = "Async agent launched"
_NOTHING = Result()

_WINDOW = 20_000  # characters of what a search found that are looked at
_WRITTEN = 3_000  # characters of what was written that names are looked for in
_MOST_NAMES = 40
_MOST_FILES = 30
_FILE = pattern(r"[^\s\"'<>|(){}]{1,200}\.\w{1,8}")


def returned(
    block: MessageBlock,
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
    output = clean.output(_unwrapped(printed))
    choices = choices_in(output, _questions(known)) if _ANSWER in output else ()
    return ToolReturned(
        origin,
        call_id,
        outcome,
        _exit_status(printed, known, outcome),
        "" if output.startswith(_NO_ANSWER) and not choices else output,
        len(printed),
        reference=_reference(known, clean),
        cause=cause_of(output) if is_error else "",
        refusal=refusal_in(output) if is_error else "",
        choices=choices,
        report=report_in(output),
        work=_work_seen(output),
    )


def cause_of(output: str) -> Cause:
    """Return why a call came to nothing, as far as the client says so itself."""
    if _REFUSED.search(output):
        return "refused"
    if _STOPPED.match(_EXIT.sub("", output[:_BEGINNING], count=1)):
        return "stopped"
    return "slip" if _SLIP.search(output) else ""


def refusal_in(output: str) -> str:
    """Return what the user typed to refuse a call, without what the client adds."""
    if not output.startswith(_BY_USER):
        return ""
    said = (output.partition(words)[2] for words in _TYPED)
    return next(filter(None, said), "").partition(_ADDED)[0].strip()


def choices_in(
    output: str, questions: Sequence[str] = ()
) -> tuple[tuple[str, str], ...]:
    """Return each question that was answered, with the answer."""
    pairs = _pairs(output, questions)
    return tuple(pair for pair in pairs if not pair[1].startswith(_NOBODY_ANSWERED))


def report_in(output: str) -> str | None:
    """Return a sub-agent's report without what the client adds; None if it is all."""
    if output.startswith(_LAUNCHED):
        return ""
    own, *added = _TRAILER.split(output, maxsplit=1)
    return own if added else None


def text_of(content: object) -> str:
    """Return the text of a content: a string, or blocks, of which images are dropped."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part.get("text") if isinstance(part, dict) else part for part in content)
    return "\n".join(text for text in texts if isinstance(text, str))


def files_listed(text: str) -> str:
    """Return the files that a search found, each once: it names them line by line,
    alone or before what it found in them."""
    found: dict[str, None] = {}
    for line in text[:_WINDOW].split("\n"):
        path = line.partition(":")[0].strip().removeprefix("./")
        if "/" in path and _FILE.fullmatch(path):
            found[path] = None
            if len(found) == _MOST_FILES:
                break
    return "\n".join(found)


def written(fields: object) -> str:
    """Return the beginning of what a call writes into a file, as far as it is used."""
    if not isinstance(fields, Mapping):
        return ""
    edits = fields.get("edits")
    steps = [fields, *(edits if isinstance(edits, list) else ())]
    texts = (
        step.get(key)
        for step in steps
        if isinstance(step, Mapping)
        for key in ("new_string", "content", "new_source")
    )
    kept: list[str] = []
    for text in texts:
        if isinstance(text, str) and sum(map(len, kept)) <= _WRITTEN:
            kept.append(beginning(text, _WRITTEN))
    return "\n".join(kept)


def names_written(text: str, clean: Cleaner) -> str:
    """Return the names in what was written, redacted first: a secret can look like one."""
    return " ".join(identifiers(clean.text(text, _WRITTEN))[:_MOST_NAMES])


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
    if found := _WORK_EXIT.search(_PRINTED.split(printed[:_BEGINNING], maxsplit=1)[0]):
        return int(found[1])
    is_finished_shell = result.stderr is not None and result.background_id is None
    if outcome == "interrupted" or not is_finished_shell:
        return None
    # The client explains a 1 that is no failure, such as grep's "No matches found".
    return 1 if result.verdict else 0


def _work_seen(printed: str) -> WorkSeen:
    """Return what the client says of work in the background, if it was asked about it."""
    if _WORK_GONE.match(printed):
        return "ended"
    found = _STATUS.search(_PRINTED.split(printed[:_BEGINNING], maxsplit=1)[0])
    if found is None:
        return ""
    return "running" if found[1] in ("running", "pending", "queued") else "ended"


def _unwrapped(printed: str) -> str:
    if printed.endswith(_SILENT):
        return ""
    if not printed.startswith(_ERROR_BEGIN):
        return printed
    return printed.removeprefix(_ERROR_BEGIN).removesuffix(_ERROR_END)


def _reference(result: Result, clean: Cleaner) -> str:
    task = result.task
    task_id = task.get("id") if isinstance(task, dict) else None
    started = result.background_id or result.agent_id
    return clean.identifier(started or (task_id if isinstance(task_id, str) else None))


def _questions(result: Result) -> list[str]:
    asked = result.questions if isinstance(result.questions, list) else ()
    texts = (one.get("question") for one in asked if isinstance(one, dict))
    return [text for text in texts if isinstance(text, str) and text]


def _pairs(output: str, questions: Sequence[str]) -> Iterator[tuple[str, str]]:
    told = output.rpartition(_GOES_ON)[0] or output
    first, *pieces = told.split(_ANSWER, _MOST_CHOICES)
    asked = first.partition('"')[2]
    for place, piece in enumerate(pieces):
        if place == len(pieces) - 1:
            answer, following = _without_packaging(piece), ""
        else:
            answer, following = _divided(piece, questions)
        yield one_line(asked, _LONGEST), one_line(_chosen(answer), _LONGEST)
        asked = following


def _without_packaging(answer: str) -> str:
    """Return the last answer without what the client says behind it, in whichever words:
    behind the quotation mark that ends the answer there is no other one."""
    own, ends, rest = answer.rpartition('". ')
    return own if ends and '"' not in rest else answer


def _divided(piece: str, questions: Sequence[str]) -> tuple[str, str]:
    """Return an answer and the next question, which may have quotes in it."""
    for question in questions:
        if piece.endswith(_QUESTION + question):
            return piece[: -len(_QUESTION + question)], question
    answer, _, question = piece.rpartition(_QUESTION)
    return answer, question


def _chosen(answer: str) -> str:
    """Return an answer with what the user noted at it, without what they were shown."""
    chosen, _, notes = answer.partition(_NOTES)
    chosen = chosen.partition(_PREVIEW)[0].removesuffix('"')
    return f"{chosen} ({notes})" if notes else chosen
