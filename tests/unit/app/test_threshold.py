"""When the context is full enough to save, and when a clear may be held back."""

import pytest

from holdfast.app.hooks.guard import judge, requested_clear
from holdfast.app.hooks.threshold import (
    Crossing,
    Unsaved,
    crossing,
    nudge,
    percent_full,
    window_of,
)

DAY = 24 * 3600


@pytest.mark.parametrize(
    ("model", "seen", "window"),
    [
        pytest.param("claude-opus-4-8[1m]", 0, 1_000_000, id="the suffix tells"),
        pytest.param("claude-sonnet-4-5", 0, 200_000, id="a known family"),
        pytest.param("claude-sonnet-4-5", 500_000, 500_000, id="the status line knows"),
        pytest.param("gpt-9", 0, None, id="unknown"),
        pytest.param("", 0, None, id="no model"),
    ],
)
def test_the_window_is_known_or_it_is_not(
    model: str, seen: int, window: int | None
) -> None:
    """A guessed window would save at a wrong moment, every time."""
    assert window_of(model, seen) == window


def test_fullness_counts_to_where_the_client_compacts() -> None:
    """The client compacts 33,000 tokens before the end, not at it."""
    assert percent_full(83_500, 200_000) == 50.0
    assert percent_full(10, None) is None
    assert percent_full(0, 200_000) is None


def test_a_threshold_saves_once_per_crossing() -> None:
    """Every turn above it would otherwise make a record."""
    assert crossing(71, 70, crossed=False) == Crossing(save=True, crossed=True)
    assert crossing(75, 70, crossed=True) == Crossing(save=False, crossed=True)
    assert crossing(20, 70, crossed=True) == Crossing(save=False, crossed=False)
    assert crossing(None, 70, crossed=True) == Crossing(save=False, crossed=True)


def unsaved(messages: int, since_save: int, last_nudge: int, **more: int) -> Unsaved:
    usual = {"tokens": 90_000, "calls": 50, "seconds": 3600}
    return Unsaved(
        messages=messages,
        since_save=since_save,
        since_nudge=messages - last_nudge,
        **{**usual, **more},
    )


@pytest.mark.parametrize(
    ("work", "is_due"),
    [
        pytest.param(unsaved(200, 200, 0), False, id="not long yet"),
        pytest.param(unsaved(201, 60, 0), True, id="long, and 40 without a save"),
        pytest.param(unsaved(230, 60, 201), False, id="reminded 29 messages ago"),
        pytest.param(unsaved(241, 60, 201), True, id="reminded 40 messages ago"),
        pytest.param(unsaved(300, 39, 0), False, id="saved 39 messages ago"),
        pytest.param(
            unsaved(9, 9, 0, tokens=5_000, calls=3, seconds=DAY),
            True,
            id="all three conditions of a short session",
        ),
        pytest.param(
            unsaved(9, 9, 0, tokens=4_999, calls=3, seconds=DAY), False, id="few tokens"
        ),
        pytest.param(
            unsaved(9, 9, 0, tokens=5_000, calls=2, seconds=DAY), False, id="few calls"
        ),
        pytest.param(
            unsaved(9, 9, 0, tokens=5_000, calls=3, seconds=DAY - 1),
            False,
            id="saved within a day",
        ),
        pytest.param(
            unsaved(12, 12, 9, tokens=5_000, calls=3, seconds=DAY),
            False,
            id="reminded three messages ago",
        ),
    ],
)
def test_a_reminder_is_due_only_for_long_or_old_unsaved_work(
    work: Unsaved,
    is_due: bool,  # noqa: FBT001  # a column of the table
) -> None:
    """A reminder that comes at each turn is switched off by everyone."""
    assert (nudge(work) is not None) == is_due


def test_only_prompts_that_clear_are_seen_as_clears() -> None:
    """The guard must not hold back ordinary work."""
    assert requested_clear("/clear") is not None
    assert requested_clear(" /new --force") is not None
    assert requested_clear("/clearance list") is None
    assert requested_clear("please /clear") is None


@pytest.mark.parametrize(
    ("prompt", "settings", "outcome"),
    [
        pytest.param("/clear", {"required": False}, "pass", id="not required"),
        pytest.param("/clear", {"is_saved": True}, "pass", id="saved"),
        pytest.param("/clear", {}, "block", id="unsaved"),
        pytest.param("/clear --force", {}, "forced", id="forced"),
        pytest.param("/clear --force", {"allow_force": False}, "block", id="no force"),
        pytest.param("/clear", {"store_works": False}, "pass", id="no deadlock"),
        pytest.param(
            "/clear",
            {"store_works": False, "allow_force": False},
            "pass",
            id="no deadlock where force is forbidden",
        ),
    ],
)
def test_the_guard_judges_a_clear(
    prompt: str, settings: dict[str, bool], outcome: str
) -> None:
    """Held back only where the user could do something about it."""
    clear = requested_clear(prompt)
    assert clear is not None
    usual = {
        "required": True,
        "allow_force": True,
        "is_saved": False,
        "store_works": True,
    }

    assert judge(clear, **{**usual, **settings}).outcome == outcome
