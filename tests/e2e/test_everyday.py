"""A person at a plain terminal: no client around it, and no id known by heart."""

import os
import re
from pathlib import Path

import pytest

from tests.e2e.conftest import SAMPLE, SAMPLES, SESSION, Cli
from tests.e2e.work import Work

OTHER = "d92c4cff-0000-4000-8000-000000000000"


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)


def _client_keeps(
    cli: Cli, session: str = SESSION, sample: Path = SAMPLE, *, cwd: Path | None = None
) -> Path:
    """Put a transcript where the client would: of a session begun in the project."""
    here = cwd or cli.project
    slug = re.sub("[^a-zA-Z0-9]", "-", str(here))
    place = cli.home.parent / "claude" / "projects" / slug
    place.mkdir(parents=True, exist_ok=True)
    text = re.sub(r'"cwd":"[^"]*"', f'"cwd":"{here}"', sample.read_text("utf-8"))
    text = re.sub(r'"sessionId":"[^"]*"', f'"sessionId":"{session}"', text)
    (place / f"{session}.jsonl").write_text(text, encoding="utf-8")
    return place / f"{session}.jsonl"


@pytest.mark.parametrize(
    "words",
    [("save",), ("handoff", "write"), ("handoff", "check"), ("brief",), ("suggest",)],
    ids=" ".join,
)
def test_without_a_word_the_newest_session_here_is_meant_and_named(
    cli: Cli, words: tuple[str, ...]
) -> None:
    """Nobody knows such an id by heart; which one was taken must be seen."""
    _client_keeps(cli)
    if words == ("suggest",):
        cli("save")

    ran = cli(*words)

    assert ran.status in (0, 1 if words[-1] == "check" else 3), ran
    assert f"the newest session here: {SESSION}\n" in ran.err


def test_below_the_directory_it_began_in_a_session_is_still_the_newest(
    cli: Cli,
) -> None:
    """People save from where their editor happens to stand."""
    Work(cli)  # a repository
    _client_keeps(cli)
    cli.project = cli.project / "src"
    cli.project.mkdir()

    assert cli("save", "--json").json["checkpoint"]["session_id"] == SESSION


