"""A day with the real pi and the real OpenCode, which call us by a script of ours."""

import json
import shutil
from pathlib import Path

import pytest

from tests.e2e.agents.machine import ScriptedMachine
from tests.e2e.client.stub import call, say
from tests.e2e.client.terminal import Terminal

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

_GOAL = "Fix the parser so that nested input works. Never touch the lexer."
_READY = {"pi": "[Extensions]", "opencode": "Ask anything"}
_NEW = {"pi": "New session started", "opencode": "Ask anything"}
_COMPACTED = {"pi": "Compacted from", "opencode": "Compaction · some-model · "}
_LEAVE = {"pi": "/quit", "opencode": "/exit"}
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
def test_a_clear_is_seen_and_the_next_prompt_goes_on(
    machine: ScriptedMachine, agent: str
) -> None:
    """Somebody sits there, types `/new`, and sees that it was saved."""
    command = call("bash", command="sh run-tests", description="run the tests")
    machine.stub.will(command, say("One test fails."))

    with machine.sit_down() as terminal:
        terminal.wait_for(_READY[agent])
        _type(terminal, _GOAL, shows="One test fails.")
        _type(terminal, "/new", shows=_NEW[agent])
        if agent == "pi":
            terminal.wait_for("Checkpoint saved")
        machine.stub.will(say("Going on."))
        _type(terminal, "go on with it please", shows="Going on.")
        if agent == "opencode":
            terminal.wait_for("Checkpoint saved")
        told = machine.stub.last.conversation
        terminal.press(_LEAVE[agent])
        terminal.wait_for(_LEAVE[agent])
        terminal.press_until("\r", lambda: terminal.process.poll() is not None, "end")

    assert "Resuming CHECKPOINT-00001" in told
    ends = [machine.holdfast("show", str(c["number"])) for c in machine.checkpoints]
    assert [end["origin"]["trigger"] for end in ends] == ["clear", "exit"]


@_BOTH
def test_after_a_compaction_the_model_is_told_what_it_lost(
    machine: ScriptedMachine, agent: str
) -> None:
    """Saved before it; said with the prompt that follows, once."""
    command = call("bash", command="sh run-tests", description="run the tests")
    machine.stub.will(command, say("One test fails."))
    lost = "What the summary above leaves out"

    with machine.sit_down() as terminal:
        terminal.wait_for(_READY[agent])
        _type(terminal, _GOAL, shows="One test fails.")
        _type(terminal, "/compact", shows=_COMPACTED[agent])
        machine.stub.will(say("Nothing more."))
        _type(terminal, "and what now?", shows="Nothing more.")
        first = machine.stub.last.conversation
        machine.stub.will(say("Fine."))
        _type(terminal, "and then?", shows="Fine.")

    assert (first.count(lost), machine.stub.last.conversation.count(lost)) == (1, 1)
    saved = machine.holdfast("show", "1")
    assert saved["origin"]["trigger"] == "compact"


def _type(terminal: Terminal, text: str, *, shows: str) -> None:
    """Type a text, press Enter, and wait until the screen shows what follows."""
    terminal.press(text)
    terminal.wait_until(lambda: text in terminal.shown, f"prompt with `{text}`")
    terminal.press_until("\r", lambda: shows in terminal.shown, text)


@pytest.mark.parametrize("agent", ["pi"])
def test_a_session_is_opened_again_in_its_own_client(machine: ScriptedMachine) -> None:
    """From anywhere, with all that was said in it."""
    _work(machine)
    (saved,) = machine.checkpoints

    with machine.open_again(saved["id"]) as terminal:
        terminal.wait_for("One test fails.")
        terminal.wait_for(_GOAL)


@pytest.mark.parametrize("agent", ["opencode"])
def test_opencode_is_called_with_the_session_to_go_on_with(
    machine: ScriptedMachine, tmp_path: Path
) -> None:
    """In its project. Without a network its screen stays empty for a minute now and then,
    so what it is called with is looked at."""
    _work(machine)
    (saved,) = machine.checkpoints
    programs = tmp_path / "programs"
    programs.mkdir()
    stand_in = programs / "opencode"
    stand_in.write_text('#!/bin/sh\necho "here: ${PWD##*/}" && echo "asked: $*"\n')
    stand_in.chmod(0o755)

    with machine.open_again(saved["id"], programs) as terminal:
        terminal.wait_for(f"asked: --session {saved['session_id']}")
        terminal.wait_for(f"here: {machine.project.name}")


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
