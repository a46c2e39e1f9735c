"""Lines on a terminal: words stay whole, and what is wide counts as it looks."""

import pytest
from hypothesis import given, strategies as st

from holdfast.domain.terminal_width import folded, width


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("one two three four", ["one two", "three four"], id="words"),
        pytest.param("- one two three", ["- one two", "  three"], id="a bullet"),
        pytest.param("   one two three", ["   one two", "   three"], id="an indent"),
        pytest.param("see /a/long/path now", ["see", "/a/long/path", "now"], id="path"),
        pytest.param("解析器を直す作業", ["解析器を直", "す作業"], id="Japanese"),
        pytest.param("fix 解析器を直す", ["fix 解析器", "を直す"], id="mixed"),
        pytest.param("한국어 문장을 쓴다", ["한국어", "문장을", "쓴다"], id="Korean"),
        pytest.param("ok ✅✅ ⚠️⚠️ done", ["ok ✅✅", "⚠️⚠️ done"], id="emoji"),
        pytest.param("a  b     cde fghi", ["a  b", "cde fghi"], id="gaps"),
        pytest.param("see a/very/long… now", ["see", "a/very/long…", "now"], id="cut"),
        pytest.param("short", ["short"], id="short"),
        pytest.param("a\n\nb", ["a", "", "b"], id="paragraphs"),
    ],
)
def test_a_line_is_broken_between_words(text: str, lines: list[str]) -> None:
    """A reader at eighty columns sees whole words, below the words they belong to."""
    assert folded(text, 10).split("\n") == lines


def test_a_mark_stays_with_its_letter() -> None:
    """Thai vowels above and below are characters of their own."""
    text = "บันทึกเช็คพอยต์ก่อนเคลียร์แล้วเริ่มใหม่"

    lines = folded(text, 8).split("\n")

    assert "".join(lines) == text
    assert all(width(line[0]) == 1 for line in lines)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("⚠️", 2), ("✓", 1), ("👍🏽", 2), ("解", 2), ("é", 1), ("e\u0301", 1),
        ("\u1112\u1161\u11ab", 2), ("ก็", 1), ("✅", 2),
    ],
)  # fmt: skip
def test_width_is_what_a_terminal_shows(text: str, cells: int) -> None:
    assert width(text) == cells


@given(
    st.text(st.sampled_from("ab 解é⚠\ufe0f-.ก็ \n"), max_size=80), st.integers(20, 40)
)
def test_nothing_is_lost_and_nothing_is_too_wide(text: str, room: int) -> None:
    """But what nobody can break, and blanks at an end."""
    lines = folded(text, room).split("\n")

    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(
        width(one) <= room or max(map(width, one.split())) > room // 2 for one in lines
    )


def test_what_goes_on_stands_behind_its_label() -> None:
    """`show` and `blame` tell by labels; their words are read down one edge."""
    assert folded("session  one two three", 20) == "session  one two\n         three"
    assert folded("one two three", 8) == "one two\nthree"
