"""What a directory shows of its project and its code, with real git."""

import os
import subprocess
from pathlib import Path

import pytest

from holdfast.domain.code import CodeState, ProjectIdentity
from holdfast.redaction.redactor import Redactor
from holdfast.snapshot.git.code import GitCode
from holdfast.snapshot.git.present_state import GitGround
from holdfast.snapshot.git.program import Git
from holdfast.snapshot.git.repository import project_directories
from tests.unit.snapshot.world import World, fingerprint


def test_a_repository_shows_root_commit_and_remote_from_any_subdirectory(
    world: World,
) -> None:
    """Where in the repository the agent was started does not matter."""
    repository = world.repository("r")
    first = world.commit(repository)
    world.commit(repository)
    world.git(repository, "remote", "add", "origin", "git@GitHub.com:me/Thing.git")
    (repository / "deep" / "er").mkdir(parents=True)

    identity = world.code().identity(str(repository / "deep" / "er"))

    assert identity == ProjectIdentity(
        path=str(repository),
        workspace=str(repository),
        root_commits=(first,),
        remote="github.com/me/Thing",
        is_git=True,
    )


def test_a_directory_that_is_gone_belongs_to_what_is_above(world: World) -> None:
    """A session may have worked in a directory that was removed since."""
    repository = world.repository("r")

    assert world.code().identity(str(repository / "gone" / "x")).path == str(repository)


def test_an_unborn_branch_has_its_name_and_no_root(world: World) -> None:
    """The first session often begins before the first commit."""
    repository = world.repository("r")

    code = world.code()

    assert code.identity(str(repository)).root_commits == ()
    assert code.identity(str(repository)).is_git
    assert code.state(str(repository)) == CodeState(branch="main", uncommitted=())


def test_a_detached_head_has_no_branch(world: World) -> None:
    """A commit checked out by its id is nobody's branch."""
    repository = world.repository("r")
    commit = world.commit(repository)
    world.git(repository, "checkout", "-q", "--detach")

    assert world.code().state(str(repository)) == CodeState(head=commit, uncommitted=())


def test_a_packed_branch_is_found(world: World) -> None:
    """After `git gc` a branch is a line in one file."""
    repository = world.repository("r")
    commit = world.commit(repository)
    world.git(repository, "branch", "main2")
    world.git(repository, "pack-refs", "--all")
    world.git(repository, "checkout", "-q", "main2")

    assert not (repository / ".git" / "refs" / "heads" / "main2").exists()
    assert world.code().state(str(repository)) == CodeState(
        branch="main2", head=commit, uncommitted=()
    )


def _stage(world: World, repository: Path) -> None:
    (repository / "staged.txt").write_text("x")
    world.git(repository, "add", "staged.txt")


def _edit(_: World, repository: Path) -> None:
    (repository / "a.txt").write_text("something longer than before\n")


def _edit_same_size_same_tick(world: World, repository: Path) -> None:
    """Leave all that git compares without reading as it was.

    The index is as old as the file, so git must look inside.
    """
    file, index = repository / "a.txt", repository / ".git" / "index"
    world.git(repository, "config", "core.trustctime", "false")
    os.utime(file, (1_000_000_000, 1_000_000_000))
    world.git(repository, "update-index", "--refresh")
    file.write_text(file.read_text().swapcase())
    for path in (file, index):
        os.utime(path, (1_000_000_000, 1_000_000_000))


def _delete(_: World, repository: Path) -> None:
    (repository / "a.txt").unlink()


def _add(_: World, repository: Path) -> None:
    (repository / "new").mkdir()
    (repository / "new" / "-rf\nodd name").write_text("x")


def _make_executable(_: World, repository: Path) -> None:
    (repository / "a.txt").chmod(0o755)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(_stage, id="a staged file"),
        pytest.param(_edit, id="an edited file"),
        pytest.param(_edit_same_size_same_tick, id="an edit in the index's own tick"),
        pytest.param(_delete, id="a deleted file"),
        pytest.param(_add, id="an untracked file with an odd name"),
        pytest.param(_make_executable, id="a new mode"),
    ],
)
def test_any_uncommitted_change_makes_it_dirty(world: World, change: object) -> None:
    """Staged, unstaged and untracked all count; the repository stays untouched."""
    repository = world.repository("r")
    commit = world.commit(repository)
    code = world.code()
    assert code.state(str(repository)) == CodeState(
        branch="main", head=commit, uncommitted=()
    )
    assert callable(change)
    change(world, repository)
    before = fingerprint(repository)

    state = code.state(str(repository))

    assert state.dirty
    assert fingerprint(repository) == before


