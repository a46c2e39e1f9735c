"""Trees that travel: a pack of what they hold, and taking one in that somebody sent.

What comes is unpacked in a directory that is thrown away, looked at there, and only what
belongs into a snapshot goes into ours: no secret, no name that leads elsewhere.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

from holdfast.domain.code import EXECUTABLE, REGULAR, SYMLINK, Taken, is_safe_path
from holdfast.kernel.errors import SnapshotLost
from holdfast.kernel.lazy_values import replace
from holdfast.snapshot.git import files, trees
from holdfast.snapshot.git.head import is_object_id
from holdfast.snapshot.git.own_git_directory import own_git_dir
from holdfast.snapshot.git.trees import NotTaken, Objects
from holdfast.snapshot.take import kept_trees
from holdfast.snapshot.take.include_rules import TreeScan

MOST_BYTES = 150_000_000  # of a pack
_MOST_UNPACKED = 1_000_000_000  # bytes of all files of a tree
_SECONDS = 600.0
_PACK = ("pack-objects", "--revs", "--stdout", "-q", "--delta-base-offset")
_UNPACK = ("index-pack", "--stdin", "--strict")
_MODES = frozenset([REGULAR, EXECUTABLE, SYMLINK])


def packed(objects: Objects, wanted: Iterable[str]) -> bytes:
    """Return trees with all that they hold as one pack.

    Raises:
        SnapshotLost: one is not there, damaged, or they are larger than a pack may be.
    """
    names = sorted(set(wanted))
    if not objects.exists or not all(map(is_object_id, names)):
        raise SnapshotLost("the code of a checkpoint is not there")
    try:
        answer = objects.ask(_PACK, stdin="".join(f"{n}\n" for n in names).encode())
    except NotTaken as reason:
        raise SnapshotLost(f"the code cannot be read: {reason}") from None
    if not answer.is_good:
        raise SnapshotLost("the code of a checkpoint is not there or damaged")
    if len(answer.output) > MOST_BYTES:
        raise SnapshotLost(
            f"the code takes more than {MOST_BYTES:,} bytes",
            hint="share fewer checkpoints at a time, or leave out `--code`",
        )
    return answer.output


def take_in(
    scan: TreeScan, pack: bytes, wanted: Sequence[str], directories: Sequence[str]
) -> dict[str, Taken]:
    """Keep trees of a pack that somebody sent, each without what no snapshot holds."""
    try:
        scan.objects.prepare()
        with _unpacked(scan, pack) as theirs:
            return {tree: _taken(scan, theirs, tree, directories) for tree in wanted}
    except (NotTaken, SnapshotLost) as reason:
        return dict.fromkeys(wanted, Taken(reason=str(reason)))
    except OSError as problem:
        why = f"it cannot be written: {problem.strerror}"
        return dict.fromkeys(wanted, Taken(reason=why))


@contextmanager
def _unpacked(scan: TreeScan, pack: bytes) -> Iterator[Objects]:
    """Lend the objects of a pack, in a directory of their own."""
    if len(pack) > MOST_BYTES:
        raise NotTaken(f"it takes more than {MOST_BYTES:,} bytes")
    with own_git_dir(scan.scratch, {}) as path:
        for part in ("objects", "objects/pack", "objects/info", trees.TREES):
            os.makedirs(f"{path}/{part}", 0o700, exist_ok=True)
        theirs = Objects(path, scan.objects.git)
        if not theirs.ask(_UNPACK, stdin=pack).is_good:
            raise NotTaken("git does not accept this pack")
        yield theirs


def _taken(
    scan: TreeScan, theirs: Objects, tree: str, directories: Sequence[str]
) -> Taken:
    try:
        _check(theirs, tree)
        there = replace(scan, objects=theirs, _holds={}, _clean=set())
        clean = there.cleaned(tree, directories, None)
        if clean.tree is None:
            return clean
        _copy(theirs, scan.objects, clean.tree)
    except (NotTaken, SnapshotLost) as reason:
        return Taken(reason=str(reason))
    return clean


def _check(theirs: Objects, tree: str) -> None:
    """See that a tree holds what a snapshot may hold, and not too much of it.

    Raises:
        NotTaken: it does not.
        SnapshotLost: it is not there.
    """
    size = 0
    for entry in trees.entries(theirs, tree):
        size += entry.size
        is_link = entry.mode == SYMLINK
        if entry.mode not in _MODES or not is_safe_path(entry.path, is_link=is_link):
            raise NotTaken("it names a file that no snapshot holds")
        if size > _MOST_UNPACKED:
            raise NotTaken(f"its files take more than {_MOST_UNPACKED:,} bytes")


def _copy(theirs: Objects, ours: Objects, tree: str) -> None:
    until = monotonic() + _SECONDS
    pack = packed(theirs, (tree,))
    try:
        with files.locked(ours.lock, alone=False, until=until):
            if not ours.ask(_UNPACK, stdin=pack, until=until).is_good:
                raise NotTaken("git could not write it")
            kept_trees.hold(ours, tree)
    except TimeoutError:
        raise NotTaken("somebody tidies up right now") from None
