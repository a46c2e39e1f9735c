"""What an agent said last says where the work stands."""

from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.facts.content import content_of
from tests.sessions import asks, runs, says, session

_LONG = "`rotate()` is written and the middleware calls it at each request."


def test_what_closes_a_turn_is_told_before_what_says_more() -> None:
    """Without "Committed and pushed." the work reads as undone."""
    state = session(
        asks("add tokens"),
        says(_LONG),
        runs("git push"),
        says("Committed and pushed."),
    )

    assert content_of(state).last_words == f"Committed and pushed.\n{_LONG}"


def test_what_closes_the_last_turn_is_not_said_before_it_was_asked() -> None:
    """Only what it stands before is."""
    state = session(
        asks("add tokens"),
        says(_LONG),
        asks("push it"),
        runs("git push"),
        says("Done."),
    )
    content = content_of(state)

    told = brief(
        subject_of_session(state, content), budget=1000, now_ms=state.ended_at, fit=fit
    ).text

    assert f"Last said: Done.\n  Said before this was asked: {_LONG}" in told
    assert "said last" not in content.summary


def test_an_announcement_closes_nothing() -> None:
    """The agent was about to do something when the session ended."""
    state = session(asks("add tokens"), says(_LONG), says("Now let me run the tests."))

    assert content_of(state).last_words == _LONG


def test_few_words_on_the_way_are_not_where_it_stands() -> None:
    """Words such as "the file is cut off" tells nobody what came of the work."""
    state = session(
        asks("add tokens"),
        says(_LONG),
        asks("compare the two directories"),
        says("I see that it is cut off."),
        runs("ls"),
    )

    assert content_of(state).said_before == _LONG
