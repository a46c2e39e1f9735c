"""Text in the cells of a terminal."""

import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len

from holdfast.domain.terminal_width import Piece, cut, width, window, wrapped

THAI = "ตรวจสอบรหัสผ่านก่อนบันทึก"
CHINESE = "修复会话恢复的错误并重新建立索引"


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        pytest.param("plain", 5, id="ASCII"),
        pytest.param("修复", 4, id="wide"),
        pytest.param("ที่นี่", 2 + 0, id="marks take none"),
        pytest.param("한글", 4, id="Hangul"),
        pytest.param("café", 4, id="composed"),
        pytest.param("cafe\u0301", 4, id="decomposed"),
        pytest.param("ｶﾅ", 2, id="half width"),
    ],
)
def test_a_text_is_as_wide_as_a_terminal_shows_it(text: str, cells: int) -> None:
    """A table of titles in any script stays straight."""
    assert width(text) == cells == cell_len(text)


@pytest.mark.parametrize("text", ["plain words that go on", THAI, CHINESE])
@pytest.mark.parametrize("room", [1, 2, 7, 10])
def test_a_cut_text_fits_and_says_that_it_was_cut(text: str, room: int) -> None:
    """Nothing runs over the edge, and no mark loses its letter."""
    shown = cut(text, room)

    assert width(shown) <= room
    assert shown.endswith("…")
    assert text.startswith(shown.removesuffix("…"))
    assert width(text[len(shown) - 1 :][:1]) != 0


def test_a_text_that_fits_is_left_alone() -> None:
    """`…` is only where something is missing."""
    assert cut("修复", 4) == "修复"
    assert cut("", 0) == ""


def test_words_stay_whole_where_they_can() -> None:
    """Breaking in mid-word is for words longer than a line."""
    text = "the parser owns nested quotes"

    lines = [text[start:end] for start, end in wrapped(text, 0, (12, 12, 12))]

    assert lines == ["the parser", "owns nested", "quotes"]


def test_a_script_without_spaces_fills_its_lines() -> None:
    """Two cells each, so five characters in ten cells."""
    lines = [CHINESE[start:end] for start, end in wrapped(CHINESE, 0, (10, 10))]

    assert lines == ["修复会话恢", "复的错误并"]


def test_a_window_shows_most_of_what_was_found() -> None:
    """The first `x` stands alone; later three different marks stand together."""
    text = "x " + "filler " * 30 + "near x y z end " + "filler " * 30
    marks = tuple(Piece(i, i + 1) for i, c in enumerate(text) if c in "xyz")

    start = window(text, marks, 40)

    assert "x y z" in text[start : start + 40]
    assert text[start - 1] == " "
    assert window("short x", (Piece(6, 7),), 40) == 0
    assert window(text, (), 40) == 0


@given(st.text(), st.integers(1, 30), st.integers(0, 5))
def test_lines_never_overlap_and_always_fit(text: str, room: int, lines: int) -> None:
    """Whatever a passage contains."""
    flat = " ".join(text.split())

    found = wrapped(flat, 0, (room,) * lines)

    places = [place for piece in found for place in piece]
    assert places == sorted(places)
    assert all(width(flat[start:end]) <= room for start, end in found)
