"""A day with the real Codex CLI: start, work, end, clear, fork, compaction, and away again."""

import json
from pathlib import Path

import pytest

from tests.e2e.agents.model import call, patch, say
from tests.e2e.agents.world import AgentWorld
from tests.e2e.client.terminal import Terminal

pytestmark = [pytest.mark.process, pytest.mark.timeout(300)]

_GOAL = "Fix the parser so that nested input works. Never touch the lexer."
_PATCH = """*** Begin Patch
*** Update File: parser.py
@@
 def parse(text):
-    return 1
+    return 2
*** Add File: notes.md
+nested
*** End Patch
"""


def _work(world: AgentWorld) -> None:
    world.model.will(
        call("exec_command", cmd="sh run-tests"),
        patch(_PATCH),
        say("The parser returns 2 now."),
    )
    world.codex(_GOAL)


def test_what_was_worked_on_is_saved_and_told_to_the_next_session(
    codex_world: AgentWorld,
) -> None:
    """The same facts as from any agent: words, errors, files, and no word of a wrapper."""
    world = codex_world
    _work(world)

    (saved,) = world.checkpoints
    record = world.shown(saved["number"])
    world.codex("what is left to do here?")

    assert record["agent"] == {"name": "codex", "version": "0.166.0"}
    content = record["content"]
    assert [item["text"] for item in content["instructions"]] == [
        "Never touch the lexer."
    ]
    assert "exit 1" in content["errors"][0]["text"]
    edited = [file["path"] for file in content["files_referenced"]]
    assert edited == ["parser.py", "notes.md"]
    assert "environment_context" not in json.dumps(record)
    assert "Unfinished work here: CHECKPOINT-00001" in world.model.last
    assert _GOAL in world.model.last
    (told,) = [c for c in world.answer("doctor")["checks"] if c["name"] == "codex"]
    assert (told["state"], "all of" in told["message"]) == ("ok", True), told


def test_who_goes_on_by_a_word_gets_the_whole_brief(codex_world: AgentWorld) -> None:
    _work(codex_world)

    codex_world.codex("continue")

    assert "Resuming CHECKPOINT-00001" in codex_world.model.last
    first, second = codex_world.checkpoints
    record = codex_world.answer("session", second["session_id"])["session"]
    assert record["parent_session"] == first["session_id"]


def test_a_clear_saves_and_the_new_thread_goes_on(codex_world: AgentWorld) -> None:
    """The client says `other` at the end and `clear` at the start, with the first turn."""
    world = codex_world
    world.model.will(call("exec_command", cmd="sh run-tests"), say("One test fails."))

    with world.sit_down_at_codex() as terminal:
        terminal.wait_for("Ask Codex to do anything")
        _send(terminal, _GOAL)
        terminal.wait_for("Worked for")
        _send(terminal, "/clear")
        terminal.wait_until(
            lambda: "One test fails." not in terminal.shown, "cleared screen"
        )
        terminal.wait_for("Ask Codex to do anything")
        _send(terminal, "go on with it please")
        terminal.wait_for("Checkpoint saved")
        terminal.wait_for("• ok")

    assert "Resuming CHECKPOINT-00001" in world.model.last


def _send(terminal: Terminal, text: str) -> None:
    terminal.press(text)
    terminal.wait_until(lambda: f"› {text}" in terminal.shown, f"prompt with `{text}`")
    terminal.press("\r")


def test_a_fork_begins_with_its_past_and_knows_where_it_came_from(
    codex_world: AgentWorld,
) -> None:
    """Its file holds none of that: it points into the other one."""
    _work(codex_world)
    (first,) = codex_world.checkpoints
    codex_world.model.will(say("Another way, then."))

    codex_world.codex("fork", first["session_id"], "try it another way")

    *_, forked = codex_world.checkpoints
    record = codex_world.answer("session", forked["session_id"])["session"]
    assert record["parent_session"] == first["session_id"]
    wanted = [
        r["text"] for r in codex_world.shown(forked["number"])["content"]["requests"]
    ]
    assert any(_GOAL[:30] in text for text in wanted)
    assert any("try it another way" in text for text in wanted)


def test_before_a_compaction_the_session_is_saved(codex_world: AgentWorld) -> None:
    world = codex_world
    world.model.will(
        call("exec_command", cmd="echo hi"), say("A summary of it."), say("Going on.")
    )

    world.codex("-c", "model_auto_compact_token_limit=500", _GOAL)

    triggers = [
        world.shown(c["number"])["origin"]["trigger"] for c in world.checkpoints
    ]
    assert triggers[0] == "compact"
    assert "What the summary above leaves out" in world.model.last


def test_hooks_that_nobody_accepted_do_not_run(codex_world: AgentWorld) -> None:
    """Which is why the installer tells its user to accept them."""
    codex_world.model.will(say("Done."))

    codex_world.codex(_GOAL, trusted=False)
    again = codex_world.holdfast("install", "codex", "--no-mcp")

    assert codex_world.checkpoints == []
    assert "/hooks" in again.stdout


def test_doctor_says_whether_hooks_were_accepted(codex_world: AgentWorld) -> None:
    """As the client itself writes that down."""
    world = codex_world
    before = _hooks_told(world)

    with world.sit_down_at_codex(trusting=False) as terminal:
        terminal.wait_for("Hooks need review")
        terminal.press_until("2", lambda: "› 2. Trust" in terminal.shown, "choice")
        terminal.press("\r")
        terminal.wait_until(
            lambda: "Hooks need review" not in terminal.shown, "screen without it"
        )
        terminal.wait_until(lambda: _hooks_told(world)["state"] == "ok", "trust")

    assert before["state"] == "warn"


def _hooks_told(world: AgentWorld) -> dict[str, str]:
    checks = world.answer("doctor")["checks"]
    found: dict[str, str] = next(one for one in checks if one["name"] == "codex hooks")
    return found


def test_a_tool_of_ours_means_the_session_it_is_called_in(
    codex_world: AgentWorld,
) -> None:
    """The server is told whose sessions it serves, and hooks know which one this is."""
    world = codex_world
    world.holdfast("install", "codex")
    world.model.will(
        call("exec_command", cmd="sh run-tests"),
        call("mcp__holdfast::checkpoint_save", title="by a tool"),
        say("Saved."),
    )

    world.codex(_GOAL)

    titles = [world.shown(c["number"])["content"]["title"] for c in world.checkpoints]
    assert "by a tool" in titles


def test_a_session_is_opened_again_in_its_own_client(
    codex_world: AgentWorld,
) -> None:
    """From anywhere, with all that was said in it."""
    _work(codex_world)
    (saved,) = codex_world.checkpoints

    with codex_world.open_again(saved["id"]) as terminal:
        terminal.wait_for("Hooks need review")  # nobody accepted ours here
        terminal.dismiss("Hooks need review")
        shown = terminal.wait_for("The parser returns 2 now.")

    assert _GOAL[:30] in shown


def test_after_uninstalling_nothing_is_left(codex_world: AgentWorld) -> None:
    """Of the user's own files, every byte is as it was."""
    world = codex_world
    config = world.home / ".codex" / "config.toml"
    before = config.read_bytes()
    world.holdfast("install", "codex")

    done = world.holdfast("uninstall", "codex")

    assert done.returncode == 0, done.stderr
    assert config.read_bytes() == before
    assert _names(world.home / ".codex") == {"config.toml"}
    assert not (world.data / "codex").exists()


def _names(place: Path) -> set[str]:
    return {each.name for each in place.iterdir()}
