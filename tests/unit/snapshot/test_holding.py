"""Snapshots stay whole whatever happens around them, and go when nobody needs them."""

import os
import shutil
from pathlib import Path

import pytest

from tests.unit.snapshot.world import World, on_disk


@pytest.fixture
def repository(world: World) -> Path:
    place = world.repository("project")
    world.commit(place, "a.txt", "committed\n")
    return place


def _packs(world: World) -> list[Path]:
    return sorted((world.root / "scratch/snapshots/objects/pack").glob("*.pack"))


def test_no_snapshot_leans_on_its_repository(world: World, repository: Path) -> None:
    """Amended, branch deleted, collected, moved, removed: every tree still reads."""
    world.git(repository, "checkout", "-q", "-b", "side")
    world.commit(repository, "side.txt", "only on a branch\n")
    first, expected = world.take(repository), on_disk(repository)
    world.git(repository, "commit", "-q", "--amend", "-m", "amended")
    world.git(repository, "checkout", "-q", "main")
    world.git(repository, "branch", "-q", "-D", "side")
    world.git(repository, "reflog", "expire", "--expire=now", "--all")
    world.git(repository, "gc", "-q", "--prune=now")
    moved = repository.rename(world.root / "moved")
    second = world.take(moved)
    shutil.rmtree(moved)

    assert world.kept(first) == expected
    assert set(world.kept(second)) == {"a.txt"}
    assert world.snapshots().damage([str(first.tree), str(second.tree)]) == {}


def test_a_snapshot_after_tidying_up_is_whole(world: World, repository: Path) -> None:
    """What the index remembers is not removed under it."""
    (repository / "b.txt").write_text("one\n")
    world.take(repository)
    (repository / "b.txt").write_text("two\n")
    world.take(repository)
    world.snapshots().hold_only(set(), spare_seconds=0)
    (repository / "c.txt").write_text("three\n")

    taken = world.take(repository)

    assert world.kept(taken) == on_disk(repository)
    assert world.snapshots().damage([str(taken.tree)]) == {}


def test_a_worktree_that_is_gone_is_forgotten(world: World, repository: Path) -> None:
    """Its index would hold objects that nobody can need."""
    world.take(repository)
    shutil.rmtree(repository)

    world.snapshots().hold_only(set(), spare_seconds=0)

    assert list((world.root / "scratch" / "places").iterdir()) == []
    assert _packs(world) == []


def test_what_killed_processes_left_is_removed(world: World, repository: Path) -> None:
    """Half a pack and a ref that was never named; nobody else will ask for them."""
    tree = str(world.take(repository).tree)
    store = world.root / "scratch" / "snapshots"
    left = [store / "objects/pack/tmp_pack_x", store / f"refs/trees/{tree}.1-2.lock"]
    for path in left:
        path.write_text("half")

    world.snapshots().hold_only({tree}, spare_seconds=0)

    assert [path.exists() for path in left] == [False, False]
    assert world.snapshots().damage([tree]) == {}


def test_tidying_up_nothing_is_fine(world: World) -> None:
    """The first command somebody types may be `prune`."""
    snapshots = world.snapshots()

    assert snapshots.hold_only(set(), spare_seconds=0) == 0
    assert (snapshots.held(), snapshots.size()) == ((), 0)


def test_many_small_packs_become_few(world: World, repository: Path) -> None:
    """Each save writes a pack; without this git would open hundreds of them."""
    trees = []
    for number in range(45):
        (repository / "a.txt").write_text(f"{number}\n")
        trees.append(str(world.take(repository).tree))

    assert len(_packs(world)) <= 21
    assert world.snapshots().damage(trees) == {}


def test_nobody_else_can_read_our_files(
    world: World, repository: Path, request: pytest.FixtureRequest
) -> None:
    """Code is private whatever the umask says."""
    before = os.umask(0)
    request.addfinalizer(lambda: os.umask(before))
    world.take(repository)
    (repository / "a.txt").write_text("edited\n")
    world.take(repository)
    world.snapshots().hold_only(set(), spare_seconds=0)

    ours = [world.root / "scratch", *(world.root / "scratch").rglob("*")]
    open_to_others = [str(p) for p in ours if p.stat().st_mode & 0o077]
    assert open_to_others == []
