"""`holdfast open --native | --before-compact | --fork`, as a script sees it."""

import shutil
from pathlib import Path

import pytest

from tests.builders import session_number
from tests.e2e.conftest import Cli
from tests.e2e.repository import commit_all, git
from tests.past import PastDisk, asked, compacted, edited
from tests.unit.agents import codex_lines as codex
from tests.unit.agents.codex_lines import Rollouts


@pytest.fixture
def disk(cli: Cli, tmp_path: Path) -> PastDisk:
    disk = PastDisk(tmp_path / "claude", str(cli.project))
    disk.write(
        1,
        asked("the parser loses quotes"),
        edited("src/parser.py"),
        compacted("Quotes."),
        asked("now the nested ones"),
    )
    cli("backfill")
    return disk


def test_a_session_goes_on_where_it_lies(cli: Cli, disk: PastDisk) -> None:
    """Nothing is written for it."""
    told = cli("open", "2", "--native", "--json").json

    assert told["command"] == ["claude", "--resume", session_number(1)]
    assert (told["directory"], told["written"]) == (str(cli.project), None)
    assert disk.path(1).exists()


@pytest.mark.parametrize("how", ["--fork", "--before-compact"])
def test_a_branch_is_a_new_session_of_the_same_family(
    cli: Cli, disk: PastDisk, how: str
) -> None:
    """A checkpoint before the compaction: both end there."""
    before = disk.path(1).read_bytes()

    told = cli("open", "1", how, "--json").json

    assert told["session_id"] not in (None, session_number(1))
    lines = Path(told["written"]).read_text().splitlines()
    assert len(lines) == 4
    assert disk.path(1).read_bytes() == before
    record = cli("session", told["session_id"], "--json").json["session"]
    assert record["parent_session"] == session_number(1)


@pytest.mark.parametrize("how", ["--fork", "--before-compact"])
def test_without_a_client_nothing_is_left_behind(
    cli: Cli, disk: PastDisk, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a transcript that nobody opens nor a session that nobody was in."""
    monkeypatch.setenv("PATH", str(cli.project))  # there is no program in it
    before = sorted(disk.path(1).parent.iterdir())

    ran = cli("open", "1", how)

    assert (ran.status, "`claude` was not found" in ran.err) == (1, True), ran
    assert sorted(disk.path(1).parent.iterdir()) == before
    assert cli("session", session_number(1), "--json").json["session"]["children"] == []


def test_what_is_gone_is_not_opened_natively(cli: Cli, disk: PastDisk) -> None:
    """The brief is what is left, and the sentence says so."""
    disk.path(1).unlink()

    for how in ("--native", "--fork", "--before-compact"):
        ran = cli("open", "2", how)
        assert (ran.status, "OPEN_001" in ran.err) == (1, True), ran
        assert "`holdfast open 2` starts with its brief" in ran.err
    assert cli("open", "2", "--json").json["brief"]


def test_a_project_that_moved_is_opened_where_it_is_now(
    cli: Cli, disk: PastDisk, tmp_path: Path
) -> None:
    """Somebody stands in it; its file is copied to where the client looks now."""
    git(cli.project, "init", "-q", "-b", "main", ".")
    (cli.project / "code.py").write_text("first\n")
    commit_all(cli.project)
    results = disk.path(1).with_suffix("") / "tool-results"
    results.mkdir(parents=True)
    (results / "toolu_01.txt").write_text("a long listing\n")
    cli.save("--session", session_number(1), "--title", "now", transcript=disk.path(1))
    moved = tmp_path / "moved"
    shutil.move(cli.project, moved)
    cli.project = moved

    told = cli("open", "latest", "--native", "--json").json

    assert told["directory"] == str(moved)
    written = Path(told["written"])
    assert written.read_bytes() == disk.path(1).read_bytes()
    long = written.with_suffix("") / "tool-results" / "toolu_01.txt"
    assert long.read_text() == "a long listing\n"


def test_two_ways_at_once_are_wrong_usage(cli: Cli, disk: PastDisk) -> None:
    """One session begins, or one goes on."""
    del disk
    assert cli("open", "1", "--fork", "--native").status == 2


def test_another_agents_session_is_opened_where_it_says_by_a_whole_path(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a way would lead from wherever one stands into what somebody put there."""
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    rollout = Rollouts(tmp_path / "user" / ".codex").write(
        codex.meta(cwd=str(cli.project)), codex.typed("rewind it")
    )
    cli.save("--agent", "codex", transcript=rollout)
    whole = cli("open", "1", "--json").json
    (tmp_path / "beta").mkdir()
    rollout.write_text(rollout.read_text().replace(str(cli.project), "../beta"))
    monkeypatch.chdir(cli.project)

    half = cli("open", "1", "--json").json

    assert (whole["directory"], whole["command"][0]) == (str(cli.project), "codex")
    assert half == whole
