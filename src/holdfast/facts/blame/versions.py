"""The versions of a file that are known, each line with its maker, and steps between them.

A maker is a number: the place of a line's origin in a list that whoever traces keeps. A
version that was seen once is known again by its text, so that a checkout, a restore or a
rename gives each line back to whoever made it.
"""

from collections.abc import Callable, Iterator, Sequence

from holdfast.domain.file_history import Replacement
from holdfast.facts.blame.line_changes import Hunk, changes, is_telling, sliding
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

_BLANK = pattern(r"\s+")
_MOST_CANDIDATES = 20

MakersOf = Callable[[Hunk], Sequence[int]]


class Version(NamedTuple):
    """The text of a file at some moment: one maker for each line."""

    lines: list[str]
    makers: list[int]
    number: int = -1  # in the archive
    digest: int = 0  # of its text, there

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class Archive:
    """Every version that was seen or made again, in order."""

    def __init__(self) -> None:
        self._versions: list[Version] = []
        self._by_text: dict[int, Version] = {}
        self._brought: dict[str, list[int]] = {}  # a line: the versions it came with
        self._said: set[str] = set()  # what lines said, whatever their layout
        self._own: dict[str, str] = {}  # equal lines are one string

    def lines(self, text: str) -> list[str]:
        own = self._own.setdefault
        return [own(line, line) for line in text.split("\n")]

    def known(self, text: str) -> Version | None:
        return self._by_text.get(hash(text))

    def keep(
        self, lines: list[str], makers: list[int], older: Version | None
    ) -> Version:
        """Keep a version that followed another one; the same text replaces the last."""
        digest = hash("\n".join(lines))  # 64 bits with a new key in each process
        version = Version(lines, makers, len(self._versions), digest)
        before = older.lines if older else []
        for hunk in changes(before, lines):
            for line in lines[hunk.j1 : hunk.j2]:
                places = self._brought.setdefault(line, [])
                places.append(version.number)
                del places[:-_MOST_CANDIDATES]
                self._said.add(bare(line))
        self._versions.append(version)
        self._by_text[digest] = version
        return version

    def has_said(self, line: str) -> bool:
        """Say whether a line was here before, in this layout or another."""
        return bare(line) in self._said

    def restored(self, lines: Sequence[str], wanted: Sequence[int]) -> dict[int, int]:
        """Return who made those of some lines that an earlier version had.

        One version is asked: the one that has most of them, the latest of several.
        """
        came = {
            number for place in wanted for number in self._brought.get(lines[place], ())
        }
        texts = {lines[place] for place in wanted}
        numbers = sorted(came, reverse=True)[:_MOST_CANDIDATES]
        best = max(
            (self._versions[number] for number in numbers),
            key=lambda one: len(texts.intersection(one.lines)),
            default=None,
        )
        if best is None:
            return {}
        there = aligned(best.lines, lines)
        return {
            place: best.makers[there[place]]
            for place in wanted
            if place in there and is_telling(lines[place])
        }


def bare(line: str) -> str:
    """Return what a line says without its layout."""
    return _BLANK.sub("", line)


def aligned(older: Sequence[str], newer: Sequence[str]) -> dict[int, int]:
    """Return for each line that two versions share its place in the older one."""
    found: dict[int, int] = {}
    i = j = 0
    for hunk in (*changes(older, newer), Hunk(len(older), 0, len(newer), 0)):
        found.update(zip(range(j, hunk.j1), range(i, hunk.i1), strict=True))
        i, j = hunk.i2, hunk.j2
    return found


def place_of(block: Sequence[str], lines: Sequence[str]) -> int | None:
    """Return where lines stand in others as one block, if they do so once."""
    anchor = next((n for n, line in enumerate(block) if is_telling(line)), 0)
    found = None
    at = -1
    wanted = list(block)
    while True:
        try:
            at = lines.index(block[anchor], at + 1)
        except ValueError:
            return found
        start = at - anchor
        if start >= 0 and list(lines[start : start + len(wanted)]) == wanted:
            if found is not None:
                return None
            found = start


