"""Saved in one agent, resumed in another: the same brief, in the words of who reads it."""

import json

import pytest

from tests.builders import session_number
from tests.e2e.hooks.conftest import World
from tests.e2e.hooks.playing import (
    COMMAND,
    GOAL,
    PLAYERS,
    PRINTED,
    SAID,
    ClaudePlayer,
    CodexPlayer,
    CopilotPlayer,
    GeminiPlayer,
    Player,
)

pytestmark = pytest.mark.process

_NAMES = [player.name for player in PLAYERS]
_NO_TOOL = "an edit"


def _told(saver: Player, reader: Player) -> str:
    saver.work(session_number(1))
    return reader.go_on(session_number(2))


def _without_tools(brief: str) -> str:
    """What a brief says, whatever tools are called and however long ago it was saved."""
    told = "\n".join(brief.splitlines()[1:])
    for player in PLAYERS:
        told = told.replace(f"`{player.edits} ", f"`{_NO_TOOL} ")
    return told


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What Claude Code is told of work that was saved in Claude Code."""
    world = World(tmp_path_factory.mktemp("reference"))
    try:
        return _told(ClaudePlayer(world), ClaudePlayer(world))
    finally:
        world.close()


@pytest.mark.parametrize("saved_in", PLAYERS, ids=_NAMES)
@pytest.mark.parametrize("resumed_in", PLAYERS, ids=_NAMES)
def test_work_saved_in_one_agent_is_resumed_in_another(
    world: World, saved_in: type[Player], resumed_in: type[Player], reference: str
) -> None:
    """Differences end at the reader: facts are facts, and only tools have other names."""
    saver, reader = saved_in(world), resumed_in(world)

    told = _told(saver, reader)

    assert "Resuming CHECKPOINT-00001" in told
    assert all(words in told for words in (GOAL, COMMAND, PRINTED, SAID))
    assert f"`{reader.edits} lexer.py`" in told
    assert _without_tools(told) == _without_tools(reference)
    first, second = (world.cli("session", session_number(n))["session"] for n in (1, 2))
    assert (first["agent"]["name"], second["agent"]["name"]) == (
        saver.name,
        reader.name,
    )
    assert second["parent_session"] == session_number(1)


def test_any_hook_carries_out_what_another_agents_end_asked_for(world: World) -> None:
    """Read by who wrote it: the request says whose transcript it is."""
    codex = CodexPlayer(world)
    codex.hook("SessionStart", session_number(1), source="startup")
    codex.write(session_number(1))
    with world.nobody_saves():
        codex.hook("SessionEnd", session_number(1), reason="other")

    ClaudePlayer(world).hook("SessionStart", session_number(2), source="startup")
    world.settle()

    (saved,) = world.cli("list")["checkpoints"]
    assert saved["session_id"] == session_number(1)
    assert world.cli("show", "1")["agent"]["name"] == "codex"


def test_any_start_rescues_another_agents_session(world: World) -> None:
    """Its client crashed: nobody said goodbye, and the file alone tells whose it was."""
    gemini = GeminiPlayer(world)
    gemini.hook("SessionStart", session_number(1), source="startup")
    gemini.write(session_number(1))
    gemini.client.kill()

    heard = ClaudePlayer(world).hook(
        "SessionStart", session_number(2), source="startup"
    )

    assert "without a goodbye" in heard.context + heard.line
    assert world.cli("show", "1")["agent"]["name"] == "gemini"


def test_an_end_that_does_not_say_why_is_no_crash(world: World) -> None:
    """Codex CLI says the same at every end, and its process may be gone or not."""
    codex = CodexPlayer(world)
    codex.work(session_number(1))
    codex.client.kill()

    heard = CodexPlayer(world).hook("SessionStart", session_number(2), source="startup")

    assert heard.line
    assert "without a goodbye" not in heard.context + heard.line


def test_a_session_that_its_process_left_without_a_word_is_saved(world: World) -> None:
    """Codex CLI has one process for all its windows, which stays when one is closed and
    says nothing of that: the next start is told what was left."""
    codex = CodexPlayer(world)
    codex.hook("SessionStart", session_number(1), source="startup")
    codex.write(session_number(1))
    codex.hook("Stop", session_number(1))

    heard = codex.hook("SessionStart", session_number(2), source="startup")
    told = codex.hook("UserPromptSubmit", session_number(2), prompt="continue").context

    assert "Resuming CHECKPOINT-00001" in told
    assert GOAL in told
    assert "without a goodbye" not in heard.context + heard.line
    saved = world.cli("show", "1")
    assert (saved["session_id"], saved["origin"]["trigger"]) == (
        session_number(1),
        "exit",
    )


def test_a_clear_in_one_of_two_windows_follows_the_session_that_it_cleared(
    world: World,
) -> None:
    """The server of Codex CLI runs the hooks of both, and the other one was used last. It
    says that a session ended long after the next one began."""
    codex, there = CodexPlayer(world), world.project / "there"
    there.mkdir()
    for number, place in ((1, world.project), (2, there)):
        codex.hook(
            "SessionStart", session_number(number), source="startup", cwd=str(place)
        )
        codex.write(session_number(number))
    codex.hook("Stop", session_number(1))
    codex.hook("Stop", session_number(2), cwd=str(there))

    for old, new in ((1, 3), (3, 4)):
        codex.hook("SessionStart", session_number(new), source="clear")
        codex.write(session_number(new))
        codex.hook("SessionEnd", session_number(old), reason="other")
        codex.hook("Stop", session_number(2), cwd=str(there))

    assert [_parent(world, number) for number in (3, 4)] == [
        session_number(1),
        session_number(3),
    ]


def test_of_two_windows_in_one_directory_none_is_taken_for_the_cleared_one(
    world: World,
) -> None:
    """Nothing tells which it was, and a wrong brief is worse than none."""
    codex = CodexPlayer(world)
    codex.hook("SessionStart", session_number(1), source="startup")
    for number in (1, 2):  # the second was there before us
        codex.write(session_number(number))
        codex.hook("Stop", session_number(number))

    codex.hook("SessionStart", session_number(3), source="clear")

    assert _parent(world, 3) is None


def _parent(world: World, number: int) -> object:
    found = world.cli("session", session_number(number))
    return found.get("session", {}).get("parent_session")


def test_every_window_of_a_process_that_is_gone_is_rescued(world: World) -> None:
    """Not only the one that was used last."""
    codex = CodexPlayer(world)
    for number in (1, 2):
        codex.hook("SessionStart", session_number(number), source="startup")
        codex.write(session_number(number))
    codex.client.kill()

    ClaudePlayer(world).hook("SessionStart", session_number(3), source="startup")
    world.settle()

    kept = {one["session_id"] for one in world.cli("list")["checkpoints"]}
    assert kept == {session_number(1), session_number(2)}


def test_a_session_that_was_left_and_saved_is_not_saved_again(world: World) -> None:
    """Each window that is opened asks anew."""
    codex = CodexPlayer(world)
    codex.work(session_number(1))
    for number in (2, 3):
        codex.hook("SessionStart", session_number(number), source="startup")

    assert len(world.cli("list")["checkpoints"]) == 1


def test_a_clear_that_was_not_announced_is_seen_at_the_start_that_follows(
    world: World,
) -> None:
    codex = CodexPlayer(world)
    codex.work(session_number(1))

    heard = codex.hook("SessionStart", session_number(2), source="clear")

    assert "Checkpoint saved" in heard.line
    assert GOAL in heard.context
    record = world.cli("session", session_number(2))["session"]
    assert record["parent_session"] == session_number(1)


def test_what_a_start_says_to_nobody_comes_with_the_next_prompt(world: World) -> None:
    """Gemini CLI shows what a hook says after a clear, and gives it to no model."""
    gemini = GeminiPlayer(world)
    gemini.hook("SessionStart", session_number(1), source="startup")
    gemini.write(session_number(1))
    gemini.leave(session_number(1), "clear")

    start = gemini.hook("SessionStart", session_number(2), source="clear")
    prompt = gemini.hook("UserPromptSubmit", session_number(2), prompt="now what?")
    again = gemini.hook("UserPromptSubmit", session_number(2), prompt="and then?")

    assert ("Checkpoint saved" in start.line, start.context) == (True, "")
    assert GOAL in prompt.context
    assert prompt.said["hookSpecificOutput"]["hookEventName"] == "BeforeAgent"
    assert again.out == ""


def test_the_command_line_takes_the_agents_name_as_options_are_given(
    world: World,
) -> None:
    """`--agent codex` and `--agent=codex` are the same."""
    codex = CodexPlayer(world)
    codex.options = ("--agent", "codex")
    codex.work(session_number(1))

    assert world.cli("show", "1")["agent"]["name"] == "codex"


def test_an_agent_that_nobody_knows_is_answered_by_silence(world: World) -> None:
    client = world.client()

    for options in (["--agent=nobody"], ["--agent"], ["--agent=codex", "x"]):
        heard = client.raw("AfterTool", json.dumps({"session_id": "x"}), *options)
        assert (heard.status, heard.out, heard.err) == (0, "", "")


def test_a_hook_of_claude_code_that_copilot_runs_knows_whom_it_talks_to(
    world: World,
) -> None:
    """It reads the hooks of a repository's settings: the transcript tells who called."""
    copilot = CopilotPlayer(world)
    copilot.hook("SessionStart", session_number(1), source="startup")
    copilot.write(session_number(1))
    copilot.hook("Stop", session_number(1))
    copilot.leave(session_number(1), "complete")

    told = ClaudePlayer(world).go_on(session_number(2))

    record = world.cli("show", "1")
    assert record["agent"]["name"] == "copilot"
    assert [c["exit"] for c in record["content"]["commands"]] == [1]
    assert all(words in told for words in (GOAL, COMMAND, PRINTED, SAID))
