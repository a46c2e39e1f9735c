"""Pipes, devices and endless files where small files are expected: nobody waits for them.

Part of T7 and T15: whoever arranges a directory arranges what a name in it leads to.
Each test hangs, and so fails by its timeout, where a file is opened without a look at it.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.agents.claude_code.transcript.transcripts import (
    ClaudeCodeTranscripts,
)
from holdfast.app.hooks.event import HookEvent
from holdfast.data_directory.plain_files import log
from holdfast.domain.code import SnapshotBounds
from holdfast.kernel.programs import ProgramEnd
from holdfast.snapshot.git.code import GitCode
from holdfast.snapshot.git.program import Deadline, Git
from holdfast.snapshot.git.repository import find
from holdfast.surfaces.hooks.run import git_seconds
from tests.builders import session_number
from tests.e2e.conftest import SAMPLE, SESSION, Cli
from tests.unit.snapshot.world import World

pytestmark = pytest.mark.timeout(60)


def _pipe(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def _device(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/zero")


def _huge(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with path.open("wb") as file:
        file.truncate(1 << 34)


odd_files = pytest.mark.parametrize(
    "put",
    [
        pytest.param(_pipe, id="a pipe"),
        pytest.param(_device, id="a device"),
        pytest.param(_huge, id="16 GB of nothing"),
    ],
)


@odd_files
@pytest.mark.parametrize(
    "place",
    [
        "project/CLAUDE.md",
        "project/STATE.md",
        "project/memory/MEMORY.md",
        "project/memory/session-handoff-LATEST.md",
        "project/memory/context-log.md",
        "project/tasks/lessons.md",
        "project/.holdfast.json",
        "project/.claude/settings.json",
        "project/.claude/skills/x/SKILL.md",
        "project/.gitignore",
        "project/.gitattributes",
        "project/.gitmodules",
        "project/.git",
        "project/.git/HEAD",
        "project/.git/config",
        "project/.git/index",
        "project/.git/packed-refs",
        "project/.git/info/exclude",
        "claude/settings.json",
        "claude/sessions/1.json",
    ],
)
def test_t07_no_file_that_is_none_stops_a_save(
    cli: Cli, tmp_path: Path, place: str, put: Callable[[Path], None]
) -> None:
    """A save that waits for a writer that never comes is a lost session."""
    put(tmp_path / place)

    saved = cli("save", "--transcript", str(SAMPLE), "--json")
    told = cli("handoff", "write", "--transcript", str(SAMPLE))

    assert saved.status in (0, 3), saved
    assert saved.json["checkpoint"]["session_id"] == SESSION
    assert told.status in (0, 1, 3), told
    assert "Traceback" not in told.err


@pytest.mark.parametrize(
    "place",
    [
        "redaction.key",
        "head",
        "pruned",
        "log/hook.log",
        "log/audit.log",
        "quarantine/f",
        f"pending/{SESSION}",
        f"env/{SESSION}.sh",
        "spool/000000000001-ab.json",
        "requests/0123456789abcdef01234567.json",
        "forgetting/0123456789abcdef01234567.json",
        "backups/schema-3.db",
    ],
)
def test_t07_no_pipe_in_the_data_directory_stops_a_command(
    cli: Cli, tmp_path: Path, place: str
) -> None:
    """Whoever may write there could hold every hook, and the report about it."""
    cli.save()
    _pipe(cli.home / place)

    log(str(cli.home), "Stop", "a problem", str)
    saved = cli("save", "--transcript", str(SAMPLE), "--json")
    looked = cli("doctor", "--repair", "--scan", "--bundle", str(tmp_path / "b.md"))
    gone = cli("forget", "--match", "nobody said this", "--yes")

    assert saved.status in (0, 3), saved
    assert "Traceback" not in looked.err
    assert "Traceback" not in gone.err
    assert (tmp_path / "b.md").exists()


@odd_files
def test_t15_nothing_beside_a_transcript_is_waited_for(
    cli: Cli, tmp_path: Path, put: Callable[[Path], None]
) -> None:
    """A transcript directory is searched for forks and for sessions to rescue."""
    place = tmp_path / "claude" / "projects" / "-p"
    place.mkdir(parents=True)
    transcript = place / f"{SESSION}.jsonl"
    transcript.write_bytes(SAMPLE.read_bytes())
    put(place / f"{session_number(7)}.jsonl")
    agent = ClaudeCodeTranscripts(
        str(tmp_path / "claude"), lambda text: text, bulk=False
    )

    origin = agent.origin(str(transcript))

    assert origin is None
    assert cli("save", "--session", SESSION, "--json").status == 0


@pytest.mark.parametrize("put", [_pipe, _device], ids=["a pipe", "a device"])
def test_t15_a_transcript_that_is_no_file_is_refused(
    cli: Cli, tmp_path: Path, put: Callable[[Path], None]
) -> None:
    """A line without an end, from a device that never runs dry."""
    put(tmp_path / "claude" / "projects" / "-p" / f"{SESSION}.jsonl")

    ran = cli("save", "--session", SESSION, "--json")

    assert (ran.status, ran.json["code"]) == (1, "CKPT_001")


@pytest.mark.parametrize(
    "rules", [".gitignore", ".gitattributes", "deep/down/.gitignore"]
)
def test_t07_rules_that_are_a_pipe_are_named_instead_of_waited_for(
    world: World, rules: str
) -> None:
    """git itself would wait for ever; whoever looks must be told where."""
    repository = world.repository("piped")
    world.commit(repository, "a.txt", "a\n")
    (repository / "a.txt").write_text("b\n")
    (repository / "deep" / "down").mkdir(parents=True)
    (repository / "deep" / "down" / "new.txt").write_text("new\n")
    _pipe(repository / rules)
    looks = GitCode(str(world.root / "looks"), world.environ, timeout=2)

    taken = world.snapshots().take(str(repository), SnapshotBounds(), seconds=4)
    state = looks.state(str(repository))

    assert taken.reason == f"`{rules}` is not a plain file"
    assert state.branch == "main"


@pytest.mark.parametrize(
    "setting", ["core.excludesFile", "core.attributesFile", "the usual place"]
)
def test_t07_the_users_rules_in_a_pipe_are_as_if_there_were_none(
    world: World, setting: str
) -> None:
    """A repository's own configuration may name them, too."""
    repository = world.repository("piped")
    world.commit(repository, "a.txt", "a\n")
    (repository / "new.txt").write_text("new\n")
    pipe = repository / "rules"
    if setting == "the usual place":
        pipe = world.home / ".config" / "git" / "ignore"
    else:
        world.git(repository, "config", setting, str(pipe))
    _pipe(pipe)

    taken = world.snapshots().take(str(repository), SnapshotBounds(), seconds=20)
    state = world.code().state(str(repository))

    assert taken.tree
    assert state.dirty