def test_ignored_files_do_not_make_it_dirty(world: World) -> None:
    """All four places of ignore rules count: tree, repository, user, and the default."""
    repository = world.repository("r")
    world.commit(repository, ".gitignore", "tree.log\n")
    (repository / ".git" / "info").mkdir(exist_ok=True)
    (repository / ".git" / "info" / "exclude").write_text("repository.log\n")
    (world.home / "ignored").write_text("user.log\n")
    (world.home / ".gitconfig").write_text("[core]\n\texcludesFile = ~/ignored\n")
    for name in ("tree", "repository", "user"):
        (repository / f"{name}.log").write_text("x")

    assert not world.code().state(str(repository)).dirty

    (world.home / ".gitconfig").unlink()
    assert world.code().state(str(repository)).dirty
    (world.home / ".config" / "git").mkdir(parents=True)
    (world.home / ".config" / "git" / "ignore").write_text("user.log\n")
    assert not world.code().state(str(repository)).dirty


def test_a_user_who_hides_untracked_files_is_believed(world: World) -> None:
    """A repository over a whole home directory sets this, or it is always dirty."""
    repository = world.repository("r")
    world.commit(repository)
    (repository / "untracked").write_text("x")

    assert world.code().state(str(repository)).dirty
    world.git(repository, "config", "status.showUntrackedFiles", "no")
    assert not world.code().state(str(repository)).dirty


def test_line_endings_the_user_asked_for_are_not_changes(world: World) -> None:
    """`core.autocrlf` in the user's own file decides whether CRLF is an edit."""
    (world.home / ".gitconfig").write_text("[core]\n\tautocrlf = true\n")
    repository = world.repository("r")
    (repository / "a.txt").write_bytes(b"one\r\ntwo\r\n")
    world.git(repository, "add", "a.txt")
    world.git(repository, "commit", "-q", "-m", "crlf")
    os.utime(repository / "a.txt", ns=(1, 1))  # stale: git must compare contents

    assert not world.code().state(str(repository)).dirty


def test_a_linked_worktree_belongs_to_its_main_repository(world: World) -> None:
    """One project, two workspaces, each with its own branch and changes."""
    main = world.repository("main")
    root = world.commit(main)
    linked = world.root / "elsewhere" / "linked"
    world.git(main, "worktree", "add", "-q", "-b", "side", str(linked))
    (linked / "new.txt").write_text("x")

    code = world.code()

    assert code.identity(str(linked)) == ProjectIdentity(
        path=str(main), workspace=str(linked), root_commits=(root,), is_git=True
    )
    assert code.state(str(linked)) == CodeState(
        branch="side", head=root, dirty=True, uncommitted=("new.txt",)
    )
    assert code.state(str(main)) == CodeState(branch="main", head=root, uncommitted=())


def test_a_project_fills_its_main_root_and_its_worktree(world: World) -> None:
    """Both are a stranger's ground, and asking leaves no trace on it or elsewhere."""
    main = world.repository("main")
    world.commit(main)
    linked = world.root / "linked"
    world.git(main, "worktree", "add", "-q", "-b", "side", str(linked))
    before = fingerprint(world.root)

    assert project_directories(str(linked)) == (str(linked), str(main))
    assert project_directories(str(main / "x")) == (str(main),)
    assert project_directories(str(world.home)) == (str(world.home),)
    assert fingerprint(world.root) == before


def test_the_old_form_of_a_symbolic_head_is_read(world: World) -> None:
    """HEAD was once a link to the branch's file."""
    repository = world.repository("r")
    commit = world.commit(repository)
    head = repository / ".git" / "HEAD"
    head.unlink()
    head.symlink_to("refs/heads/main")

    assert world.code().state(str(repository)) == CodeState(
        branch="main", head=commit, uncommitted=()
    )


