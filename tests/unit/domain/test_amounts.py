"""Ages, counts, and the mark of a branch."""

import pytest

from holdfast.domain.amounts import age, counted, short_age
from holdfast.domain.code import CodeState, branch_mark
from tests.sessions import BEGAN

_S, _MIN, _H, _D = 1000, 60_000, 3_600_000, 86_400_000


@pytest.mark.parametrize(
    ("passed", "words", "short"),
    [
        pytest.param(0, "just now", "just now", id="now"),
        pytest.param(-5 * _S, "just now", "just now", id="a clock that jumped back"),
        pytest.param(2 * _S, "2 seconds ago", "2 s ago", id="seconds"),
        pytest.param(_MIN, "1 minute ago", "1 min ago", id="a minute"),
        pytest.param(2 * _H, "2 hours ago", "2 h ago", id="hours"),
        pytest.param(30 * _H, "30 hours ago", "30 h ago", id="a day and more"),
        pytest.param(3 * _D, "3 days ago", "3 d ago", id="days"),
        pytest.param(21 * _D, "3 weeks ago", "3 weeks ago", id="weeks"),
        pytest.param(90 * _D, "3 months ago", "3 months ago", id="months"),
        pytest.param(800 * _D, "2 years ago", "2 years ago", id="years"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(
    passed: int, words: str, short: str
) -> None:
    """People think in ages, not in timestamps."""
    now = BEGAN + passed

    assert age(now, BEGAN) == words
    assert short_age(now, BEGAN) == short


@pytest.mark.parametrize(
    ("code", "mark"),
    [
        pytest.param(CodeState(), "", id="no git"),
        pytest.param(
            CodeState(branch="main", head="3f2c1a9b" * 5), "main@3f2c1a9", id="c"
        ),
        pytest.param(CodeState(branch="x", dirty=True), "x +", id="uncommitted"),
        pytest.param(CodeState(head="3f2c1a9b" * 5), "detached@3f2c1a9", id="detached"),
        pytest.param(
            CodeState(branch="a\x1b[31mb"), "a[31mb", id="no escape sequences"
        ),
    ],
)
def test_a_branch_mark_says_where_the_code_stood(code: CodeState, mark: str) -> None:
    """One look tells whether work was uncommitted."""
    assert branch_mark(code) == mark


def test_numbers_have_their_noun() -> None:
    """`1 files` reads like a bug."""
    assert (counted(1, "file"), counted(1200, "file")) == ("1 file", "1,200 files")
