"""The question with which a message closes is told whole, and only where it was answered."""

import pytest

from holdfast.domain.checkpoint import Content, context_of
from holdfast.domain.fact import ChosenAnswer
from holdfast.facts.content import content_of
from holdfast.facts.requests.questions import closing_question
from tests.sessions import asks, says, session

_OPTIONS = """The cart is rewritten.

Would you like me to:
- **A)** add the coupon field?
- **B)** write the tests?
- **C)** Something else?"""


def _waiting(said: str) -> list[str]:
    content = content_of(session(asks("rewrite the cart"), says(said)))
    return [item.text for item in content.open_questions]


def _answered(said: str, words: str) -> Content:
    return content_of(session(asks("rewrite the cart"), says(said), asks(words)))


def test_the_last_of_some_options_is_told_with_the_others() -> None:
    """Who reads "C) Something else?" on a Monday does not know what was asked."""
    asked = closing_question(_OPTIONS, 4)

    assert asked.question == "Would you like me to:"
    assert asked.entries[0] == "A) add the coupon field?"
    assert _waiting(_OPTIONS) == [asked.whole]


def test_a_picked_option_stands_alone_behind_its_question() -> None:
    """The options that were not picked are decided, too."""
    content = _answered(_OPTIONS, "b")

    (decided,) = content.decisions
    assert decided.fact == ChosenAnswer("Would you like me to:", "B) write the tests?")
    answering = context_of(content.requests[-1]).answering
    assert answering == "Would you like me to: B) write the tests?"


def test_what_leads_to_a_list_in_two_words_is_told_with_the_question_before_it() -> (
    None
):
    """ "Is it:" says as little as its last entry."""
    said = "What is the import for?\n\nIs it:\n- for customers?\n- for the shop?"

    assert closing_question(said, 4).question == "What is the import for? Is it:"


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        pytest.param(
            "Both work. Which of these do you want? Or do you have another in mind?",
            "Which of these do you want? Or do you have another in mind?",
            id="an alternative",
        ),
        pytest.param(
            "Two are left. Shall I rename the table? It is empty. Drop the old index?",
            "Drop the old index?",
            id="two questions",
        ),
        pytest.param(
            "两种都可以。你想用哪一种?还是先比较一下?我会先等你的回答。",
            "你想用哪一种? 还是先比较一下?",
            id="no space behind the mark",
        ),
    ],
)
def test_questions_in_one_breath_are_one(said: str, asked: str) -> None:
    """ "Or another?" alone cannot be answered; what stands apart is asked for itself."""
    assert closing_question(said, 4).question == asked


def test_entries_that_nothing_leads_to_are_asked_each_for_itself() -> None:
    """A list below a report is no choice."""
    said = (
        "The cart is rewritten.\n- shall I add the coupon field of the old cart, too?"
        "\n- and who writes the tests of the old cart?"
    )

    assert _waiting(said) == [
        "shall I add the coupon field of the old cart, too?",
        "and who writes the tests of the old cart?",
    ]


@pytest.mark.parametrize(
    ("said", "words", "told"),
    [
        pytest.param(
            "Do you have the locale files installed?",
            "no, we never had the locale files on this machine",
            1,
            id="it names what was asked",
        ),
        pytest.param(
            "Shall I log the new orders, too?",
            "yes and then let us walk through the import step",
            1,
            id="a yes",
        ),
        pytest.param(
            "Want me to summarise the five agents?",
            "make a small tic tac toe for the browser",
            0,
            id="another subject",
        ),
        pytest.param(
            "What would you like to work on?",
            "tune the reflectance of the second lamp",
            0,
            id="a courtesy",
        ),
        pytest.param(
            "Measured on fifteen lamps.",
            "open the lamp images",
            0,
            id="no question",
        ),
    ],
)
def test_a_request_is_told_with_the_question_it_speaks_to(
    said: str, words: str, told: int
) -> None:
    """An offer that was passed over says of the request what is not so, and costs the
    room of another one."""
    content = _answered(said, words)

    assert bool(context_of(content.requests[-1]).answering) == told


def test_an_offer_that_ends_in_something_else_waits_for_an_answer() -> None:
    """Only who offers nothing else is polite."""
    offer = "Want me to read the five agents of the team and write a page about each"

    assert _waiting(f"{offer}, or did you mean something else?")
    assert not _waiting("All five agents are listed. Do you want something else?")


def test_a_courtesy_beside_a_question_takes_nothing_from_it() -> None:
    """ "Any questions?" is asked of everybody; the other one waits."""
    question = "Does this format of the table feel right to you?"

    assert _waiting(f"The table has six rows. {question} Any other questions?") == [
        question
    ]
    assert _waiting(f"The table has six rows. Anything else? {question}") == [question]


def test_a_question_that_puts_a_list_needs_nothing_before_it() -> None:
    """What it puts is what is proposed; a page of reasons would take its room."""
    said = (
        "The table is kept, since two exports read it.\n\n"
        "Please confirm:\n- is the debt fine?\n- is nothing new built on it?"
    )
    context = context_of(_answered(said, "fine, go on").requests[-1])

    assert (
        context.answering
        == "Please confirm: is the debt fine? is nothing new built on it?"
    )
    assert context.proposed == ""
