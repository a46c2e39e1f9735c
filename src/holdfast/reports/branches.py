"""Branches for people: side by side, what a merge brought, what it leaves to choose, and
what would conflict in the code."""

from collections import Counter
from collections.abc import Iterator, Sequence

from holdfast.branches.code_merge import CodeClash
from holdfast.branches.conflicts import Conflict, ConflictOption
from holdfast.branches.side_by_side import COMPARED_KINDS, BranchView
from holdfast.domain import terminal_width
from holdfast.domain.amounts import counted, duration
from holdfast.domain.checkpoint import Content
from holdfast.domain.code import branch_mark
from holdfast.domain.kinds import COMPARED, KIND_OF
from holdfast.domain.text import one_line, plain
from holdfast.facts.comparing import compare
from holdfast.reports.changes import total

_SHOWN = 200
_WORDS = 12  # cells of the words on the left
_GAP = "  "
_MOST_ITEMS, _MOST_LINES = 6, 3  # of a kind, and of one of them
_NONE = "–"
_GONE = "(taken back there)"
CLASHES: dict[CodeClash, str] = {
    "lines": "both changed the same lines",
    "created": "both created it, with different content",
    "deleted": "changed on one side, deleted on the other",
    "binary": "both changed it, and it is not text",
    "large": "both changed it, and it is too large to compare",
    "mode": "both changed its permissions, in different ways",
    "unknown": "both changed it; too many files to compare lines",
}
WHYS = {
    "differ": "they contradict each other",
    "done": "done on one side, open on the other",
    "taken-back": "taken back on one side",
}


def brought(home: Content, together: Content) -> str:
    """Return what a merge added to home: `2 decisions, 1 dead end`; empty: nothing."""
    added = Counter(known.kind for known in compare(home, together).added)
    return ", ".join(_several(kind, added[kind]) for kind in COMPARED if added[kind])


def _several(kind: str, count: int) -> str:
    named = KIND_OF[kind]
    many = named.receipt.replace("_", " ") or named.word
    return f"{count} {named.word if count == 1 else many}"


def option_text(option: ConflictOption) -> str:
    """Return what one side of a conflict says, on one line."""
    if option.item is None:
        return _GONE
    words = one_line(plain(option.item.text), _SHOWN)
    return f"{words} (done)" if option.kind == "key_outcomes" else words


def conflict_rows(conflicts: Sequence[Conflict]) -> Iterator[tuple[str, str, str, str]]:
    """Yield a row per side: the conflict's number, its kind, the side, what it says."""
    for conflict in conflicts:
        number, kind = str(conflict.number), KIND_OF[conflict.kind].word
        for option in conflict.options:
            yield number, kind, f"{option.number:05d}", option_text(option)
            number = kind = ""


def side_by_side(one: BranchView, other: BranchView, room: int = 80) -> Iterator[str]:
    """Yield two branches as lines of two columns, none wider than `room` cells."""
    each = max(12, (room - _WORDS - len(_GAP)) // 2)
    for words, mine, theirs in _table(one, other):
        left, right = _cell(mine, each), _cell(theirs, each)
        for place in range(max(len(left), len(right))):
            first = left[place] if place < len(left) else ""
            second = right[place] if place < len(right) else ""
            start = words if place == 0 else ""
            row = f"{_padded(start, _WORDS)}{_padded(first, each)}{_GAP}{second}"
            yield row.rstrip()


def _table(
    one: BranchView, other: BranchView
) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    yield "", (_name(one),), (_name(other),)
    for kind, words in COMPARED_KINDS.items():
        mine, theirs = one.items[kind], other.items[kind]
        if mine or theirs:
            yield words, _listed(kind, mine), _listed(kind, theirs)
    if one.tests or other.tests:
        yield "tests", one.tests or (_NONE,), other.tests or (_NONE,)
    yield "code", (_code(one),), (_code(other),)
    yield "cost", (_cost(one),), (_cost(other),)


def _name(view: BranchView) -> str:
    draft = view.checkpoint.draft
    mark = branch_mark(draft.code)
    return f"{view.checkpoint.number:05d} {mark}".rstrip()


def _listed(kind: str, texts: Sequence[str]) -> list[str]:
    if not texts:
        return [_NONE]
    sign = "" if kind == "goal" else "- "
    shown = [f"{sign}{one_line(plain(text), _SHOWN)}" for text in texts[:_MOST_ITEMS]]
    more = len(texts) - len(shown)
    return [*shown, f"… and {more} more"] if more else shown


def _code(view: BranchView) -> str:
    return "unknown" if view.code is None else total(view.code)


def _cost(view: BranchView) -> str:
    cost = view.cost
    parts = (
        counted(cost.messages, "message"),
        counted(cost.tool_calls, "call"),
        duration(cost.seconds),
        f"{cost.context_tokens:,} tokens of context" if cost.context_tokens else "",
    )
    return " · ".join(filter(None, parts))


def _cell(texts: Sequence[str], room: int) -> list[str]:
    """Return texts as lines of so many cells; a long one is cut."""
    lines: list[str] = []
    for text in texts:
        rooms = (room,) * _MOST_LINES
        pieces = terminal_width.wrapped(text, 0, rooms)
        found = [text[piece.start : piece.end].strip() for piece in pieces]
        if pieces and text[pieces[-1].end :].strip():
            found[-1] = terminal_width.cut(f"{found[-1]} …", room)
        lines += found
    return lines


def _padded(text: str, room: int) -> str:
    return text + " " * max(0, room - terminal_width.width(text))
