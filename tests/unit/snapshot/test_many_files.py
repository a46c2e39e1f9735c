"""More new files than one snapshot may take, or than there is time for."""

import os
from pathlib import Path

import pytest

from holdfast.domain.code import SnapshotBounds
from tests.unit.snapshot.world import World, on_disk

_FEW = SnapshotBounds(max_untracked=10)


@pytest.fixture
def repository(world: World) -> Path:
    """One tracked file that is older than the 300 that a program made beside it."""
    place = world.repository("project")
    world.commit(place, "a.txt", "committed\n")
    (place / "new.py").write_text("written today\n")
    for number in range(300):
        path = place / "data" / f"{number:03}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(str(number))
        os.utime(path, (2_000_000_000, 2_000_000_000))
    return place


def test_a_crowd_of_new_files_waits_behind_the_code(
    world: World, repository: Path
) -> None:
    """What is tracked, and what lies among few, is code; a thousand of a kind are data."""
    taken = world.take(repository, _FEW)

    kept = world.kept(taken)
    assert {"a.txt", "new.py"} <= set(kept)
    assert len(kept) == 11
    assert len(taken.left_out) == 291
    assert {left.reason for left in taken.left_out} == {
        "more than 10 new files at once"
    }


def test_what_waited_is_in_the_next_snapshots(world: World, repository: Path) -> None:
    """Each takes as many as it may, until nothing is left out."""
    most = SnapshotBounds(max_untracked=120)

    sizes = [len(world.take(repository, most).left_out) for _ in range(3)]

    assert sizes == [181, 61, 0]
    assert world.kept(world.take(repository, most)) == on_disk(repository)


def test_many_tracked_files_are_not_too_many(world: World, repository: Path) -> None:
    """The first snapshot of a large repository holds all of it."""
    world.git(repository, "add", ".")

    assert world.take(repository, _FEW).left_out == ()


def test_new_files_that_there_was_no_time_for_do_not_cost_the_snapshot(
    world: World, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook has half a second; the code is kept in it, and the data later."""
    world.git(repository, "add", "new.py")
    world.take(repository, SnapshotBounds(max_untracked=0))
    (repository / "a.txt").write_text("edited\n")
    clock = iter([0.0] * 3 + [1e9] * 1000)
    monkeypatch.setattr("holdfast.snapshot.take.builder.monotonic", lambda: next(clock))

    taken = world.snapshots().take(str(repository), SnapshotBounds(), seconds=60.0)

    monkeypatch.undo()
    assert world.kept(taken)["a.txt"][1] == b"edited\n"
    assert {left.reason for left in taken.left_out} == {
        "there was no time for it; the next save continues"
    }
    assert world.kept(world.take(repository)) == on_disk(repository)


def test_code_comes_before_larger_new_files(world: World, repository: Path) -> None:
    """However new they are: an edited file is what the session worked on."""
    world.take(repository)
    (repository / "a.txt").write_text("edited\n")
    os.utime(repository / "a.txt", (1_000_000_000, 1_000_000_000))
    (repository / "large.bin").write_bytes(os.urandom(2_000))

    taken = world.take(repository, SnapshotBounds(max_total_bytes=2_000))

    assert world.kept(taken)["a.txt"][1] == b"edited\n"
    assert [left.path for left in taken.left_out] == ["large.bin"]
