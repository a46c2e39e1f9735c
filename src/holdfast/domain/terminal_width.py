"""How wide text is on a terminal: wide scripts take two cells, marks take none."""

import unicodedata
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from re import Pattern

_NO_CELL = ("Mn", "Me", "Cf")
_WIDE = 2
_AS_EMOJI = "\N{VARIATION SELECTOR-16}"
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
# Vowels and finals of a Korean syllable that is written in parts, as file names may be.
_JOINED_JAMO = frozenset(map(chr, range(0x1160, 0x1200)))
_HANGUL = range(0xAC00, 0xD7A4)  # wide, and written with spaces
_LEAD = pattern(r" *(?:(?:[-•▸●>]|\d+\.) |[a-z]{2,12} {2,})?")
_WORD = pattern(r"( *)([^ ]+)")
_WORD_OR_SPAN = pattern(r"( *)((?:`[^`]*`|[^ ])+)")
_ELLIPSIS = "…"


class Piece(NamedTuple):
    """Part of a text, by its places: from `start` up to `end`."""

    start: int
    end: int


def width(text: str) -> int:
    """Return how many cells a text takes."""
    return len(text) if text.isascii() else sum(_cells_of(text))


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


def folded(text: str, room: int, *, keeps_spans: bool = False) -> str:
    """Return text whose lines fit into so many cells, broken between words, but not in a
    command between backticks if those are to be kept: it is there to be pasted.

    What goes on stands below the words it belongs to, also behind a label such as
    `session  `. A path, an id or a command's word that is too long stays whole, so that
    it can be copied; a script without spaces breaks anywhere but before a mark.
    """
    words = _WORD_OR_SPAN if keeps_spans else _WORD
    lines = text.split("\n")
    return "\n".join(part for line in lines for part in _fold(line, room, words))


def _fold(line: str, room: int, words: "Pattern[str]") -> Iterator[str]:
    if width(line) <= room:
        yield line
        return
    shown = _LEAD.match(line)[0]  # type: ignore[index]  # it matches every line
    indent = " " * min(len(shown), room // 2)
    is_begun = False  # whether the line holds a word already
    for found in words.finditer(line, len(shown)):
        gap, rest = found[1], found[2]
        while rest:
            left = room - width(shown) - len(gap)
            end = len(rest) if width(rest) <= left else _break(rest, left, room)
            if not end and is_begun:
                yield shown
                shown, gap, is_begun = indent, "", False
                continue
            end = end or len(rest)
            shown, rest = f"{shown}{gap}{rest[:end]}", rest[end:]
            gap, is_begun = "", True
    yield shown


def _break(word: str, left: int, room: int) -> int:
    """Return where a word may be broken that does not fit into what is left; 0: nowhere."""
    others = [one for one in word if not one.isascii()]
    if len(others) * 2 <= len(word):
        return 0
    is_unspaced = any(_cells(one) == _WIDE and ord(one) not in _HANGUL for one in word)
    may_break = left >= _WIDE and (is_unspaced or width(word) > room)
    return _fitting(word, 0, left) if may_break else 0


def window(text: str, marks: tuple[Piece, ...], room: int) -> int:
    """Return where to begin a text that is too long, so that most marks are seen."""
    places = list(accumulate(_cells_of(text), initial=0))
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
    for place, cells in enumerate(_cells_of(text[start:]), start):
        used += cells
        if used > room:
            return place
    return len(text)


def _cells_of(text: str) -> Iterator[int]:
    """Yield the cells of each character where it stands: an emoji's variation makes it
    wide, its skin tone takes no place of its own."""
    before = 0
    for character in text:
        cells = _cells(character)
        if character == _AS_EMOJI and before == 1:
            cells = 1
        elif before and character in _SKIN_TONES:
            cells = 0
        before = cells or before
        yield cells


def _cells(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.category(character) in _NO_CELL or character in _JOINED_JAMO:
        return 0
    return _WIDE if unicodedata.east_asian_width(character) in "WF" else 1
