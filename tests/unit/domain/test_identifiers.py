"""Which words of a text are names of code."""

import pytest

from holdfast.domain.text import identifiers


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(r"done\nRefactorAll", ["RefactorAll"], id="after a line break"),
        pytest.param(r"\tReadAll \bFooBar", ["ReadAll", "FooBar"], id="other escapes"),
        pytest.param(r"done\nRefactor", [], id="a plain word after a line break"),
        pytest.param(r"done\nget_user_id", [], id="begins nobody knows where"),
        pytest.param(r"App\Models\UserProfile", ["UserProfile"], id="a namespace"),
        pytest.param(r"src\myModule\tmpFiles", ["myModule", "tmpFiles"], id="a path"),
        pytest.param("newParser of next_page", ["newParser", "next_page"], id="free"),
    ],
)
def test_an_escape_is_no_part_of_a_name(text: str, found: list[str]) -> None:
    """A search for `nRefactorAll` finds nothing, and its room in a brief is lost."""
    assert list(identifiers(text)) == found
