"""What every coding agent promises: each of its parts, made when asked for."""

import os
import sys
from pathlib import Path

import pytest

from holdfast.bootstrap.agents import is_inside_a_client
from holdfast.domain.event import Located, UserSaid
from holdfast.surfaces.hooks.main import EVENTS
from tests.contract.agents import (
    Machine,
    memory_of,
    past_of,
    wiring_of,
    with_ability,
)

PID = 4711
STARTED = "5"


def test_it_has_the_name_that_records_carry(machine: Machine) -> None:
    """Its transcripts say the same."""
    agent = machine.agent

    assert agent.name == machine.name
    assert agent.transcripts(str, bulk=False).agent == machine.name


def test_what_it_puts_into_every_session_can_be_counted(machine: Machine) -> None:
    """The names of the tools that are offered, and something for each skill."""
    none, one = (machine.absent.standing_texts(tools) for tools in ((), ("save_it",)))

    assert [text for text in one if "save_it" in text] == [*one[len(none) :]]
    assert len(one) == len(none) + 1
    assert all(none)


def test_a_client_is_told_to_go_on_or_to_begin_with_a_brief(machine: Machine) -> None:
    """The words of its own command line; not every client takes a brief."""
    agent = machine.agent

    assert "x" in agent.going_on("x")
    begun = agent.beginning_with("/dev/fd/3")
    assert begun == () or "/dev/fd/3" in begun
    assert agent.title


def test_what_its_client_starts_can_tell_so(machine: Machine) -> None:
    """A person is asked where they sit, and not below a client; what a person sets for
    it, such as where its files are, says nothing of that."""
    agent = machine.agent

    assert agent.inside
    for name in agent.inside:
        assert is_inside_a_client({name: "1"}, ())
    assert is_inside_a_client({}, {"sh", agent.going_on("")[0]})
    assert not is_inside_a_client(
        {"CODEX_HOME": "/x", "PI_CODING_AGENT_DIR": "/x"}, {"sh"}
    )


def test_its_client_goes_on_with_a_session_that_is_named(machine: Machine) -> None:
    """A program, and the session among its words."""
    program, *more = machine.agent.going_on("the-session")

    assert program
    assert more[-1] == "the-session"


@with_ability("past")
def test_its_sessions_on_disk_can_be_asked_for(machine: Machine) -> None:
    """Those that nobody saw, too."""
    path = machine.write_transcript("add refresh tokens")

    assert [found.path for found in past_of(machine.agent).every()] == [str(path)]


def test_what_of_the_past_is_not_read_is_said(machine: Machine) -> None:
    """Nobody takes an agent whose sessions are not looked for for one without any."""
    assert (machine.agent.past() is not None) == ("past" in machine.can)
    assert (machine.agent.native() is not None) == ("native" in machine.can)


def test_its_sessions_are_told_by_where_they_began(machine: Machine) -> None:
    """Of no other directory than the one that is asked for."""
    path = str(machine.write_transcript("add refresh tokens"))
    transcripts = machine.agent.transcripts(str, bulk=False)
    places = [e.cwd for e in transcripts.read(path) if isinstance(e, Located)]

    assert transcripts.begun_in(places[0]) == (path,)
    assert transcripts.begun_in(f"{places[0]}/elsewhere") == ()


def test_a_file_that_nothing_names_was_not_worked_on(machine: Machine) -> None:
    """The transcript is then known only by when its session was at work."""
    path = str(machine.write_transcript("add refresh tokens"))
    transcripts = machine.agent.transcripts(str, bulk=False)

    assert transcripts.steps(path, ["no-such-file.py"]) is None


@pytest.mark.parametrize("bulk", [False, True], ids=["standard", "bulk"])
def test_every_text_of_a_transcript_passes_redaction(
    machine: Machine, *, bulk: bool
) -> None:
    """In bulk as well: what is kept is never what was written in the clear."""
    path = machine.write_transcript("the word is swordfish")
    transcripts = machine.agent.transcripts(
        lambda text: text.replace("swordfish", "***"), bulk=bulk
    )

    events = list(transcripts.read(str(path)))

    assert [e.text for e in events if isinstance(e, UserSaid)] == ["the word is ***"]
    assert "swordfish" not in repr(events)


def test_bulk_reads_what_is_read_otherwise(machine: Machine) -> None:
    """It is ready later and faster; it says nothing else."""
    path = str(machine.write_transcript("hello"))

    one, bulk = (
        list(machine.agent.transcripts(str, bulk=bulk).read(path))
        for bulk in (False, True)
    )

    assert one == bulk


