"""One checkpoint to read: for a person, what stands first, and proof on request."""

from collections.abc import Iterator, Sequence

from holdfast.brief.drift_marks import doubt_mark, summary_told
from holdfast.brief.phrases import named
from holdfast.domain.amounts import age, counted
from holdfast.domain.checkpoint import (
    Checkpoint,
    Content,
    Draft,
    FileRef,
    Item,
    note_fact,
    steps_besides_tasks,
)
from holdfast.domain.code import (
    NOT_LISTED,
    WITHOUT_CODE,
    CodeState,
    branch_mark,
    why_without_code,
)
from holdfast.domain.kinds import KIND_OF, VIEWED
from holdfast.domain.text import (
    USER,
    invisible_count,
    one_line,
    plain,
)
from holdfast.kernel.clock import iso, local_time
from holdfast.kernel.ids import label

_LINE = 200
_MINUTES = len("2026-11-18T20:31")
_USUAL_AGENT = "claude-code"
_WHOLE = 4_000  # characters; what a brief had to cut is read here
_TYPED = ("Requests", "Instructions")  # where it matters whose words they are


def view(
    checkpoint: Checkpoint, now_ms: int | None, project_id: str | None = None
) -> str:
    """Return the checkpoint as a person wants to read it who is in a project; without a
    moment, as somebody does who reads it elsewhere, and some day."""
    draft = checkpoint.draft
    if now_ms is None:
        when = f"{iso(draft.created_at)[:_MINUTES].replace('T', ' ')} UTC"
    else:
        when = f"{local_time(draft.created_at)} ({age(now_ms, draft.created_at)})"
    at = f"@{plain(checkpoint.machine)}" if checkpoint.machine else ""
    name = f" · {plain(checkpoint.name)}" if checkpoint.name else ""
    by = f" · by {plain(draft.author)}" if draft.author else ""
    lines = [
        f"{label(checkpoint.number)}{at}{name}{by} · {_made_by(draft)} · {when}",
        plain(draft.content.title),
        "",
        f"id       {checkpoint.checkpoint_id}",
        (
            f"session  {draft.session_id}{_with_agent(draft)}"
            f" · checkpoint {checkpoint.sequence}"
            f" · {counted(draft.facts.message_count, 'message')}"
        ),
        (
            f"code     {branch_mark(draft.code) or 'no git'} · {named(draft.workspace or checkpoint.author)}"
            f"{_kept_code(draft.code)}"
        ),
    ]
    if origin := checkpoint.origin:
        lines.append(f"from     {plain(origin.record)} · {named(origin.path)}")
    if draft.content.summary:
        lines += ["", _summary(draft)]
    if draft.content.technologies:
        told = " · ".join(map(plain, draft.content.technologies))
        lines += ["", f"Technologies: {told}"]
    for heading, items in _sections(draft.content):
        lines += _section(heading, items)
    lines += _files(draft.content.files)
    lines += _commands(draft.content)
    if hidden := sum(map(invisible_count, _texts(draft.content))):
        lines += ["", f"{hidden} invisible characters were left out above"]
    is_here = project_id in (None, draft.project_id)  # a number is of its project
    called = checkpoint.reference if is_here else checkpoint.checkpoint_id
    lines += ["", f"resume with: holdfast resume {plain(called)}"]
    return "\n".join(lines)


def _with_agent(draft: Draft) -> str:
    """Return whose session it is, where that is not the agent that most are of."""
    return f" · {plain(draft.agent)}" if draft.agent != _USUAL_AGENT else ""


def _made_by(draft: Draft) -> str:
    return "merge" if draft.trigger == "merge" else draft.type


def _kept_code(code: CodeState) -> str:
    """Return what is missing of the code, as the end of its line."""
    if code.tree is None:
        why = why_without_code(code)
        return f" · {WITHOUT_CODE}: {why}" if why else f" · {WITHOUT_CODE}"
    if not code.left_out:
        return ""
    listed = [left for left in code.left_out if left.path != NOT_LISTED]
    more = "more than " if len(listed) < len(code.left_out) else ""
    return f" · {more}{counted(len(listed), 'file')} left out"


def _summary(draft: Draft) -> str:
    """Return the summary; an agent's may speak of the user, so it is told as noted."""
    parts = (note_fact(note).part for note in draft.content.notes)
    is_noted = draft.given_notes or "summary" in parts
    return ("noted: " if is_noted else "") + plain(summary_told(draft.content))


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
            yield f"Commands · tool · {one_line(plain(command.command), _LINE)}"
            yield f"    line {command.evidence}"


def _proof(item: Item) -> Iterator[str]:
    if item.origin:
        yield f"    from {item.origin}"
    for uuid in item.evidence:
        yield f"    line {uuid}"
    if item.excerpt:
        yield f"    > {one_line(plain(item.excerpt), 300)}"
    for noted in filter(None, item.about.split("\n")):
        yield f"    {one_line(plain(noted), 300)}"


def _section(heading: str, items: Sequence[Item]) -> list[str]:
    if not items:
        return []
    return ["", heading, *(f"- {_told(item, heading)}" for item in items)]


def _told(item: Item, heading: str) -> str:
    """Return a statement; what the user typed is marked as in a brief, and what the
    agent noted as the user's wish is told as that."""
    words = one_line(plain(item.text), _WHOLE) + doubt_mark(item.doubt)
    if heading not in _TYPED:
        return words
    return f"{USER} {words}" if item.source == "user" else f"noted: {words}"


def _files(files: Sequence[FileRef]) -> list[str]:
    changed = [file for file in files if file.change != "read"]
    read = [named(file.path) for file in files if file.change == "read"]
    lines = []
    if changed:
        lines += ["", "Files"]
        lines += [
            f"- {f.change} {named(f.path)} +{f.lines_added} −{f.lines_removed}"
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
        came = command.ended or f"exit {'?' if command.exit is None else command.exit}"
        said = f": {one_line(plain(command.output), 120)}" if command.output else ""
        there = f" (in {command.ran_in})" if command.ran_in else ""
        words = one_line(plain(command.command), 120)
        lines.append(f"- {words} → {came}{said}{there}")
    return lines
