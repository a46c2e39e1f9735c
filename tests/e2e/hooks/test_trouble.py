"""A hook never stops the agent: garbage, missing parts, a store that is broken or full."""

import json
import os
from pathlib import Path

import pytest

from holdfast.surfaces.hooks.run import GIT_SECONDS
from tests.e2e.hooks.conftest import SAMPLES, World, write_session

PLUGIN = Path(__file__).parents[3] / "plugin"
EVENTS = ("SessionStart", "SessionEnd", "Stop", "PreCompact", "UserPromptSubmit")


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize(
    "stdin",
    [
        pytest.param("", id="nothing"),
        pytest.param("{", id="half an object"),
        pytest.param("[1]", id="a list"),
        pytest.param("\x00\xff" * 50, id="garbage"),
        pytest.param("{}", id="no fields"),
        pytest.param('{"session_id": 7}', id="a wrong type"),
        pytest.param('{"session_id": "../../etc/passwd"}', id="a hostile id"),
        pytest.param("[" * 100_000, id="too deep"),
    ],
)
def test_garbage_is_silent(world: World, event: str, stdin: str) -> None:
    """Exit 2 would block the user's prompt; anything printed would reach the model."""
    heard = world.client().raw(event, stdin)

    assert (heard.status, heard.out, heard.err) == (0, "", "")


@pytest.mark.parametrize("event", EVENTS)
def test_an_old_input_with_only_an_id_is_fine(
    world: World, sessions: list[str], event: str
) -> None:
    """Fields come and go with the client's version."""
    heard = world.client().raw(event, json.dumps({"session_id": sessions[0]}))

    assert (heard.status, heard.out, heard.err) == (0, "", "")


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_recorded_input_is_answered_with_exit_0(world: World, name: str) -> None:
    """Inputs of the real client, each event it has, as they were seen."""
    sample = SAMPLES[name]

    heard = world.client().raw(sample["hook_event_name"], json.dumps(sample))

    assert (heard.status, heard.err) == (0, "")


def test_a_sub_agent_is_not_a_session(world: World, sessions: list[str]) -> None:
    """Its prompts are not the user's, and its end is not the session's."""
    write_session(world, sessions[0], "add refresh tokens")
    client = world.client()

    client.hook("SessionEnd", sessions[0], reason="other", agent_id="ab5a522fda446ccc5")

    assert not world.home.exists()


def test_a_damaged_store_spools_tells_once_and_drains(
    world: World, sessions: list[str]
) -> None:
    """The agent works on; the user reads one sentence; nothing is lost."""
    old, first, second, third = sessions[:4]
    world.home.mkdir(mode=0o700)
    store = world.home / "holdfast.db"
    store.write_bytes(b"this is not a database" * 100)
    write_session(world, old, "add refresh tokens")

    client = world.client()
    ended = client.end(old, "clear")
    told, silent = client.start(first, "clear"), client.start(second, "clear")

    assert (ended.status, ended.out) == (0, "")
    assert told.context == ""
    assert told.line == (
        f"holdfast: `{store}` is not a holdfast store. Nothing is lost: saves wait and"
        " are stored when the store works again. What to do: run `holdfast doctor` to see"
        " what is wrong."
    )
    assert silent.out == ""
    log = (world.home / "log" / "hook.log").read_text(encoding="utf-8")
    assert "SessionStart" in log
    assert list((world.home / "spool").glob("*.json"))

    store.unlink()
    write_session(world, third, "look at the docs")
    client.hook("Stop", third)
    assert [c["session_id"] for c in world.cli("list")["checkpoints"]] == [old]


