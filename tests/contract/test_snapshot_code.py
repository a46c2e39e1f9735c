"""A directory with code in it, as far as it can be seen safely."""

import errno
import os
from pathlib import Path

import pytest

from holdfast.domain.code import CodeState, ProjectIdentity
from holdfast.kernel.errors import FileRefused
from holdfast.snapshot.port import Code
from tests.fakes import FakeCode
from tests.unit.snapshot.world import World, fingerprint


@pytest.fixture(params=["git", "fake"])
def code(request: pytest.FixtureRequest, world: World) -> Code:
    """The fake has one repository per directory, so only some promises are its own."""
    if request.param == "git":
        return world.code()
    return FakeCode(missing={str(world.root / "missing")})


def test_no_program_that_a_repository_names_is_run(world: World) -> None:
    """Looking at somebody's repository must be safe."""
    repository = world.repository("r")
    commit = world.commit(repository)
    ran = world.trap(repository)
    (repository / "a.txt").write_text("changed")
    looks, where = world.code(), str(repository)

    looks.identity(where)
    looks.state(where)
    looks.head(where)
    looks.uncommitted(where)
    looks.has_commit(where, commit)
    looks.branch_fate(where, "other")
    looks.changed(where, ["a.txt"], 0)
    looks.content(where, "a.txt", 100)
    looks.line_commits(where, "a.txt", b"changed")

    assert not ran.exists()
    world.git(repository, "status", fails=True)
    assert ran.exists(), "git as the user runs it would have"


def test_looking_leaves_a_repository_as_it_was(world: World) -> None:
    """Nobody's index is refreshed by our looking."""
    repository = world.repository("r")
    world.commit(repository)
    before = fingerprint(repository)

    world.code().state(str(repository))
    world.code().uncommitted(str(repository))

    assert fingerprint(repository) == before


def test_a_directory_shows_its_project(code: Code, world: World) -> None:
    """Root and worktree are the real path of the repository."""
    repository = world.repository("r")
    world.commit(repository)

    identity = code.identity(str(repository))

    assert (identity.path, identity.workspace) == (str(repository), str(repository))
    assert identity.is_git


def test_a_directory_without_git_is_its_real_path(world: World) -> None:
    """Without git the place is all there is to know a project by."""
    (world.root / "plain").mkdir()
    (world.root / "link").symlink_to(world.root / "plain")

    code = world.code()

    path = str(world.root / "plain")
    assert code.identity(str(world.root / "link")) == ProjectIdentity(
        path=path, workspace=path
    )
    assert code.state(path) == CodeState()
    assert not code.has_commit(path, "0" * 40)


def test_a_directory_of_this_machine_exists(code: Code, world: World) -> None:
    """A path from a record may be of another machine, or gone."""
    missing = world.root / "missing"

    found = [code.exists(str(world.root)), code.exists(str(missing))]

    assert found == [True, False]


def test_a_file_is_no_directory(world: World) -> None:
    """No code lies in a file."""
    (world.root / "file").write_text("x")

    assert not world.code().exists(str(world.root / "file"))


def test_branch_head_and_uncommitted_work_are_the_state(
    code: Code, world: World
) -> None:
    """A record says where the code stood."""
    repository = world.repository("r")
    world.commit(repository)
    (repository / "a.txt").write_text("changed")

    state = code.state(str(repository))

    assert (state.branch, state.dirty) == ("main", True)
    assert state.head
    assert state.uncommitted == code.uncommitted(str(repository))


def test_a_worktree_without_changes_is_clean(world: World) -> None:
    """What is committed does not wait."""
    repository = world.repository("r")
    commit = world.commit(repository)

    state = world.code().state(str(repository))

    assert state == CodeState(branch="main", head=commit, uncommitted=())


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


def test_a_commit_is_there_until_it_is_not(world: World) -> None:
    """An amended first commit leaves the old object behind."""
    repository = world.repository("r")
    first = world.commit(repository)
    world.git(repository, "commit", "-q", "--amend", "-m", "other words")
    tree = world.git(repository, "rev-parse", "HEAD^{tree}")
    code = world.code()

    assert code.has_commit(str(repository), first)
    assert not code.has_commit(str(repository), tree)
    assert not code.has_commit(str(repository), "1" * 40)
    assert not code.has_commit(str(repository), "--batch-all-objects")