def test_its_wiring_is_that_of_the_installation_in_a_home(
    machine: Machine, tmp_path: Path
) -> None:
    """Another installation's data hold another wiring."""
    wiring_of(machine).install(scope="user", mcp=False, dry_run=False)

    elsewhere = machine.agent.wiring(
        home=str(tmp_path / "other"),
        workspace=str(machine.project),
        python=sys.executable,
    )

    assert list(machine.home.iterdir())
    assert elsewhere.uninstall(dry_run=True) != wiring_of(machine).uninstall(
        dry_run=True
    )


@with_ability("remember")
def test_each_project_has_its_own_memory(machine: Machine, tmp_path: Path) -> None:
    """What was learnt in one is not told in another."""
    other = machine.agent.memory(str(tmp_path / "b"), str(tmp_path / "b"))

    assert other is not None
    assert other.directory != memory_of(machine).directory


def test_without_the_agent_there_is_no_memory(machine: Machine) -> None:
    """Nothing of another program's is created where that program is not used."""
    project = str(machine.project)

    assert machine.absent.memory(project, project) is None


@with_ability("note")
def test_the_session_of_a_process_is_told_where_it_can_be(machine: Machine) -> None:
    """A process that began at another moment is another one with the same number."""
    session = machine.begin(PID, STARTED)

    assert machine.agent.live_session(PID, STARTED) == session
    assert machine.agent.live_session(PID, "6") is None
    assert machine.agent.live_session(PID + 1, STARTED) is None
    assert machine.absent.live_session(PID, STARTED) is None


@with_ability("deny")
def test_what_the_user_forbids_is_covered_and_nothing_else(machine: Machine) -> None:
    """A file that the agent must not read is kept nowhere by us, either."""
    project = str(machine.project)
    before = machine.agent.denied_files([project])

    machine.deny(".env")
    after = machine.agent.denied_files([project])

    assert not before.covers(f"{project}/.env")
    assert after.covers(f"{project}/.env")
    assert not after.covers(f"{project}/README.md")


def test_the_users_own_skills_come_before_a_projects(machine: Machine) -> None:
    """The order in which the agent looks."""
    project = str(machine.project)

    own, *projects = machine.agent.skill_directories(project)

    assert not own.startswith(f"{project}/")
    assert projects
    assert all(place.startswith(f"{project}/") for place in projects)


@with_ability("lose")
def test_it_tells_whether_it_may_lose_first_lines(machine: Machine) -> None:
    """What must be seen is then said in another way."""
    project = str(machine.project)

    usual, dropping = machine.agent, machine.drop_first_lines()

    assert not usual.may_lose_lines(project, os.getpid())
    assert dropping.may_lose_lines(project, os.getpid())


def test_its_health_is_whether_transcripts_are_where_they_are_looked_for(
    machine: Machine,
) -> None:
    """And where they are not, what to do about it."""
    absent = machine.absent.health()

    machine.write_transcript("hello")

    assert machine.agent.health().state == "ok"
    assert absent.state == "warn"
    assert absent.hint


def test_an_older_turn_becomes_what_it_would_be_today(machine: Machine) -> None:
    """What was kept before stays readable."""
    old, today = machine.old_turn()

    assert machine.agent.upgraded(old) == today


def test_the_events_it_calls_us_at_are_ours(machine: Machine) -> None:
    """Under whatever name it calls them."""
    events = machine.agent.hook_events

    assert set(events.values()) == set(EVENTS)
    assert len(events) == len(EVENTS)


def test_what_it_says_in_a_hook_is_read_whole(machine: Machine) -> None:
    """Session, place and transcript have the same names everywhere."""
    given = {"session_id": "a", "cwd": "/x", "transcript_path": "/nowhere/t.jsonl"}

    read = machine.agent.hook_input(given, os.getpid())

    assert {key: read[key] for key in given} == given


def test_a_tool_named_for_a_role_has_that_role(machine: Machine) -> None:
    """A brief names tools in the words of who reads it."""
    agent = machine.agent
    named = {role: agent.tool_for(role) for role in ("run", "edit", "write", "web")}

    alike = {"edit": {"edit", "write"}, "write": {"edit", "write"}}
    for role, tool in named.items():
        assert agent.role_of(tool) in alike.get(role, {role})
    assert agent.tool_for("other") == ""
    assert agent.role_of("nobody knows this") == "other"
