"""Turns that are read when they are looked at."""

import pytest

from holdfast.domain.session import Turn
from holdfast.kernel.lazy_values import replace
from holdfast.session.fold import begin, fold
from holdfast.session.lazy_turns import LateTurns
from tests.conversation import Conversation

_TURNS = tuple(Turn(prompt=word) for word in ("one", "two", "three"))


def _late() -> tuple[LateTurns, list[int]]:
    read: list[int] = []

    def turn(place: int) -> Turn:
        read.append(place)
        return _TURNS[place]

    return LateTurns(3, turn), read


def test_only_the_turns_that_are_looked_at_are_read() -> None:
    """A hook costs what is new, not what is old."""
    turns, read = _late()

    assert len(turns) == 3
    assert (turns[-1], turns[2]) == (_TURNS[2], _TURNS[2])
    assert read == [2]
    assert list(turns.seen()) == [(2, _TURNS[2])]


def test_late_turns_are_what_their_tuple_is() -> None:
    """Whoever needs all of them does not notice."""
    turns, _ = _late()

    assert turns == _TURNS
    assert _TURNS == turns  # noqa: SIM300  # asked the other way round
    assert turns == _late()[0]
    assert turns != _TURNS[:2]
    assert turns != list(_TURNS)
    assert (turns[:2], tuple(turns), turns.index(_TURNS[1])) == (_TURNS[:2], _TURNS, 1)
    with pytest.raises(IndexError):
        turns[3]


def test_a_copy_changes_alone() -> None:
    """States share their turns; the one that goes on must not change the other."""
    turns, read = _late()
    copy = turns.copy()

    copy.append(Turn(prompt="four"))
    copy[0] = Turn(prompt="other")

    assert [turn.prompt for turn in copy] == ["other", "two", "three", "four"]
    assert turns == _TURNS
    assert 0 not in read[:2]


def test_continuing_reads_only_what_the_new_lines_touch() -> None:
    """Continued late or at once, the state is the same."""
    talk = Conversation()
    for number in range(6):
        talk.asks(f"step {number}")
        talk.calls("Read", f"/p/{number}.py")
    before = fold(begin("s", "claude-code"), talk.events)
    known = len(talk.events)
    talk.says("done")
    talk.asks("one more")
    read: list[int] = []

    def turn(place: int) -> Turn:
        read.append(place)
        return before.turns[place]

    late = replace(before, turns=LateTurns(len(before.turns), turn))
    after = fold(late, talk.events[known:])

    assert read == [5]
    assert after == fold(before, talk.events[known:])
