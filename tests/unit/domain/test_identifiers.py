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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("set_user, get_user; set_user", ["set_user", "get_user"], id="twice"),
        pytest.param("naïve_parser fooBaré_x", [], id="with an accent"),
        pytest.param("2fooBar3 _fooBar", [], id="beside a figure or a line"),
        pytest.param("a_b aB_cd", [], id="too short to be told from a word"),
        pytest.param("Capital lower UPPER", [], id="no sign of code"),
        pytest.param(f"{'long_' * 10}name", [], id="too long to be shown"),
        pytest.param("MAX_SIZE OldCase_x HttpServer", ["MAX_SIZE", "OldCase_x", "HttpServer"], id="each kind"),
    ],
)  # fmt: skip
def test_a_whole_word_is_a_name_or_none(text: str, found: list[str]) -> None:
    """Half of a word is a name that nobody finds in the code."""
    assert list(identifiers(text)) == found
