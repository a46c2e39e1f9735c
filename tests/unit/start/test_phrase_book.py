"""Phrases are found as people read them, in scripts with and without spaces."""

import pytest

from holdfast.language.content_words import folded
from holdfast.start.continues.phrase_book import phrases, said

BOOK = phrases("still | ^and | too$ | relanc* | did you", "まだ | ^でも | ^네_ | だけ$")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("It is STILL red", True, id="a word, whatever its case"),
        pytest.param("distill the log", False, id="not inside a word"),
        pytest.param("And the rest?", True, id="first"),
        pytest.param("this and that", False, id="not first"),
        pytest.param("the docs too.", True, id="last, before a full stop"),
        pytest.param("too slow by far", False, id="not last"),
        pytest.param("relancer les tests", True, id="an open end"),
        pytest.param("Did  you\nrun it?", True, id="over a line"),
        pytest.param("テストがまだ赤い", True, id="inside a script without spaces"),
        pytest.param("でも赤い", True, id="first, without spaces"),
        pytest.param("何でも赤い", False, id="not first, without spaces"),
        pytest.param("네 좋아요", True, id="a syllable that is a word"),
        pytest.param("네트워크 오류", False, id="a syllable of another word"),
        pytest.param("管理者だけ", True, id="last, without spaces"),
    ],
)
def test_a_phrase_is_found_where_its_marks_allow(text: str, *, found: bool) -> None:
    """`네` is yes, `네트워크` is network; `too` at the end is also, before that excess."""
    assert (BOOK.find(said(folded(text))) is not None) == found
