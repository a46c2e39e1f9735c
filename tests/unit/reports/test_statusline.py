"""The status line fits, and its most important part stands first."""

import pytest

from holdfast.reports.statusline import Standing, status_line

_NOW = 1_800_000_000_000
_TWO_HOURS = 2 * 3_600_000
_SAVED = Standing(last="ccp-x", number=42, saved_at=_NOW - _TWO_HOURS, percent=62.4)
_UNSAVED = Standing(
    is_unsaved=True,
    files=3,
    added=127,
    removed=9,
    percent=62.4,
    last="ccp-x",
    number=42,
    saved_at=_NOW - _TWO_HOURS,
)


@pytest.mark.parametrize(
    ("standing", "columns", "line"),
    [
        pytest.param(
            _SAVED, None, "✓ saved · context 62 % · 00042 2 h ago", id="saved"
        ),
        pytest.param(
            _UNSAVED,
            None,
            "● unsaved: 3 files, +127 −9 · context 62 % · 00042 2 h ago",
            id="unsaved",
        ),
        pytest.param(
            _UNSAVED, 40, "● unsaved · 62 % · 00042 2 h ago", id="in 40 columns"
        ),
        pytest.param(_UNSAVED, 20, "● unsaved · 62 %", id="in 20 columns"),
        pytest.param(_UNSAVED, 8, "● unsav…", id="in hardly any"),
        pytest.param(Standing(), None, "holdfast", id="nothing to say"),
        pytest.param(
            Standing(is_off=True, percent=62.4),
            None,
            "holdfast off · context 62 %",
            id="off",
        ),
        pytest.param(Standing(percent=3.0), None, "context 3 %", id="nothing stored"),
        pytest.param(
            Standing(is_unsaved=True, files=None), None, "● unsaved work", id="much"
        ),
        pytest.param(
            Standing(is_unsaved=True), None, "● unsaved", id="words but no files"
        ),
    ],
)
def test_a_line_says_what_matters_in_the_room_there_is(
    standing: Standing, columns: int | None, line: str
) -> None:
    """Seen all day, in windows of any width."""
    assert status_line(standing, _NOW, columns) == line


@pytest.mark.parametrize("columns", [8, 20, 28, 40, 80])
@pytest.mark.parametrize("standing", [_SAVED, _UNSAVED, Standing()])
def test_no_line_is_wider_than_the_terminal(standing: Standing, columns: int) -> None:
    """A line that wraps pushes the prompt away."""
    assert len(status_line(standing, _NOW, columns)) <= columns
