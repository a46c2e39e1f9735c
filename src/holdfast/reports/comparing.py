"""What differs between two checkpoints, for people."""

from collections.abc import Sequence

from holdfast.brief.listing import counted
from holdfast.domain.snapshot import CodeChange, FileChange
from holdfast.domain.text import one_line, visible

_SHOWN = 200
_WORDS = {
    "requests": "request",
    "instructions": "instruction",
    "decisions": "decision",
    "pending": "todo",
    "next_steps": "next step",
    "open_questions": "question",
    "errors": "error",
    "dead_ends": "dead end",
    "key_outcomes": "outcome",
    "discoveries": "discovery",
    "in_flight": "in flight",
}
_MARKS: dict[CodeChange, str] = {
    "created": "A",
    "edited": "M",
    "deleted": "D",
    "renamed": "R",
    "mode": "m",
}


def kind_word(kind: str) -> str:
    """Return what one item of a kind is called."""
    return _WORDS[kind]


def item_text(text: str) -> str:
    return one_line(visible(text), _SHOWN)


def total(files: Sequence[FileChange]) -> str:
    """Return the sum: `3 files, +127 −9`."""
    if not files:
        return "the same"
    added = sum(change.lines_added for change in files)
    removed = sum(change.lines_removed for change in files)
    return f"{counted(len(files), 'file')}, +{added} −{removed}"


def file_rows(files: Sequence[FileChange]) -> list[list[str]]:
    """Return a row per file: what happened, the path, lines added and removed."""
    rows = []
    for change in files:
        path = change.path
        if change.old_path is not None:
            path = f"{change.old_path} → {change.path}"
        more = f"+{change.lines_added}" if change.lines_added else ""
        less = f"−{change.lines_removed}" if change.lines_removed else ""
        rows.append([_MARKS[change.change], path, more, less])
    return rows
