"""A request that says nothing alone is told with what it is part of."""

import pytest

from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.domain.session import SessionState
from holdfast.facts.content import content_of
from tests.sessions import Step, asks, says, session

_WHOLE = "add an export of all orders as a file that Excel opens"
_LOG = "\n".join(f"  at frame_{n} (server.js:{n}:7)" for n in range(30))


def _told(state: SessionState, budget: int = 1000) -> str:
    subject = subject_of_session(state, content_of(state))
    return brief(subject, budget=budget, now_ms=state.ended_at, fit=fit).text


@pytest.mark.parametrize(
    "last",
    [
        pytest.param(asks("/review this branch", "command"), id="a command"),
        pytest.param(asks(_LOG), id="a paste"),
        pytest.param(asks("commit and push"), id="a few words"),
    ],
)
def test_it_is_told_with_the_last_request_that_stands_by_itself(last: Step) -> None:
    """Nobody knows what "commit and push" is about."""
    state = session(asks(_WHOLE), says("Written."), asks("go on"), says("Ok."), last)

    assert f'part of: ▸ "{_WHOLE}")' in _told(state)


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param((asks("how do I open such a file in Excel?"),), id="stands"),
        pytest.param((says("Shall I write a test?"), asks("yes")), id="an answer"),
        pytest.param((says("Which?\n1. csv\n2. xlsx"), asks("2")), id="an option"),
    ],
)
def test_what_can_be_understood_is_told_alone(steps: tuple[Step, ...]) -> None:
    """Room goes to what is needed."""
    assert "part of" not in _told(session(asks(_WHOLE), says("Written."), *steps))


def test_nothing_is_made_up_where_no_request_stands_by_itself() -> None:
    """The first word of a session is part of nothing."""
    assert "part of" not in _told(session(asks("go on"), says("Ok."), asks("next")))


def test_a_short_brief_does_not_tell_the_request_before_twice() -> None:
    """It stands right below."""
    state = session(asks(_WHOLE), says("Written."), asks("commit and push"))

    assert _told(state, 300).count("an export of all orders") == 1
