"""How wide text is on a terminal: wide scripts take two cells, marks take none."""

import unicodedata
from itertools import accumulate

from holdfast.kernel.lazy_tuples import NamedTuple

_NO_CELL = ("Mn", "Me", "Cf")
_ELLIPSIS = "…"


class Piece(NamedTuple):
    """Part of a text, by its places: from `start` up to `end`."""

    start: int
    end: int


def width(text: str) -> int:
    """Return how many cells a text takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def cut(text: str, room: int) -> str:
    """Return text that fits into so many cells, with `…` where something is missing."""
    if width(text) <= room:
        return text
    end = _fitting(text, 0, max(0, room - 1))
    return text[:end].rstrip() + _ELLIPSIS


def wrapped(text: str, start: int, rooms: tuple[int, ...]) -> list[Piece]:
    """Return the lines of a text from a place on, each into its own room of cells.

    Words stay whole where they fit into a line; scripts without spaces break anywhere
    but before a mark.
    """
    lines: list[Piece] = []
    for room in rooms:
        start += len(text) - start - len(text[start:].lstrip())
        end = _fitting(text, start, room)
        if end < len(text) and text[end] != " ":
            space = text.rfind(" ", start, end)
            end = space if width(text[start : max(start, space)]) > room // 2 else end
        if end > start:
            lines.append(Piece(start, end))
        start = end
    return lines


def window(text: str, marks: tuple[Piece, ...], room: int) -> int:
    """Return where to begin a text that is too long, so that most marks are seen."""
    places = list(accumulate(map(_cells, text), initial=0))
    if places[-1] <= room or not marks:
        return 0

    def seen(first: Piece) -> int:
        end = places[first.start] + room * 3 // 4
        inside = (m for m in marks if m.start >= first.start and places[m.end] <= end)
        return len({text[m.start : m.end].casefold() for m in inside})

    best = max(marks, key=seen)  # the first of the best
    lead = min(places[best.start], room // 4)
    start = next(i for i, at in enumerate(places) if at >= places[best.start] - lead)
    space = text.find(" ", start, best.start)
    return 0 if start == 0 else (space + 1 if space >= 0 else start)


def _fitting(text: str, start: int, room: int) -> int:
    """Return the place before which a text fits, marks staying with their letter."""
    used = 0
    for place in range(start, len(text)):
        used += _cells(text[place])
        if used > room:
            return place
    return len(text)


def _cells(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.category(character) in _NO_CELL:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
