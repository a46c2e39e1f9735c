"""What we remember of a worktree may be lost or damaged; a snapshot may not."""

import hashlib
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zlib import crc32

import pytest

from holdfast.domain.code import SnapshotBounds
from holdfast.snapshot.git import files
from holdfast.snapshot.take import file_memo
from holdfast.snapshot.take.include_rules import Judge
from tests.unit.snapshot.world import World, on_disk

Harm = Callable[[Path], object]


@pytest.fixture
def repository(world: World) -> Path:
    place = world.repository("project")
    world.commit(place, "a.txt", "committed\n")
    (place / "b.txt").write_text("untracked\n")
    return place


def _cut(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(lambda place: (place / "index").unlink(), id="no index"),
        pytest.param(lambda place: _cut(place / "index"), id="half an index"),
        pytest.param(lambda place: _flip(place / "index"), id="a flipped bit"),
        pytest.param(
            lambda place: (place / "index").write_bytes(b""), id="empty index"
        ),
        pytest.param(lambda place: (place / "memo").unlink(), id="no memo"),
        pytest.param(lambda place: _cut(place / "memo"), id="half a memo"),
        pytest.param(lambda p: (p / "memo").write_text("[1]"), id="a strange memo"),
        pytest.param(
            lambda p: (p / "memo").write_text('{"format": 1, "kept": 3}'),
            id="a memo of another type",
        ),
        pytest.param(lambda place: (place / "HEAD").unlink(), id="no HEAD"),
        pytest.param(lambda p: (p / "HEAD").write_text("1" * 40), id="a false HEAD"),
        pytest.param(lambda p: (p / "index.lock").write_text(""), id="a stale lock"),
        pytest.param(lambda place: (place / "config").unlink(), id="no config"),
    ],
)
def test_a_snapshot_is_right_whatever_happened_to_our_notes(
    world: World, repository: Path, harm: Harm
) -> None:
    """A power cut, a full disk or a curious user: the next look begins anew."""
    world.take(repository)
    (repository / "b.txt").write_text("edited\n")
    world.take(repository)
    (place,) = (world.root / "scratch" / "places").iterdir()
    harm(place)
    (repository / "c.txt").write_text("more\n")

    taken = world.take(repository)

    assert world.kept(taken) == on_disk(repository)


def test_lost_objects_are_written_again(world: World, repository: Path) -> None:
    """What the worktree still has can be kept again."""
    world.take(repository)
    for pack in (world.root / "scratch/snapshots/objects/pack").iterdir():
        pack.unlink()
    (repository / "b.txt").write_text("edited\n")

    taken = world.take(repository)

    assert world.kept(taken) == on_disk(repository)


