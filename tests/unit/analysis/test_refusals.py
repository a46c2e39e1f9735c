"""What a user would not let the agent do, and the words it was refused with."""

import pytest

from holdfast.analysis.content import content_of
from holdfast.analysis.fold import begin, fold
from holdfast.domain.event import Outcome
from tests.conversation import Conversation

_REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. "
    "To tell you how to proceed, the user said:\nkeep the old parser"
)


def test_the_words_of_a_refusal_are_kept_as_evidence() -> None:
    """Why something was refused is what keeps the next session from trying it again."""
    talk = Conversation()
    talk.asks("clean up the parsers")
    talk.calls("Edit", "/code/shop/parse.py", outcome="interrupted", output=_REFUSED)

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert [item.text for item in content.dead_ends] == [
        'stopped or refused by the user: Edit /code/shop/parse.py: "keep the old parser"'
    ]
    assert not content.instructions  # a tool could print the same


@pytest.mark.parametrize(
    ("plan", "outcome", "output", "told"),
    [
        pytest.param(
            "# One parser\n\nFirst, …",
            "interrupted",
            _REFUSED,
            ': One parser: "keep the old parser"',
            id="refused",
        ),
        pytest.param(
            "# One parser", "interrupted", "", ": One parser", id="without a word"
        ),
        pytest.param("# One parser", "pending", "", ": One parser", id="not answered"),
        pytest.param("", "pending", "", ".", id="in a file"),
    ],
)
def test_a_plan_proposed_last_is_not_accepted_yet(
    plan: str, outcome: Outcome, output: str, told: str
) -> None:
    """Whoever goes on takes the plan up again; a dead end would keep them from it."""
    talk = Conversation()
    talk.asks("plan the clean-up")
    talk.calls("ExitPlanMode", plan, outcome=outcome, output=output)

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert [item.text for item in content.in_flight] == [
        f"The plan is not accepted yet{told}"
    ]
    assert not content.dead_ends


def test_a_plan_that_was_refused_and_left_is_a_dead_end() -> None:
    """The user asked for something else since."""
    talk = Conversation()
    talk.asks("plan the clean-up")
    talk.calls("ExitPlanMode", "# One parser", outcome="interrupted", output=_REFUSED)
    talk.asks("leave it, fix the lexer")
    talk.says("The lexer is fixed.")

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert not content.in_flight
    assert [item.text for item in content.dead_ends] == [
        'stopped or refused by the user: ExitPlanMode One parser: "keep the old parser"'
    ]
