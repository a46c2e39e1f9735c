"""Which trees are held, and letting the others go.

A ref of ours holds each tree that a checkpoint names, and each worktree's index; what no
ref needs is removed when somebody tidies up, alone.
"""

import os
from collections.abc import Iterable, Iterator, Set as AbstractSet
from contextlib import contextmanager, suppress
from time import monotonic

from holdfast.kernel.errors import SnapshotLost
from holdfast.kernel.files import flush
from holdfast.snapshot.git import files
from holdfast.snapshot.git.head import is_object_id
from holdfast.snapshot.git.trees import TREES, NotTaken, Objects, contents, entries

PLACES = "refs/places"  # what a worktree's index holds
_LEFT = (".lock", ".keep")
DRAFTS = "refs/drafts"  # what was last seen in a worktree
_RELEASED = "released"
_PATIENCE = 30.0  # seconds
_AT_ONCE = 500  # trees per git: a command line has an end
_TIDY = ("repack", "-a", "-d", "-q", "--no-write-bitmap-index")
_DROP_LOOSE = ("prune", "--expire=now")
_PLACE_LOCK = "lock"
_HINT = "nothing was lost; free some disk space and run the command again"
_MANY_PACKS = 20  # each costs git a tenth of a millisecond
_PUT_TOGETHER = ("repack", "-d", "-q", "--geometric=2", "--no-write-bitmap-index")


def hold(objects: Objects, tree: str) -> None:
    """Hold a tree, so that tidying up leaves it; holding again makes it younger.

    Raises:
        OSError: it cannot be written.
    """
    path = f"{objects.path}/{TREES}/{tree}"
    try:
        os.utime(path)
    except FileNotFoundError:
        files.replace(path, f"{tree}\n".encode(), durable=True)


def held(objects: Objects) -> tuple[str, ...]:
    """Return every tree that is held, the one taken longest ago first."""
    return tuple(tree for _, tree in sorted(_ages(objects)))


def released(objects: Objects) -> frozenset[str]:
    """Return every tree that was let go on purpose."""
    text = files.read_text(f"{objects.path}/{_RELEASED}", files.LARGE) or ""
    return frozenset(filter(is_object_id, text.split()))


def hold_only(
    objects: Objects, trees: AbstractSet[str], spare_seconds: float, places: str
) -> int:
    """Let every other tree go, unless it was taken in the last `spare_seconds`.

    Raises:
        SnapshotLost: the objects cannot be rewritten; everything is still there.
    """
    if not objects.exists:
        return 0
    with _alone(objects) as now_ns:
        before_ns = now_ns - int(spare_seconds * 1e9)
        doomed = [
            tree
            for taken_ns, tree in _ages(objects)
            if tree not in trees and taken_ns <= before_ns
        ]
        _release(objects, doomed)
        _forget_places(objects, places)
        for folder in ("objects/pack", TREES, PLACES, DRAFTS):
            _remove_drafts(f"{objects.path}/{folder}", before_ns)
        _tidy(objects)
        return len(doomed)


def let_go(
    objects: Objects, trees: AbstractSet[str], places: str, keys: AbstractSet[str]
) -> None:
    """Let these trees go at once, and what is remembered of the worktrees of `keys`.

    Raises:
        SnapshotLost: the objects cannot be rewritten; doing it again finishes.
    """
    if not objects.exists:
        return
    with _alone(objects):
        _release(objects, [tree for _, tree in _ages(objects) if tree in trees])
        for key in sorted(keys):
            _forget_place(objects, f"{places}/{key}", key)
        _tidy(objects)


@contextmanager
def _alone(objects: Objects) -> Iterator[int]:
    """Have the objects for oneself; yields the file system's own time."""
    try:
        with files.locked(
            objects.lock, alone=True, until=monotonic() + _PATIENCE
        ) as now_ns:
            yield now_ns
    except TimeoutError:
        raise SnapshotLost(
            "another process is saving code right now", hint="run the command again"
        ) from None
    except (OSError, NotTaken) as problem:
        raise SnapshotLost(
            f"old code cannot be removed: {problem}", hint=_HINT
        ) from None


def put_together(objects: Objects, until: float) -> None:
    """Make few packs of many, if nobody else is at work. A failure costs only time."""
    packs = f"{objects.path}/objects/pack"
    if sum(name.endswith(".pack") for name in os.listdir(packs)) <= _MANY_PACKS:
        return
    with suppress(OSError, NotTaken), files.locked(objects.lock, alone=True, until=0):
        objects.ask(_PUT_TOGETHER, until=until)


def size(objects: Objects) -> int:
    """Return how many bytes the objects take on disk."""
    total = 0
    for folder, _, names in os.walk(f"{objects.path}/objects"):
        for name in names:
            with suppress(OSError):
                total += os.lstat(f"{folder}/{name}").st_size
    return total


