"""Moments as transcripts write them."""

from datetime import UTC, date, datetime, timedelta

import pytest

from holdfast.kernel.clock import iso, parse_iso


def test_every_day_is_read_as_the_standard_library_reads_it() -> None:
    """Days are counted by hand, since a hook has no time to import `datetime`."""
    day = date(1, 1, 1)
    while day.year < 2500:
        moment = datetime(day.year, day.month, day.day, 23, 59, 58, tzinfo=UTC)
        wanted = int(moment.timestamp()) * 1000 + 7

        assert parse_iso(f"{day.isoformat()}T23:59:58.007Z") == wanted
        day += timedelta(days=1 if day.month in (2, 3) or day.day > 27 else 13)


@pytest.mark.parametrize(
    "day",
    [
        "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00",
        "0000-01-01", "2026-1-011", "2026/01/01", "20260-1-01", "+026-01-01", "2026-01-1 ",
        "２026-01-01", "202_-01-01", "-026-01-01",
    ],
)  # fmt: skip
def test_a_day_that_there_is_not_is_no_moment(day: str) -> None:
    """A transcript belongs to somebody else; what it says wrongly is told as unknown."""
    assert parse_iso(f"{day}T10:00:00.000Z") == 0


def test_a_moment_is_written_as_it_is_read() -> None:
    """Records and transcripts use the same form."""
    assert iso(parse_iso("2026-11-15T19:41:39.677Z")) == "2026-11-15T19:41:39.677Z"
