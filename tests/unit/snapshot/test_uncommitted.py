"""Which files wait to be committed."""

import errno
import os
from pathlib import Path

import pytest

from tests.unit.snapshot.world import World


def test_every_uncommitted_path_is_named_from_the_root(world: World) -> None:
    """Staged, changed, deleted and untracked; ignored ones are not work."""
    repository = world.repository("r")
    world.commit(repository, "a.txt")
    world.commit(repository, "gone.txt")
    (repository / ".gitignore").write_text("*.log\n")
    (repository / "a.txt").write_text("changed")
    (repository / "gone.txt").unlink()
    (repository / "x.log").write_text("noise")
    (repository / "new").mkdir()
    (repository / "new" / "ไทย b.txt").write_text("x")
    (repository / "staged.txt").write_text("x")
    world.git(repository, "add", "staged.txt")

    found = world.code().uncommitted(str(repository / "new"))

    assert found is not None
    assert set(found) == {".gitignore", "a.txt", "gone.txt", "new/", "staged.txt"}


def test_a_clean_worktree_has_none_and_no_git_is_not_known(
    world: World, tmp_path: Path
) -> None:
    """Nothing waits, and nothing can be said, are two answers."""
    repository = world.repository("r")
    world.commit(repository)
    plain = tmp_path / "plain"
    plain.mkdir()

    assert world.code().uncommitted(str(repository)) == ()
    assert world.code().uncommitted(str(plain)) is None


def test_an_index_that_cannot_be_read_is_not_an_empty_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it every tracked file would look like work that waits."""
    repository = world.repository("r")
    world.commit(repository)
    real = os.open

    def fail(path: str, *rest: int, **more: int) -> int:
        if str(path).endswith(".git/index"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        return real(path, *rest, **more)

    monkeypatch.setattr(os, "open", fail)

    assert world.code().uncommitted(str(repository)) is None
