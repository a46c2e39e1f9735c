"""What a new session is told, row by row of the product's table, in the real client.

Each walk looks at what reached the model, and counts it.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from holdfast.domain.text import tokens
from tests.e2e.client.day import INSTRUCTION, REQUEST, TODO, told, work
from tests.e2e.client.driver import Turn
from tests.e2e.client.stub import call, say
from tests.e2e.client.world import World

_SHORT = "# Unfinished work here: CHECKPOINT-"
_CARD = "An earlier session here was saved: CHECKPOINT-"
_BRIEF = "# Resuming CHECKPOINT-"
_JUDGE = "otherwise ignore it and never mention it."
_HAIKU = "Write a haiku about the autumn rain in Kyoto, nothing else."


def _git(world: World, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    environ = {"PATH": os.defpath, "HOME": str(world.home)}
    subprocess.run(
        ["git", *who, *words],
        cwd=world.project,
        env=environ,
        check=True,
        capture_output=True,
    )


def _left(world: World, *, is_committed: bool = False) -> None:
    """Work in the client that was left, finished or not."""
    with world.talk() as client:
        if is_committed:
            parser = str(world.project / "parser.py")
            world.stub.will(
                call("Read", file_path=parser),
                call("Edit", file_path=parser, old_string="1", new_string="2"),
                say("It returns two now."),
            )
            client.ask("Let parse() return two.")
            _git(world, "commit", "-qam", "two")
        else:
            work(world, client)
        client.leave()
    world.wait_for_saves()


def _first(world: World, words: str = _HAIKU, place: Path | None = None) -> Turn:
    """Begin a session with these words, and leave it."""
    there = world if place is None else _moved(world, place)
    with there.talk() as client:
        turn = client.ask(words)
        client.leave()
    return turn


def _moved(world: World, place: Path) -> World:
    return World(
        client=world.client,
        stub=world.stub,
        home=world.home,
        project=place,
        data=world.data,
    )


def _given(world: World, begins: str) -> str:
    """What a hook gave to the model of the last request, from these words to its end."""
    _, found, rest = told(world).partition(begins)
    assert found, told(world)[-3000:]
    # A brief ends with its receipt; what the client tells follows it.
    end = re.search(r"^Left out: .*$", rest, re.MULTILINE)
    return found + (rest[: end.end()] if end else rest)


def test_unfinished_work_is_told_in_short(world: World) -> None:
    """Goal, state and next step are there whatever the user says, in 400 tokens."""
    _left(world)

    turn = _first(world)

    short = _given(world, _SHORT)
    assert tokens(short) <= 400
    for held in (REQUEST, "parser.py", "test_nested", TODO, _JUDGE):
        assert held in short
    assert _BRIEF not in told(world)
    [line] = turn.shown
    assert line.endswith('say "continue" · full chat: holdfast open 1')


def test_finished_work_is_told_by_a_card(world: World) -> None:
    """Two lines, and no word of it."""
    _left(world, is_committed=True)

    _first(world)

    card = "\n".join(_given(world, _CARD).splitlines()[:2])
    assert tokens(card) <= 120
    assert "Its work is finished." in card
    assert card.endswith(_JUDGE)
    assert _SHORT not in told(world)


def test_where_nothing_was_left_nothing_is_told(world: World) -> None:
    turn = _first(world)

    assert turn.shown == ()
    assert "CHECKPOINT-" not in told(world)


@pytest.mark.parametrize(
    ("then", "note"),
    [
        pytest.param([], "It is on branch `feat`: git switch feat.", id="differs"),
        pytest.param(
            [["merge", "-q", "feat"]], "Its branch `feat` was merged.", id="merged"
        ),
        pytest.param(
            [["branch", "-q", "-D", "feat"]], "Its branch `feat` is gone.", id="gone"
        ),
    ],
)
def test_work_of_another_branch_is_a_card(
    world: World, then: list[list[str]], note: str
) -> None:
    """A brief would speak of files that are not there."""
    _git(world, "switch", "-q", "-c", "feat")
    _left(world)
    _git(world, "commit", "-qam", "on the branch")
    _git(world, "switch", "-q", "main")
    for words in then:
        _git(world, *words)

    _first(world)

    assert note in _given(world, _CARD)
    assert INSTRUCTION not in told(world)


def test_a_second_window_is_told_that_there_is_a_first(world: World) -> None:
    """Two windows must not both go on with one piece of work."""
    with world.talk() as first:
        work(world, first)
        world.holdfast("save", "--session", first.turns[0].session_id)
        turn = _first(world, "continue")
        first.leave()

    assert "It is open in another window." in _given(world, _CARD)
    assert _BRIEF not in told(world)
    assert " · open in another window · " in turn.shown[0]


def test_another_worktree_is_told_the_place(world: World) -> None:
    """Worktrees do not get each other's brief, unless it is named."""
    other = world.project.parent / "other"
    _git(world, "worktree", "add", "-q", str(other))
    _left(world)

    _first(world, place=other)
    card = _given(world, _CARD)
    _first(world, "continue 1", place=other)

    assert f"It was in {world.project}." in card
    assert f"Of another worktree: `{world.project}`" in _given(world, _BRIEF)


