"""Snapshots stay whole whatever happens around them, and go when nobody needs them."""

import os
import shutil
from pathlib import Path

import pytest

from holdfast.domain.code import SnapshotBounds
from holdfast.kernel.errors import SnapshotLost
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


def test_only_what_is_named_stays(world: World, repository: Path) -> None:
    """A tree that neither a record nor an index needs is gone from the disk."""
    trees = []
    for number in range(4):
        (repository / "a.txt").write_text(f"{number}\n")
        trees.append(str(world.take(repository).tree))
    snapshots = world.snapshots()

    gone = snapshots.hold_only({trees[2]}, spare_seconds=0)

    assert gone == 3
    assert snapshots.held() == (trees[2],)
    assert snapshots.released() == {trees[0], trees[1], trees[3]}
    assert snapshots.damage([trees[2]]) == {}
    with pytest.raises(SnapshotLost, match=trees[1]):
        snapshots.entries(trees[1])


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


def test_the_youngest_trees_are_spared(world: World, repository: Path) -> None:
    """A save that holds its tree may not have put its record yet."""
    tree = world.take(repository).tree
    snapshots = world.snapshots()

    assert snapshots.hold_only(set(), spare_seconds=3600) == 0
    assert snapshots.held() == (tree,)


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


def test_damage_is_found_in_the_trees_it_touches(
    world: World, repository: Path
) -> None:
    """One flipped bit in a file's content; the other tree is still whole."""
    first = str(world.take(repository).tree)
    content = "".join(f"line {n}\n" for n in range(1000))
    (repository / "b.txt").write_text(content)
    second = str(world.take(repository).tree)
    largest = max(_packs(world), key=lambda pack: pack.stat().st_size)
    raw = bytearray(largest.read_bytes())
    raw[60] ^= 1
    largest.chmod(0o600)
    largest.write_bytes(raw)

    damage = world.snapshots().damage([first, second])

    assert set(damage) == {second}
    assert "not there or damaged" in damage[second]


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param("1" * 40, id="unknown"),
        pytest.param("--output=x", id="an option"),
        pytest.param("HEAD", id="a ref"),
        pytest.param("", id="nothing"),
    ],
)
def test_what_is_no_tree_is_refused(world: World, repository: Path, tree: str) -> None:
    """A name from a record is data; git never sees one that is not a hash."""
    world.take(repository)
    snapshots = world.snapshots()

    assert set(snapshots.damage([tree])) == {tree}
    for ask in (
        lambda: snapshots.entries(tree),
        lambda: snapshots.read(tree),
        lambda: snapshots.changes(tree, "2" * 40),
    ):
        with pytest.raises(SnapshotLost) as lost:
            ask()
        assert "doctor" in lost.value.hint
    assert snapshots.since(tree, str(repository), SnapshotBounds()).reason


def test_many_small_packs_become_few(world: World, repository: Path) -> None:
    """Each save writes a pack; without this git would open hundreds of them."""
    trees = []
    for number in range(45):
        (repository / "a.txt").write_text(f"{number}\n")
        trees.append(str(world.take(repository).tree))

    assert len(_packs(world)) <= 21
    assert world.snapshots().damage(trees) == {}


def test_what_a_tree_alone_needs_can_be_told(world: World, repository: Path) -> None:
    """Retention must know what letting a tree go would free."""
    first = str(world.take(repository).tree)
    (repository / "b.bin").write_bytes(bytes(range(256)) * 4)
    second = str(world.take(repository).tree)
    snapshots = world.snapshots()

    alone = snapshots.size_of({second}, beside={first})
    both = snapshots.size_of({first, second})

    assert 200 < alone < both < snapshots.size()
    assert snapshots.size_of({first}) + alone == both
    assert snapshots.size_of(set()) == 0


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