def test_a_branch_that_is_another_branch_is_followed(world: World) -> None:
    """A symbolic ref may lead to a second, and in circles."""
    repository = world.repository("r")
    commit = world.commit(repository)
    world.git(repository, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    world.git(repository, "symbolic-ref", "HEAD", "refs/heads/alias")
    assert world.code().state(str(repository)).head == commit

    heads = repository / ".git" / "refs" / "heads"
    (heads / "main").write_text("ref: refs/heads/alias\n")

    assert world.code().state(str(repository)).head is None


def test_a_directory_that_claims_to_be_a_worktree_is_not_believed(
    world: World,
) -> None:
    """A `.git` file can name any repository; only that repository can confirm it."""
    main = world.repository("main")
    world.commit(main)
    linked = world.root / "linked"
    world.git(main, "worktree", "add", "-q", "-b", "side", str(linked))
    impostor = world.root / "impostor"
    impostor.mkdir()
    (impostor / ".git").write_bytes((linked / ".git").read_bytes())

    assert world.code().identity(str(impostor)).path == str(impostor)


def test_a_repository_cannot_name_another_worktree_as_its_own(world: World) -> None:
    """`core.worktree` of a stranger must not lead us into someone else's files."""
    victim = world.root / "victim"
    victim.mkdir()
    repository = world.repository("r")
    world.git(repository, "config", "core.worktree", str(victim))

    assert world.code().identity(str(repository)).workspace == str(repository)


def test_worktrees_around_a_bare_repository_are_one_project(world: World) -> None:
    """`project/.bare` with worktrees beside it is a common layout."""
    source = world.repository("source")
    world.commit(source)
    project = world.root / "project"
    world.git(world.root, "clone", "-q", "--bare", str(source), str(project / ".bare"))
    (project / ".git").write_text("gitdir: ./.bare\n")
    world.git(project, "worktree", "add", "-q", "feature", "-b", "feature")

    code = world.code()

    assert code.identity(str(project)).path == str(project)
    assert code.identity(str(project / "feature")).path == str(project)
    assert code.identity(str(project / "feature")).workspace == str(project / "feature")
    assert not code.state(str(project)).dirty
    assert not code.state(str(project / "feature")).dirty
    (project / "feature" / "new").write_text("x")
    assert code.state(str(project / "feature")).dirty


def test_a_separate_git_directory_changes_nothing(world: World) -> None:
    """`.git` may be a file that points elsewhere."""
    repository = world.root / "r"
    world.git(
        world.root, "init", "-q", "--separate-git-dir", str(world.root / "g"), "r"
    )
    root = world.commit(repository)

    identity = world.code().identity(str(repository))

    assert (identity.path, identity.root_commits) == (str(repository), (root,))
    assert not world.code().state(str(repository)).dirty


def test_a_submodule_is_a_project_of_its_own(world: World) -> None:
    """Its history and its remote are not those of the repository around it."""
    inner = world.repository("inner")
    inner_root = world.commit(inner)
    outer = world.repository("outer")
    outer_root = world.commit(outer)
    world.git(outer, "submodule", "--quiet", "add", str(inner), "sub")
    world.git(outer, "commit", "-q", "-m", "sub")
    linked = world.root / "linked"
    world.git(outer / "sub", "worktree", "add", "-q", "-b", "w", str(linked))

    code = world.code()

    assert code.identity(str(outer / "sub")).path == str(outer / "sub")
    assert code.identity(str(outer / "sub")).root_commits == (inner_root,)
    assert code.identity(str(outer)).root_commits == (outer_root,)
    assert code.identity(str(linked)).path == str(outer / "sub")
    assert not code.state(str(outer)).dirty


def test_a_change_inside_a_submodule_makes_the_outer_repository_dirty(
    world: World,
) -> None:
    """git says so, too; a submodule that asks to be ignored is."""
    inner = world.repository("inner")
    world.commit(inner)
    outer = world.repository("outer")
    world.git(outer, "submodule", "--quiet", "add", str(inner), "sub")
    world.git(outer, "commit", "-q", "-m", "sub")
    (outer / "sub" / "a.txt").write_text("changed inside\n")

    assert world.code().state(str(outer)).dirty

    world.git(outer, "config", "-f", ".gitmodules", "submodule.sub.ignore", "dirty")
    world.git(outer, "commit", "-q", "-a", "-m", "ignore")
    assert not world.code().state(str(outer)).dirty


def test_a_submodule_that_is_not_checked_out_is_skipped(world: World) -> None:
    """A fresh clone has empty directories where its submodules will be."""
    inner = world.repository("inner")
    world.commit(inner)
    outer = world.repository("outer")
    world.git(outer, "submodule", "--quiet", "add", str(inner), "sub")
    world.git(outer, "commit", "-q", "-m", "sub")
    clone = world.root / "clone"
    world.git(world.root, "clone", "-q", str(outer), str(clone))

    assert not world.code().state(str(clone)).dirty


def test_a_submodule_cannot_point_at_other_repositories(world: World) -> None:
    """`.gitmodules` is part of the files, so anyone can have written it."""
    other = world.repository("other")
    (other / "untracked").write_text("x")
    repository = world.repository("r")
    (repository / "link").symlink_to(other)
    world.git(repository, "add", "link")
    world.commit(
        repository,
        ".gitmodules",
        '[submodule "a"]\n\tpath = ../other\n[submodule "b"]\n\tpath = link\n'
        f'[submodule "c"]\n\tpath = {other}\n[submodule "d"]\n\tpath = .\n',
    )

    assert not world.code().state(str(repository)).dirty


def test_attributes_the_user_keeps_to_himself_count(world: World) -> None:
    """`info/attributes` may say that line endings do not matter."""
    repository = world.repository("r")
    world.commit(repository, text="one\ntwo\n")
    (repository / ".git" / "info").mkdir(exist_ok=True)
    (repository / ".git" / "info" / "attributes").write_text("*.txt text\n")
    (repository / "a.txt").write_bytes(b"one\r\ntwo\r\n")
    world.git(repository, "add", "--renormalize", "a.txt")
    os.utime(repository / "a.txt", (1, 1))

    assert world.git(repository, "status", "--porcelain") == ""
    os.utime(repository / "a.txt", (2, 2))
    assert not world.code().state(str(repository)).dirty


def test_a_bare_repository_tells_what_it_has(world: World) -> None:
    """It has history and a branch, and nothing that could be uncommitted."""
    source = world.repository("source")
    root = world.commit(source)
    bare = world.root / "bare.git"
    world.git(world.root, "clone", "-q", "--bare", str(source), str(bare))

    code = world.code()

    assert code.identity(str(bare / "refs")) == ProjectIdentity(
        path=str(bare), workspace=str(bare), root_commits=(root,), is_git=True
    )
    assert code.state(str(bare)) == CodeState(branch="main", head=root, uncommitted=())


def test_a_bare_repository_among_files_does_not_speak_for_them(world: World) -> None:
    """Git would take its configuration as soon as someone enters the directory."""
    repository = world.repository("r")
    world.commit(repository)
    embedded = repository / "docs" / "evil"
    world.git(world.root, "init", "-q", "--bare", str(embedded))

    assert world.code().identity(str(embedded)).path == str(repository)


def test_a_shallow_clone_shows_no_root_but_its_remote(world: World) -> None:
    """The oldest commit it has is not the oldest there is."""
    source = world.repository("source")
    world.commit(source)
    world.commit(source)
    clone = world.root / "clone"
    world.git(world.root, "clone", "-q", "--depth=1", f"file://{source}", str(clone))
    world.git(clone, "remote", "set-url", "origin", "https://example.com/a/b")

    identity = world.code().identity(str(clone))

    assert (identity.root_commits, identity.remote) == ((), "example.com/a/b")
    assert not world.code().state(str(clone)).dirty
    (clone / "a.txt").write_text("changed\n")
    assert world.code().state(str(clone)).dirty


def test_a_shallow_history_with_borrowed_objects_shows_no_root_either(
    world: World,
) -> None:
    """What git would not show as history is not the repository's history."""
    repository = world.repository("r")
    world.commit(repository)
    head = world.commit(repository)
    (repository / ".git" / "shallow").write_text(f"{head}\n")

    assert world.code().identity(str(repository)).root_commits == ()


def test_a_history_with_two_roots_shows_both(world: World) -> None:
    """Joined repositories keep both pasts."""
    repository = world.repository("r")
    one = world.commit(repository)
    world.git(repository, "checkout", "-q", "--orphan", "other")
    two = world.commit(repository, "b.txt")
    world.git(
        repository, "merge", "-q", "--allow-unrelated-histories", "-m", "m", "main"
    )

    assert world.code().identity(str(repository)).root_commits == tuple(
        sorted([one, two])
    )


def test_a_sha256_repository_works(world: World) -> None:
    """Its ids are longer and its index is another format."""
    repository = world.repository("r", "--object-format=sha256")
    root = world.commit(repository)
    code = world.code()

    assert len(root) == 64
    assert code.identity(str(repository)).root_commits == (root,)
    assert code.state(str(repository)) == CodeState(
        branch="main", head=root, uncommitted=()
    )
    assert code.has_commit(str(repository), root)
    (repository / "a.txt").write_text("changed\n")
    assert code.state(str(repository)).dirty


@pytest.mark.parametrize("options", [(), ("--sparse-index",)], ids=["full", "sparse"])
def test_a_sparse_checkout_is_clean_until_changed(
    world: World, options: tuple[str, ...]
) -> None:
    """Files left out on purpose are not deletions; one put back is looked at."""
    repository = world.repository("r")
    for directory in ("in", "out"):
        (repository / directory).mkdir()
        world.commit(repository, f"{directory}/file.txt")
    world.git(repository, "sparse-checkout", "set", "--cone", *options, "in")
    code = world.code()

    assert not (repository / "out").exists()
    assert not code.state(str(repository)).dirty
    (repository / "out").mkdir()
    (repository / "out" / "file.txt").write_text("not what was committed\n")
    assert code.state(str(repository)).dirty


def test_a_split_index_is_read_whole_and_left_alone(world: World) -> None:
    """Half of such an index lies in a second file, whose time git likes to refresh."""
    repository = world.repository("r")
    world.git(repository, "config", "core.splitIndex", "true")
    world.commit(repository)
    world.git(repository, "update-index", "--split-index")
    shared = list((repository / ".git").glob("sharedindex.*"))
    before = fingerprint(repository)

    assert shared
    assert not world.code().state(str(repository)).dirty
    assert fingerprint(repository) == before
    (repository / "a.txt").write_text("changed\n")
    assert world.code().state(str(repository)).dirty


def test_in_the_middle_of_a_rebase_the_head_is_known(world: World) -> None:
    """An agent is often interrupted exactly there."""
    repository = world.repository("r")
    world.commit(repository, text="base\n")
    world.git(repository, "checkout", "-q", "-b", "side")
    world.commit(repository, text="side\n")
    world.git(repository, "checkout", "-q", "main")
    onto = world.commit(repository, text="main\n")
    world.git(repository, "checkout", "-q", "side")
    world.git(repository, "rebase", "main", fails=True)

    state = world.code().state(str(repository))

    assert state == CodeState(
        branch=None, head=onto, dirty=True, uncommitted=("a.txt",)
    )


def test_a_lock_of_someone_else_neither_stops_us_nor_goes_away(world: World) -> None:
    """git may be running beside us, or have died with its lock in place."""
    repository = world.repository("r")
    commit = world.commit(repository)
    lock = repository / ".git" / "index.lock"
    lock.write_text("somebody's")
    before = fingerprint(repository)

    state = world.code().state(str(repository))

    assert state == CodeState(branch="main", head=commit, uncommitted=())
    assert fingerprint(repository) == before


def test_without_the_git_program_the_files_still_tell(world: World) -> None:
    """A hook without `git` on its path must not take the project for another one."""
    repository = world.repository("r")
    root = world.commit(repository)
    world.git(repository, "remote", "add", "origin", "https://example.com/a/b.git")
    (repository / "sub").mkdir()

    code = world.code(PATH="")

    assert code.identity(str(repository / "sub")) == ProjectIdentity(
        path=str(repository),
        workspace=str(repository),
        remote="example.com/a/b",
        is_git=True,
    )
    assert code.state(str(repository)) == CodeState(branch="main", head=root)
    assert code.has_commit(str(repository), "1" * 40)
    assert world.code().identity(str(repository)).root_commits == (root,)


def test_a_scratch_directory_that_cannot_be_written_costs_only_detail(
    world: World,
) -> None:
    """A full disk or a read-only home must not break a look."""
    repository = world.repository("r")
    commit = world.commit(repository)
    (world.root / "scratch").write_text("a file where a directory should be")

    code = world.code()

    assert code.identity(str(repository)).path == str(repository)
    assert code.state(str(repository)) == CodeState(branch="main", head=commit)


def test_what_a_killed_process_left_is_removed(world: World) -> None:
    """Scratch directories must not pile up."""
    repository = world.repository("r")
    world.commit(repository)
    drafts = world.root / "scratch" / "drafts"
    (drafts / "123-0" / "refs").mkdir(parents=True)
    (drafts / "roots-5").write_text("half")
    (drafts / "456-0").mkdir()
    for name in ("123-0", "roots-5"):
        os.utime(drafts / name, (1, 1))

    world.code().state(str(repository))

    assert sorted(path.name for path in drafts.iterdir()) == ["456-0"]


def _empty_dot_git(place: Path) -> None:
    (place / ".git").mkdir()


def _stale_dot_git(place: Path) -> None:
    (place / ".git").write_text("gitdir: /nowhere/at/all\n")


def _odd_dot_git(place: Path) -> None:
    (place / ".git").write_bytes(b"\xff\xfe\0 what is this")


def _fifo_dot_git(place: Path) -> None:
    os.mkfifo(place / ".git")


def _fifo_inside(place: Path) -> None:
    git = place / ".git"
    for name in ("objects", "refs"):
        (git / name).mkdir(parents=True)
    for name in ("HEAD", "config", "index", "commondir", "packed-refs", "shallow"):
        os.mkfifo(git / name)


def _garbage_inside(place: Path) -> None:
    git = place / ".git"
    for name in ("objects", "refs"):
        (git / name).mkdir(parents=True)
    for name in ("HEAD", "config", "index", "packed-refs"):
        (git / name).write_bytes(b"\x00\xff[ref: refs/heads/../../../etc/passwd")


def _climbing_head(place: Path) -> None:
    git = place / ".git"
    for name in ("objects", "refs"):
        (git / name).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/../../../secret\n")
    (place.parent / "secret").write_text("1" * 40)


def _symlink_loop(place: Path) -> None:
    (place / ".git").symlink_to(place / ".git")


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(_empty_dot_git, id="an empty .git"),
        pytest.param(_stale_dot_git, id="a .git file that leads nowhere"),
        pytest.param(_odd_dot_git, id="a .git file with anything in it"),
        pytest.param(_fifo_dot_git, id="a .git that is a pipe"),
        pytest.param(_fifo_inside, id="pipes inside .git"),
        pytest.param(_garbage_inside, id="garbage inside .git"),
        pytest.param(_climbing_head, id="a HEAD that climbs out"),
        pytest.param(_symlink_loop, id="a .git that links to itself"),
    ],
)
def test_a_broken_repository_tells_what_is_known(world: World, spoil: object) -> None:
    """Nothing here may raise or wait; a checkpoint is worth more than a branch name."""
    place = world.root / "broken"
    place.mkdir()
    assert callable(spoil)
    spoil(place)
    code = world.code()

    assert code.identity(str(place)).path == str(place)
    assert code.state(str(place)) == CodeState()
    assert code.has_commit(str(place), "1" * 40) in (True, False)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("-rf", id="leading dash"),
        pytest.param("new\nline", id="newline"),
        pytest.param('quote"back\\slash', id="quotes"),
        pytest.param("กล้วย 바나나", id="other scripts"),
        pytest.param(os.fsdecode(b"not-utf8-\xff"), id="bytes that are no text"),
    ],
)
def test_odd_directory_names_work(world: World, name: str) -> None:
    """A name is a name; it is neither an option nor two lines."""
    repository = world.root / name
    repository.mkdir()
    world.git(repository, "init", "-q", "-b", "main")
    root = world.commit(repository)
    (repository / "new").write_text("x")
    code = world.code()

    identity = code.identity(str(repository))

    assert identity.root_commits == (root,)
    assert identity.path.encode()  # every store can keep it
    assert code.state(str(repository)) == CodeState(
        branch="main", head=root, dirty=True, uncommitted=("new",)
    )


