"""What a user would not let the agent do, and the words it was refused with."""

from holdfast.analysis.content import content_of
from holdfast.analysis.fold import begin, fold
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
