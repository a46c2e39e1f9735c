"""A checkpoint as observations: one master summary and one text per detail.

The form that memory systems keep, with sections, retrieval queries, metadata and tags.
"""

import json
from collections.abc import Sequence

from holdfast.domain.checkpoint import Checkpoint, Detail, FileRef
from holdfast.domain.code import branch_mark
from holdfast.domain.record import FORMAT, VERSION
from holdfast.domain.text import one_line, visible
from holdfast.kernel.clock import iso
from holdfast.kernel.ids import session_uuid

_NONE = "none"


def master_observation(checkpoint: Checkpoint, *, total: int | None = None) -> str:
    """Return the master summary; `total` is how many checkpoints the session has."""
    draft = checkpoint.draft
    content = draft.content
    uuid = session_uuid(draft.session_id, draft.agent)
    sections = (
        ("Checkpoint Reference", _reference(checkpoint, total)),
        ("Session Context", _context(checkpoint)),
        ("Summary", [visible(content.summary or content.title)]),
        ("Key Outcomes", _bullets([item.text for item in content.key_outcomes])),
        ("Files Referenced", _bullets([_file(file) for file in content.files])),
        ("Tools Used", _bullets([tool.tool for tool in draft.facts.tools])),
        ("Related Checkpoints", _related(checkpoint)),
        ("Retrieval Queries", _queries(checkpoint)),
    )
    title = one_line(visible(content.title), 120)
    lines = (
        f"Title: Checkpoint {checkpoint.sequence:02d}: {title} - Session {uuid}",
        "",
        "Type: discovery",
        "",
        "Content:",
        *_sections(sections),
        "Metadata:",
        json.dumps(metadata(checkpoint), ensure_ascii=False, indent=2),
        "",
        "Tags:",
        ", ".join(draft.tags),
    )
    return visible("\n".join(lines))


def detailed_observation(checkpoint: Checkpoint, detail: Detail) -> str:
    """Return one detail as an observation of its own."""
    topic = one_line(visible(detail.topic), 120)
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
        visible(detail.text),
        "",
    ]
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
    return "\n".join((*lines, "Tags:", visible(", ".join(dict.fromkeys(tags)))))


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
        f"- Working Directory: {visible(draft.working_directory)}",
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


def _sections(sections: Sequence[tuple[str, list[str]]]) -> list[str]:
    return [line for heading, body in sections for line in (f"## {heading}", *body, "")]


def _bullets(texts: Sequence[str]) -> list[str]:
    shown = [f"- {one_line(visible(text), 400)}" for text in texts]
    return shown or [f"- {_NONE}"]


def _file(file: FileRef) -> str:
    return f"{file.path} ({_change(file)})"


def _change(file: FileRef) -> str:
    if file.change in ("read", "deleted"):
        return file.change
    return f"{file.change}, +{file.lines_added} −{file.lines_removed}"


def _command(command: str, came_to: str) -> str:
    return f"`{command}`: {came_to}" if came_to else f"`{command}`"
