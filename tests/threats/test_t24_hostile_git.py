"""T24. A repository whose every program leaves a mark: none of them may run.

Each program is wired in the way a stranger's repository, a user's configuration or an
environment could wire it.
"""

import os
import stat
from pathlib import Path

import pytest

from holdfast.domain.code import CodeState, SnapshotBounds
from holdfast.kernel.lazy_values import replace
from tests.unit.snapshot.world import World, fingerprint, on_disk

_HOOKS = (
    "fsmonitor-watchman", "post-checkout", "post-index-change", "pre-commit",
    "query-watchman", "reference-transaction", "update",
)  # fmt: skip


class Trap:
    """A hostile repository and the directory its programs leave marks in."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.marks = world.root / "marks"
        self.marks.mkdir()
        self.repository = world.repository("hostile")
        self.root = world.commit(self.repository, "a.txt", "same size: aaaa\n")
        world.commit(self.repository, "a.bin", "same size: aaaa\n")
        self.head = world.commit(
            self.repository, ".gitattributes", "*.txt filter=x diff=d\n*.bin filter=y\n"
        )

    def program(self, name: str) -> str:
        """Return a shell command that leaves the mark `name`."""
        return f"touch '{self.marks}/{name}'; cat"

    def script(self, path: Path, name: str) -> str:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch '{self.marks}/{name}'-\"$1\"\ncat\n")
        path.chmod(0o755)
        return str(path)

    def config(self, where: Path, prefix: str) -> str:
        """Return configuration that names a program wherever git takes one."""
        script = self.script(where / f"{prefix}-run", prefix)
        return f"""\
[core]
	fsmonitor = {script} fsmonitor
	hooksPath = {where}/{prefix}-hooks
	pager = {script} pager
	editor = {script} editor
	sshCommand = {script} sshCommand
	askPass = {script} askPass
	gitProxy = {script} gitProxy
	alternateRefsCommand = {script} alternateRefsCommand
[filter "x"]
	clean = {script} clean
	smudge = {script} smudge
	required = true
[filter "y"]
	process = {script} process
[diff]
	external = {script} external
[diff "d"]
	textconv = {script} textconv
	command = {script} command
[credential]
	helper = "!{script} helper"
[gpg]
	program = {script} program
[alias]
	status = "!{script} status"
	rev-list = "!{script} rev-list"
	cat-file = "!{script} cat-file"
	config = "!{script} config"
	merge-base = "!{script} merge-base"
[pager]
	status = {script} status
	config = {script} config
[extensions]
	partialClone = origin
[remote "origin"]
	url = "ext::{script} url"
	promisor = true
	uploadpack = {script} uploadpack
[status]
	submoduleSummary = true
[maintenance]
	auto = true