def size_of(objects: Objects, trees: AbstractSet[str], beside: AbstractSet[str]) -> int:
    """Return the bytes on disk that `trees` need and those `beside` them do not.

    Raises:
        SnapshotLost: it cannot be told.
    """
    if not trees:
        return 0
    revisions = "\n".join([*sorted(trees), *(f"^{tree}" for tree in sorted(beside))])
    question = ("rev-list", "--objects", "--disk-usage", "--stdin")
    try:
        answer = objects.ask(question, stdin=f"{revisions}\n".encode())
    except NotTaken as reason:
        raise SnapshotLost(f"the code cannot be read: {reason}") from None
    if not answer.is_good:
        raise SnapshotLost("the code of a checkpoint is not there or damaged")
    return int(answer.output)


def damage(objects: Objects, trees: Iterable[str]) -> dict[str, str]:
    """Return each tree that is not whole, with what is wrong with it."""
    wanted = sorted(set(trees))
    found: dict[str, str] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        batch = wanted[start : start + _AT_ONCE]
        if not _all_whole(objects, batch):
            found |= _one_by_one(objects, batch)
    return found


def _all_whole(objects: Objects, trees: list[str]) -> bool:
    if not objects.exists or not all(map(is_object_id, trees)):
        return False
    question = ("fsck", "--full", "--no-dangling", "--no-reflogs", "--no-progress")
    try:
        return objects.ask((*question, *trees)).is_good
    except NotTaken:
        return False


def _one_by_one(objects: Objects, trees: list[str]) -> dict[str, str]:
    """Read every file of every tree; slow, and only where something is wrong."""
    found = {}
    good: set[str] = set()
    for tree in trees:
        try:
            wanted = {e.object_id for e in entries(objects, tree)} - good
            for object_id, _ in contents(objects, sorted(wanted)):
                good.add(object_id)
        except SnapshotLost as lost:
            found[tree] = lost.message
    return found


def _ages(objects: Objects) -> list[tuple[int, str]]:
    try:
        entries = list(os.scandir(f"{objects.path}/{TREES}"))
    except FileNotFoundError:
        return []
    return [
        (entry.stat().st_mtime_ns, entry.name)
        for entry in entries
        if is_object_id(entry.name)
    ]


def _release(objects: Objects, doomed: list[str]) -> None:
    _note_released(objects, doomed)
    for tree in doomed:
        os.unlink(f"{objects.path}/{TREES}/{tree}")
    flush(f"{objects.path}/{TREES}")


def _tidy(objects: Objects) -> None:
    """Remove what no ref needs; nobody else is at work."""
    for question in (_TIDY, _DROP_LOOSE):
        if not objects.ask(question).is_good:
            raise NotTaken("git could not rewrite them")


def _forget_place(objects: Objects, place: str, key: str) -> None:
    """Forget a worktree's index and memo; whoever waits for its lock makes them again."""
    with suppress(FileNotFoundError):
        for name in os.listdir(place):
            if name != _PLACE_LOCK:
                _remove(f"{place}/{name}")
    for group in (PLACES, DRAFTS):
        with suppress(FileNotFoundError):
            os.unlink(f"{objects.path}/{group}/{key}")


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        _remove_directory(path)
    else:
        os.unlink(path)


def _remove_directory(path: str, *, ignore_errors: bool = False) -> None:
    import shutil  # noqa: PLC0415  # 2 ms, and no save removes any

    shutil.rmtree(path, ignore_errors=ignore_errors)


def _note_released(objects: Objects, trees: list[str]) -> None:
    """Write down what goes before it goes: what is missing otherwise was lost."""
    text = "\n".join(sorted(released(objects) | set(trees)))
    files.replace(f"{objects.path}/{_RELEASED}", f"{text}\n".encode(), durable=True)


def _forget_places(objects: Objects, places: str) -> None:
    """Forget the index of every worktree that is no longer there."""
    with suppress(FileNotFoundError):
        for key in os.listdir(places):
            root = files.read_text(f"{places}/{key}/root")
            # Without a root it is only just being made, by somebody who waits for us.
            if root is not None and not os.path.isdir(root):
                _remove_directory(f"{places}/{key}", ignore_errors=True)
    for group in (PLACES, DRAFTS):
        with suppress(FileNotFoundError):
            for key in os.listdir(f"{objects.path}/{group}"):
                if not os.path.isdir(f"{places}/{key}"):
                    os.unlink(f"{objects.path}/{group}/{key}")


def _remove_drafts(folder: str, before_ns: int) -> None:
    """Remove what a killed process left half-written."""
    if not os.path.isdir(folder):
        return
    for entry in os.scandir(folder):
        # A pack with a `.keep` would never be put together with others.
        is_draft = entry.name.startswith("tmp_") or entry.name.endswith(_LEFT)
        if is_draft and entry.stat().st_mtime_ns <= before_ns:
            os.unlink(entry.path)
