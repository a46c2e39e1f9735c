"""What a snapshot holds: the files as they lie on disk, byte for byte."""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdfast.domain.code import EXECUTABLE, REGULAR, SYMLINK, LeftOut
from tests.unit.snapshot.world import World, on_disk


@pytest.fixture
def repository(world: World) -> Path:
    place = world.repository("project")
    world.commit(place, "a.txt", "committed\n")
    return place


def test_committed_edited_staged_and_untracked_files_are_kept(
    world: World, repository: Path
) -> None:
    """A checkpoint has what lies on disk, whatever git was told about it."""
    world.commit(repository, "b.txt", "before\n")
    (repository / "b.txt").write_text("edited\n")
    (repository / "staged.txt").write_text("staged\n")
    world.git(repository, "add", "staged.txt")
    (repository / "made by a shell.txt").write_text("untracked\n")

    taken = world.take(repository)

    assert world.kept(taken) == on_disk(repository)
    assert taken.left_out == ()


def test_ignored_files_are_left_alone(world: World, repository: Path) -> None:
    """Build outputs belong to nobody's code, and no restore may touch them."""
    (repository / ".gitignore").write_text("build/\n*.log\n")
    (repository / "build").mkdir()
    (repository / "build" / "out.o").write_text("object")
    (repository / "x.log").write_text("log")

    kept = world.kept(world.take(repository))

    assert set(kept) == {".gitignore", "a.txt"}


def test_a_file_that_is_tracked_though_ignored_is_kept(
    world: World, repository: Path
) -> None:
    """`git add -f` is how people say that a rule does not hold for a file."""
    (repository / ".gitignore").write_text("*.log\n")
    (repository / "kept.log").write_text("one\n")
    before = world.kept(world.take(repository))
    world.git(repository, "add", "-f", "kept.log")
    added = world.kept(world.take(repository))
    (repository / "kept.log").write_text("two\n")
    edited = world.kept(world.take(repository))
    world.git(repository, "rm", "-q", "--cached", "-f", "kept.log")
    (repository / ".gitignore").write_text("*.log\n# rules\n")

    after = world.kept(world.take(repository))

    assert "kept.log" not in before
    assert added["kept.log"] == (REGULAR, b"one\n")
    assert edited["kept.log"] == (REGULAR, b"two\n")
    assert "kept.log" not in after


def _in_gitignore(world: World, repository: Path) -> None:
    del world
    (repository / ".gitignore").write_text("x/\n")


def _in_info_exclude(world: World, repository: Path) -> None:
    del world
    (repository / ".git/info/exclude").write_text("x/\n")


def _in_the_users_file(world: World, repository: Path) -> None:
    del repository
    (world.home / "mine").write_text("x/\n")
    (world.home / ".gitconfig").write_text("[core]\n\texcludesFile = ~/mine\n")


def _in_the_users_default_file(world: World, repository: Path) -> None:
    del repository
    (world.home / ".config/git").mkdir(parents=True)
    (world.home / ".config/git/ignore").write_text("x/\n")


@pytest.mark.parametrize(
    "add_rule",
    [
        _in_gitignore,
        _in_info_exclude,
        _in_the_users_file,
        _in_the_users_default_file,
    ],
)
def test_a_new_ignore_rule_holds_from_the_next_snapshot_on(
    world: World, repository: Path, add_rule: Callable[[World, Path], None]
) -> None:
    """What was kept before the rule came is not kept for ever after."""
    (repository / "x").mkdir()
    (repository / "x" / "y.txt").write_text("y")
    before = world.kept(world.take(repository))
    add_rule(world, repository)

    after = world.kept(world.take(repository))

    assert "x/y.txt" in before
    assert "x/y.txt" not in after
    assert "a.txt" in after


