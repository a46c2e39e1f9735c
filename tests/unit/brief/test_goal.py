"""A request that says nothing alone is told beside the goal."""

from dataclasses import replace

import pytest

from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.domain.session import SessionState
from holdfast.facts.content import content_of
from holdfast.facts.statements.notes import parse_notes
from holdfast.facts.work.inheritance import inherited_from
from tests.sessions import a_checkpoint, a_draft, asks, edits, runs, says, session

_WHOLE = "add an export of all orders as a file that Excel opens"


def _told(state: SessionState, budget: int = 1000) -> str:
    subject = subject_of_session(state, content_of(state))
    return brief(subject, budget=budget, now_ms=state.ended_at, fit=fit).text


@pytest.mark.parametrize(
    ("last", "now"),
    [
        pytest.param("commit and push", '▸ "commit and push"', id="a chore"),
        pytest.param("/review", '▸ "/review"', id="a command"),
        pytest.param("go on", "", id="a nod"),
    ],
)
@pytest.mark.parametrize("budget", [400, 1000])
def test_the_goal_stands_where_it_stood(last: str, now: str, budget: int) -> None:
    """Nobody knows what "commit and push" is about."""
    steps = (asks(_WHOLE), says("Written."), asks("go on"), says("Ok."), asks(last))
    told = _told(session(*steps), budget)

    assert told.index(_WHOLE) < 450
    assert told.count(_WHOLE) == 1
    assert (f"\nNow: {now}\n" in told) == bool(now)
    assert '"go on"' not in told


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("Shall I write a test?", "yes", id="a yes"),
        pytest.param("Which of them?\n1. csv\n2. xlsx", "2", id="an option"),
    ],
)
def test_an_answer_is_told_with_its_question(question: str, answer: str) -> None:
    """And it does not become what the work is for."""
    steps = (asks(_WHOLE), says(f"Written. {question}"), asks(answer))
    told = _told(session(*steps))

    assert f'▸ "{_WHOLE}" (the goal)' in told
    assert f'Now: ▸ "{answer}" (to: ' in told


def test_nothing_is_made_up_where_no_request_has_content() -> None:
    """The first word of a session is part of nothing."""
    told = _told(session(asks("go on"), says("Ok."), asks("next")))

    assert "(the goal)" not in told


@pytest.mark.parametrize("budget", [400, 1000])
def test_what_an_earlier_checkpoint_was_called_is_told_to_heirs(budget: int) -> None:
    """With its number, and with what contradicts it."""
    notes = parse_notes({"title": "All tests pass", "summary": "Orders export to CSV."})
    parent = a_checkpoint(a_draft(content_of(session(asks(_WHOLE)), notes)), number=7)
    state = session(
        asks("go on"),
        runs("pytest", fails="1 failed"),
        session_id="heir",
        inherited=inherited_from(parent),
    )
    told = _told(state, budget)

    assert (
        "Noted for CHECKPOINT-00007: All tests pass"
        " (doubtful: the last run of `pytest` failed)\n" in told
    )
    assert "Orders export to CSV." in told


def test_what_was_begun_and_sent_again_is_told_once() -> None:
    """Who was too fast sends the whole of it right after."""
    begun = "the terminal shows something when it opens"
    told = _told(
        session(
            asks(_WHOLE), says("Written."), asks(begun), says("What?"),
            asks(f"{begun}\nzone: command not found"), says("Mended."),
            asks("write the page about the export"), says("It is written."),
        )
    )  # fmt: skip

    assert told.count(begun) == 1


def test_what_was_added_last_is_told_once() -> None:
    """However long it is."""
    added = "also " + ", ".join(f"column {n} of the old file" for n in range(20))
    state = session(asks(_WHOLE), says("Written."), asks(added))
    midway = replace(state.turns[-1], midway=True)
    told = _told(replace(state, turns=(*state.turns[:-1], midway)))

    assert told.count("column 3 of the old file") == 1


_TEMPLATE = (
    "Mend what the review found. Each finding may touch several files.\n\n"
    "- Look at the code first, and mend only what is still wrong there.\n\n"
)


_WHY = ", ".join(f"as the order of day {day} shows" for day in range(9))


@pytest.mark.parametrize("budget", [400, 1000])
def test_a_request_from_a_template_is_told_by_what_is_its_own(budget: int) -> None:
    """Two prompts begin with the same page of manners; what is wanted stands behind it."""
    told = _told(
        session(
            asks(f"{_TEMPLATE}In orders.py the discount is counted twice. {_WHY}"),
            edits("orders.py"), says("Mended."),
            asks(f"{_TEMPLATE}In export.py the last row is lost. {_WHY[::-1]}"),
            edits("export.py"), says("Mended, too."),
        ),
        budget,
    )  # fmt: skip

    assert "the last row is lost" in told
    assert "the discount is counted twice" in told
    assert "[…]" in told


def test_a_goal_that_was_changed_and_sent_again_is_told_once() -> None:
    """Who stopped it to say more wanted it once."""
    begun = "draw a poster of the harbour for the summer feast, ask me about it"
    told = _told(
        session(
            asks(_WHOLE), says("Written."), asks(begun), says("I"),
            asks(f"{begun}. And does the old poster stay?"), says("Which harbour?"),
        )
    )  # fmt: skip

    assert told.count(begun) == 1


def test_what_an_answer_decided_is_told_with_it_alone() -> None:
    """The question need not stand there twice, and the answer is not cut."""
    question = "Which of them, " + "as far as you know it today, " * 8 + "do you want?"
    options = "\n1. a file with commas\n2. a file that Excel opens without a question"
    state = session(asks(_WHOLE), says(f"{question}{options}"), asks("2"))

    for budget in (400, 1000):
        told = _told(state, budget)
        assert 'Now: ▸ "2" (to: ' in told
        assert told.count("2) a file that Excel opens without a question") == 1
        assert "Decided" not in told


def test_an_answer_in_the_words_of_the_question_is_told_once() -> None:
    """It is decided, and there is nothing to add to it."""
    question = "Want me to open it in the browser, or add a level?"
    told = _told(session(asks(_WHOLE), says(question), asks("open it in the browser")))

    assert f'Now: ▸ "open it in the browser" (to: {question})' in told
    assert "→" not in told


def test_a_command_that_was_shown_twice_is_told_by_its_last_run() -> None:
    """Two runs of one command that begin alike tell the same twice."""
    prompt = "ada@shop:~/work/shop/harbour-export$ make create-export"
    failed = [
        f"{prompt}\nmake: *** [Makefile:{n}: create-export] Error 1" for n in (9, 12)
    ]
    steps = [
        step for text in failed for step in (asks(text), edits("a.py"), says("Mended."))
    ]
    told = _told(session(asks(_WHOLE), edits("a.py"), says("Run it."), *steps), 400)

    assert told.count("harbour-export$") == 1


@pytest.mark.parametrize("budget", [400, 1000])
def test_a_goal_of_which_the_end_was_changed_is_told_from_its_beginning(
    budget: int,
) -> None:
    """What was sent again in nearly the same words is no template; it is what is wanted."""
    wanted = "Read the notes of the pier and check two of its features.\n"
    wanted += "First the tide gauge, which must count each wave once.\n"
    told = _told(
        session(
            asks(_WHOLE), says("Written."),
            asks(f"{wanted}Use the table."), asks(f"{wanted}Use the small table of 2019."),
        ),
        budget,
    )  # fmt: skip

    assert told.count("First the tide gauge, which must count each wave once.") == 1
