"""What text may be, and how much of it there is."""

import pytest

from holdfast.domain.text import extent, visible, without_middle


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        pytest.param("two words", 9, id="an alphabet"),
        pytest.param("échéance", 8, id="with accents"),
        pytest.param("总额正确", 12, id="Chinese"),
        pytest.param("결제", 4, id="Korean"),
        pytest.param("かな", 4, id="Japanese"),
        pytest.param("", 0, id="nothing"),
    ],
)
def test_a_text_is_as_long_as_what_it_says(text: str, letters: int) -> None:
    """A sentence must not be too short to tell because its language writes densely."""
    assert extent(text) == letters


def test_a_line_ends_in_one_way_only() -> None:
    """What some readers take for a new line must not pass for the middle of one."""
    assert visible("a\u2028b\u2029c\r\nd") == "a\nb\nc\nd"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("as it is", "as it is"),
        ("one two three four five six seven eight nine", "one two…\n\nnine"),
        ("x" * 60, f"{'x' * 12}…\n\n{'x' * 8}"),
        (
            "```\na b c d e f g h i j k l m n o p\n```\nso",
            "```\na b c d\n```\n\n```\n```\nso",
        ),
        (
            "```\na b c d e f g h i j k l m n o p\nm\nn\no",
            "```\na b c d\n```\n\np\nm\nn\no",
        ),
    ],
)
def test_a_long_message_keeps_its_beginning_and_its_end(text: str, kept: str) -> None:
    """It is cut between words, and no fence of code is left open by the cut."""
    assert without_middle(text, 36) == kept
