"""The ground truth at resume: looks only at the files it is asked about."""

from pathlib import Path

import pytest

from holdfast.domain.code import EXECUTABLE, SYMLINK, CodeState
from holdfast.snapshot.git.present_state import GitGround
from holdfast.snapshot.git.program import Git
from holdfast.snapshot.port import Ground
from tests.unit.snapshot.world import World
from tests.unit.snapshot_restore.trees import Trees


@pytest.fixture
def ground(world: World) -> Ground:
    return GitGround(str(world.root / "scratch"), Git(environ=world.environ))


@pytest.fixture
def repository(world: World) -> Path:
    place = world.repository("project")
    world.commit(place, "a.txt", "committed\n")
    return place


def test_no_program_that_a_repository_names_is_run(
    ground: Ground, world: World, repository: Path
) -> None:
    """Asking for commits is asking git, in somebody's repository."""
    first = world.git(repository, "rev-parse", "HEAD")
    world.commit(repository, "a.txt", "again\n")
    ran = world.trap(repository)

    ground.stands(str(repository))
    ground.states(str(repository), [Trees().entry("a.txt", b"again\n")])
    ground.there(str(repository), ["a.txt"])
    ground.commits(str(repository), first, ["a.txt"])

    assert not ran.exists()
    world.git(repository, "status", fails=True)
    assert ran.exists(), "git as the user runs it would have"


def test_only_the_files_asked_about_are_looked_at(
    ground: Ground, repository: Path
) -> None:
    """Another file, however changed, is in no answer."""
    (repository / "other.txt").write_text("x")
    entry = Trees().entry("a.txt", b"committed\n")

    states = ground.states(str(repository), [entry])
    there = ground.there(str(repository), ["a.txt"])

    assert states == {"a.txt": "unchanged"}
    assert there == {"a.txt"}


def test_branch_and_head_are_told_and_changes_are_not_looked_at(
    ground: Ground, world: World, repository: Path
) -> None:
    """A worktree with changes stands where a clean one does."""
    (repository / "a.txt").write_text("changed")

    stands = ground.stands(str(repository))

    head = world.git(repository, "rev-parse", "HEAD")
    assert stands == CodeState(branch="main", head=head)


def test_a_directory_without_git_stands_nowhere(ground: Ground, world: World) -> None:
    """There is neither a branch nor a head."""
    (world.root / "plain").mkdir()

    assert ground.stands(str(world.root / "plain")) == CodeState()


def test_a_file_is_unchanged_changed_or_gone(ground: Ground, repository: Path) -> None:
    """Content and kind count; some file systems know no executable bit."""
    trees = Trees()
    (repository / "same-size").write_text("now!")
    (repository / "mode").write_text("x")
    (repository / "kind").write_text("to")
    (repository / "link").symlink_to("a.txt")
    entries = [
        trees.entry("a.txt", b"committed\n"),
        trees.entry("same-size", b"then"),
        trees.entry("mode", b"x", EXECUTABLE),
        trees.entry("kind", b"to", SYMLINK),
        trees.entry("link", b"a.txt", SYMLINK),
        trees.entry("gone", b"x"),
    ]

    states = ground.states(str(repository), entries)

    assert states == {
        "a.txt": "unchanged",
        "same-size": "changed",
        "mode": "unchanged",
        "kind": "changed",
        "link": "unchanged",
        "gone": "gone",
    }


def test_paths_where_something_lies_are_there_and_no_link_is_followed(
    ground: Ground, world: World, repository: Path
) -> None:
    """A broken link lies there; what a linked directory leads to does not."""
    outside = world.root / "outside"
    outside.mkdir()
    (outside / "x").write_text("x")
    (repository / "broken").symlink_to("nowhere")
    (repository / "way").symlink_to(outside)

    there = ground.there(
        str(repository), ["a.txt", "broken", "way", "way/x", "missing"]
    )

    assert there == {"a.txt", "broken", "way"}


def test_the_newest_commit_that_changed_each_path_is_told(
    ground: Ground, world: World, repository: Path
) -> None:
    """A path that no commit after it changed has none."""
    world.commit(repository, "quiet.txt")
    since = world.commit(repository, "b.txt")
    world.commit(repository, "a.txt")
    newest_b = world.commit(repository, "b.txt")
    newest_a = world.commit(repository, "a.txt")

    commits = ground.commits(str(repository), since, ["a.txt", "b.txt", "quiet.txt"])

    assert commits == {"a.txt": newest_a, "b.txt": newest_b}


@pytest.mark.parametrize("since", ["1" * 40, "--all", "HEAD", ""])
def test_commits_that_cannot_be_told_have_no_entry(
    ground: Ground, world: World, repository: Path, since: str
) -> None:
    """A commit that is not known, or is none, is after nothing."""
    world.commit(repository, "a.txt")

    assert ground.commits(str(repository), since, ["a.txt"]) == {}
