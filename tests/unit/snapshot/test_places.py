"""Where snapshots can be taken: every kind of checkout, and none at all."""

from pathlib import Path

import pytest

from holdfast.domain.code import LeftOut, SnapshotBounds
from tests.unit.snapshot.world import World, fingerprint, on_disk


def test_an_empty_repository_has_an_empty_tree(world: World) -> None:
    """No commit, no file: that is a state, too."""
    place = world.repository("empty")

    taken = world.take(place)
    (place / "first.txt").write_text("first")

    assert world.kept(taken) == {}
    assert world.kept(world.take(place)) == on_disk(place)


def test_each_worktree_has_its_own_snapshot(world: World) -> None:
    """Two windows on two branches must not see each other's files."""
    place = world.repository("project")
    world.commit(place)
    other = world.root / "other"
    world.git(place, "worktree", "add", "-q", "-b", "side", str(other))
    (other / "side.txt").write_text("side")
    before = fingerprint(place)

    kept, main = world.kept(world.take(other)), world.kept(world.take(place))

    assert kept == {k: v for k, v in on_disk(other).items() if k != ".git"}
    assert set(main) == {"a.txt"}
    assert fingerprint(place) == before


def test_a_sparse_checkout_keeps_what_is_checked_out(world: World) -> None:
    """What git left out of the worktree is not there, and was not deleted."""
    place = world.repository("project")
    for name in ("in", "out"):
        (place / name).mkdir()
        world.commit(place, f"{name}/x.txt")
    world.git(place, "sparse-checkout", "set", "in")

    kept = world.kept(world.take(place))

    assert set(kept) == {"in/x.txt"}


def test_a_submodule_is_a_repository_of_its_own(world: World) -> None:
    """Its files are not kept from outside, and that is said."""
    library = world.repository("library")
    world.commit(library, "lib.txt")
    place = world.repository("project")
    world.commit(place)
    world.git(place, "submodule", "-q", "add", str(library), "lib")
    world.git(place, "commit", "-qm", "with a submodule")

    taken = world.take(place)
    inside = world.take(place / "lib")

    assert set(world.kept(taken)) == {".gitmodules", "a.txt"}
    assert taken.left_out == (LeftOut("lib/", "a repository of its own"),)
    assert set(world.kept(inside)) == {"lib.txt"}


@pytest.mark.parametrize("operation", ["merge", "rebase", "cherry-pick"])
def test_an_operation_in_progress_is_kept_as_it_lies(
    world: World, operation: str
) -> None:
    """Conflict marks are what the user sees, so they are what is kept."""
    place = world.repository("project")
    world.commit(place, "a.txt", "base\n")
    world.git(place, "checkout", "-q", "-b", "side")
    world.commit(place, "a.txt", "side\n")
    world.git(place, "checkout", "-q", "main")
    world.commit(place, "a.txt", "main\n")
    world.git(place, operation, "side", fails=True)
    before = fingerprint(place)

    kept = world.kept(world.take(place))

    assert b"<<<<<<<" in kept["a.txt"][1]
    assert fingerprint(place) == before


def test_a_repository_with_sha256_names_is_kept(world: World) -> None:
    """Our own names do not depend on the repository's, nor does the look at HEAD."""
    place = world.repository("new", "--object-format=sha256")
    world.commit(place, ".env", "TOKEN=known\n")

    assert world.kept(world.take(place)) == on_disk(place)


def test_a_bare_repository_inside_is_only_files(world: World) -> None:
    """It came with somebody's files, and speaks for nobody."""
    place = world.repository("project")
    world.commit(place)
    world.git(world.root, "init", "-q", "--bare", str(place / "bare"))
    (place / "bare" / "config").write_text("[core]\n\tbare = true\n")

    kept = world.kept(world.take(place))

    assert kept["bare/HEAD"][1].startswith(b"ref: ")
    assert kept == on_disk(place)


def test_the_root_of_the_file_system_is_refused(world: World) -> None:
    """Nobody's project is everything there is."""
    taken = world.snapshots().take("/", SnapshotBounds())

    assert taken.left_out == (LeftOut(".", "a home directory is not a project"),)


def test_without_git_there_is_a_reason(world: World, tmp_path: Path) -> None:
    """A save goes on without code, and says so."""
    place = world.repository("project")

    taken = world.snapshots(PATH=str(tmp_path)).take(str(place), SnapshotBounds())

    assert (taken.tree, taken.reason) == (None, "git was not found")
