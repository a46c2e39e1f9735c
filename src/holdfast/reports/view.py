"""One checkpoint for a person to read: what stands first, proof on request."""

from collections.abc import Iterator, Sequence

from holdfast.brief.marks import doubt_mark, summary_told
from holdfast.brief.phrases import USER, unmarked
from holdfast.domain.amounts import age
from holdfast.domain.checkpoint import (
    Checkpoint,
    Content,
    FileRef,
    Item,
    steps_besides_tasks,
)
from holdfast.domain.code import branch_mark
from holdfast.domain.kinds import KIND_OF, VIEWED
from holdfast.domain.text import invisible_count, one_line
from holdfast.kernel.clock import local_time
from holdfast.kernel.ids import label

_LINE = 200
_WHOLE = 4_000  # characters; what a brief had to cut is read here
_TYPED = ("Requests", "Instructions")  # where it matters whose words they are


def view(checkpoint: Checkpoint, now_ms: int) -> str:
    """Return the checkpoint as a person wants to read it."""
    draft = checkpoint.draft
    when = f"{local_time(draft.created_at)} ({age(now_ms, draft.created_at)})"
    named = f" · {checkpoint.name}" if checkpoint.name else ""
    lines = [
        f"{label(checkpoint.number)}{named} · {draft.type} · {when}",
        unmarked(draft.content.title),
        "",
        f"id       {checkpoint.checkpoint_id}",
        (
            f"session  {draft.session_id} · checkpoint {checkpoint.sequence}"
            f" · {draft.facts.message_count} messages"
        ),
        f"code     {branch_mark(draft.code) or 'no git'} · {draft.workspace}",
    ]
    if draft.content.summary:
        lines += ["", unmarked(summary_told(draft.content))]
    for heading, items in _sections(draft.content):
        lines += _section(heading, items)
    lines += _files(draft.content.files)
    lines += _commands(draft.content)
    if hidden := sum(map(invisible_count, _texts(draft.content))):
        lines += ["", f"{hidden} invisible characters are left out above"]
    lines += ["", f"resume with: holdfast resume {checkpoint.number}"]
    return "\n".join(lines)


def _sections(content: Content) -> Iterator[tuple[str, Sequence[Item]]]:
    for kind in VIEWED:
        items = getattr(content, kind)
        if kind == "next_steps":
            items = steps_besides_tasks(content)
        yield KIND_OF[kind].heading, items


def _texts(content: Content) -> Iterator[str]:
    yield from (content.title, content.summary)
    for _, items in _sections(content):
        yield from (item.text for item in items)
    yield from (file.path for file in content.files)
    yield from (command.command for command in content.commands)


def evidence_view(checkpoint: Checkpoint) -> str:
    """Return each statement with who said it, the lines it came from, and an excerpt."""
    return "\n".join(("Evidence", *_evidence(checkpoint.draft.content)))


def _evidence(content: Content) -> Iterator[str]:
    for heading, items in _sections(content):
        for item in items:
            yield f"{heading} · {item.source} · {_told(item, heading)}"
            yield from _proof(item)
    for command in content.commands:
        if command.evidence:
            yield f"Commands · tool · {one_line(command.command, _LINE)}"
            yield f"    line {command.evidence}"


def _proof(item: Item) -> Iterator[str]:
    if item.origin:
        yield f"    from {item.origin}"
    for uuid in item.evidence:
        yield f"    line {uuid}"
    if item.excerpt:
        yield f"    > {one_line(unmarked(item.excerpt), 300)}"
    for noted in filter(None, item.about.split("\n")):
        yield f"    {one_line(unmarked(noted), 300)}"


def _section(heading: str, items: Sequence[Item]) -> list[str]:
    if not items:
        return []
    return ["", heading, *(f"- {_told(item, heading)}" for item in items)]


def _told(item: Item, heading: str) -> str:
    """Return a statement; what the user typed is marked as in a brief, and what the
    agent noted as the user's wish is told as that."""
    words = one_line(unmarked(item.text), _WHOLE) + doubt_mark(item.doubt)
    if heading not in _TYPED:
        return words
    return f"{USER} {words}" if item.source == "user" else f"noted: {words}"


def _files(files: Sequence[FileRef]) -> list[str]:
    changed = [file for file in files if file.change != "read"]
    read = [file.path for file in files if file.change == "read"]
    lines = []
    if changed:
        lines += ["", "Files"]
        lines += [
            f"- {f.change} {f.path} +{f.lines_added} −{f.lines_removed}"
            for f in changed
        ]
    if read:
        lines += ["", f"Read: {' · '.join(read)}"]
    return lines


def _commands(content: Content) -> list[str]:
    if not content.commands:
        return []
    lines = ["", "Commands"]
    for command in content.commands:
        came = "?" if command.exit is None else command.exit
        said = f": {one_line(command.output, 120)}" if command.output else ""
        lines.append(f"- {one_line(command.command, 120)} → exit {came}{said}")
    return lines