@pytest.mark.parametrize(
    "place", ["info/commit-graph", "info/alternates", "pack/multi-pack-index", "HEAD"]
)
def test_t07_a_pipe_among_the_objects_is_waited_for_once(
    world: World, place: str
) -> None:
    """git opens these whatever it is asked: each question would take as long again."""
    repository = world.repository("piped")
    head = world.commit(repository, "a.txt", "a\n")
    (repository / "a.txt").write_text("b\n")
    asked = f"{head[:2]}/{head[2:]}" if place == "HEAD" else place
    _pipe(repository / ".git" / "objects" / asked)
    patience = Deadline(1)
    looks = GitCode(str(world.root / "l"), world.environ, deadline=patience)

    state = looks.state(str(repository))
    was_over = patience.is_over
    identity = looks.identity(str(repository))
    fate = looks.branch_fate(str(repository), "main")

    assert was_over
    assert (state.branch, state.head) == ("main", head)
    assert state.reason == "git took too long to say what is uncommitted"
    assert (identity.root_commits, fate) == ((), "there")


def test_t07_a_hook_asks_no_more_once_git_kept_it_waiting(
    world: World, tmp_path: Path
) -> None:
    """The client ends a hook that takes too long, and what it would have said is lost."""
    repository = world.repository("slow")
    world.commit(repository, "a.txt", "a\n")
    programs = tmp_path / "bin"
    programs.mkdir()
    calls = tmp_path / "calls"
    calls.touch()  # on a busy machine the program may be ended before its first line
    (programs / "git").write_text(f"#!/bin/sh\necho x >> {calls}\nexec sleep 60\n")
    (programs / "git").chmod(0o755)
    environ = {**world.environ, "PATH": f"{programs}:{os.defpath}"}
    patience = Deadline(0.5)
    looks = GitCode(str(world.root / "l"), environ, deadline=patience)

    looks.identity(str(repository))
    looks.state(str(repository))
    looks.has_commit(str(repository), "0" * 40)

    assert patience.was_lost
    assert calls.read_text().count("x") <= 1


