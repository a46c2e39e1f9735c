"""The machine's own zone, as the C library knows it."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from holdfast.kernel.zone import LocalZone


@pytest.fixture(params=["America/New_York", "Asia/Bangkok", "Australia/Lord_Howe"])
def known(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ZoneInfo]:
    """Live in a zone for the length of a test."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield ZoneInfo(request.param)
    monkeypatch.undo()
    time.tzset()


def test_the_local_zone_is_the_one_the_machine_lives_in(known: ZoneInfo) -> None:
    """Each week of two years, both ways, changes of the clocks included."""
    start = datetime(2025, 1, 1, 12, 34, tzinfo=UTC)
    moments = [start + timedelta(days=7 * week) for week in range(104)]

    for moment in moments:
        local, expected = moment.astimezone(LocalZone()), moment.astimezone(known)

        assert local.replace(tzinfo=None) == expected.replace(tzinfo=None)
        assert local.astimezone(UTC) == moment
        assert local.tzname() == expected.tzname()
        assert local.dst() is None


def test_an_hour_that_comes_twice_is_told_apart(known: ZoneInfo) -> None:
    """Otherwise `30min` would be an hour and a half, once a year."""
    start = datetime(2026, 10, 31, tzinfo=UTC)
    moments = [start + timedelta(minutes=10 * step) for step in range(300)]

    for moment in moments:
        local = moment.astimezone(LocalZone())

        assert local.fold == moment.astimezone(known).fold
        assert local.astimezone(UTC) == moment


def test_midnight_is_the_machine_s_midnight(known: ZoneInfo) -> None:
    """What `today` is counted from."""
    now = datetime(2026, 7, 1, 3, 30, tzinfo=UTC)

    midnights = [
        now.astimezone(zone).replace(hour=0, minute=0) for zone in (LocalZone(), known)
    ]

    assert midnights[0].astimezone(UTC) == midnights[1].astimezone(UTC)
