"""What changed between two versions of a file, line by line, and what of it is certain.

Lines that occur once in both are the posts between which the rest is compared, so a file
of ten thousand lines costs what differs. Where a change could as well lie a line further
up or down (a blank line more among blank lines), nobody can tell which of them is new:
such lines are told apart.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from holdfast.kernel.lazy_tuples import NamedTuple

_TELLING = 12  # letters and digits that a line must have to be known again by itself
_BLOCK = 256  # lines compared at once
_MOST_PAIRS = 250_000  # beyond that, lines without a post are told as replaced

Lines = Sequence[str]


class Hunk(NamedTuple):
    """Lines `[i1, i2)` of the older version became `[j1, j2)` of the newer."""

    i1: int
    i2: int
    j1: int
    j2: int


def changes(older: Lines, newer: Lines) -> list[Hunk]:
    """Return what is not the same, in order; between two hunks both have equal lines."""
    found = _merged(_changes(older, newer, Hunk(0, len(older), 0, len(newer))))
    return list(found)


def is_telling(line: str) -> bool:
    """Say whether a line says enough not to be written twice by chance."""
    return len(line) >= _TELLING and sum(map(str.isalnum, line)) >= _TELLING


def sliding(older: Lines, newer: Lines, hunk: Hunk) -> tuple[int, int]:
    """Return by how many lines a hunk could lie further up, and further down, with the
    same two versions. Only a hunk that adds or removes, and does not both, can."""
    i1, i2, j1, j2 = hunk
    if (i1 == i2) == (j1 == j2):
        return 0, 0
    lines, start, end = (newer, j1, j2) if i1 == i2 else (older, i1, i2)
    other, at = (older, i1) if i1 == i2 else (newer, j1)
    up = down = 0
    while up < min(start, at) and lines[start - up - 1] == lines[end - up - 1]:
        if lines[start - up - 1] != other[at - up - 1]:
            break  # the hunk before begins here
        up += 1
    most = min(len(lines) - end, len(other) - at)
    while down < most and lines[start + down] == lines[end + down]:
        if lines[end + down] != other[at + down]:
            break
        down += 1
    return up, down


def _changes(older: Lines, newer: Lines, within: Hunk) -> Iterator[Hunk]:
    i1, i2, j1, j2 = _trimmed(older, newer, within)
    if i1 == i2 or j1 == j2:
        if i1 != i2 or j1 != j2:
            yield Hunk(i1, i2, j1, j2)
        return
    posts = _posts(older[i1:i2], newer[j1:j2])
    if not posts:
        yield from _compared(older, newer, Hunk(i1, i2, j1, j2))
        return
    i, j = i1, j1
    for a, b in posts:
        yield from _changes(older, newer, Hunk(i, i1 + a, j, j1 + b))
        i, j = i1 + a + 1, j1 + b + 1
    yield from _changes(older, newer, Hunk(i, i2, j, j2))


def _trimmed(older: Lines, newer: Lines, within: Hunk) -> Hunk:
    """Return the same without the lines that both begin with, and then end with."""
    i1, i2, j1, j2 = within
    while i1 < i2 and j1 < j2:
        size = min(_BLOCK, i2 - i1, j2 - j1)
        if older[i1 : i1 + size] == newer[j1 : j1 + size]:
            i1, j1 = i1 + size, j1 + size
            continue
        while older[i1] == newer[j1]:
            i1, j1 = i1 + 1, j1 + 1
        break
    while i1 < i2 and j1 < j2:
        size = min(_BLOCK, i2 - i1, j2 - j1)
        if older[i2 - size : i2] == newer[j2 - size : j2]:
            i2, j2 = i2 - size, j2 - size
            continue
        while older[i2 - 1] == newer[j2 - 1]:
            i2, j2 = i2 - 1, j2 - 1
        break
    return Hunk(i1, i2, j1, j2)


def _posts(older: Lines, newer: Lines) -> list[tuple[int, int]]:
    """Return the longest row of lines that occur once in both, in both orders.

    Where a brace and a statement changed places, the brace is the one that moved.
    """
    here, there = Counter(older), Counter(newer)
    places = {line: at for at, line in enumerate(newer) if there[line] == 1}
    pairs = [
        (at, places[line])
        for at, line in enumerate(older)
        if line in places and here[line] == 1
    ]
    telling = [pair for pair in pairs if is_telling(older[pair[0]])]
    return _rising(telling or pairs)


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of some pairs whose second numbers rise."""
    ends: list[int] = []  # the least second number that a row of each length ends with
    last: list[int] = []  # which pair that is
    before: list[int] = []
    for place, (_, number) in enumerate(pairs):
        length = bisect_left(ends, number)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [number]
        last[length : length + 1] = [place]
    found = []
    place = last[-1] if last else -1
    while place >= 0:
        found.append(pairs[place])
        place = before[place]
    return found[::-1]


def _compared(older: Lines, newer: Lines, within: Hunk) -> Iterator[Hunk]:
    i1, i2, j1, j2 = within
    if (i2 - i1) * (j2 - j1) > _MOST_PAIRS:
        yield within
        return
    matcher = SequenceMatcher(None, older[i1:i2], newer[j1:j2], autojunk=False)
    for kind, a1, a2, b1, b2 in matcher.get_opcodes():
        if kind != "equal":
            yield Hunk(i1 + a1, i1 + a2, j1 + b1, j1 + b2)


def _merged(hunks: Iterator[Hunk]) -> Iterator[Hunk]:
    """Yield hunks that touch each other as one."""
    held: Hunk | None = None
    for hunk in hunks:
        if held and hunk.i1 == held.i2 and hunk.j1 == held.j2:
            held = Hunk(held.i1, hunk.i2, held.j1, hunk.j2)
            continue
        if held:
            yield held
        held = hunk
    if held:
        yield held
