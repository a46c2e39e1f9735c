"""Would the code of two branches merge? A dry run over their snapshots. Pure.

File by file, from the tree that both came from: changed on one side only, it would be
taken; changed on both, their lines are compared. Changes that touch each other are a
conflict, as they are to git.
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Literal

from holdfast.domain.code import TreeEntry
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

CodeClash = Literal["lines", "created", "deleted", "binary", "large", "mode", "unknown"]
_MOST_LINES = 1_500_000  # pairs of lines that are compared; more would be felt
_MOST_BYTES = 2_000_000


class FileFate(NamedTuple):
    """What became of one file on one side; None: it is not there."""

    before: TreeEntry | None
    after: TreeEntry | None


@dataclass(frozen=True, slots=True)
class BothChanged:
    """A file that both sides changed, and not alike."""

    path: str
    clash: CodeClash | None  # None: their lines have to be compared
    versions: tuple[str, str, str] = ("", "", "")  # objects: before, one, other


Fates = Mapping[str, FileFate]


def fates_of(
    before: Sequence[TreeEntry],
    after: Sequence[TreeEntry],
    renamed: Mapping[str, str],
) -> dict[str, FileFate]:
    """Return what became of each file that changed, by the path it had before.

    `renamed` names where files went; their other path is no file of its own then.
    """
    old = {entry.path: entry for entry in before}
    new = {entry.path: entry for entry in after}
    moved = {path: new[there] for path, there in renamed.items() if there in new}
    arrived = {entry.path for entry in moved.values()}
    paths = dict.fromkeys((*old, *(path for path in new if path not in arrived)))
    return {p: FileFate(old.get(p), moved.get(p) or new.get(p)) for p in paths}


def both_changed(one: Fates, other: Fates) -> Iterator[BothChanged]:
    """Yield the files that both sides changed differently, by path."""
    for path in sorted(one.keys() & other.keys()):
        before, mine = one[path]
        theirs = other[path].after
        if _content(mine) != _content(theirs):
            yield _judged(path, before, mine, theirs)


def _content(entry: TreeEntry | None) -> tuple[int, str] | None:
    return (entry.mode, entry.object_id) if entry else None


def _judged(
    path: str,
    before: TreeEntry | None,
    mine: TreeEntry | None,
    theirs: TreeEntry | None,
) -> BothChanged:
    if mine is None or theirs is None:
        return BothChanged(path, "deleted")
    if before is None:
        return BothChanged(path, "created")
    if mine.object_id == theirs.object_id:
        return BothChanged(path, "mode")
    return BothChanged(path, None, (before.object_id, mine.object_id, theirs.object_id))


def line_clash(before: bytes, one: bytes, other: bytes) -> CodeClash | None:
    """Return why three versions of a file do not merge; None: they do."""
    if one in (before, other) or other == before:
        return None
    if any(b"\0" in version for version in (before, one, other)):
        return "binary"
    if max(map(len, (before, one, other))) > _MOST_BYTES:
        return "large"
    base, mine, theirs = (v.splitlines(keepends=True) for v in (before, one, other))
    first, second = _edits(base, mine), _edits(base, theirs)
    if first is None or second is None:
        return "large"
    touching = (
        a != b and a.start <= b.end and b.start <= a.end for a in first for b in second
    )
    return "lines" if any(touching) else None


class _Edit(NamedTuple):
    """Lines that stand in the place of others."""

    start: int
    end: int
    lines: tuple[bytes, ...]


def _edits(before: list[bytes], after: list[bytes]) -> list[_Edit] | None:
    """Return what was changed; None: it would take too long to tell."""
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    tail = 0
    while (
        tail < min(len(before), len(after)) - same
        and before[-1 - tail] == after[-1 - tail]
    ):
        tail += 1
    old, new = before[same : len(before) - tail], after[same : len(after) - tail]
    if len(old) * len(new) > _MOST_LINES:
        return None
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        _Edit(same + i1, same + i2, tuple(new[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]
