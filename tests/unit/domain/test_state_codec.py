"""A state comes back from JSON as it was, and its digest notices what is new."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from holdfast.domain.event import (
    AgentSaid,
    AgentSpent,
    ContextAdded,
    Event,
    Interrupted,
    Located,
    Origin,
    Passed,
    Planned,
    Recapped,
    RequestFailed,
    Titled,
    Todo,
    ToolReturned,
    Unrecognised,
    UserSaid,
)
from holdfast.domain.session import Call, Inherited, SessionState, Turn
from holdfast.kernel.errors import SessionDamaged
from holdfast.session.fold import begin, fold
from holdfast.session.state_codec import (
    STATE_FORMAT,
    decode,
    encode_head,
    encode_turn,
    state_digest,
)
from tests.conversation import Conversation
from tests.event_strategies import sessions, states


def through_json(state: SessionState) -> SessionState:
    head = json.loads(json.dumps(encode_head(state)))
    turns = [json.loads(json.dumps(encode_turn(turn))) for turn in state.turns]
    return decode(head, turns)


@given(state=states)
@settings(max_examples=150, deadline=None)
def test_any_state_comes_back_as_it_was(state: SessionState) -> None:
    """The next hook continues from what a store gave back."""
    assert through_json(state) == state


def test_what_is_usual_takes_no_room() -> None:
    """The head and the last turn are written at every hook."""
    call = Call("c1", "Read", "a.py", "u1", 5, "read", outcome="ok")
    turn = Turn(uuid="u0", prompt="look", via="typed", calls=(call,))

    assert encode_turn(Turn()) == {}
    assert encode_head(SessionState()) == {"format": STATE_FORMAT}
    assert encode_turn(turn) == {
        "uuid": "u0",
        "prompt": "look",
        "via": "typed",
        "calls": [["c1", "Read", "a.py", "u1", 5, "read", "", "ok"]],
        "form": 2,
    }


def test_json_is_made_of_plain_values_only() -> None:
    """A store may use any encoder, and not each knows a named tuple."""
    call = Call(
        "c", "TaskCreate", "x", "u", 1, "todo", todos=(Todo("1", "x", "pending"),)
    )

    kept = encode_turn(Turn(calls=(call,)))

    assert type(kept["calls"][0]) is list
    assert kept["calls"][0][-1] == [["1", "x", "pending"]]


@pytest.mark.parametrize(
    ("head", "turns"),
    [
        pytest.param({}, [], id="no format"),
        pytest.param({"format": STATE_FORMAT + 1}, [], id="a newer format"),
        pytest.param(
            {"format": STATE_FORMAT, "agents": [["a"]]}, [], id="half an agent"
        ),
        pytest.param({"format": STATE_FORMAT, "counts": 3}, [], id="counts of no kind"),
        pytest.param({"format": STATE_FORMAT}, [{"calls": [["c"]]}], id="half a call"),
        pytest.param({"format": STATE_FORMAT}, [[]], id="a turn that is none"),
    ],
)
def test_what_cannot_be_read_is_refused(head: Any, turns: Any) -> None:
    """It is made again from the transcript, and never guessed at."""
    with pytest.raises(SessionDamaged) as refused:
        decode(head, turns)

    assert "transcript" in refused.value.hint


def test_fields_that_a_newer_program_added_are_left_out() -> None:
    """Within one format, fields may be added."""
    assert decode({"format": STATE_FORMAT, "mood": "good"}, [{"mood": "bad"}]) == (
        SessionState(turns=(Turn(),))
    )


def a_session() -> tuple[Conversation, SessionState]:
    talk = Conversation()
    talk.asks("test it")
    talk.starts("Bash", "pytest", call="c1")
    talk.calls("Grep", "TODO", agent="a1")
    talk.says("running")
    inherited = [Inherited("pending", "docs", "agent")]
    return talk, fold(begin("s", "claude-code", inherited), talk.events)


NOTHING_NEW = [
    pytest.param(Passed("attachment", Origin("u-new", None, 9)), id="an attachment"),
    pytest.param(Passed("mode"), id="bookkeeping"),
    pytest.param(Unrecognised("new-thing"), id="a line nobody can read"),
    pytest.param(Located("s", "/elsewhere", "dev", "2.2", "cli"), id="another place"),
    pytest.param(Titled("A better title"), id="a title"),
    pytest.param(ContextAdded(Origin("u-new", None, 9), "hook"), id="a hook's words"),
    pytest.param(AgentSpent(Origin("u-new", None, 9), "m", "x", 9), id="tokens spent"),
    pytest.param(
        UserSaid(Origin("u-new", None, 9), "/exit", 5, "steering"),
        id="leaving the client",
    ),
    pytest.param(ToolReturned(Origin("u-new", None, 9), "nobody", "ok"), id="no call"),
]
SOMETHING_NEW = [
    pytest.param(UserSaid(Origin("u-new", None, 9), "go on", 5), id="a prompt"),
    pytest.param(ToolReturned(Origin("u-new", None, 9), "c1", "ok"), id="a result"),
    pytest.param(Interrupted(Origin("u-new", None, 9)), id="an interruption"),
    pytest.param(Planned(Origin("u-new", None, 9), "/plans/a.md"), id="a plan"),
    pytest.param(Recapped(Origin("u-new", None, 9), "Done."), id="what it came to"),
    pytest.param(
        RequestFailed(Origin("u-new", None, 9), "busy"), id="a failed request"
    ),
    pytest.param(AgentSaid(Origin("u-new", None, 9), "m", "x", 1), id="an answer"),
    pytest.param(
        ToolReturned(Origin("u-new", None, 9, "a9"), "c9", "ok"), id="a sub-agent"
    ),
]


@pytest.mark.parametrize("event", NOTHING_NEW)
def test_lines_that_carry_nothing_do_not_change_the_digest(event: Event) -> None:
    """Ending a session right after a save must not make a second checkpoint."""
    _, state = a_session()

    assert state_digest(fold(state, [event])) == state_digest(state)


@pytest.mark.parametrize("event", SOMETHING_NEW)
def test_what_happens_changes_the_digest(event: Event) -> None:
    """ "Nothing new" must never be said of work."""
    _, state = a_session()

    assert state_digest(fold(state, [event])) != state_digest(state)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"inherited": ()}, id="what was inherited"),
        pytest.param({"agents": ()}, id="what sub-agents did"),
        pytest.param({"abandoned": ((0, 1),)}, id="what was rewound"),
        pytest.param({"turns": ()}, id="what was done"),
    ],
)
def test_the_digest_is_of_all_that_counts(change: dict[str, Any]) -> None:
    """Each part of what a checkpoint is made of."""
    _, state = a_session()

    assert state_digest(replace(state, **change)) != state_digest(state)


def test_a_call_that_pushed_an_old_one_out_changes_the_digest() -> None:
    """Even where there is no room to show it."""
    turn = Turn(uuid="u1", via="typed", messages=1, dropped=3)
    before, after = SessionState(turns=(turn,)), replace(turn, dropped=4)

    assert state_digest(SessionState(turns=(after,))) != state_digest(before)


@given(told=sessions(min_steps=10))
@settings(max_examples=50, deadline=None)
def test_the_digest_survives_keeping(told: list[Event]) -> None:
    """It is compared with one that another process made."""
    state = fold(begin("s", "claude-code"), told)

    assert state_digest(through_json(state)) == state_digest(state)


def test_a_digest_stays_the_same_from_release_to_release() -> None:
    """A changed one would make a new checkpoint of every session that is saved again."""
    _, state = a_session()

    assert state_digest(state) == "5e9351bee24c872e942f8b21"
    assert state_digest(SessionState()) == "b8e1dda3ac0aa3820ad2990b"
