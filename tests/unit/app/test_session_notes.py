"""S1's three conditions for recommending a checkpoint."""

import pytest

from holdfast.app.notes.session_notes import Accumulated, why_save
from tests.builders import NOON

DAY_MS = 86_400_000


@pytest.mark.parametrize(
    ("tokens", "calls", "last", "expected"),
    [
        pytest.param(
            5_000, 3, NOON - DAY_MS, "none was made for a day", id="all three"
        ),
        pytest.param(4_999, 3, NOON - DAY_MS, "", id="too few tokens"),
        pytest.param(5_000, 2, NOON - DAY_MS, "", id="too few tool calls"),
        pytest.param(5_000, 3, NOON - DAY_MS + 1, "", id="saved within a day"),
        pytest.param(5_000, 3, None, "none was made of this session", id="never saved"),
    ],
)
def test_all_three_conditions_must_hold_at_once(
    tokens: int, calls: int, last: int | None, expected: str
) -> None:
    """D5: 5,000 tokens, 3 tool calls, 24 hours since the last checkpoint."""
    seen = Accumulated(tokens=tokens, tool_calls=calls, now_ms=NOON, last_saved_at=last)

    assert why_save(seen) == expected