def test_a_question_between_two_sessions_passes_the_work_on(world: World) -> None:
    """It was told in short, did nothing of its own, and stands in nobody's way."""
    _left(world)
    _first(world, "What is the difference between TCP and UDP?")
    world.wait_for_saves()

    _first(world)

    assert tokens(_given(world, f"{_SHORT}00001")) <= 400


@pytest.mark.parametrize("words", ["continue", "ทำต่อเลยครับ", "00001", "resume 1"])
def test_explicit_words_bring_the_brief_at_a_later_prompt(
    world: World, words: str
) -> None:
    """Whoever talks about something else first may still go on."""
    _left(world)

    with world.talk() as client:
        client.ask(_HAIKU)
        quiet = told(world)
        turn = client.ask(words)
        client.leave()

    assert _BRIEF not in quiet
    assert INSTRUCTION in _given(world, f"{_BRIEF}00001")
    assert turn.shown[-1].startswith("↻ Resumed from checkpoint: ")


def test_a_name_brings_exactly_what_it_names_and_a_wrong_one_is_said(
    world: World,
) -> None:
    _left(world)
    world.holdfast("save", "--session", world.checkpoints[-1]["session_id"],
                   "--name", "nested-quotes", "--title", "Named")  # fmt: skip

    with world.talk() as client:
        client.ask("new task")
        wrong = client.ask("continue nested-quote-s")
        right = client.ask("continue nested-quotes")
        client.leave()

    assert wrong.shown[-1].startswith("holdfast: ")
    assert right.shown[-1].startswith('↻ Resumed from checkpoint: "Named"')
    assert f"{_BRIEF}00002" in told(world)


def test_the_model_fetches_the_rest_and_nobody_is_asked(world: World) -> None:
    """Reading is allowed by install; the session then goes on with that work."""
    _left(world)
    world.stub.will(call("Bash", command="holdfast resume 1"), say("I see."))

    _first(world, "is it green yet?")

    assert _BRIEF in world.stub.last.tool_results[-1]
    first, *_, newest = world.checkpoints
    assert newest["relations"]["parent_session"] == first["session_id"]


def test_always_gives_the_brief_at_once(world: World) -> None:
    _left(world)

    with world.talk(HOLDFAST_AUTO_RESUME_ON_START="always") as client:
        client.ask(_HAIKU)
        client.leave()

    assert tokens(_given(world, f"{_BRIEF}00001")) <= 1000


def test_a_crash_is_said_with_what_is_not_committed(world: World) -> None:
    """`kill -9` in the middle: the brief at once, and a word of warning."""
    with world.talk() as client:
        work(world, client)
        client.kill()

    turn = _first(world)

    assert "The session ended without a goodbye" in told(world).partition(_BRIEF)[2]
    assert " · ended without a goodbye · not committed: parser.py" in turn.shown[0]