"""

    def arm(self) -> None:
        """Wire every program in, then make the edit that would start a filter."""
        git_dir = self.repository / ".git"
        for hook in _HOOKS:
            self.script(git_dir / "hooks" / hook, f"hook-{hook}")
            self.script(self.repository / "repository-hooks" / hook, f"path-{hook}")
        with (git_dir / "config").open("a") as config:
            config.write(self.config(self.repository, "repository"))
            config.write('[includeIf "gitdir:**"]\n\tpath = ../included\n')
        included = self.repository / "included"
        included.write_text(self.config(self.repository, "included"))
        (self.world.home / ".gitconfig").write_text(
            self.config(self.world.home, "user")
        )
        for name in ("a.txt", "a.bin"):
            (self.repository / name).write_text("same size: bbbb\n")
        self.disarm()

    def disarm(self) -> None:
        for mark in self.marks.iterdir():
            mark.unlink()

    def left(self) -> set[str]:
        return {mark.name for mark in self.marks.iterdir()}


@pytest.fixture
def trap(world: World) -> Trap:
    trap = Trap(world)
    trap.arm()
    return trap


def test_t24_the_trap_bites(trap: Trap) -> None:
    """A trap that plain git does not spring would prove nothing."""
    trap.world.git(trap.repository, "status", fails=True)

    assert trap.left() >= {"included-fsmonitor", "included-clean", "included-process"}


def test_t24_no_program_of_the_repository_or_the_user_runs(trap: Trap) -> None:
    """Hooks, filters, monitors, drivers, aliases, helpers, pagers: none."""
    code = trap.world.code()
    before = fingerprint(trap.repository)

    identity = code.identity(str(trap.repository))
    state = code.state(str(trap.repository))

    assert identity.root_commits == (trap.root,)
    assert replace(state, uncommitted=None) == CodeState(
        branch="main", head=trap.head, dirty=True
    )
    assert set(state.uncommitted or ()) >= {"a.bin", "a.txt", "included"}
    assert code.has_commit(str(trap.repository), trap.head)
    assert not code.has_commit(str(trap.repository), "1" * 40)
    assert trap.left() == set()
    assert fingerprint(trap.repository) == before


def test_t24_no_program_of_the_environment_runs(trap: Trap) -> None:
    """A repository can set the environment of hooks, `PATH` included."""
    script = trap.script(trap.repository / "bin" / "git", "environment")
    settings = trap.repository / "settings"
    settings.write_text(trap.config(trap.repository, "setting"))
    trace = trap.marks / "trace"
    code = trap.world.code(
        PATH=f"{trap.repository / 'bin'}:bin:.::{os.environ['PATH']}",
        GIT_DIR=str(trap.repository / ".git"),
        GIT_WORK_TREE="/",
        GIT_EXEC_PATH=str(trap.repository / "bin"),
        GIT_CONFIG_GLOBAL=str(settings),
        GIT_CONFIG_SYSTEM=str(settings),
        GIT_CONFIG=str(settings),
        GIT_CONFIG_COUNT="2",
        GIT_CONFIG_KEY_0="core.fsmonitor",
        GIT_CONFIG_VALUE_0=script,
        GIT_CONFIG_KEY_1="filter.x.clean",
        GIT_CONFIG_VALUE_1=script,
        GIT_CONFIG_PARAMETERS=f"'core.fsmonitor'='{script}'",
        GIT_EXTERNAL_DIFF=script,
        GIT_SSH_COMMAND=script,
        GIT_ASKPASS=script,
        GIT_PAGER=script,
        GIT_INDEX_FILE=str(trap.marks / "index"),
        GIT_TRACE=str(trace),
        GIT_TRACE2_EVENT=str(trace),
        GIT_ALTERNATE_OBJECT_DIRECTORIES="/",
    )

    identity = code.identity(str(trap.repository))
    state = code.state(str(trap.repository))

    assert identity.root_commits == (trap.root,)
    assert replace(state, uncommitted=None) == CodeState(
        branch="main", head=trap.head, dirty=True
    )
    assert set(state.uncommitted or ()) >= {"a.bin", "a.txt", "included"}
    assert trap.left() == set()


def test_t24_a_snapshot_runs_no_program(trap: Trap) -> None:
    """Taking, comparing and reading back; the edits that filters wait for are kept."""
    place = str(trap.repository)
    before = fingerprint(trap.repository)
    snapshots = trap.world.snapshots()

    first = trap.world.take(trap.repository)
    (trap.repository / "a.txt").write_text("same size: cccc\n")
    second = trap.world.take(trap.repository)
    since = snapshots.since(str(first.tree), place, SnapshotBounds())
    kept = trap.world.kept(second)
    snapshots.hold_only({str(second.tree)}, spare_seconds=0)

    assert [change.path for change in since.changes] == ["a.txt"]
    assert kept == on_disk(trap.repository)
    assert trap.left() == set()
    (trap.repository / "a.txt").write_text("same size: bbbb\n")
    after = fingerprint(trap.repository)
    edited = str(trap.repository / "a.txt")
    assert {k: v for k, v in after.items() if k != edited} == {
        k: v for k, v in before.items() if k != edited
    }


def test_t24_a_snapshot_runs_no_program_of_the_environment(trap: Trap) -> None:
    """`PATH`, `GIT_*` and settings named by variables are the repository's, too."""
    script = trap.script(trap.repository / "bin" / "git", "environment")
    settings = trap.repository / "settings"
    settings.write_text(trap.config(trap.repository, "setting"))
    snapshots = trap.world.snapshots(
        PATH=f"{trap.repository / 'bin'}:bin:.::{os.environ['PATH']}",
        GIT_DIR=str(trap.repository / ".git"),
        GIT_EXEC_PATH=str(trap.repository / "bin"),
        GIT_CONFIG_GLOBAL=str(settings),
        GIT_CONFIG_COUNT="1",
        GIT_CONFIG_KEY_0="core.fsmonitor",
        GIT_CONFIG_VALUE_0=script,
        GIT_INDEX_FILE=str(trap.marks / "index"),
        GIT_EXTERNAL_DIFF=script,
        GIT_TRACE=str(trap.marks / "trace"),
    )

    taken = snapshots.take(str(trap.repository), SnapshotBounds())

    assert trap.world.kept(taken) == on_disk(trap.repository)
    assert trap.left() == set()