def test_t07_a_start_waits_for_one_answer_and_not_for_all_of_its_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session that has not started is seen by nobody; a save may take the rest."""
    repository = find(str(world.repository("held")))
    assert repository is not None
    clock, given = [0.0], list[float]()

    def run(*_: object, seconds: float, **__: object) -> ProgramEnd:
        given.append(seconds)
        clock[0] += seconds
        return ProgramEnd(None)

    monkeypatch.setattr("holdfast.kernel.programs.run_program", run)
    monkeypatch.setattr("holdfast.snapshot.git.program.monotonic", lambda: clock[0])
    patience = Deadline(3, 0.125)
    git = Git(environ=world.environ, timeout=2, deadline=patience)

    def ask() -> None:
        git.ask(repository.git_dir, repository, ["version"])

    ask()
    ask()
    with patience.unhurried():
        ask()
    ask()

    assert given == [0.125, 2]
    assert patience.was_lost


@pytest.mark.parametrize(
    ("event", "reason", "age", "seconds"),
    [
        pytest.param("SessionStart", "", 0.04, (3.0, 0.1), id="a start"),
        pytest.param("SessionStart", "", 0.5, (3.0, 1.0), id="on a busy machine"),
        pytest.param(
            "SessionStart", "", 9.0, (3.0, 3.0), id="on one that stands still"
        ),
        pytest.param("UserPromptSubmit", "", 0.04, (3.0,), id="a prompt"),
        pytest.param("SessionEnd", "clear", 0.04, (3.0,), id="a clear"),
        pytest.param("SessionEnd", "exit", 0.04, (), id="an end"),
        pytest.param("Stop", "", 0.04, (), id="nobody waits"),
    ],
)
def test_t07_how_long_a_hook_lets_git_take(
    event: str, reason: str, age: float, seconds: tuple[float, ...]
) -> None:
    """It was 3 seconds for a start, too, in a repository with a pipe in it."""
    heard = HookEvent(name=event, session_id="s", reason=reason)

    assert git_seconds(heard, lambda: age) == seconds


def test_t07_a_late_answer_leaves_the_next_question_the_rest_and_no_more(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each with a full measure of its own, they would take twice as long together."""
    repository = find(str(world.repository("late")))
    assert repository is not None
    clock, given = [0.0], list[float]()

    def run(*_: object, seconds: float, **__: object) -> ProgramEnd:
        given.append(seconds)
        if len(given) > 1:
            clock[0] += seconds
            return ProgramEnd(None)
        clock[0] += 2.75
        return ProgramEnd(0)

    monkeypatch.setattr("holdfast.kernel.programs.run_program", run)
    monkeypatch.setattr("holdfast.snapshot.git.program.monotonic", lambda: clock[0])
    git = Git(environ=world.environ, timeout=5, deadline=Deadline(3))

    for _ in range(3):
        git.ask(repository.git_dir, repository, ["version"])

    assert given == [3, 0.25]
    assert clock == [3]