def test_branch_and_head_are_told_alone(code: Code, world: World) -> None:
    """Nobody looked for uncommitted work, so none is told."""
    repository = world.repository("r")
    world.commit(repository)
    (repository / "a.txt").write_text("changed")

    head = code.head(str(repository))

    assert (head.branch, head.dirty) == ("main", False)
    assert head.head == code.state(str(repository)).head


def test_a_branch_is_there_merged_or_gone(world: World) -> None:
    """Work on a branch that was merged or removed is not continued unasked."""
    repository = world.repository("r")
    world.commit(repository)
    world.git(repository, "branch", "merged")
    world.git(repository, "switch", "-q", "-c", "open")
    world.commit(repository)
    world.git(repository, "switch", "-q", "main")
    looks = world.code()

    fates = [
        looks.branch_fate(str(repository), b) for b in ("open", "merged", "no/such")
    ]

    assert fates == ["there", "merged", "gone"]


def test_a_branch_of_which_git_cannot_be_asked_is_there(
    code: Code, world: World
) -> None:
    """Nobody is told that work is over because git is missing."""
    plain = world.root / "plain"
    plain.mkdir()

    fate = code.branch_fate(str(plain), "open")

    assert fate == "there"


def test_only_files_written_since_or_gone_are_told(world: World) -> None:
    """What a session believes of a file is true as long as nobody wrote it."""
    repository = world.repository("r")
    for name, seconds in (("a.py", 1000), ("b.py", 3000)):
        (repository / name).write_text(name)
        os.utime(repository / name, (seconds, seconds))

    changed = world.code().changed(str(repository), ["c.py", "a.py", "b.py"], 2_000_000)

    assert changed == (("c.py", "gone"), ("b.py", "changed"))


def test_a_file_is_read_as_it_lies_there(world: World) -> None:
    """None where nothing is; never through a link, never more than allowed."""
    repository = world.repository("r")
    (repository / "a.txt").write_text("one\n")
    (repository / "sub").mkdir()
    (repository / "link").symlink_to("a.txt")
    (repository / "way").symlink_to("sub")
    (repository / "sub" / "b.txt").write_text("two\n")
    code, root = world.code(), str(repository)

    assert code.content(root, "a.txt", 100) == b"one\n"
    assert code.content(root, "no/such.txt", 100) is None
    for path in ("link", "way/b.txt", "sub", "a.txt/b"):
        with pytest.raises(FileRefused):
            code.content(root, path, 100)
    with pytest.raises(FileRefused, match="larger"):
        code.content(root, "a.txt", 3)


def test_each_line_says_which_commit_brought_it(world: World) -> None:
    """As the content that is given has them, and none where it is not committed."""
    repository = world.repository("r")
    first = world.commit(repository, "a.txt", "one\n")
    second = world.commit(repository, "a.txt", "one\ntwo\n")
    code, root = world.code(), str(repository)

    told = code.line_commits(root, "a.txt", b"one\nnew\ntwo\n")

    assert [line and line.commit for line in told] == [first, None, second]
    assert all(line is None or line.at > 0 for line in told)
    assert code.line_commits(root, "new.txt", b"x\n") in ((), (None,))


def test_a_commit_that_was_made_here_is_told_from_one_that_was_brought(
    world: World,
) -> None:
    """By git's own log of HEAD: what a merge brings nobody typed here."""
    repository = world.repository("r")
    world.commit(repository, "a.txt", "one\n")
    world.git(repository, "switch", "-q", "-c", "side")
    world.commit(repository, "a.txt", "one\ntheirs\n")
    world.git(repository, "switch", "-q", "-")
    (repository / ".git" / "logs" / "HEAD").unlink()  # as if it came from elsewhere
    world.git(repository, "merge", "-q", "--ff-only", "side")
    world.commit(repository, "a.txt", "one\ntheirs\nmine\n")
    world.git(repository, "commit", "-q", "--amend", "-m", "said better")
    code, root = world.code(), str(repository)

    told = code.line_commits(root, "a.txt", b"one\ntheirs\nmine\nnew\n")

    assert [line and line.is_made_here for line in told] == [False, False, True, None]


def test_without_commits_no_line_has_one(world: World) -> None:
    """No git, or nothing committed yet: git cannot tell."""
    (world.root / "plain").mkdir()

    assert world.code().line_commits(str(world.root / "plain"), "a", b"x\n") == ()
    assert world.code().line_commits(str(world.repository("r")), "a", b"x\n") == ()
