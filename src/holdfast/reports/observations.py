"""A checkpoint as observations, for tools that keep those: a master summary, and a text
for each detail.
"""

import json
from collections.abc import Iterator, Sequence

from holdfast.brief.drift_marks import summary_told
from holdfast.brief.phrases import indented
from holdfast.domain.checkpoint import Checkpoint, Detail, FileRef
from holdfast.domain.code import branch_mark
from holdfast.domain.outbox import ObservationText
from holdfast.domain.record import FORMAT, VERSION
from holdfast.domain.text import one_line, plain, unmarked, visible
from holdfast.facts.work.outcomes import achieved
from holdfast.kernel.clock import iso
from holdfast.kernel.ids import label, session_uuid

_NONE = "none"


def recalled(checkpoint: Checkpoint, numbers: Sequence[int] = ()) -> str:
    """Return what somebody who asked for it by its id wants first: what it was, what
    came of it, and which observations tell more.

    `numbers` are what a mirror that is asked by them calls the observations.
    """
    draft = checkpoint.draft
    own = (checkpoint.master_summary_id, *(d.detail_id for d in draft.details))
    topics = ("Master Summary", *(one_line(d.topic, 80) for d in draft.details))
    told = (*numbers[: len(own)], *own[len(numbers) :])
    observations = [
        f"  #{number} - {topic}" for number, topic in zip(told, topics, strict=True)
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
    uuid = session_uuid(draft.session_id, draft.agent)
    title = one_line(plain(draft.content.title), 120)
    lines = (
        f"Title: Checkpoint {checkpoint.sequence:02d}: {title} - Session {uuid}",
        "",
        "Type: discovery",
        "",
        "Content:",
        *_master_content(checkpoint, total),
        *_master_metadata(checkpoint),
    )
    return visible("\n".join(lines))


def _master_content(checkpoint: Checkpoint, total: int | None) -> list[str]:
    content = checkpoint.draft.content
    sections = (
        ("Checkpoint Reference", _reference(checkpoint, total)),
        ("Session Context", _context(checkpoint)),
        ("Summary", [plain(content.summary or content.title)]),
        ("Key Outcomes", _bullets([item.text for item in achieved(content)])),
        ("Files Referenced", _bullets([_file(file) for file in content.files])),
        ("Tools Used", _bullets([tool.tool for tool in checkpoint.draft.facts.tools])),
        ("Related Checkpoints", _related(checkpoint)),
        ("Retrieval Queries", _queries(checkpoint)),
    )
    return _with_headings(sections)


def _master_metadata(checkpoint: Checkpoint) -> list[str]:
    return [
        "Metadata:",
        json.dumps(metadata(checkpoint), ensure_ascii=False, indent=2),
        "",
        "Tags:",
        ", ".join(map(plain, checkpoint.draft.tags)),
    ]


def detailed_observation(checkpoint: Checkpoint, detail: Detail) -> str:
    """Return one detail as an observation of its own."""
    topic = one_line(plain(detail.topic), 120)
    tags = (
        f"checkpoint-{checkpoint.checkpoint_id}",
        topic,
        *checkpoint.draft.content.topics,
    )
    lines = (
        "Observation Type: analysis",
        "",
        f"Title: [Checkpoint {checkpoint.sequence:02d}] Detailed: {topic}",
        "",
        "Content:",
        *_detailed_content(checkpoint, detail),
        "Tags:",
        ", ".join(dict.fromkeys(map(plain, tags))),
    )
    return "\n".join(lines)


def mirrored_texts(checkpoint: Checkpoint) -> tuple[ObservationText, ...]:
    """Return a checkpoint as other memory systems keep it: the master summary first.

    Its number is in each title, so that two with one title and text are two.
    """
    draft = checkpoint.draft
    number = label(checkpoint.number)
    uuid = session_uuid(draft.session_id, draft.agent)
    title = one_line(plain(draft.content.title), 120)
    master = ObservationText(
        f"{number}: {title} - Session {uuid}",
        visible("\n".join(_master_content(checkpoint, None)).strip()),
        visible("\n".join(_master_metadata(checkpoint))),
    )
    details = (
        ObservationText(
            f"[{number}] Detailed {place}: {one_line(plain(detail.topic), 120)}",
            visible("\n".join(_detailed_content(checkpoint, detail)).strip()),
        )
        for place, detail in enumerate(draft.details, 1)
    )
    return (master, *details)


def _detailed_content(checkpoint: Checkpoint, detail: Detail) -> list[str]:
    topic = one_line(plain(detail.topic), 120)
    changes = {file.path: file for file in checkpoint.draft.content.files}
    files = [
        f"{path}: {_change(changes[path])}" if path in changes else path
        for path in detail.files
    ]
    lines = [
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
    return lines


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
