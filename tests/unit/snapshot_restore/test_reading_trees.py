"""Reading a little of a large tree: some files, and what differs from another."""

import os
from pathlib import Path

import pytest

from holdfast.domain.code import EXECUTABLE, REGULAR, SnapshotBounds, TreeEntry
from holdfast.kernel.errors import SnapshotLost
from holdfast.snapshot.take.snapshots import GitSnapshots

_ODD = (":(top)a", "a b", "-n", "*.py", "caf\u00e9", "\udcff")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    (place / "sub").mkdir(parents=True)
    for name in (*_ODD, "plain.py", "sub/x.py", "sub/y.py"):
        (place / name).write_text(f"in {name!a}\n")
    return place


@pytest.fixture
def snapshots(tmp_path: Path) -> GitSnapshots:
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home")}
    return GitSnapshots(str(tmp_path / "ours"), environ)


def _take(snapshots: GitSnapshots, root: Path) -> str:
    tree = snapshots.take(str(root), SnapshotBounds()).tree
    assert tree is not None
    return tree


def _paths(entries: tuple[TreeEntry, ...]) -> list[str]:
    return sorted(entry.path for entry in entries)


@pytest.mark.parametrize("name", _ODD, ids=ascii)
def test_t25_a_name_is_a_name_whatever_git_could_read_into_it(
    snapshots: GitSnapshots, root: Path, name: str
) -> None:
    """No pattern, no option, no magic: exactly that file."""
    tree = _take(snapshots, root)

    (found,) = snapshots.entries(tree, [name])

    assert found in snapshots.entries(tree)
    assert found.path == name


def test_a_directory_means_all_that_is_in_it(
    snapshots: GitSnapshots, root: Path
) -> None:
    """What is not there is not found, and nothing asked for is nothing."""
    tree = _take(snapshots, root)

    assert _paths(snapshots.entries(tree, ["sub", "nowhere"])) == [
        "sub/x.py",
        "sub/y.py",
    ]
    assert snapshots.entries(tree, []) == ()


def test_more_paths_than_a_command_line_holds_are_found(
    snapshots: GitSnapshots, root: Path
) -> None:
    """They go to git a few hundred at a time."""
    tree = _take(snapshots, root)
    many = [f"nowhere/{'x' * 200}{number}" for number in range(1500)]

    found = snapshots.entries(tree, [*many, "plain.py"])

    assert _paths(found) == ["plain.py"]


def test_only_what_differs_between_two_trees_is_told(
    snapshots: GitSnapshots, root: Path
) -> None:
    """Each side as it is there: changed content, changed mode, come and gone."""
    one = _take(snapshots, root)
    (root / "plain.py").write_text("changed\n")
    (root / "sub/x.py").chmod(0o755)
    (root / "sub/y.py").unlink()
    (root / "new").write_text("new\n")
    other = _take(snapshots, root)

    then, now = snapshots.differing(one, other)

    assert _paths(then) == ["plain.py", "sub/x.py", "sub/y.py"]
    assert _paths(now) == ["new", "plain.py", "sub/x.py"]
    modes = [e.mode for e in (*then, *now) if e.path == "sub/x.py"]
    assert modes == [REGULAR, EXECUTABLE]
    assert snapshots.differing(other, one) == (now, then)
    assert snapshots.differing(one, one) == ((), ())


@pytest.mark.parametrize("tree", ["0" * 40, "--output=x", "HEAD", ""])
def test_a_tree_that_is_not_there_is_lost_not_empty(
    snapshots: GitSnapshots, root: Path, tree: str
) -> None:
    """An empty answer would read as "remove everything"."""
    good = _take(snapshots, root)

    with pytest.raises(SnapshotLost):
        snapshots.differing(tree, good)
    with pytest.raises(SnapshotLost):
        snapshots.entries(tree, ["plain.py"])
