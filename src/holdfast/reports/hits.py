"""What a person sees of a hit: the checkpoint, the passage that answered, how to open it.

Lines that fit a width, with the places to mark; how a mark looks is the surface's choice.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from holdfast.brief.listing import branch_mark, project_name, short_age
from holdfast.domain.cells import Piece, cut, window, wrapped
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.query import Passage
from holdfast.domain.text import visible
from holdfast.kernel.lazy_values import dataclass

Marks = Callable[[str], tuple[tuple[int, int], ...]]
_INDENT = 7  # under the title
_PASSAGE_LINES = 2
_SHORT_ID = 8
# What the parts of a checkpoint are called where one is quoted.
_KINDS = {
    "requests": "asked",
    "instructions": "instruction",
    "decisions": "decision",
    "discoveries": "discovery",
    "errors": "error",
    "error_lines": "error",
    "dead_ends": "dead end",
    "key_outcomes": "outcome",
    "next_steps": "next step",
    "open_questions": "question",
    "files": "file",
    "commands": "command",
    "topics": "topic",
    "names": "name",
    "story": "told",
    "last_words": "told",
    "details": "observation",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line to print: its role says how it looks, its marks what stands out."""

    text: str
    role: Literal["title", "passage", "about"]
    marks: tuple[Piece, ...] = ()
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Looks:
    """Who is looking: from when, how wide, from which project, for what."""

    now_ms: int
    width: int
    project_id: str | None
    marks: Marks


def hit_lines(
    checkpoint: Checkpoint, passage: Passage | None, looks: Looks
) -> Iterator[Line]:
    """Yield a hit: number and title, the passage, then age, branch, session, command."""
    yield _title(checkpoint, looks)
    if passage is not None and passage.kind != "title":
        yield from _passage(passage, looks)
    yield from about(checkpoint, looks)


def suggestion_lines(
    checkpoint: Checkpoint, why: Sequence[str], looks: Looks
) -> Iterator[Line]:
    """Yield a suggestion: number and title, each reason, then where it is."""
    yield _title(checkpoint, looks)
    room = looks.width - _INDENT
    for reason in map(_flat, why):
        for piece in wrapped(reason, 0, (room,) * _PASSAGE_LINES):
            yield Line(reason[piece.start : piece.end], "passage", indent=_INDENT)
    yield from about(checkpoint, looks)


def about(checkpoint: Checkpoint, looks: Looks) -> Iterator[Line]:
    """Yield when and where a checkpoint was made, and how to open it."""
    draft = checkpoint.draft
    facts = [
        short_age(looks.now_ms, draft.created_at),
        branch_mark(draft.code),
        f"session {visible(draft.session_id)[:_SHORT_ID]}",
    ]
    command = f"holdfast show {reference(checkpoint, looks.project_id)}"
    if draft.project_id != looks.project_id:
        facts.insert(0, project_name(checkpoint))
    told = " · ".join(fact for fact in facts if fact)
    room = looks.width - _INDENT
    if len(told) + len(command) + 3 <= room:
        yield Line(f"{told} · {command}", "about", indent=_INDENT)
        return
    yield Line(cut(told, room), "about", indent=_INDENT)
    yield Line(command, "about", indent=_INDENT)


def reference(checkpoint: Checkpoint, project_id: str | None) -> str:
    """Return what names a checkpoint from a project: its number only inside its own."""
    if checkpoint.draft.project_id != project_id or checkpoint.machine:
        return checkpoint.checkpoint_id
    return str(checkpoint.number)


def _title(checkpoint: Checkpoint, looks: Looks) -> Line:
    at = f"@{checkpoint.machine}" if checkpoint.machine else ""
    number = f"{checkpoint.number:05d}{visible(at)}  "
    name = f" ({checkpoint.name})" if checkpoint.name else ""
    title = _flat(checkpoint.draft.content.title + name)
    shown = cut(title, max(_SHORT_ID, looks.width - len(number)))
    return Line(number + shown, "title", _moved(looks.marks(shown), len(number)))


def _passage(passage: Passage, looks: Looks) -> Iterator[Line]:
    label = f"{_KINDS.get(passage.kind, passage.kind.replace('_', ' '))}: "
    text = _flat(passage.text)
    room = looks.width - _INDENT
    marks = tuple(Piece(*span) for span in looks.marks(text))
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
        yield Line(ended, "passage", _moved(places, len(before)), _INDENT)
        before = ""


def _flat(text: str) -> str:
    return " ".join(visible(text).split())


def _moved(marks: Iterable[tuple[int, int]], by: int) -> tuple[Piece, ...]:
    return tuple(Piece(start + by, end + by) for start, end in marks)