def test_a_store_that_is_gone_is_told_once_and_not_begun_anew(
    world: World, sessions: list[str]
) -> None:
    """The next hook would begin at 00001, over everything that can still be found."""
    old, new, later = sessions[:3]
    client = world.client()
    for session in (old, new):
        client.start(session)
        write_session(world, session, "add refresh tokens")
        client.end(session, "clear")
    store = world.home / "holdfast.db"
    store.unlink()

    told, silent = client.start(later, "clear"), client.start(later, "clear")
    write_session(world, later, "and a test")
    client.end(later, "clear")

    assert told.line == (
        f"holdfast: the store's file `{store}` is gone or empty, but the files beside it"
        " show that it had records. Nothing is lost: saves wait and are stored when the"
        " store works again. What to do: `holdfast doctor --repair` brings back what can be"
        " found."
    )
    assert silent.line == ""
    assert not store.exists()
    world.cli("doctor", "--repair")
    kept = world.cli("list")["checkpoints"]
    assert [(c["number"], c["session_id"]) for c in kept] == [
        (3, later),
        (2, new),
        (1, old),
    ]


def test_where_no_save_can_wait_the_user_is_told_so(
    world: World, sessions: list[str]
) -> None:
    """Who believes that nothing is lost does not look for another disk."""
    world.home.mkdir(mode=0o700)
    (world.home / "holdfast.db").write_bytes(b"this is not a database" * 100)
    (world.home / "spool").write_text("not a directory")

    told = world.client().start(sessions[0], "clear")

    assert "Nothing is lost" not in told.line
    assert "nothing is saved until the store works again" in told.line


def test_a_home_that_is_a_file_is_survived(world: World, sessions: list[str]) -> None:
    """Not even the log can be written: still no word to the agent."""
    world.home.write_text("not a directory")
    write_session(world, sessions[0], "add refresh tokens")
    client = world.client()

    heard = [client.hook(event, sessions[0]) for event in EVENTS]

    assert {one.status for one in heard} == {0}
    assert {one.context for one in heard} == {""}


def test_t27_the_log_is_redacted(world: World, sessions: list[str]) -> None:
    """A log is read by others: bug reports carry it."""
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    client = world.client()

    client.hook("Stop", sessions[0], transcript_path=f"/nowhere/{secret}.jsonl")

    log = (world.home / "log" / "hook.log").read_text(encoding="utf-8")
    assert "Stop" in log
    assert secret not in log


def test_a_repository_that_keeps_git_waiting_costs_the_code_and_no_more(
    world: World, sessions: list[str]
) -> None:
    """T7: a pipe where git looks first, and one where it reads which files to leave."""
    world.repository()
    os.mkfifo(world.project / ".git" / "objects" / "info" / "commit-graph")
    (world.project / "deep").mkdir()
    os.mkfifo(world.project / "deep" / ".gitignore")
    client = world.client()
    write_session(world, sessions[0], "add refresh tokens")

    heard = client.hook("PreCompact", sessions[0], trigger="manual")

    [kept] = world.cli("list")["checkpoints"]
    assert heard.status == 0
    assert (kept["code"]["branch"], kept["code"]["tree"]) == ("main", None)
    assert kept["code"]["reason"] == "`deep/.gitignore` is not a plain file"


def test_the_client_waits_longer_than_a_hook_does_for_git() -> None:
    """What is left is for the work of the hook itself."""
    wired = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]
    limits = [hook["timeout"] for [entry] in wired.values() for hook in entry["hooks"]]

    assert len(limits) == len(EVENTS)
    assert min(limits) > GIT_SECONDS


@pytest.mark.parametrize(
    "words",
    [("off",), ("off", "--for", "2h"), ("fresh",)],
    ids=" ".join,
)
def test_off_names_the_way_out_where_the_store_cannot_keep_it(
    world: World, sessions: list[str], words: tuple[str, ...]
) -> None:
    """Who wants it off is not sent to mend it first, and what the hint says holds."""
    world.home.mkdir(mode=0o700)
    (world.home / "holdfast.db").write_bytes(b"this is not a database" * 100)
    write_session(world, sessions[0], "add refresh tokens")
    client = world.client()

    refused = world.cli(*words)
    world.cli("config", "set", "enabled", "false")
    told, ended = client.start(sessions[1], "clear"), client.end(sessions[0], "clear")

    assert "`holdfast config set enabled false`" in refused["hint"]
    assert told.out == ended.out == ""
    assert not list(world.home.glob("spool/*.json"))
