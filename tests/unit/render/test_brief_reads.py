"""A brief as the person reads it who gets it on a Monday morning."""

import pytest

from holdfast.analysis.content import content_of
from holdfast.domain.event import Todo
from holdfast.domain.session import SessionState
from holdfast.policy.fit import fit
from holdfast.render.brief import brief, subject_of_session
from holdfast.render.phrases import is_idle_code
from holdfast.render.shorten import shortened
from tests.sessions import asks, says, session, uses


def _told(state: SessionState) -> str:
    subject = subject_of_session(state, content_of(state))
    return brief(subject, budget=1000, now_ms=state.ended_at, fit=fit).text


def test_a_task_is_told_with_what_it_takes_where_there_is_room() -> None:
    """A subject of four words says what to do only to who wrote it."""
    todos = (Todo("1", "update the display", "pending"),)
    takes = "show intent and outcome in view.py"
    task = uses("TaskCreate", "update the display", detail=takes, todos=todos)
    state = session(asks("add summaries"), task)

    assert "- update the display: show intent and outcome in view.py" in _told(state)


def test_what_a_request_came_to_is_not_told_again_on_the_way() -> None:
    """The same sentence twice is the same sentence."""
    done = "Removed the two lines about the main branch from the report."
    state = session(
        asks("begin with the report, please, and show me what it has to say"),
        says("The report has two lines about the main branch."),
        asks("take the lines about the main branch out of the report again"),
        says(done),
        asks("and what does it test?"),
        says("It tests the branch and the files that changed since the last run."),
    )

    assert _told(state).count(done) == 1


@pytest.mark.parametrize(
    "line",
    [
        "require.NoError(t, err)",
        'slog.String("error", err.Error()))',
        "- std-error-handling",
        "return nil, err",
    ],
)
def test_code_that_only_passes_an_error_on_is_not_quoted(line: str) -> None:
    """It is the same in every file."""
    assert is_idle_code(line)
    assert not is_idle_code(f'{line} // "failed to open the store"')


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(
            "Look at the list of sessions: 1. it is slow and long",
            "Look at the list of sessions […]",
            id="a list's number",
        ),
        pytest.param(
            "Other failures are wrapped (e.g. those of the hooks)",
            "Other failures are wrapped (e.g. those…",
            id="an abbreviation",
        ),
        pytest.param(
            "There is a conflict of names - which we keep seeing",
            "There is a conflict of names […]",
            id="a dash",
        ),
    ],
)
def test_a_text_is_not_cut_behind_what_ends_nothing(text: str, told: str) -> None:
    """ "… sessions: 1. […]" looks as if something had been lost in mid-word."""
    assert shortened(text, 40) == told