def test_t24_a_snapshot_runs_no_program_of_a_nested_repository(trap: Trap) -> None:
    """Plain git starts itself inside; a bare one even speaks for its directory."""
    world = trap.world
    inner = world.repository("hostile/inner")
    world.commit(inner, "a.txt", "same size: aaaa\n")
    bare = trap.repository / "bare"
    world.git(world.root, "init", "-q", "--bare", str(bare))
    for config in (inner / ".git" / "config", bare / "config"):
        with config.open("a") as file:
            file.write(trap.config(world.root, "nested"))
    (inner / "a.txt").write_text("same size: bbbb\n")
    trap.disarm()

    taken = world.take(trap.repository)
    inside = world.take(inner)

    assert "bare/config" in world.kept(taken)
    assert set(world.kept(inside)) == {"a.txt"}
    assert trap.left() == set()


def test_t24_no_program_of_a_submodule_runs(world: World) -> None:
    """git looks into a submodule by starting itself there, with that configuration."""
    inner = world.repository("inner")
    world.commit(inner, "a.txt", "same size: aaaa\n")
    world.commit(inner, ".gitattributes", "*.txt filter=x diff=d\n")
    trap = Trap(world)
    outer = trap.repository
    world.git(outer, "submodule", "--quiet", "add", str(inner), "sub")
    world.git(outer, "commit", "-q", "-m", "sub")
    with (outer / ".git" / "modules" / "sub" / "config").open("a") as config:
        config.write(trap.config(world.root, "submodule"))
    (outer / "sub" / "a.txt").write_text("same size: bbbb\n")
    trap.disarm()
    world.git(outer, "status", fails=True)
    assert trap.left() >= {"submodule-fsmonitor", "submodule-clean"}
    trap.disarm()

    state = world.code().state(str(outer))

    assert state.dirty
    assert trap.left() == set()


def test_t24_no_program_of_an_embedded_bare_repository_runs(world: World) -> None:
    """Entering such a directory is enough for git to take its configuration."""
    trap = Trap(world)
    embedded = trap.repository / "docs"
    world.git(world.root, "init", "-q", "--bare", str(embedded))
    with (embedded / "config").open("a") as config:
        config.write(f"[core]\n\tworktree = {trap.repository}\n")
        config.write(trap.config(world.root, "embedded"))
    trap.disarm()
    before = fingerprint(embedded)

    code = world.code()

    assert code.identity(str(embedded)).path == str(trap.repository)
    assert code.state(str(embedded)).head == trap.head
    assert trap.left() == set()
    assert fingerprint(embedded) == before


def test_t24_a_missing_object_is_not_fetched(world: World) -> None:
    """In a partial clone git would fetch what is missing, by the repository's means."""
    source = world.repository("source")
    world.git(source, "config", "uploadpack.allowFilter", "true")
    world.commit(source, "a.txt", "one\n")
    world.commit(source, "a.txt", "two\n")
    clone = world.root / "clone"
    world.git(
        world.root, "clone", "-q", "--filter=blob:none", f"file://{source}", str(clone)
    )
    trap = Trap(world)
    world.git(clone, "config", "remote.origin.url", f"ext::{trap.program('fetch')}")
    world.git(clone, "config", "protocol.ext.allow", "always")
    (clone / ".git" / "index").unlink()
    blobs = world.git(source, "rev-list", "--objects", "--all").splitlines()

    code = world.code()
    for line in blobs:
        code.has_commit(str(clone), line.split()[0])
    roots = code.identity(str(clone)).root_commits
    dirty = code.state(str(clone)).dirty

    assert (len(roots), dirty) == (1, True)
    assert trap.left() == set()


def test_t23_what_a_snapshot_writes_is_for_the_owner_only(trap: Trap) -> None:
    """The copy of an index names files that others must not learn of."""
    scratch = trap.world.root / "scratch"
    trap.world.code().identity(str(trap.repository))

    modes = {
        stat.S_IMODE(path.stat().st_mode) for path in [scratch, *scratch.iterdir()]
    }

    assert modes == {0o700, 0o600}
