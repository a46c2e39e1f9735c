"""Sessions of other agents that nobody saved: a backfill keeps them like any other."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import apsw
import pytest
from zstandard import ZstdCompressor

from tests.e2e.agents.test_by_hand import Machine as ByHand
from tests.unit.agents import codex_lines as codex, gemini_lines as gemini
from tests.unit.agents.opencode_rows import OpenCodeData, text

pytestmark = pytest.mark.process

_GOAL = "Fix the parser so that nested input works. Never touch the lexer."
_AGENTS = ("codex", "gemini", "copilot", "opencode", "pi")


class Machine(ByHand):
    """The same, with what the wired agents leave behind."""

    def codex(self, goal: str = _GOAL) -> str:
        rollouts = codex.Rollouts(self.user / ".codex")
        about = codex.meta(cwd=str(self.project))
        rollouts.write(about, codex.typed(goal), codex.said("The edit is made."))
        return codex.THREAD

    def gemini(self, goal: str = _GOAL) -> str:
        chats = gemini.Chats(self.user / ".gemini", str(self.project))
        chats.write(gemini.typed(goal), gemini.said("The edit is made."))
        return gemini.SESSION

    def listed(self) -> list[Any]:
        found = self.holdfast("list", "--all")["checkpoints"]
        return list(found)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("agent", _AGENTS)
def test_a_session_that_nobody_saved_is_kept_and_found(
    machine: Machine, agent: str
) -> None:
    """Under its own id, at its own time, in the project it was in; once."""
    session = getattr(machine, agent)()

    first = machine.holdfast("backfill")
    again = machine.holdfast("backfill")
    found = machine.holdfast("search", "nested parser")["checkpoints"]

    assert (first["sessions"], first["checkpoints"], first["unread"]) == (1, 1, [])
    assert (again["read"], again["known"], again["checkpoints"]) == (0, 1, 0)
    (hit,) = found
    assert hit["session_id"] == session
    (kept,) = machine.listed()
    assert kept["agent"]["name"] == agent
    assert kept["working_directory"] == str(machine.project)
    assert kept["created_at"].startswith("2026-11-18T1")


@pytest.mark.parametrize("agent", ["codex", "gemini"])
def test_what_the_agent_said_is_found_as_well(machine: Machine, agent: str) -> None:
    """A user remembers an answer as often as a question."""
    session = getattr(machine, agent)()
    machine.holdfast("backfill")

    (hit,) = machine.holdfast("search", "edit made")["checkpoints"]

    assert hit["session_id"] == session


@pytest.mark.parametrize("agent", ["codex", "gemini", "opencode", "pi"])
def test_installing_offers_what_an_agent_left_and_does_not_begin(
    machine: Machine, agent: str
) -> None:
    """In one line, of that agent alone; a dry run offers nothing that it did not do."""
    for one in ("codex", "pi"):
        if one != agent:
            getattr(machine, one)()
    getattr(machine, agent)()

    dry = machine.said("install", agent, "--no-mcp", "--dry-run")
    told = machine.said("install", agent, "--no-mcp")

    (line,) = [line for line in told.splitlines() if "holdfast backfill" in line]
    assert "1 session on this machine can be searched" in line
    assert "backfill" not in dry
    assert machine.listed() == []


def test_all_agents_are_read_in_one_run_and_one_alone_if_asked(
    machine: Machine,
) -> None:
    for agent in _AGENTS:
        getattr(machine, agent)()

    one = machine.holdfast("backfill", "--agent", "gemini")
    rest = machine.holdfast("backfill")

    assert (one["sessions"], rest["sessions"]) == (1, 4)
    assert {kept["agent"]["name"] for kept in machine.listed()} == {*_AGENTS}


def test_numbers_follow_the_time_whoever_did_it(machine: Machine) -> None:
    """The youngest work has the highest number, and `latest` means it, also where an
    older one came in later."""
    machine.gemini("Fix the lexer.")
    machine.codex("Fix the parser.")
    machine.holdfast("backfill")
    by_time = [one["agent"]["name"] for one in machine.listed()]
    machine.pi("Fix the reader.")
    path = next((machine.user / ".pi").rglob("*.jsonl"))
    path.write_text(path.read_text().replace("2026-11-18", "2026-10-18"))
    machine.holdfast("backfill", "--agent", "pi")

    latest = machine.holdfast("resume", "latest")["checkpoint"]

    assert by_time == ["gemini", "codex"]
    assert machine.listed()[-1]["agent"]["name"] == "pi"  # where its time is
    assert latest["agent"]["name"] == "gemini"


@pytest.mark.parametrize("agent", _AGENTS)
def test_what_lies_below_a_directory_is_read_as_one_agents(
    machine: Machine, agent: str
) -> None:
    """A backup of another machine."""
    session = getattr(machine, agent)()
    backup = machine.user.rename(machine.user.with_name("backup"))
    machine.user.mkdir()

    done = machine.holdfast("backfill", str(backup), "--agent", agent)

    assert (done["sessions"], done["unread"]) == (1, [])
    assert machine.listed()[0]["session_id"] == session


@pytest.mark.parametrize("agent", _AGENTS)
def test_no_secret_of_a_past_session_is_kept(machine: Machine, agent: str) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5"
    getattr(machine, agent)(f"{_GOAL} The token is {secret}.")

    machine.holdfast("backfill")

    assert len(machine.listed()) == 1
    kept = [p for p in machine.data.rglob("*") if p.is_file()]
    assert [p for p in kept if secret.encode() in p.read_bytes()] == []


def test_a_fork_repeats_nothing_of_its_origin(machine: Machine) -> None:
    """It only points to its past, and goes on from there."""
    machine.codex()
    rollouts = codex.Rollouts(machine.user / ".codex")
    origin = rollouts.path(codex.name_of())
    base = {"thread_id": codex.THREAD, "end_byte_offset": origin.stat().st_size}
    later = "2026-11-18T12:00:00.000Z"
    forked = codex.meta(
        codex.OTHER,
        history_base=base,
        forked_from_id=codex.THREAD,
        cwd=str(machine.project),
        timestamp="2026-11-18T11:59:59.000Z",
    )
    lines = [forked, codex.typed("And now the lexer."), codex.said("Done.")]
    own = [{**line, "timestamp": later} for line in lines]
    rollouts.write(*own, name=codex.name_of(codex.OTHER, moment="12-00-00"))

    machine.holdfast("backfill")

    kept = {one["session_id"]: one for one in machine.listed()}
    assert {*kept} == {codex.THREAD, codex.OTHER}
    told = machine.holdfast("session", codex.OTHER)["session"]
    assert told["parent_session"] == codex.THREAD
    asked = [one["text"] for one in kept[codex.OTHER]["content"]["requests"]]
    assert asked == [_GOAL, "And now the lexer."]


def test_what_is_missing_of_a_session_is_said_and_the_rest_kept(
    machine: Machine,
) -> None:
    """A base that is gone, and a compressed file that ends early."""
    rollouts = codex.Rollouts(machine.user / ".codex")
    here = str(machine.project)
    base = {"thread_id": codex.THREAD, "end_byte_offset": 900}
    forked = codex.meta(codex.OTHER, history_base=base, cwd=here)
    rollouts.write(forked, codex.typed(_GOAL), name=codex.name_of(codex.OTHER))
    third = codex.OTHER.replace("01a1", "02b2")
    lines = [codex.meta(third, cwd=here), codex.typed(_GOAL)]
    filler = [codex.said(f"{n * 7919 % 10007:x}" * 300) for n in range(400)]
    packed = ZstdCompressor().compress(codex.raw(*lines, *filler))
    cut = rollouts.path(f"{codex.name_of(third, moment='11-00-00')}.zst")
    cut.write_bytes(packed[: len(packed) * 3 // 4])

    done = machine.holdfast("backfill")

    told = sorted(one["reason"] for one in done["partly"])
    assert [reason.partition(":")[0] for reason in told] == [
        "a compressed transcript ends early",
        "the session that this one continues is gone",
    ]
    assert {one["session_id"] for one in machine.listed()} == {codex.OTHER, third}


def test_a_database_that_is_locked_costs_no_other_agent(machine: Machine) -> None:
    """The next run keeps what it held."""
    machine.opencode()
    machine.pi()
    path = machine.user / ".local" / "share" / "opencode" / "opencode.db"
    holder = apsw.Connection(str(path))
    holder.execute("BEGIN EXCLUSIVE")

    locked = machine.holdfast("backfill")
    holder.execute("COMMIT")
    holder.close()
    free = machine.holdfast("backfill")

    (trouble,) = locked["unread"]
    assert (trouble["path"], locked["sessions"]) == ("opencode", 1)
    assert "is locked" in trouble["reason"]
    assert (free["sessions"], free["unread"]) == (1, [])


def test_a_database_of_an_unknown_version_costs_no_other_agent(
    machine: Machine,
) -> None:
    """Nothing in it is changed."""
    machine.pi()
    path = machine.user / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE session_v9 (id TEXT)")
    before = path.read_bytes()

    done = machine.holdfast("backfill")

    (trouble,) = done["unread"]
    assert "has a format that this version cannot read" in trouble["reason"]
    assert done["sessions"] == 1
    assert path.read_bytes() == before


def test_two_clients_that_write_lose_nothing(machine: Machine) -> None:
    """Half a line of one, a transaction of the other: the next run has both whole."""
    machine.codex()
    rollout = codex.Rollouts(machine.user / ".codex").path(codex.name_of())
    place = machine.user / ".local" / "share" / "opencode"
    data = OpenCodeData(place, str(machine.project))
    data.work(_GOAL)
    more = codex.raw(codex.typed("Then the nested lists."))
    whole = rollout.read_bytes()
    rollout.write_bytes(whole + more[:40])
    writer = data.connection()
    assert [*writer.execute("PRAGMA journal_mode=WAL")] == [("wal",)]
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("UPDATE session SET title = 'half'")

    first = machine.holdfast("backfill")
    writer.execute("ROLLBACK")
    writer.close()
    rollout.write_bytes(whole + more.replace(b"10:18:54", b"18:18:54"))
    data.add("user", text("Then the nested lists."))
    second = machine.holdfast("backfill")

    assert (first["checkpoints"], first["unread"], first["partly"]) == (2, [], [])
    assert (second["checkpoints"], second["unread"]) == (2, [])
    newest = machine.listed()[:2]
    assert all("nested lists" in json.dumps(one["content"]) for one in newest)