def stepped(
    older: Version, lines: list[str], makers_of: MakersOf, ambiguous: int
) -> list[int]:
    """Return the makers of a later version; `makers_of` tells those of changed lines.

    Lines of which it cannot be said whether they are old or new are `ambiguous`, unless
    that makes no difference.
    """
    hunks = changes(older.lines, lines)
    makers: list[int] = []
    at = 0
    for hunk in hunks:
        makers += older.makers[at : hunk.i1]
        makers += makers_of(hunk)
        at = hunk.i2
    makers += older.makers[at:]
    for hunk in hunks:
        places, owners = _unclear(older, lines, hunk, makers)
        if len(owners) > 1:
            for place in places:
                makers[place] = ambiguous
        for place in _doubtful(older, lines, hunk, makers):
            makers[place] = ambiguous
    return makers


def _doubtful(
    older: Version, lines: list[str], hunk: Hunk, makers: Sequence[int]
) -> list[int]:
    """Return the lines in and around a hunk that say too little to be told apart: a brace
    that stays where one went, or came, may be the other one."""
    around = [*_short_around(lines, hunk)]
    added = [p for p in range(hunk.j1, hunk.j2) if not is_telling(lines[p])]
    owners: dict[str, set[int]] = {}
    seen: dict[str, int] = {}
    for text, maker in (
        *((lines[place], makers[place]) for place in (*around, *added)),
        *zip(
            older.lines[hunk.i1 : hunk.i2], older.makers[hunk.i1 : hunk.i2], strict=True
        ),
    ):
        owners.setdefault(text, set()).add(maker)
        seen[text] = seen.get(text, 0) + 1
    return [
        place
        for place in (*around, *added)
        if seen[lines[place]] > 1 and len(owners[lines[place]]) > 1
    ]


def _short_around(lines: list[str], hunk: Hunk) -> Iterator[int]:
    """Yield the lines next to a hunk, up and down, until one that is known by itself."""
    for way in (range(hunk.j1 - 1, -1, -1), range(hunk.j2, len(lines))):
        for place in way:
            if is_telling(lines[place]):
                break
            yield place


def _unclear(
    older: Version, lines: list[str], hunk: Hunk, makers: Sequence[int]
) -> tuple[list[int], set[int]]:
    """Return the lines around a hunk that may be old or new, and whose they may be."""
    up, down = sliding(older.lines, lines, hunk)
    if not (up or down):
        return [], set()
    i1, i2, j1, j2 = hunk
    if i1 == i2:
        places = [*range(j1 - up, j1), *range(max(j1, j2 - up), j2)]
        places += [*range(j1, min(j2, j1 + down)), *range(j2, j2 + down)]
        return places, {makers[place] for place in places}
    places = [*range(j1 - up, j1 + down)]
    return places, set(older.makers[i1 - up : i2 + down])


class _Place(NamedTuple):
    """Where in a text an edit is made."""

    text: str
    offset: int
    edit: Replacement
    ambiguous: int


def replaced(
    version: Version, edit: Replacement, maker: int, ambiguous: int
) -> Version | None:
    """Return a version with a text put in the place of another; None where the old one
    is not there, or not just once."""
    text = version.text
    count = text.count(edit.old) if edit.old else 0
    if count == 0 or (count > 1 and not edit.everywhere):
        return None
    lines, makers = list(version.lines), list(version.makers)
    for offset in reversed(_places(text, edit.old)):
        place = _Place(text, offset, edit, ambiguous)
        _replace_at(lines, makers, place, maker)
    return Version(lines, makers)


def _places(text: str, wanted: str) -> list[int]:
    found, at = [], text.find(wanted)
    while at >= 0:
        found.append(at)
        at = text.find(wanted, at + len(wanted))
    return found


def _replace_at(lines: list[str], makers: list[int], where: _Place, maker: int) -> None:
    """Replace one place; everything behind it has been done, so places above hold."""
    text, offset, edit, _ = where
    first = text.count("\n", 0, offset)
    last = first + edit.old.count("\n")
    column = offset - (text.rfind("\n", 0, offset) + 1)
    behind = len(edit.old) - (edit.old.rfind("\n") + 1)
    behind += column if first == last else 0
    old = lines[first : last + 1]
    new = (old[0][:column] + edit.new + old[-1][behind:]).split("\n")
    kept = Version(old, makers[first : last + 1])
    owners = stepped(
        kept, new, lambda hunk: [maker] * (hunk.j2 - hunk.j1), where.ambiguous
    )
    lines[first : last + 1] = new
    makers[first : last + 1] = owners
