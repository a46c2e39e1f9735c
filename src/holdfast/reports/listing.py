"""What a person sees of checkpoints in a list: a row each, or a hit with the passage that
answered, why it is suggested, and how to open it.

A hit is lines that fit a width, with the places to mark; how a mark looks is the
surface's choice.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from holdfast.domain.amounts import counted, short_age
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import WITHOUT_CODE, CodeState, branch_mark
from holdfast.domain.kinds import KIND_OF
from holdfast.domain.query import Passage
from holdfast.domain.terminal_width import Piece, cut, window, wrapped
from holdfast.domain.text import plain
from holdfast.kernel.clock import local_time
from holdfast.kernel.lazy_values import dataclass

Marks = Callable[[str], tuple[tuple[int, int], ...]]
_INDENT = 7  # under the title
_PASSAGE_LINES = 2
_SHORT_ID = 8
_MOST_OF_A_BRANCH = 20  # cells
_MOST_OF_A_PROJECT = 20
# What a quoted part of a checkpoint is called where it is no item, or not by its word.
_QUOTED = {
    "requests": "asked",
    "pending": "pending",
    "error_lines": "error",
    "files": "file",
    "commands": "command",
    "topics": "topic",
    "names": "name",
    "story": "told",
    "last_words": "told",
    "details": "observation",
}
# What made a checkpoint, where its type alone does not say it.
_MADE_BY = {"headless": "{}, headless", "merge": "merge"}


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One line to print: its role says how it looks, its marks what stands out."""

    text: str
    role: Literal["title", "passage", "about"]
    marks: tuple[Piece, ...] = ()
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who is looking: from when, how wide, from which project, for what."""

    now_ms: int
    width: int
    project_id: str | None
    marks: Marks


def row(
    checkpoint: Checkpoint, now_ms: int, *, is_latest: bool = False
) -> tuple[str, ...]:
    """Return number, time, type, title, branch and files of a checkpoint as text, and
    whether there is no code to restore.

    The one that a resume takes has a star.
    """
    draft = checkpoint.draft
    changed = sum(1 for file in draft.content.files if file.change != "read")
    at = f"@{checkpoint.machine}" if checkpoint.machine else ""
    name = named_and_by(checkpoint)
    told = (
        counted(changed, "file") if changed else "",
        "" if draft.code.tree else WITHOUT_CODE,
    )
    return (
        f"{checkpoint.number:05d}{at}{'*' if is_latest else ''}",
        f"{_clock(draft.created_at)} {short_age(now_ms, draft.created_at)}",
        _MADE_BY.get(draft.trigger, "{}").format(draft.type),
        plain(draft.content.title + name),
        branch_with_count(draft.code),
        ", ".join(filter(None, told)),
    )


def named_and_by(checkpoint: Checkpoint) -> str:
    """Return what stands behind a title: its name, and who told it over HTTP."""
    name = f" ({checkpoint.name})" if checkpoint.name else ""
    author = checkpoint.draft.author
    return f"{name} · by {author}" if author else name


def project_name(checkpoint: Checkpoint) -> str:
    """Return what a project is called among others: the name of its directory."""
    name = plain(checkpoint.draft.project_root).rstrip("/").rpartition("/")[2]
    return cut(name, _MOST_OF_A_PROJECT)


def hit_lines(
    checkpoint: Checkpoint, passage: Passage | None, viewer: Viewer
) -> Iterator[ShownLine]:
    """Yield a hit: number and title, the passage, then age, branch, session, command."""
    yield _title(checkpoint, viewer)
    if passage is not None and passage.kind != "title":
        yield from _passage(passage, viewer)
    yield from about(checkpoint, viewer)


def suggestion_lines(
    checkpoint: Checkpoint, why: Sequence[str], viewer: Viewer
) -> Iterator[ShownLine]:
    """Yield a suggestion: number and title, each reason, then where it is."""
    yield _title(checkpoint, viewer)
    room = viewer.width - _INDENT
    for reason in map(plain, why):
        for piece in wrapped(reason, 0, (room,) * _PASSAGE_LINES):
            yield ShownLine(reason[piece.start : piece.end], "passage", indent=_INDENT)
    yield from about(checkpoint, viewer)


def about(checkpoint: Checkpoint, viewer: Viewer) -> Iterator[ShownLine]:
    """Yield when and where a checkpoint was made, and how to open it."""
    draft = checkpoint.draft
    facts = [
        short_age(viewer.now_ms, draft.created_at),
        branch_mark(draft.code),
        f"session {plain(draft.session_id)[:_SHORT_ID]}",
    ]
    command = f"holdfast show {reference(checkpoint, viewer.project_id)}"
    if draft.project_id != viewer.project_id:
        facts.insert(0, project_name(checkpoint))
    told = " · ".join(fact for fact in facts if fact)
    room = viewer.width - _INDENT
    if len(told) + len(command) + 3 <= room:
        yield ShownLine(f"{told} · {command}", "about", indent=_INDENT)
        return
    yield ShownLine(cut(told, room), "about", indent=_INDENT)
    yield ShownLine(command, "about", indent=_INDENT)


def reference(checkpoint: Checkpoint, project_id: str | None) -> str:
    """Return what names a checkpoint from a project: its number only inside its own."""
    if checkpoint.draft.project_id != project_id:
        return checkpoint.checkpoint_id
    return plain(checkpoint.reference)


def branch_with_count(code: CodeState) -> str:
    """Return the branch and how many files are not committed: `main +3`."""
    name = plain(code.branch or ("detached" if code.head else ""))
    changed = f" +{len(code.uncommitted or ()) or ''}" if code.dirty else ""
    return cut(name, _MOST_OF_A_BRANCH - len(changed)) + changed if name else ""


def _clock(at: int) -> str:
    """Return the time of day, where the user is."""
    return local_time(at).rpartition(" ")[2]


def _title(checkpoint: Checkpoint, viewer: Viewer) -> ShownLine:
    at = f"@{checkpoint.machine}" if checkpoint.machine else ""
    number = f"{checkpoint.number:05d}{plain(at)}  "
    name = named_and_by(checkpoint)
    title = plain(checkpoint.draft.content.title + name)
    shown = cut(title, max(_SHORT_ID, viewer.width - len(number)))
    return ShownLine(number + shown, "title", _moved(viewer.marks(shown), len(number)))


def _passage(passage: Passage, viewer: Viewer) -> Iterator[ShownLine]:
    label = f"{_called(passage.kind)}: "
    text = plain(passage.text)
    room = viewer.width - _INDENT
    marks = tuple(Piece(*span) for span in viewer.marks(text))
    start = window(text, marks, room * _PASSAGE_LINES - len(label) - 2)
    before = label + ("…" if start else "")
    rooms = (room - len(before), *[room - 1] * (_PASSAGE_LINES - 1))
    pieces = wrapped(text, start, rooms)
    for piece in pieces:
        shown = before + text[piece.start : piece.end]
        is_cut = piece is pieces[-1] and piece.end < len(text.rstrip())
        inside = (m for m in marks if m.start < piece.end and m.end > piece.start)
        places = [
            (
                max(m.start, piece.start) - piece.start,
                min(m.end, piece.end) - piece.start,
            )
            for m in inside
        ]
        ended = shown + "…" if is_cut else shown
        yield ShownLine(ended, "passage", _moved(places, len(before)), _INDENT)
        before = ""


def _called(kind: str) -> str:
    item = KIND_OF.get(kind)
    return _QUOTED.get(kind) or (item and item.word) or kind.replace("_", " ")


def _moved(marks: Iterable[tuple[int, int]], by: int) -> tuple[Piece, ...]:
    return tuple(Piece(start + by, end + by) for start, end in marks)
