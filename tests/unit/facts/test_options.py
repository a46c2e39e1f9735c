"""Which option a short answer picks."""

import pytest

from holdfast.facts.content import content_of
from holdfast.facts.requests.options import picked_option
from holdfast.session.fold import begin, fold
from tests.conversation import Conversation

_LETTERS = """There are three ways:

**A)** Keep the parser as it is
B) Rewrite it by hand
- **Option C: Hybrid** - generated tokens, own tree

Thoughts?"""
_NUMBERS = "Which one?\n1. **Redis** for all\n2. In memory\n3. None"

_ONE_LINE = "I looked at it. Which database? A) Postgres B) SQLite"
_IN_WORDS = "Shall it be (1) one table, or (2) one file per day? I prefer the first."


@pytest.mark.parametrize(
    ("words", "offer", "picked"),
    [
        pytest.param(
            "C)", _LETTERS, "C) Hybrid - generated tokens, own tree", id="mark"
        ),
        pytest.param("b", _LETTERS, "B) Rewrite it by hand", id="a letter"),
        pytest.param("option a", _LETTERS, "A) Keep the parser as it is", id="option"),
        pytest.param("let's do 2", _NUMBERS, "2) In memory", id="a number"),
        pytest.param("1 and 3", _NUMBERS, "1) Redis for all · 3) None", id="two"),
        pytest.param("yeah 2 and 3", _NUMBERS, "2) In memory · 3) None", id="yeah"),
        pytest.param(
            "1, 2 and 3",
            _NUMBERS,
            "1) Redis for all · 2) In memory · 3) None",
            id="all",
        ),
        pytest.param("yep, 1", _NUMBERS, "1) Redis for all", id="yep"),
        pytest.param("sure, option b", _LETTERS, "B) Rewrite it by hand", id="sure"),
        pytest.param("let's tackle 2", _NUMBERS, "2) In memory", id="tackle"),
        pytest.param("ja, 2", _NUMBERS, "2) In memory", id="German"),
        pytest.param("oui, la 2", _NUMBERS, "2) In memory", id="French"),
        pytest.param("sí, 2 y 3", _NUMBERS, "2) In memory · 3) None", id="Spanish"),
        pytest.param("はい、2", _NUMBERS, "2) In memory", id="Japanese"),
        pytest.param("네 2번", _NUMBERS, "2) In memory", id="Korean"),
        pytest.param("ใช่ 2", _NUMBERS, "2) In memory", id="Thai"),
        pytest.param("好，2", _NUMBERS, "2) In memory", id="yes in Chinese"),
        pytest.param("好的2", _NUMBERS, "2) In memory", id="no blank"),
        pytest.param("vâng, 2", _NUMBERS, "2) In memory", id="Vietnamese"),
        pytest.param("yes a good idea", _LETTERS, "", id="an article"),
        pytest.param("the second one", _NUMBERS, "2) In memory", id="an ordinal"),
        pytest.param("方案 2", _NUMBERS, "2) In memory", id="Chinese"),
        pytest.param("B", _ONE_LINE, "B) SQLite", id="one line"),
        pytest.param("a", _ONE_LINE, "A) Postgres", id="first of one line"),
        pytest.param("2", _IN_WORDS, "2) one file per day", id="in a sentence"),
        pytest.param("1", _IN_WORDS, "1) one table", id="without the or"),
        pytest.param("b", "**A)** Keep **B)** Drop", "B) Drop", id="bold, one line"),
        pytest.param(
            "2", "1. See (1) and (2) below\n2. None", "2) None", id="line first"
        ),
        pytest.param("b", "Vitamin B: yes", "", id="not counted from the first"),
        pytest.param("yes", _NUMBERS, "", id="no option"),
        pytest.param("do it", _LETTERS, "", id="words only"),
        pytest.param("9", _NUMBERS, "", id="one that was not offered"),
    ],
)
def test_a_label_picks_the_option_it_stands_for(
    words: str, offer: str, picked: str
) -> None:
    """Whoever reads "2" a week later knows no list that it was said to."""
    assert picked_option(words, offer) == picked


def test_a_short_answer_is_told_with_the_question_and_the_option_it_picks() -> None:
    """The letter alone says nothing to the next session."""
    talk = Conversation()
    talk.asks("how should we parse quotes?")
    talk.says(_LETTERS)
    talk.asks("C)")

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert content.requests[-1].about == (
        "answering: Thoughts? C) Hybrid - generated tokens, own tree"
    )


@pytest.mark.parametrize(
    "answer",
    [
        "run the tests first",
        "neither, show me the plan first",
        "not option 1",
        "don't do option 1",
        "anything but 1)",
        "no 1",
        "none of the first two",
    ],
)
def test_who_does_not_choose_has_not_chosen(answer: str) -> None:
    """What stands beside a user's words is read as theirs."""
    assert picked_option(answer, "1. Delete the old table\n2. Keep both") == ""


@pytest.mark.parametrize(
    "answer",
    ["2", "2, but back it up first", "option 2 then", "the second one", "second", "2."],
)
def test_who_chooses_and_says_more_has_chosen(answer: str) -> None:
    """What follows the choice takes nothing back."""
    found = picked_option(answer, "1. Delete the old table\n2. Keep both")

    assert found == "2) Keep both"


def test_a_number_at_the_beginning_of_a_line_is_no_option() -> None:
    """A label is followed by a space."""
    offer = "1. Keep SQLite\n2. Move to Postgres\n\n2.5 GB would have to be copied"

    assert picked_option("2", offer) == "2) Move to Postgres"


@pytest.mark.parametrize("closing", ["Done.", "All tests pass.", "Great! Done."])
def test_a_short_answer_is_not_told_with_a_filler(closing: str) -> None:
    """ "(to: Done.)" says as little as the answer."""
    talk = Conversation()
    talk.asks("how should we parse quotes?")
    talk.says(f"The lexer counts them. {closing}")
    talk.asks("go on")
    talk.says(closing)
    talk.asks("next")

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert content.requests[1].about == "answering: The lexer counts them."
    assert "answering" not in content.requests[2].about
