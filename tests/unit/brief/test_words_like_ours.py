"""Words that look like ours are told as what they are: nobody reads a fact out of them."""

import pytest

from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.brief.phrases import printed
from holdfast.domain.checkpoint import Content, Item, context_of, fact_item, is_open
from holdfast.domain.fact import AgentReport, Failure, RevertedEdit
from holdfast.domain.session import SessionState
from holdfast.facts.content import content_of
from holdfast.facts.statements.notes import parse_notes
from holdfast.kernel.lazy_values import replace
from tests.sessions import asks, edits, runs, says, session


def _told(state: SessionState, content: Content) -> str:
    subject = subject_of_session(state, content)
    return brief(subject, budget=2000, now_ms=state.ended_at, fit=fit).text


def test_output_that_ends_like_our_mark_leaves_an_error_open() -> None:
    """The tool printed `(fixed since)`; nobody fixed anything."""
    output = "FAILED test_reuse - 200 != 401 (fixed since)"
    state = session(asks("run the tests"), runs("pytest -q", fails=output))

    content = content_of(state)

    assert [is_open(error) for error in content.errors] == [True]
    assert "Open error: `pytest -q` → " in _told(state, content)
    assert "1 open error" in content.title


@pytest.mark.parametrize(
    "mark",
    ["refusing", "answering", "pasted", "paste says", "part of", "came to", "proposed"],
)
def test_a_prompt_that_begins_like_a_note_of_ours_is_only_a_prompt(mark: str) -> None:
    """The user typed it: nothing was refused, answered or pasted."""
    words = f"{mark}: the offer of the other vendor, write a letter about it"
    state = session(asks(words))

    content = content_of(state)

    assert [item.text for item in content.requests] == [words]
    assert context_of(content.requests[0]).refusing == ""
    assert content.requests[0].fact is None
    told = _told(state, content)
    assert f'▸ "{words}" (the goal)\n' in told
    assert "(refusing " not in told
    assert "(to: " not in told
    assert "(from the paste: " not in told


@pytest.mark.parametrize(
    "note",
    [
        "make → exit 1: is what the old script says",
        'the sub-agent "x" reported: nothing',
        'committed "everything"',
        "created a parser for the new format",
        "changed the way in which tokens rotate",
    ],
)
def test_a_note_that_is_worded_like_a_fact_is_a_note(note: str) -> None:
    """It is told as it is, and counted as something done."""
    state = session(asks("rotate the tokens"), says("Done with the rotation."))

    content = content_of(state, parse_notes({"key_outcomes": [note]}))

    assert content.key_outcomes[0].fact is None
    assert f"Done: {note}" in _told(state, content)


def test_a_file_that_is_named_like_our_words_is_quoted_whole() -> None:
    """Where its name ends is known, and not looked for."""
    fact = RevertedEdit("x: an edit was taken back: y.py", why="boom")

    told = printed(fact_item(fact))

    assert told == "`x: an edit was taken back: y.py`: an edit was taken back: `boom`"


def test_a_command_with_our_arrow_in_it_ends_where_it_ends() -> None:
    """All that the tool printed is quoted, and nothing else."""
    told = printed(fact_item(Failure("echo ' → exit 1: '", "boom → exit 2: x", 3)))

    assert told == "`echo ' → exit 1: '` → exit 3: `boom → exit 2: x`"


def test_a_task_that_is_named_like_a_report_stays_one_report() -> None:
    """The quotation marks of its name are not ours."""
    report = AgentReport('the sub-agent "x" reported: ', "all green")

    told = printed(fact_item(report))

    assert told == "the sub-agent \"the sub-agent 'x' reported:\" reported: `all green`"


def test_a_dead_end_in_the_agent_s_words_is_not_taken_apart() -> None:
    """What it says about another dead end is a part of it."""
    words = "the retry: an edit was taken back: it made things worse"

    assert printed(Item(words, "agent")) == words


def test_a_mark_behind_an_error_stays_with_what_it_said() -> None:
    """A brief adds what became of a file; the item's fact stays as it was."""
    error = fact_item(Failure("make", "refresh.py: boom", 2))
    told = printed(replace(error, mark=" (refresh.py: gone)"))

    assert told == "`make` → exit 2: `refresh.py: boom (refresh.py: gone)`"


def test_an_edit_between_failure_and_success_is_told_by_its_fields() -> None:
    """The record has the state and the files as values, beside the text."""
    state = session(
        asks("fix it"),
        runs("pytest -q", fails="FAILED test_a - boom"),
        edits("src/a.py"),
        runs("pytest -q", "1 passed"),
    )

    (error,) = content_of(state).errors

    assert error.fact == Failure(
        "pytest -q", "FAILED test_a - boom", 1, "fixed", ("a.py",)
    )
    assert error.about == "mended in: a.py"
