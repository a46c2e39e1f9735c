"""How far a lesson is trusted, and how long an episode lasts: S1's numbers."""

import pytest

from holdfast.project_notes.memory.entries import Episode, Trust
from holdfast.project_notes.memory.episodes import is_expired, is_promoted_now, ttl_of
from holdfast.project_notes.memory.lessons import is_archived, observed, violated

TODAY = "2026-06-01"


def test_trust_grows_after_3_6_and_9_observations() -> None:
    """S1: +0.1 after obs reaches 3, 6, 9."""
    trust = Trust(0.5, "2026-01-01", 1)
    seen = []
    for _ in range(10):
        trust = observed(trust, TODAY)
        seen.append((trust.obs, trust.conf))

    assert seen == [
        (2, 0.5), (3, 0.6), (4, 0.6), (5, 0.6), (6, 0.7), (7, 0.7), (8, 0.7), (9, 0.8),
        (10, 0.8), (11, 0.8),
    ]  # fmt: skip
    assert trust.seen == TODAY


def test_trust_never_grows_above_nine_tenths() -> None:
    """S1: max 0.9."""
    assert observed(Trust(0.9, TODAY, 2), TODAY).conf == 0.9


def test_a_violated_lesson_is_trusted_less_but_never_below_three_tenths() -> None:
    """S1: -0.1, min 0.3, seen today; observations stay."""
    once = violated(Trust(0.5, "2026-01-01", 4), TODAY)

    assert once == Trust(0.4, TODAY, 4)
    assert violated(Trust(0.3, TODAY, 1), TODAY).conf == 0.3


@pytest.mark.parametrize(
    ("trust", "expected"),
    [
        pytest.param(Trust(0.3, "2026-03-02", 1), True, id="91 days, little trusted"),
        pytest.param(Trust(0.3, "2026-03-03", 1), False, id="90 days"),
        pytest.param(Trust(0.4, "2025-01-01", 1), False, id="trusted enough"),
        pytest.param(Trust(0.3, "2026-99-99", 1), False, id="no date"),
        pytest.param(None, False, id="from before there was trust"),
    ],
)
def test_little_trusted_old_lessons_are_archived(
    trust: Trust | None, *, expected: bool
) -> None:
    """S1: conf < 0.4 and not seen for more than 90 days."""
    assert is_archived(trust, TODAY) is expected


@pytest.mark.parametrize(
    ("date", "ttl", "expected"),
    [
        pytest.param("2020-01-01", "permanent", False, id="permanent"),
        pytest.param("2026-03-03", "90d", False, id="90 days old"),
        pytest.param("2026-03-02", "90d", True, id="91 days old"),
        pytest.param("2026-05-01", "30d", True, id="31 days old"),
        pytest.param("2026-13-01", "30d", False, id="no date"),
    ],
)
def test_an_episode_expires_after_its_time(
    date: str, ttl: str, *, expected: bool
) -> None:
    """F2: permanent, 90 days, 30 days."""
    assert is_expired(Episode(date, "EVENT", ttl, 0, "x"), TODAY) is expected


@pytest.mark.parametrize(
    ("kind", "ttl"),
    [
        pytest.param("DECISION", "permanent", id="a decision"),
        pytest.param("ARCHITECTURE", "permanent", id="architecture"),
        pytest.param("COMPLETION", "90d", id="a completion"),
        pytest.param("PLAN", "90d", id="a plan"),
        pytest.param("STATE", "30d", id="a temporary state"),
    ],
)
def test_what_an_episode_is_decides_how_long_it_lasts(kind: str, ttl: str) -> None:
    """S1's table."""
    assert ttl_of(kind) == ttl


@pytest.mark.parametrize(
    ("ref", "done", "expected"),
    [
        pytest.param(2, False, False, id="twice"),
        pytest.param(3, False, True, id="three times"),
        pytest.param(3, True, False, id="promoted before"),
    ],
)
def test_three_references_make_a_fact(ref: int, *, done: bool, expected: bool) -> None:
    """F2: promotion at ref ≥ 3, once."""
    episode = Episode(TODAY, "EVENT", "90d", ref, "x", is_promoted=done)

    assert is_promoted_now(episode) is expected