def test_two_places_with_undecodable_names_stay_two(world: World) -> None:
    """One sign for every undecodable byte would make them the same project."""
    paths = [f"{world.root}/{os.fsdecode(name)}" for name in (b"\xfe", b"\xff")]

    first, second = (world.code().identity(path).path for path in paths)

    assert first != second


@pytest.mark.parametrize("directory", ["", "\0", "a\0b", "\ud800", "/", "x" * 5000])
def test_a_name_no_file_system_knows_is_only_a_name(
    world: World, directory: str
) -> None:
    """Transcripts come from elsewhere, and so do the directories in them."""
    code = world.code()

    code.state(directory)

    assert code.identity(directory).workspace.encode()


def test_permission_denied_tells_what_is_known(world: World) -> None:
    """A repository of another user may be closed to us."""
    repository = world.repository("r")
    world.commit(repository)
    (repository / ".git").chmod(0)
    us = os.geteuid()
    code = world.code()
    try:
        if us == 0:
            os.seteuid(65534)  # root is denied nothing
        identity, state = code.identity(str(repository)), code.state(str(repository))
    finally:
        os.seteuid(us)
        (repository / ".git").chmod(0o755)

    assert identity == ProjectIdentity(path=str(repository), workspace=str(repository))
    assert state == CodeState()