@pytest.mark.parametrize(
    "attributes",
    [
        pytest.param("* text=auto eol=crlf\n", id="text, eol"),
        pytest.param("* text=auto eol=lf\n", id="text, lf"),
        pytest.param("* ident\n", id="ident"),
        pytest.param("* working-tree-encoding=UTF-16LE-BOM\n", id="encoding"),
        pytest.param("* filter=lfs diff=lfs merge=lfs -text\n", id="filter"),
        pytest.param("[attr]mine text eol=crlf\n* mine\n", id="macro"),
    ],
)
def test_no_byte_is_rewritten(world: World, repository: Path, attributes: str) -> None:
    """Line ends and filters change what git commits, never what we keep."""
    world.git(repository, "config", "core.autocrlf", "true")
    (repository / ".gitattributes").write_text(attributes)
    (repository / ".git/info/attributes").write_text(attributes)
    (repository / "crlf.txt").write_bytes(b"one\r\ntwo\r\n$Id$\r\n")
    (repository / "mixed.txt").write_bytes(b"one\r\ntwo\n\r")
    (repository / "utf16.txt").write_bytes("text\n".encode("utf-16"))
    (repository / "binary").write_bytes(bytes(range(256)) * 20)

    first = world.kept(world.take(repository))
    again = world.kept(world.take(repository))

    assert first == on_disk(repository)
    assert again == first


def test_modes_links_and_odd_names_are_kept(world: World, repository: Path) -> None:
    """Scripts stay runnable, links stay links, and a name is bytes."""
    script = repository / "run.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    (repository / "dangling").symlink_to("nowhere")
    (repository / "outside").symlink_to("/etc/passwd")
    (repository / "to directory").symlink_to("deep")
    names = ["ü ñ 字.txt", 'quo"te', "back\\slash", "new\nline", "tab\t", "-dash", "é"]
    for name in [*names, "--output=x", ":(top)x", "deep/er/x"]:
        path = repository / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (repository / os.fsdecode(b"not utf-8 \xff\xfe")).write_bytes(b"x")

    kept = world.kept(world.take(repository))

    assert kept == on_disk(repository)
    assert kept["run.sh"][0] == EXECUTABLE
    assert kept["outside"] == (SYMLINK, b"/etc/passwd")
    assert os.fsdecode(b"not utf-8 \xff\xfe") in kept


def test_changes_of_every_kind_are_seen(world: World, repository: Path) -> None:
    """Each is the smallest sign of its kind that a file system gives."""
    for name in ("gone", "same size", "mode", "kind", "dir/file", "Case", "old name"):
        path = repository / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{name} 1\n" * 20)
    first = world.take(repository)
    (repository / "gone").unlink()
    before = (repository / "same size").stat()
    (repository / "same size").write_text("same size 2\n" * 20)
    os.utime(repository / "same size", ns=(before.st_atime_ns, before.st_mtime_ns))
    (repository / "mode").chmod(0o755)
    (repository / "kind").unlink()
    (repository / "kind").mkdir()
    (repository / "kind" / "inner").write_text("now a directory")
    (repository / "dir" / "file").unlink()
    (repository / "dir").rmdir()
    (repository / "dir").write_text("now a file")
    (repository / "Case").rename(repository / "case")
    (repository / "old name").rename(repository / "new name")

    second = world.take(repository)

    assert world.kept(second) == on_disk(repository)
    changes = world.snapshots().changes(str(first.tree), str(second.tree))
    assert [(c.path, c.change, c.old_path) for c in changes] == [
        ("case", "renamed", "Case"),
        ("dir", "created", None),
        ("dir/file", "deleted", None),
        ("gone", "deleted", None),
        ("kind", "deleted", None),
        ("kind/inner", "created", None),
        ("mode", "mode", None),
        ("new name", "renamed", "old name"),
        ("same size", "edited", None),
    ]