def test_what_a_client_runs_is_never_given_another_session(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two windows may be open: a client that does not say which gets an error that
    works when it is followed."""
    _client_keeps(cli)
    monkeypatch.setenv("CLAUDECODE", "1")

    error = cli("save", "--json").json

    assert error["code"] == "SESS_001"
    assert f"--session {SESSION}" in error["hint"]


def test_the_beginning_of_an_id_is_enough(cli: Cli) -> None:
    _client_keeps(cli)

    saved = cli("save", "--session", SESSION[:4].upper(), "--json")

    assert saved.json["checkpoint"]["session_id"] == SESSION
    assert cli("handoff", "write", "--session", SESSION[:4]).status in (0, 3)
    assert cli("list", "--session", SESSION[:4]).out
    assert cli("why", "--session", SESSION[:4], "--json").json["session_id"] == SESSION
    assert cli("session", SESSION[:4], "--json").json["session"]["id"] == SESSION


def test_an_ambiguous_beginning_is_an_error_that_names_the_candidates(
    cli: Cli,
) -> None:
    """A5, for sessions."""
    _client_keeps(cli)
    _client_keeps(cli, OTHER)

    for command in ("save", "brief"):
        error = cli(command, "--session", "d92c", "--json")
        assert (error.status, error.json["code"]) == (12, "FIND_002")
        assert {SESSION, OTHER} <= set(re.findall(r"[0-9a-f-]{36}", error.json["hint"]))
    assert cli("session", "d92c").status == 12
    assert cli("save", "--session", "d92c4cf").status == 0


def test_a_session_is_told_with_where_it_came_from(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B1: whatever is known of it, as people read it and as scripts do."""
    _client_keeps(cli)
    cli("save")
    _client_keeps(cli, OTHER, SAMPLES / "interactive-edit-filehistory.jsonl")
    monkeypatch.setenv("CLAUDE_SESSION_PARENT", SESSION)
    saved = cli("save", "--session", OTHER, "--json").json["checkpoint"]

    answer = cli("session", OTHER, "--json").json
    told = cli("session", OTHER)

    assert (answer["type"], answer["chain"]) == ("session", [SESSION, OTHER])
    session = answer["session"]
    assert session["parent_session"] == session["root_session"] == SESSION
    assert session["checkpoints"] == [session["latest_checkpoint"]] == [saved["id"]]
    assert (session["checkpoint_count"], session["cleared"]) == (1, False)
    assert session["started_at"].endswith("Z")
    assert session["message_count"] == saved["session_state"]["message_count"]
    assert session["agent"]["name"] == "claude-code"
    assert session["agent"]["version"] == saved["agent"]["version"]
    assert session["working_directory"] == str(cli.project)
    assert session["hostname"] == saved["hostname"]
    assert session["duration_seconds"] > 0
    assert session["ended_at"] is None
    for word in (OTHER, SESSION, "chain", "checkpoints  1", "24 seconds", "messages"):
        assert word in told.out
    assert max(map(len, told.out.splitlines())) <= 80 + len(str(cli.project))
    assert cli("session", SESSION, "--json").json["session"]["children"] == [OTHER]


def test_a_session_that_nobody_saved_is_told_from_its_transcript(cli: Cli) -> None:
    """There is not even a store yet."""
    _client_keeps(cli)

    ran = cli("session")

    assert ran.status == 0
    assert "checkpoints  0" in ran.out
    assert f"the newest session here: {SESSION}" in ran.err


@pytest.mark.parametrize(
    "wanted", ["0123", "0123abcd-0000-4000-8000-000000000000", "xyz", "../.."]
)
def test_an_unknown_session_is_said_to_be_one(cli: Cli, wanted: str) -> None:
    error = cli("session", wanted, "--json")

    assert (error.status, error.json["code"]) == (1, "SESS_001")


def test_speaking_to_holdfast_is_not_told_as_work(cli: Cli) -> None:
    """`Open error: holdfast handoff check → exit 4` was."""
    work = Work(cli)
    work.asks("add refresh tokens to the api")
    work.edits("src/refresh.py", "def rotate():\n    pass\n")
    work.runs("uv run holdfast handoff check", "error[FILE_001]: PARTIAL")
    work.runs("pytest -q", "12 passed in 0.4s")
    work.says("Done: tokens rotate.")

    record = work.saves("Refresh tokens")
    brief = cli("resume").out

    assert [one["command"] for one in record["content"]["commands"]] == ["pytest -q"]
    assert record["content"]["errors"] == []
    assert "handoff check" not in brief


def test_an_error_carries_its_code_in_text_as_in_json(cli: Cli) -> None:
    """What is pasted into an issue or a search is the code."""
    plain, error = cli("show", "nothing"), cli("show", "nothing", "--json").json

    assert plain.err.startswith(f"error[{error['code']}]: {error['message']}\n")
    assert cli("lsit").err.startswith("error[USE_001]: ")


def test_a_difference_with_one_reference_is_to_the_present(cli: Cli) -> None:
    work = Work(cli)
    work.asks("add a")
    work.edits("a.py", "a = 1\n")
    work.saves("A")
    work.path("a.py").write_text("a = 2\n", encoding="utf-8")

    alone, spelled = (cli("diff", *words, "--json") for words in (["1"], ["1", "now"]))

    assert alone.json == spelled.json
    assert [file["path"] for file in alone.json["files"]] == ["a.py"]


def test_a_setting_is_read_and_set_by_its_name_alone(cli: Cli) -> None:
    """As `git config` has it; the longer forms stay."""
    assert cli("config", "brief.budget_tokens", "2000").status == 0
    assert cli("config", "brief.budget_tokens").out == "2000\n"
    assert cli("config", "get", "budget_tokens").out == "2000\n"
    wrong = cli("config", "brief.budget", "--json")
    assert (wrong.status, wrong.json["code"]) == (1, "CONF_001")
    assert cli("config", "get").status == cli("config", "a", "b", "c").status == 2


@pytest.mark.parametrize("command", [["list"], ["status"], ["config"], ["save"]])
def test_a_threshold_out_of_its_range_is_refused_aloud(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    """A setting of the older tool that does nothing must not look as if it did."""
    _client_keeps(cli)
    cli("save")
    monkeypatch.setenv("CONTEXTD_CHECKPOINT_THRESHOLD", "50")

    ran = cli(*command)

    (told,) = [line for line in ran.err.splitlines() if line.startswith("warning: ")]
    for word in ("`CONTEXTD_CHECKPOINT_THRESHOLD`", "`50`", "70 to 95", "`70` is used"):
        assert word in told
    assert "CONTEXTD" not in cli(*command, "--json").err


def test_what_being_installed_costs_is_told(cli: Cli) -> None:
    """Every session pays it, also those that never use a word of it."""
    cli.save()

    answer = cli("why", "--json").json

    assert 0 < answer["standing_tokens"] < 400


def test_a_session_that_was_never_saved_is_unsaved_work(cli: Cli) -> None:
    """A script asks before it clears; the store knows only of another one."""
    old = _client_keeps(cli, OTHER)
    cli("save")
    os.utime(old, (1, 1))
    _client_keeps(cli)

    ran = cli("status", "--check")

    assert ran.status == 4, ran
    assert f"holdfast save --session {SESSION}" in ran.out