def test_a_reftable_repository_is_said_to_be_unknown_where_git_cannot_read_it(
    world: World,
) -> None:
    """Its HEAD file names a branch that does not exist, on purpose."""
    repository = world.repository("r")
    world.commit(repository)
    (repository / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n")
    world.git(
        repository, "config", "-f", ".git/config", "core.repositoryformatversion", "1"
    )
    world.git(
        repository, "config", "-f", ".git/config", "extensions.refStorage", "unheard-of"
    )

    state = world.code().state(str(repository))

    assert (state.branch, state.head) == (None, None)
    assert world.code().identity(str(repository)).is_git


def test_a_slow_git_is_stopped(world: World, tmp_path: Path) -> None:
    """A hook has little time; what git could not say is unknown."""
    repository = world.repository("r")
    commit = world.commit(repository)
    slow = tmp_path / "bin"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nexec sleep 600\n")
    (slow / "git").chmod(0o755)
    code = world.code(PATH=f"{slow}:{os.environ['PATH']}")
    code._git = type(code._git)(environ=code._git.environ, timeout=0.05)

    assert code.identity(str(repository)).root_commits == ()
    assert code.state(str(repository)) == CodeState(branch="main", head=commit)
    assert code.has_commit(str(repository), commit)


def test_nothing_is_left_in_the_scratch_directory_but_what_is_remembered(
    world: World,
) -> None:
    """Looking is not keeping."""
    repository = world.repository("r")
    world.commit(repository)
    code = world.code()

    code.identity(str(repository))
    code.state(str(repository))

    left = [p for p in (world.root / "scratch").rglob("*") if p.is_file()]
    assert len(left) == 1
    assert left[0].stat().st_mode & 0o777 == 0o600


def test_looking_twice_asks_git_for_history_once(world: World, tmp_path: Path) -> None:
    """A walk over a long history is paid once per commit, not once per hook."""
    repository = world.repository("r")
    root = world.commit(repository)
    log = tmp_path / "asked"
    spy = tmp_path / "bin"
    spy.mkdir()
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True)
    (spy / "git").write_text(
        f'#!/bin/sh\necho "$@" >> {log}\nexec {real.stdout.strip()} "$@"\n'
    )
    (spy / "git").chmod(0o755)
    code = world.code(PATH=f"{spy}:{os.environ['PATH']}")

    answers = {code.identity(str(repository)).root_commits for _ in range(3)}

    assert answers == {(root,)}
    assert len(log.read_text().splitlines()) == 1


def test_names_that_people_chose_pass_the_chokepoint(world: World) -> None:
    """A branch, a file and a remote are kept and told; none is told as it is."""
    token = "ghp_" + "a1B2c3D4e5" * 4
    repository = world.repository("r")
    world.commit(repository)
    world.git(repository, "checkout", "-q", "-b", f"fix-{token}")
    world.git(repository, "remote", "add", "origin", f"git@github.com:me/{token}.git")
    (repository / f"dump-{token}.txt").write_text("x\n")
    redact = Redactor(b"key").text
    code = GitCode(str(world.root / "scratch"), world.environ, redact=redact)
    place = str(repository)

    branch = f"fix-{redact(token)}"

    assert code.state(place).branch == code.head(place).branch == branch
    ground = GitGround(str(world.root / "scratch"), Git(environ=world.environ), redact)
    assert ground.stands(place).branch == branch
    assert code.uncommitted(place) == (f"dump-{redact(token)}.txt",)
    assert code.identity(place).remote is None