def test_time_that_ends_while_reading_loses_no_work(
    world: World, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first snapshot of a large project may need several saves."""
    for number in range(50):
        (repository / f"{number}.txt").write_text(str(number))
    monkeypatch.setattr("holdfast.snapshot.take.builder._READING_SHARE", -1.0)
    late = world.snapshots().take(str(repository), SnapshotBounds(), seconds=60.0)
    monkeypatch.undo()

    taken = world.take(repository)

    assert late.reason == "there was no time for 52 files; the next save continues"
    assert late.tree is None
    assert world.kept(taken) == on_disk(repository)


def test_saves_at_the_same_time_wait_for_each_other(
    world: World, repository: Path
) -> None:
    """Two windows on one worktree, and somebody who tidies up meanwhile."""
    for number in range(40):
        (repository / f"{number}.txt").write_text(str(number))
    snapshots = world.snapshots()

    def take(_: int) -> str | None:
        return snapshots.take(str(repository), SnapshotBounds(), seconds=60).tree

    def tidy(_: int) -> int:
        return snapshots.hold_only(set(), spare_seconds=3600)

    with ThreadPoolExecutor(5) as pool:
        taken, tidied = pool.map(take, range(8)), pool.map(tidy, range(4))
        trees, gone = set(taken), set(tidied)

    (tree,) = trees
    assert gone == {0}
    assert tree is not None
    assert snapshots.damage([tree]) == {}
    assert len(snapshots.entries(tree)) == 42


def test_a_worktree_that_somebody_looks_at_for_too_long_is_a_reason(
    world: World, repository: Path
) -> None:
    """A hook does not wait longer than it may."""
    world.take(repository)
    (place,) = (world.root / "scratch" / "places").iterdir()

    with files.locked(str(place / "lock"), alone=True, until=0):
        late = world.snapshots().take(str(repository), SnapshotBounds(), seconds=0.05)

    assert late.reason == "another save looks at the same files"
    assert world.take(repository).tree is not None


def _noted(world: World) -> dict[str, object]:
    """Return the memo without the sum of the index, which git may write at each look."""
    (path,) = (world.root / "scratch" / "places").glob("*/memo")
    return {**json.loads(path.read_bytes()), "index_sum": None}


def test_a_file_that_was_judged_is_known_again(
    world: World, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after some seconds: kept or left out, nothing is read a second time."""
    monkeypatch.setattr("holdfast.snapshot.take.file_memo._FINE_TICK_NS", -(10**12))
    monkeypatch.setattr("holdfast.snapshot.take.file_memo._COARSE_TICK_NS", -(10**12))
    (repository / "app.py").write_text("token = 'ghp_" + "a1B2c3D4e5" * 4 + "'\n")
    world.take(repository)
    (repository / "b.txt").write_text("edited\n")
    first = world.take(repository)
    noted = _noted(world)

    again = world.take(repository)

    assert again == first
    assert [left.path for left in again.left_out] == ["app.py"]
    assert world.kept(again)["b.txt"][1] == b"edited\n"
    assert _noted(world) == noted


def test_a_content_that_was_judged_is_not_judged_again(
    world: World, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that changed just now is read once more, and only compared."""
    monkeypatch.setattr("holdfast.snapshot.take.file_memo._FINE_TICK_NS", 10**12)
    monkeypatch.setattr("holdfast.snapshot.take.file_memo._COARSE_TICK_NS", 10**12)
    world.take(repository)
    (repository / "b.txt").write_text("edited\n")
    first = world.take(repository)
    judged: list[str] = []

    def judging(_: Judge, path: str, content: bytes) -> bool:  # noqa: ARG001  # as it is called
        judged.append(path)
        return False

    monkeypatch.setattr(Judge, "is_secret", judging)

    assert world.take(repository) == first
    assert judged == []

    (repository / "b.txt").write_text("edited again\n")
    third = world.take(repository)

    assert judged == ["b.txt"]
    assert world.kept(third)["b.txt"][1] == b"edited again\n"


@pytest.mark.parametrize(
    ("changed_ns", "now_ns", "settled"),
    [
        (5_000_000_001, 5_050_000_000, False),
        (5_000_000_001, 5_200_000_000, True),
        (5_000_000_000, 6_900_000_000, False),
        (5_000_000_000, 7_100_000_000, True),
    ],
)
def test_a_file_is_trusted_after_a_tick_of_its_file_system(
    changed_ns: int, now_ns: int, *, settled: bool
) -> None:
    """Whole seconds may be all that there is: then a change may hide for two."""
    found = os.stat_result((0,) * 10, {"st_mtime_ns": 0, "st_ctime_ns": changed_ns})

    assert file_memo.is_settled(found, now_ns) is settled


def test_a_damaged_index_is_noticed_after_its_sum_was_noted(
    world: World, repository: Path
) -> None:
    """The quick sum of an index that was whole says nothing good of another one."""
    for name in ("a.txt", "b.txt"):
        os.utime(
            repository / name, (0, 0)
        )  # so that git need not write its index again
    world.take(repository)
    world.take(repository)
    first = world.take(repository)
    (place,) = (world.root / "scratch" / "places").iterdir()
    noted = json.loads((place / "memo").read_text())["index_sum"]
    index = (place / "index").read_bytes()

    assert noted == crc32(index)

    _flip(place / "index")

    assert world.take(repository) == first
    assert (place / "index").read_bytes()[-20:] == hashlib.sha1(
        (place / "index").read_bytes()[:-20], usedforsecurity=False
    ).digest()


def test_a_store_that_git_cannot_write_is_a_reason(
    world: World, repository: Path
) -> None:
    """A full disk looks like this; what git reports of itself holds names of files."""
    world.take(repository)
    store = world.root / "scratch" / "snapshots"
    packs = (store / "objects" / "pack").rename(store / "objects" / "away")
    (store / "objects" / "pack").write_text("in the way")
    (repository / "b.txt").write_text("edited\n")

    failed = world.snapshots().take(str(repository), SnapshotBounds())
    (store / "objects" / "pack").unlink()
    packs.rename(store / "objects" / "pack")

    assert failed.tree is None
    assert failed.reason
    assert list(store.glob("fast_import_crash_*")) == []
    assert world.kept(world.take(repository)) == on_disk(repository)