def test_nothing_is_kept_through_a_link(world: World, repository: Path) -> None:
    """A directory that became a link holds no files; what it leads to is elsewhere."""
    elsewhere = world.root / "elsewhere"
    for place in (repository / "d", elsewhere):
        (place / "deep").mkdir(parents=True)
        (place / "x.txt").write_text(f"in {place.name}\n")
        (place / "deep" / "y.txt").write_text(f"in {place.name}\n")
    world.take(repository)
    (repository / "d").rename(world.root / "away")
    (repository / "d").symlink_to(elsewhere)

    kept = world.kept(world.take(repository))

    store = world.root / "scratch" / "snapshots"
    everything = world.git(store, "cat-file", "--batch", "--batch-all-objects")
    assert "in d\n" in everything
    assert "in elsewhere" not in everything
    assert set(kept) == {"a.txt", "d"}
    assert kept["d"] == (SYMLINK, os.fsencode(elsewhere))


def test_nothing_new_makes_the_same_tree(world: World, repository: Path) -> None:
    """Equal code has one name, wherever and how often it is taken."""
    first = world.take(repository)
    clone = world.root / "elsewhere"
    world.git(world.root, "clone", "-q", str(repository), str(clone))

    assert world.take(repository).tree == first.tree
    assert world.take(clone).tree == first.tree
    assert world.snapshots().held() == (first.tree,)


def test_a_change_that_is_taken_back_gives_the_first_tree(
    world: World, repository: Path
) -> None:
    """What was remembered of a file must not outlive it."""
    first = world.take(repository)
    for text in ("two\n", "three\n"):
        (repository / "a.txt").write_text(text)
        (repository / "new.txt").write_text(text)
        assert world.kept(world.take(repository)) == on_disk(repository)
    (repository / "a.txt").write_text("committed\n")
    (repository / "new.txt").unlink()

    assert world.take(repository).tree == first.tree


def test_many_changes_at_once_are_kept(world: World, repository: Path) -> None:
    """More than the index waits for: it is brought up to date on the way."""
    world.take(repository)
    for round_ in range(3):
        for number in range(100):
            (repository / f"{number}.txt").write_text(f"{number} {round_}\n")
        assert world.kept(world.take(repository)) == on_disk(repository)
    for number in range(100):
        (repository / f"{number}.txt").unlink()

    assert world.kept(world.take(repository)) == on_disk(repository)


def test_what_cannot_be_kept_is_listed(world: World, repository: Path) -> None:
    """Neither a repository inside nor a pipe is a file; both are said."""
    world.commit(world.repository("project/inner"), "x.txt")
    (repository / "b.txt").write_text("a file")
    before = world.take(repository)
    (repository / "b.txt").unlink()
    os.mkfifo(repository / "b.txt")

    taken = world.take(repository)

    inner = LeftOut("inner/", "a repository of its own")
    assert before.left_out == (inner,)
    assert taken.left_out == (LeftOut("b.txt", "neither a file nor a link"), inner)
    assert set(world.kept(taken)) == {"a.txt"}


def test_a_file_that_cannot_be_read_is_listed(
    world: World, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of somebody else must not cost the others their snapshot."""
    closed = repository / "closed.txt"
    closed.write_text("x")
    real = os.open

    def refusing(path: Any, *more: Any, **named: Any) -> int:
        if os.fspath(path) == str(closed):  # the super user reads everything else
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, *more, **named)

    monkeypatch.setattr(os, "open", refusing)

    taken = world.take(repository)

    assert [left.path for left in taken.left_out] == ["closed.txt"]


def test_a_pack_that_a_killed_git_began_can_be_written_again(world: World) -> None:
    """It leaves the mark of a pack; the same files make a pack of the same name."""
    place = world.repository("r")
    world.commit(place)
    (place / "new.txt").write_text("new\n")
    world.take(place)
    packs = next(
        path for path in world.root.rglob("objects/pack") if ".git" not in path.parts
    )
    names = [path.name for path in packs.glob("*.pack")]
    shutil.rmtree(world.root / "scratch")
    packs.mkdir(parents=True)
    for name in names:
        (packs / name).with_suffix(".keep").touch()

    tree = world.take(place)

    assert world.kept(tree) == on_disk(place)
    assert not list(packs.glob("*.keep"))
