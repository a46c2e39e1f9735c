"""A day with the real pi and the real OpenCode, which call us by a script of ours."""

import json
import shutil
from pathlib import Path

import pytest

from tests.e2e.agents.machine import ScriptedMachine
from tests.e2e.client.stub import call, say

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

_GOAL = "Fix the parser so that nested input works. Never touch the lexer."
_BOTH = pytest.mark.parametrize("agent", ["pi", "opencode"])


@pytest.fixture
def machine(agent: str, request: pytest.FixtureRequest) -> ScriptedMachine:
    """A machine on which an agent was used, and `holdfast install` ran."""
    made = request.getfixturevalue(agent)
    assert isinstance(made, ScriptedMachine)
    done = made.holdfast("install", agent, "--no-mcp")
    assert [check["state"] for check in done["checks"]] == ["ok", "ok"], done
    return made


def _work(machine: ScriptedMachine) -> None:
    command = call("bash", command="sh run-tests", description="run the tests")
    machine.stub.will(command, say("One test fails."))
    machine.run(_GOAL)


@_BOTH
def test_work_is_saved_at_the_end_and_told_to_the_next_session(
    machine: ScriptedMachine, agent: str
) -> None:
    """Nobody typed a command of ours; and what we told is not taken for the user's."""
    _work(machine)

    (saved,) = machine.checkpoints
    machine.run("what is left to do here?")

    record = machine.holdfast("show", str(saved["number"]))
    told = machine.stub.last.conversation
    assert record["agent"]["name"] == agent
    assert '"trigger": "exit"' in json.dumps(record)
    assert "exit 1" in record["content"]["errors"][0]["text"]
    assert "Unfinished work here: CHECKPOINT-00001" in told
    assert _GOAL in told
    *_, later = machine.checkpoints
    kept = machine.holdfast("show", str(later["number"]))["content"]["requests"]
    assert "CHECKPOINT" not in json.dumps(kept)


@_BOTH
def test_who_goes_on_by_a_word_gets_the_whole_brief(
    machine: ScriptedMachine, agent: str
) -> None:
    """And the new session knows which one it goes on from."""
    _work(machine)
    (first,) = machine.checkpoints

    machine.run("continue")

    assert "Resuming CHECKPOINT-00001" in machine.stub.last.conversation
    *_, second = machine.checkpoints
    record = machine.holdfast("session", second["session_id"])["session"]
    assert record["parent_session"] == first["session_id"], agent


@_BOTH
def test_a_session_that_is_gone_on_with_is_saved_again(
    machine: ScriptedMachine, agent: str
) -> None:
    """Its second end is not taken for its first; it is told no brief of itself."""
    _work(machine)
    assert len(machine.checkpoints) == 1
    machine.stub.will(call("bash", command="ls", description="look"), say("Seen."))

    machine.run("--continue", "Now look at the lexer instead, please.")

    first, second = machine.checkpoints
    assert first["session_id"] == second["session_id"], agent
    assert "Resuming CHECKPOINT" not in machine.stub.last.conversation


@_BOTH
def test_without_holdfast_the_client_works_as_ever(
    machine: ScriptedMachine, agent: str
) -> None:
    """The script stays behind when somebody removes our data by hand."""
    shutil.rmtree(machine.data / agent)

    _work(machine)

    assert "FAILED" in machine.stub.last.conversation


@_BOTH
def test_after_uninstalling_nothing_is_left(
    machine: ScriptedMachine, agent: str
) -> None:
    """Every file of the user's is as it was, byte for byte, and none is new."""
    machine.holdfast("uninstall", agent)
    before = _files(machine)
    machine.holdfast("install", agent)
    between = _files(machine)

    machine.holdfast("uninstall", agent)

    assert between != before
    assert _files(machine) == before
    assert not (machine.data / agent).exists()


def _files(machine: ScriptedMachine) -> dict[Path, bytes]:
    """What is in the user's home, without what is ours."""
    return {
        path: path.read_bytes() if path.is_file() else b""
        for path in machine.home.rglob("*")
        if machine.data not in (path, *path.parents)
    }
