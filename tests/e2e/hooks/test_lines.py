"""What a clear says is seen: on the fresh screen, or with the first prompt, never in both
where the first is sure."""

import pytest

from tests.e2e.hooks.conftest import Client, Heard, World, write_session

ASKED = "add refresh tokens to the login page"
NEWER = {"AI_AGENT": "claude-code_2-1-325_harness"}
LOSES = {**NEWER, "CLAUDE_CODE_NO_FLICKER": "0"}
ASKS_FIRST = {**LOSES, "HOLDFAST_AUTO_CHECKPOINT_ON_CLEAR": "prompt"}
SAVED = '✓ Checkpoint saved: "'


def cleared(world: World, sessions: list[str], **environ: str) -> tuple[Client, Heard]:
    """A session with open work was cleared: the client, and what the start said."""
    old, new = sessions[:2]
    client = world.window(environ)
    client.start(old)
    write_session(world, old, ASKED)
    client.end(old, "clear")
    return client, client.start(new, "clear")


def test_a_line_that_may_not_be_drawn_is_said_once_more(
    world: World, sessions: list[str]
) -> None:
    """D1: 2.1.325 draws nothing of a start after a clear while it draws line after line."""
    client, start = cleared(world, sessions, **LOSES)

    first = client.prompt(sessions[1], "write a haiku about kelp")
    second = client.prompt(sessions[1], "and another one")

    assert start.line.startswith(SAVED)
    assert first.line == start.line
    assert "resumed" in first.line
    assert (first.context, second.out) == ("", "")


@pytest.mark.parametrize(
    "environ",
    [
        pytest.param(NEWER, id="nothing says line after line"),
        pytest.param(
            {**LOSES, "AI_AGENT": "claude-code_2-1-197_harness"}, id="draws it always"
        ),
        pytest.param({**LOSES, "AI_AGENT": ""}, id="names no version"),
        pytest.param({**LOSES, "CLAUDE_CODE_NO_FLICKER": "1"}, id="whole screens"),
        pytest.param(
            {**LOSES, "CLAUDE_CODE_ENTRYPOINT": "claude-vscode"}, id="an editor"
        ),
        pytest.param(
            {
                **LOSES,
                "CLAUDE_CODE_ENTRYPOINT": "sdk-cli",
                "HOLDFAST_HEADLESS": "full",
            },
            id="a program",
        ),
    ],
)
def test_a_line_that_was_surely_seen_is_not_said_again(
    world: World, sessions: list[str], environ: dict[str, str]
) -> None:
    """At most one line."""
    client, start = cleared(world, sessions, **environ)

    assert start.line.startswith(SAVED)
    assert client.prompt(sessions[1], "write a haiku about kelp").out == ""


def test_what_a_brief_left_out_is_said_again_too(
    world: World, sessions: list[str]
) -> None:
    """Whoever sees only the second line misses nothing of the first."""
    rules = [f"Never call function_{n} in a handler, please." for n in range(40)]
    old, new = sessions[:2]
    client = world.window({**LOSES, "HOLDFAST_BRIEF_BUDGET_TOKENS": "200"})
    client.start(old)
    write_session(world, old, ASKED, *rules)
    client.end(old, "clear")

    start = client.start(new, "clear")

    assert " · left out: " in start.line
    assert client.prompt(new, "continue").line == start.line


def test_the_mark_of_a_line_keeps_no_word_of_the_work(
    world: World, sessions: list[str]
) -> None:
    """The line is made from the record, so nothing is left of what is forgotten."""
    client, _ = cleared(world, sessions, **LOSES)

    mark = (world.home / "pending" / sessions[1]).read_text()
    world.cli("forget", "1")
    heard = client.prompt(sessions[1], "write a haiku about kelp")

    assert "refresh" not in mark
    assert heard.out == ""


def cleared_on_another_branch(
    world: World, sessions: list[str]
) -> tuple[Client, Heard]:
    """The work of another branch is told with a card."""
    world.repository()
    world.git("switch", "-q", "-c", "other")
    old, new = sessions[:2]
    client = world.window(LOSES)
    client.start(old)
    write_session(world, old, ASKED)
    client.end(old, "clear")
    world.git("switch", "-q", "main")
    return client, client.start(new, "clear")


def test_a_card_that_was_not_taken_up_is_not_offered_with_the_line(
    world: World, sessions: list[str]
) -> None:
    """`say "continue"` would be too late when the first prompt has come."""
    client, start = cleared_on_another_branch(world, sessions)

    heard = client.prompt(sessions[1], "write a haiku about kelp")

    assert 'say "continue"' in start.line
    assert heard.line.startswith(SAVED)
    assert "say" not in heard.line.rpartition('"')[2]


def test_a_card_that_is_taken_up_says_that_it_is_resumed(
    world: World, sessions: list[str]
) -> None:
    """One line, and it says both."""
    client, _ = cleared_on_another_branch(world, sessions)

    heard = client.prompt(sessions[1], "continue")

    assert "# Resuming CHECKPOINT-00001" in heard.context
    assert heard.line.startswith("↻ Resumed from checkpoint: ")


def test_a_question_that_may_not_be_drawn_is_put_once_more(
    world: World, sessions: list[str]
) -> None:
    """Another prompt is no answer to a question that nobody saw."""
    client, start = cleared(world, sessions, **ASKS_FIRST)

    asked = client.prompt(sessions[1], "write a haiku about kelp")
    heard = client.prompt(sessions[1], "resume")

    assert "answer resume, keep or discard" in start.line
    assert asked.line == start.line
    assert "# Resuming CHECKPOINT-00001" in heard.context


@pytest.mark.parametrize("answer", ["keep", "discard", "resume"])
def test_a_question_that_was_answered_is_not_put_again(
    world: World, sessions: list[str], answer: str
) -> None:
    """Whoever answers has seen it."""
    client, _ = cleared(world, sessions, **ASKS_FIRST)

    heard = client.prompt(sessions[1], answer)

    assert "✓" not in heard.line
    assert client.prompt(sessions[1], "write a haiku about kelp").out == ""


def test_a_late_save_is_told_as_it_stands(world: World, sessions: list[str]) -> None:
    """What came too late for the start is not offered to whoever went on without it."""
    world.repository()
    world.git("switch", "-q", "-c", "other")
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    with world.nobody_saves():
        client.end(old, "clear")
        world.git("switch", "-q", "main")
        client.start(new, "clear")

    heard = client.prompt(new, "write a haiku about kelp")

    assert heard.line.startswith(SAVED)
    assert "continue" not in heard.line
