"""One checkpoint to read: for a person, what stands first, and proof on request.

For tools that keep observations: one master summary, and one text per detail.
"""

import json
from collections.abc import Iterator, Sequence

from holdfast.brief.drift_marks import doubt_mark, summary_told
from holdfast.brief.phrases import indented, named
from holdfast.domain.amounts import age, counted
from holdfast.domain.checkpoint import (
    Checkpoint,
    Content,
    Detail,
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
from holdfast.domain.record import FORMAT, VERSION
from holdfast.domain.text import (
    USER,
    invisible_count,
    one_line,
    plain,
    unmarked,
    visible,
)
from holdfast.facts.work.outcomes import achieved
from holdfast.kernel.clock import iso, local_time
from holdfast.kernel.ids import label, session_uuid

_LINE = 200
_WHOLE = 4_000  # characters; what a brief had to cut is read here
_TYPED = ("Requests", "Instructions")  # where it matters whose words they are
_NONE = "none"


def view(checkpoint: Checkpoint, now_ms: int, project_id: str | None = None) -> str:
    """Return the checkpoint as a person wants to read it who is in a project."""
    draft = checkpoint.draft
    when = f"{local_time(draft.created_at)} ({age(now_ms, draft.created_at)})"
    at = f"@{plain(checkpoint.machine)}" if checkpoint.machine else ""
    name = f" · {plain(checkpoint.name)}" if checkpoint.name else ""
    lines = [
        f"{label(checkpoint.number)}{at}{name} · {_made_by(draft)} · {when}",
        plain(draft.content.title),
        "",
        f"id       {checkpoint.checkpoint_id}",
        (
            f"session  {draft.session_id} · checkpoint {checkpoint.sequence}"
            f" · {draft.facts.message_count} messages"
        ),
        (
            f"code     {branch_mark(draft.code) or 'no git'} · {named(draft.workspace or at[1:])}"
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
        lines += ["", f"{hidden} invisible characters are left out above"]
    is_here = project_id in (None, draft.project_id)  # a number is of its project
    called = checkpoint.reference if is_here else checkpoint.checkpoint_id
    lines += ["", f"resume with: holdfast resume {plain(called)}"]
    return "\n".join(lines)


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
        came = "?" if command.exit is None else command.exit
        said = f": {one_line(plain(command.output), 120)}" if command.output else ""
        there = f" (in {command.ran_in})" if command.ran_in else ""
        words = one_line(plain(command.command), 120)
        lines.append(f"- {words} → exit {came}{said}{there}")
    return lines


def recalled(checkpoint: Checkpoint) -> str:
    """Return what somebody who asked for it by its id wants first: what it was, what
    came of it, and which observations tell more."""
    draft = checkpoint.draft
    observations = [
        f"  #{checkpoint.master_summary_id} - Master Summary",
        *(f"  #{d.detail_id} - {one_line(d.topic, 80)}" for d in draft.details),
    ]
    lines = (
        f"Checkpoint: {checkpoint.checkpoint_id}",
        f"From Session: {draft.session_id}",
        f"Created: {iso(draft.created_at)}",
        "",
        "Summary:",
        unmarked(summary_told(draft.content) or draft.content.title),
        "",
        "Key Outcomes:",
        *_bullets([item.text for item in achieved(draft.content)]),
        "",
        "Related Observations:",
        *observations,
    )
    return visible("\n".join(lines))


def master_observation(checkpoint: Checkpoint, *, total: int | None = None) -> str:
    """Return the master summary; `total` is how many checkpoints the session has."""
    draft = checkpoint.draft
    content = draft.content
    uuid = session_uuid(draft.session_id, draft.agent)
    sections = (
        ("Checkpoint Reference", _reference(checkpoint, total)),
        ("Session Context", _context(checkpoint)),
        ("Summary", [plain(content.summary or content.title)]),
        ("Key Outcomes", _bullets([item.text for item in achieved(content)])),
        ("Files Referenced", _bullets([_file(file) for file in content.files])),
        ("Tools Used", _bullets([tool.tool for tool in draft.facts.tools])),
        ("Related Checkpoints", _related(checkpoint)),
        ("Retrieval Queries", _queries(checkpoint)),
    )
    title = one_line(plain(content.title), 120)
    lines = (
        f"Title: Checkpoint {checkpoint.sequence:02d}: {title} - Session {uuid}",
        "",
        "Type: discovery",
        "",
        "Content:",
        *_with_headings(sections),
        "Metadata:",
        json.dumps(metadata(checkpoint), ensure_ascii=False, indent=2),
        "",
        "Tags:",
        ", ".join(map(plain, draft.tags)),
    )
    return visible("\n".join(lines))


def detailed_observation(checkpoint: Checkpoint, detail: Detail) -> str:
    """Return one detail as an observation of its own."""
    topic = one_line(plain(detail.topic), 120)
    changes = {file.path: file for file in checkpoint.draft.content.files}
    files = [
        f"{path}: {_change(changes[path])}" if path in changes else path
        for path in detail.files
    ]
    lines = [
        "Observation Type: analysis",
        "",
        f"Title: [Checkpoint {checkpoint.sequence:02d}] Detailed: {topic}",
        "",
        "Content:",
        f"## Topic: {topic}",
        "",
        "### Details",
        indented(unmarked(detail.text)),
        "",
    ]
    if detail.snippets:
        lines += ["### Code Examples", *_examples(detail), ""]
    if files:
        lines += ["### Related Files", *_bullets(files), ""]
    if detail.ran:
        lines += [
            "### Commands",
            *_bullets([_command(*pair) for pair in detail.ran]),
            "",
        ]
    tags = (
        f"checkpoint-{checkpoint.checkpoint_id}",
        topic,
        *checkpoint.draft.content.topics,
    )
    return "\n".join((*lines, "Tags:", ", ".join(dict.fromkeys(map(plain, tags)))))


def _examples(detail: Detail) -> Iterator[str]:
    """Yield pieces of code in fences that they cannot close, each with its file."""
    for path, code in detail.snippets:
        fence = "```"
        while fence in code:
            fence += "`"
        ending = path.rpartition(".")[2] if "." in path.rpartition("/")[2] else ""
        yield f"`{one_line(visible(path), 120)}`:"
        yield from (f"{fence}{one_line(visible(ending), 12)}", visible(code), fence)


def metadata(checkpoint: Checkpoint) -> dict[str, object]:
    """Return the metadata of the master summary."""
    draft = checkpoint.draft
    return {
        "version": VERSION,
        "format": FORMAT,
        "checkpoint_id": checkpoint.checkpoint_id,
        "session_id": draft.session_id,
        "sequence": checkpoint.sequence,
        "type": "checkpoint",
        "checkpoint_type": draft.type,
        "created_at": iso(draft.created_at),
        "created_at_unix": draft.created_at,
        "parent_session": draft.parent_session,
        "topics": list(draft.content.topics),
        "files": [file.path for file in draft.content.files],
        "tools_used": [tool.tool for tool in draft.facts.tools],
        "observation_ids": [
            checkpoint.master_summary_id,
            *(detail.detail_id for detail in draft.details),
        ],
        "latest_checkpoint": checkpoint.latest_checkpoint,
        "working_directory": draft.working_directory,
        "hostname": draft.hostname or None,
        "claude_code_version": draft.agent_version or None,
    }


def _reference(checkpoint: Checkpoint, total: int | None) -> list[str]:
    draft = checkpoint.draft
    of = f" of {total}" if total else ""
    return [
        f"- Checkpoint ID: {checkpoint.checkpoint_id}",
        f"- Session ID: {draft.session_id}",
        f"- Sequence: {checkpoint.sequence}{of}",
        f"- Type: {draft.type}",
        f"- Created: {iso(draft.created_at)}",
        f"- Created (Unix): {draft.created_at}",
    ]


def _context(checkpoint: Checkpoint) -> list[str]:
    draft, facts = checkpoint.draft, checkpoint.draft.facts
    started = iso(facts.started_at) if facts.started_at else _NONE
    return [
        f"- Started: {started}",
        f"- Started (Unix): {facts.started_at}",
        f"- Duration: {facts.duration_seconds} seconds",
        f"- Messages: {facts.message_count}",
        f"- Working Directory: {plain(draft.working_directory)}",
        f"- Code: {branch_mark(draft.code) or _NONE}",
        f"- Parent Session: {draft.parent_session or _NONE}",
    ]


def _related(checkpoint: Checkpoint) -> list[str]:
    return [
        f"- Previous: {checkpoint.previous_checkpoint or _NONE}",
        f"- Next: {checkpoint.next_checkpoint or _NONE}",
    ]


def _queries(checkpoint: Checkpoint) -> list[str]:
    draft = checkpoint.draft
    root = draft.root_session or draft.session_id
    return [
        "# Restore this checkpoint",
        f'/mem-search query="checkpoint:{checkpoint.checkpoint_id}"',
        "",
        "# All checkpoints in this session",
        f'/mem-search query="checkpoint session:{draft.session_id}"',
        "",
        "# Session lineage",
        f'/mem-search query="session lineage:{root}"',
    ]


def _with_headings(sections: Sequence[tuple[str, list[str]]]) -> list[str]:
    return [line for heading, body in sections for line in (f"## {heading}", *body, "")]


def _bullets(texts: Sequence[str]) -> list[str]:
    shown = [f"- {one_line(plain(text), 400)}" for text in texts]
    return shown or [f"- {_NONE}"]


def _file(file: FileRef) -> str:
    return f"{file.path} ({_change(file)})"


def _change(file: FileRef) -> str:
    if file.change in ("read", "deleted"):
        return file.change
    return f"{file.change}, +{file.lines_added} −{file.lines_removed}"


def _command(command: str, came_to: str) -> str:
    return f"`{command}`: {came_to}" if came_to else f"`{command}`"
