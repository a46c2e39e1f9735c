"""What a change that nobody recorded did to lines: laid out anew, moved, brought back, new.

A line keeps its maker while only its layout or its place changes, and gets him back when
it comes back. What is left belongs to whoever made the change.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set as AbstractSet
from itertools import pairwise

from holdfast.facts.blame.line_changes import Hunk, changes, is_telling
from holdfast.facts.blame.versions import Archive, Version, bare, stepped
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

_BLANK = pattern(r"\s+")
_LAYOUT = pattern(r"""[\s,;'"()]+""")
_WORD = pattern(r"[^\W_]{3,}")
# Words that anybody writes on a line of their own.
_COMMON = frozenset(
    [
        "break", "case", "catch", "class", "const", "continue", "default", "def", "done",
        "elif", "else", "end", "endif", "esac", "except", "false", "finally", "for",
        "from", "func", "function", "import", "let", "loop", "nil", "none", "null",
        "pass", "return", "self", "super", "then", "this", "throw", "true", "try", "var",
        "void", "while", "with",
    ]
)  # fmt: skip
_MOST_PARTS = 8  # lines that one was taken apart into, or put together of


class LeftOver(NamedTuple):
    """A step between two versions that nothing accounts for."""

    older: Version
    lines: list[str]
    gap: int  # whoever made it
    ambiguous: int
    is_formatted: bool  # a formatter may have run: commas, quotes and brackets, too
    # Makers whose deed was made again on a text that nobody looked at just before it.
    unproven: AbstractSet[int] = frozenset()

    def makers(self, archive: Archive) -> list[int]:
        """Return the maker of each line of the newer version."""
        hunks = changes(self.older.lines, self.lines)
        new = self._new(hunks, archive)
        makers = stepped(self.older, self.lines, new.__getitem__, self.ambiguous)
        for one, other in pairwise(hunks):
            # Who knows what happened between two changes that left only a brace there?
            kept = range(one.j2, other.j1)
            if not any(is_telling(self.lines[place]) for place in kept):
                makers[one.j2 : other.j1] = [self.ambiguous] * len(kept)
        return makers

    def _new(self, hunks: Sequence[Hunk], archive: Archive) -> dict[Hunk, list[int]]:
        """Return the makers of the new lines of each hunk."""
        moved = self._moved(hunks)
        known: dict[int, int] = {}
        for hunk in hunks:
            for place, maker in enumerate(self._laid_out(hunk), hunk.j1):
                own = moved.get(bare(self.lines[place])) if maker is None else maker
                if own is not None:
                    known[place] = self.ambiguous if own in self.unproven else own
        there = set(self.older.lines)
        unknown = [
            place
            for hunk in hunks
            for place in range(hunk.j1, hunk.j2)
            if place not in known and self.lines[place] not in there
        ]
        known |= archive.restored(self.lines, unknown) if unknown else {}
        gone = (line for h in hunks for line in self.older.lines[h.i1 : h.i2])
        old = "\n".join(map(bare, gone))

        def is_new(line: str) -> bool:
            """A brace, a `return None`, a part of a line may have been there before."""
            has_been = bare(line) in old or archive.has_said(line)
            return _says_something(line) and not has_been

        return {hunk: list(self._left(hunk, known, is_new)) for hunk in hunks}

    def _left(
        self, hunk: Hunk, known: dict[int, int], is_new: Callable[[str], bool]
    ) -> Iterator[int]:
        """Yield the makers of a hunk's lines; those that nobody is known of are new."""
        for place in range(hunk.j1, hunk.j2):
            if place in known:
                yield known[place]
            else:
                yield self.gap if is_new(self.lines[place]) else self.ambiguous

    def _moved(self, hunks: Sequence[Hunk]) -> dict[str, int]:
        """Return the makers of lines that left one place and stand in another."""
        older = self.older
        gone = [
            (bare(older.lines[place]), older.makers[place])
            for hunk in hunks
            for place in range(hunk.i1, hunk.i2)
        ]
        came = Counter(bare(line) for h in hunks for line in self.lines[h.j1 : h.j2])
        count = Counter(line for line, _ in gone)
        return {
            line: maker
            for line, maker in gone
            if count[line] == came[line] == 1 and is_telling(line)
        }

    def _laid_out(self, hunk: Hunk) -> Iterator[int | None]:
        """Yield the maker of each new line that differs from old ones in layout alone."""
        layout = _LAYOUT if self.is_formatted else _BLANK
        old = [layout.sub("", line) for line in self.older.lines[hunk.i1 : hunk.i2]]
        new = [layout.sub("", line) for line in self.lines[hunk.j1 : hunk.j2]]
        makers = self.older.makers[hunk.i1 : hunk.i2]
        if any(old) and "".join(old) == "".join(new):
            yield from self._flowing(old, new, makers)
            return
        found: list[int | None] = [None] * len(new)
        for (i, i2), (j, j2) in _matching(old, new):
            owners = set(makers[i:i2])
            maker = owners.pop() if len(owners) == 1 else self.ambiguous
            found[j:j2] = [maker] * (j2 - j)
        yield from found

    def _flowing(
        self, old: Sequence[str], new: Sequence[str], makers: Sequence[int]
    ) -> Iterator[int]:
        """Yield whose each new line is, where all of them say what the old ones said."""
        ends = _ends(old)
        start = 0
        for line in new:
            end = start + len(line)
            touched = {
                maker
                for (first, last), maker in zip(ends, makers, strict=True)
                if first < end and last > start
            }
            yield touched.pop() if len(touched) == 1 else self.ambiguous
            start = end


def _matching(
    old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield which old lines say together what some new ones say, each once."""
    whole = {text: (i, i2) for text, (i, i2) in _joined(old)}
    used: set[int] = set()
    taken = 0
    for text, (j, j2) in _joined(new):
        span = whole.get(text)
        if span is None or j < taken or not used.isdisjoint(range(*span)):
            continue
        if span[1] - span[0] > 1 and j2 - j > 1:
            continue  # parts of the same lines will do
        used |= set(range(*span))
        taken = j2
        yield span, (j, j2)


def _joined(lines: Sequence[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield what neighbouring lines say together, where no other ones say the same."""
    texts = [
        ("".join(lines[i:end]), (i, end))
        for i in range(len(lines))
        for end in range(i + 1, min(len(lines), i + _MOST_PARTS) + 1)
        if lines[i] and lines[end - 1]
    ]
    count = Counter(text for text, _ in texts)
    yield from (
        (text, span) for text, span in texts if count[text] == 1 and is_telling(text)
    )


def _says_something(line: str) -> bool:
    words = {word.lower() for word in _WORD.findall(line)}
    return bool(words - _COMMON)


def _ends(lines: Sequence[str]) -> list[tuple[int, int]]:
    found, start = [], 0
    for line in lines:
        found.append((start, start + len(line)))
        start += len(line)
    return found
