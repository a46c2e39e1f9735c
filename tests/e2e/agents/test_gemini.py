"""A day with the real Gemini CLI: start, work, end, clear, and away again."""

import json

import pytest

from tests.e2e.agents.model import call, say
from tests.e2e.agents.world import AgentWorld
from tests.e2e.client.stub import Call
from tests.e2e.client.terminal import Terminal

pytestmark = [pytest.mark.process, pytest.mark.timeout(300)]

_GOAL = "Fix the parser so that nested input works. Never touch the lexer."
_READY = "Type your message"


def _work(world: AgentWorld) -> None:
    notes = str(world.project / "notes.md")
    world.model.will(
        call("run_shell_command", command="sh run-tests"),
        _edit(world),
        call("write_file", file_path=notes, content="nested\n"),
        say("The parser returns 2 now."),
    )
    world.gemini(_GOAL)


def _edit(world: AgentWorld) -> Call:
    return call(
        "replace",
        file_path=str(world.project / "parser.py"),
        old_string="    return 1",
        new_string="    return 2",
        instruction="return 2",
    )


def test_what_was_worked_on_is_saved_and_told_to_the_next_session(
    gemini_world: AgentWorld,
) -> None:
    """The same facts as from any agent: words, errors, files, and no word of a wrapper."""
    world = gemini_world
    _work(world)

    (saved,) = world.checkpoints
    record = world.shown(saved["number"])
    world.gemini("what is left to do here?")

    assert record["agent"]["name"] == "gemini"
    content = record["content"]
    assert [item["text"] for item in content["instructions"]] == [
        "Never touch the lexer."
    ]
    # Not what it printed: the client itself loses that on a busy machine.
    assert [(one["command"], one["exit"]) for one in content["commands"]] == [
        ("sh run-tests", 1)
    ]
    edited = [file["path"] for file in content["files_referenced"]]
    assert edited == ["parser.py", "notes.md"]
    assert "session_context" not in json.dumps(record)
    assert "Unfinished work here: CHECKPOINT-00001" in world.model.last
    assert _GOAL in world.model.last
    (about,) = [c for c in world.answer("doctor")["checks"] if c["name"] == "gemini"]
    assert (about["state"], "all of" in about["message"]) == ("ok", True), about


def test_who_goes_on_by_a_word_gets_the_whole_brief(gemini_world: AgentWorld) -> None:
    """The client puts the start's words before the prompt: they are not the user's."""
    _work(gemini_world)

    gemini_world.gemini("continue")

    assert "Resuming CHECKPOINT-00001" in gemini_world.model.last
    first, second = gemini_world.checkpoints
    record = gemini_world.answer("session", second["session_id"])["session"]
    assert record["parent_session"] == first["session_id"]
    asked = gemini_world.shown(second["number"])["content"]["requests"]
    assert not [one for one in asked if "hook_context" in one["text"]]


def test_a_clear_saves_and_the_next_prompt_goes_on(gemini_world: AgentWorld) -> None:
    """The client shows what a hook says after a clear, and gives it to no model."""
    world = gemini_world
    world.model.will(_edit(world), say("It returns 2 now."))

    with world.sit_down_at_gemini() as terminal:
        terminal.wait_for(_READY)
        _send(terminal, _GOAL, "It returns 2 now.")
        _send(terminal, "/clear", "Checkpoint saved")
        _send(terminal, "go on with it please", "✦ ok")

    assert "Resuming CHECKPOINT-00001" in world.model.last


def _send(terminal: Terminal, text: str, shows: str) -> None:
    """Type a text and press Enter until the screen shows what follows: too soon after
    the last letter the client does not hear it."""
    terminal.wait_until(lambda: _READY in terminal.shown, "idle prompt")
    terminal.press(text)
    terminal.wait_until(lambda: f"* {text}" in terminal.shown, f"prompt with `{text}`")
    terminal.press_until("\r", lambda: shows in terminal.shown, text)


def test_a_session_is_opened_again_in_its_own_client(
    gemini_world: AgentWorld,
) -> None:
    """From anywhere, with all that was said in it."""
    _work(gemini_world)
    (saved,) = gemini_world.checkpoints

    with gemini_world.open_again(saved["id"]) as terminal:
        terminal.wait_for("The parser returns 2 now.")


def test_after_uninstalling_nothing_is_left(gemini_world: AgentWorld) -> None:
    """Of the user's own settings, every byte is as it was."""
    world = gemini_world
    settings = world.home / ".gemini" / "settings.json"
    world.holdfast("uninstall", "gemini")
    before = settings.read_bytes()
    world.holdfast("install", "gemini")
    between = settings.read_bytes()

    done = world.holdfast("uninstall", "gemini")

    assert done.returncode == 0, done.stderr
    assert b"holdfast" in between
    assert settings.read_bytes() == before
    assert b"holdfast" not in before
    assert not (world.data / "gemini").exists()
