"""However the events of a session are split up, its state comes out the same."""

import json
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.domain.event import Event
from holdfast.domain.session import Inherited, SessionState
from holdfast.session.fold import LIMITS, begin, fold
from holdfast.session.state_codec import decode, encode_head, encode_turn
from holdfast.session.turns import StateLimits
from tests.event_strategies import TIGHT, noise, origins, placed_events, sessions

START = begin("s", "claude-code", [Inherited("pending", "write the docs", "agent")])
SESSIONS = sessions() | sessions(min_steps=40) | noise()
_LIMITS = pytest.mark.parametrize(
    "limits",
    [pytest.param(LIMITS, id="usual limits"), pytest.param(TIGHT, id="tight limits")],
)


def kept(state: SessionState) -> SessionState:
    """Return a state as a store gives it back."""
    head = json.dumps(encode_head(state))
    turns = [json.dumps(encode_turn(turn)) for turn in state.turns]
    return decode(json.loads(head), map(json.loads, turns))


def in_pieces(told: list[Event], cuts: list[int], limits: StateLimits) -> SessionState:
    state = START
    places = [0, *sorted(cut % (len(told) + 1) for cut in cuts), len(told)]
    for first, end in pairwise(places):
        state = kept(fold(state, told[first:end], limits))
    return state


@_LIMITS
@given(told=SESSIONS, cuts=st.lists(st.integers(0, 99), max_size=6))
@settings(max_examples=150, deadline=None)
def test_folding_in_pieces_equals_folding_at_once(
    told: list[Event], cuts: list[int], limits: StateLimits
) -> None:
    """Each hook continues a kept state: it may know no less than one that starts over."""
    at_once = fold(START, told, limits)

    assert in_pieces(told, cuts, limits) == at_once


@_LIMITS
@given(told=SESSIONS)
@settings(max_examples=50, deadline=None)
def test_folding_one_by_one_equals_folding_at_once(
    told: list[Event], limits: StateLimits
) -> None:
    """The hardest split of all: a hook after every event."""
    assert in_pieces(told, list(range(len(told))), limits) == fold(START, told, limits)


@given(
    main=st.lists(placed_events(origins(agents=("",)))),
    helpers=st.lists(placed_events(origins(agents=("a1", "a2", "a3")))),
    seed=st.randoms(use_true_random=False),
)
@settings(max_examples=100, deadline=None)
def test_when_a_sub_agent_is_read_makes_no_difference(
    main: list[Event], helpers: list[Event], seed: Random
) -> None:
    """Its file is read after the main one: in one pass all of it, in two half by half."""
    sources = [iter(main)] * len(main) + [iter(helpers)] * len(helpers)
    seed.shuffle(sources)
    mixed = [next(source) for source in sources]

    assert fold(START, mixed) == fold(START, [*main, *helpers])


@given(told=sessions(), more=sessions())
@settings(max_examples=50, deadline=None)
def test_turns_before_the_last_stay_the_same_objects(
    told: list[Event], more: list[Event]
) -> None:
    """A store writes only what changed; equal but new objects would all be written."""
    before = fold(START, told)

    after = fold(before, more)

    answered_late = {
        old.uuid
        for old, new in zip(before.turns, after.turns, strict=False)
        if old.calls != new.calls
    }
    for old, new in zip(before.turns[:-1], after.turns, strict=False):
        assert new is old or old.uuid in answered_late


def test_no_events_leave_the_very_same_state() -> None:
    """Most hooks find nothing new."""
    state = fold(START, [])

    assert state is START
