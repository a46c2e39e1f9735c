"""Who made the lines of a file, for people: blocks of lines, one line, a checkpoint's own."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from holdfast.brief.phrases import named, own, spanned
from holdfast.domain.amounts import counted, short_age
from holdfast.domain.code import SHORT_HASH
from holdfast.domain.file_history import Blame, LineMade, LinesOf
from holdfast.domain.text import one_line, plain, unmarked, visible
from holdfast.kernel.clock import iso
from holdfast.kernel.ids import label

_PROMPT = 160
_WHOLE_PROMPT = 2_000
_COMMAND = 120


def blocks(found: Blame, now_ms: int) -> Iterator[str]:
    """Yield each block of lines that one prompt made, below the words for that prompt."""
    width = len(str(found.lines[-1].number)) if found.lines else 1
    for n, (_, group) in enumerate(groupby(found.lines, _key)):
        lines = list(group)
        if n:
            yield ""
        yield _heading(lines[0], now_ms)
        yield from (_numbered(line, width) for line in lines)


def one_line_told(path: str, line: LineMade, now_ms: int) -> Iterator[str]:
    """Yield all that is known of one line, and how to go back to that moment."""
    yield f"{named(path)}:{line.number}  {_text(line)}"
    origin, step = line.origin, line.origin.step
    if origin.by == "agent" and step is not None:
        yield f"by          the agent, asked: {own(one_line(step.prompt.text, _WHOLE_PROMPT))}"
        if line.command:
            yield f"command     {spanned(one_line(line.command, _COMMAND))}"
        yield f"when        {iso(step.begun)} · {short_age(now_ms, step.begun)}"
        yield f"session     {step.session_id}"
        yield from _checkpoint(line)
    elif origin.by == "user":
        yield "by          you: no agent was running when it changed"
    else:
        yield f"by          unknown: {origin.why}"
        if line.command:
            yield f"meanwhile   {spanned(one_line(line.command, _COMMAND))}"
    yield f"commit      {line.commit or 'not committed'}"


def damaged_told(count: int) -> Iterator[str]:
    """Yield that records are damaged, and what to do; nothing where none is."""
    if count:
        were = "record is" if count == 1 else "records are"
        yield f"{count:,} {were} damaged and skipped: run `holdfast doctor --repair`"


def lines_view(found: LinesOf) -> Iterator[str]:
    """Yield which lines of today's files come from a checkpoint, by file and prompt."""
    yield ""
    if not found.files:
        yield "Lines: no line of the current files is known to come from it"
    else:
        count = sum(len(file.lines) for file in found.files)
        files = counted(len(found.files), "file")
        yield f"Current lines that come from it: {count:,} in {files}"
    for file in found.files:
        for prompt, spans in _spans(file.lines):
            yield f"{named(file.path)}:{spans}  {own(one_line(prompt, _PROMPT))}"
    if found.left_out:
        yield f"{counted(found.left_out, 'file')} more were not searched"
    yield from damaged_told(found.damaged)


def _spans(lines: Sequence[LineMade]) -> Iterator[tuple[str, str]]:
    """Yield each prompt with its lines: `3-8,12`."""
    by_prompt: dict[str, list[int]] = {}
    prompts = {}
    for line in lines:
        if line.origin.step is not None:
            prompt = line.origin.step.prompt
            by_prompt.setdefault(prompt.uuid, []).append(line.number)
            prompts[prompt.uuid] = prompt.text
    for uuid, numbers in by_prompt.items():
        yield prompts[uuid], ",".join(_runs(numbers))


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        yield str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}"


def _key(line: LineMade) -> tuple[str, ...]:
    origin = line.origin
    if origin.by == "unknown" or origin.step is None:
        commit = (line.commit or "") if origin.by == "user" else ""
        return origin.by, origin.why, line.command, commit
    prompt = (origin.step.session_id, origin.step.prompt.uuid)
    return origin.by, *prompt, line.command, line.commit or ""


def _heading(line: LineMade, now_ms: int) -> str:
    origin, step = line.origin, line.origin.step
    if origin.by == "user":
        return f"you · {line.commit[:SHORT_HASH]}" if line.commit else "you"
    if origin.by == "unknown" or step is None:
        meanwhile = (
            f" ({spanned(one_line(line.command, _COMMAND))})" if line.command else ""
        )
        return f"unknown: {origin.why}{meanwhile}"
    at = label(line.checkpoint.number) if line.checkpoint else "no checkpoint yet"
    parts = [at, short_age(now_ms, step.begun), step.session_id[:8]]
    if line.commit:
        parts.append(line.commit[:SHORT_HASH])
    by = f" by {spanned(one_line(line.command, _COMMAND))}" if line.command else ""
    return f"{' · '.join(parts)}  {own(one_line(step.prompt.text, _PROMPT))}{by}"


def _checkpoint(line: LineMade) -> Iterator[str]:
    if line.checkpoint is None:
        yield "checkpoint  none yet: `holdfast save` makes one"
        return
    number, title = line.checkpoint.number, line.checkpoint.draft.content.title
    yield f"checkpoint  {label(number)} {one_line(plain(title), _COMMAND)}"
    yield f"open        holdfast open {number} · holdfast show {number} --evidence"


def _numbered(line: LineMade, width: int) -> str:
    return f"{line.number:>{width + 2}}  {_text(line)}".rstrip()


def _text(line: LineMade) -> str:
    return unmarked(visible(line.text)).replace("\n", " ")
