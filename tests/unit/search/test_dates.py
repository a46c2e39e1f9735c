"""Dates as people type them, in the zone they live in."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from holdfast.search.query import moment

NOW = datetime(2026, 1, 18, 15, 23, 45, tzinfo=UTC)  # a Sunday
NEW_YORK = ZoneInfo("America/New_York")


def read(text: str, now: datetime = NOW) -> str | None:
    """Return what a date means, in the zone of `now`."""
    found = moment(text, now)
    if found is None:
        return None
    local = datetime.fromtimestamp(found / 1000, tz=now.tzinfo)
    return local.replace(tzinfo=None).isoformat(" ", "minutes")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        pytest.param("2026-01-18", "2026-01-18 00:00", id="day"),
        pytest.param("2026-1-8", "2026-01-08 00:00", id="day without zeros"),
        pytest.param("2026/01/18", "2026-01-18 00:00", id="day with slashes"),
        pytest.param("20260118", "2026-01-18 00:00", id="day without dashes"),
        pytest.param("2026-01", "2026-01-01 00:00", id="month"),
        pytest.param("2026", "2026-01-01 00:00", id="year"),
        pytest.param("2026-01-18 15:30", "2026-01-18 15:30", id="minute"),
        pytest.param("2026-01-18T15:30", "2026-01-18 15:30", id="minute with a T"),
        pytest.param("2026-01-18T15:23:45Z", "2026-01-18 15:23", id="moment"),
        pytest.param("2026-01-18T16:23:45+01:00", "2026-01-18 15:23", id="zone given"),
        pytest.param("1970-01-01", "1970-01-01 00:00", id="epoch"),
        pytest.param("today", "2026-01-18 00:00", id="today"),
        pytest.param("Yesterday", "2026-01-17 00:00", id="yesterday"),
        pytest.param("tomorrow", "2026-01-19 00:00", id="tomorrow"),
        pytest.param("เมื่อวาน", "2026-01-17 00:00", id="yesterday in Thai"),
        pytest.param("昨天", "2026-01-17 00:00", id="yesterday in Chinese"),
        pytest.param("昨日", "2026-01-17 00:00", id="yesterday in Japanese"),
        pytest.param("어제", "2026-01-17 00:00", id="yesterday in Korean"),
        pytest.param("hier", "2026-01-17 00:00", id="yesterday in French"),
        pytest.param("hôm qua", "2026-01-17 00:00", id="yesterday in Vietnamese"),
        pytest.param("sunday", "2026-01-18 00:00", id="this very weekday"),
        pytest.param("last sunday", "2026-01-11 00:00", id="that weekday before"),
        pytest.param("monday", "2026-01-12 00:00", id="weekday"),
        pytest.param("last monday", "2026-01-12 00:00", id="last weekday"),
        pytest.param("last-Thurs", "2026-01-15 00:00", id="weekday in short"),
        pytest.param("this week", "2026-01-12 00:00", id="this week"),
        pytest.param("last week", "2026-01-05 00:00", id="last week"),
        pytest.param("this month", "2026-01-01 00:00", id="this month"),
        pytest.param("last_month", "2025-12-01 00:00", id="last month"),
        pytest.param("last year", "2025-01-01 00:00", id="last year"),
        pytest.param("dec", "2025-12-01 00:00", id="month that was"),
        pytest.param("January", "2026-01-01 00:00", id="month that is"),
        pytest.param("feb", "2025-02-01 00:00", id="month to come is last year's"),
        pytest.param("sept 2024", "2024-09-01 00:00", id="month and year"),
        pytest.param("18 jan 2025", "2025-01-18 00:00", id="day, month and year"),
        pytest.param("3 dec", "2025-12-03 00:00", id="day and month"),
        pytest.param("90 minutes ago", "2026-01-18 13:53", id="minutes"),
        pytest.param("30min", "2026-01-18 14:53", id="minutes in short"),
        pytest.param("12h", "2026-01-18 03:23", id="hours"),
        pytest.param("an hour ago", "2026-01-18 14:23", id="an hour"),
        pytest.param("3d", "2026-01-15 15:23", id="days"),
        pytest.param("2w", "2026-01-04 15:23", id="weeks"),
        pytest.param("2 weeks ago", "2026-01-04 15:23", id="weeks in words"),
        pytest.param("2-weeks-ago", "2026-01-04 15:23", id="weeks with dashes"),
        pytest.param("2_weeks_ago", "2026-01-04 15:23", id="weeks with underscores"),
        pytest.param("a-day-ago", "2026-01-17 15:23", id="a day"),
        pytest.param("1mo", "2025-12-18 15:23", id="month of the calendar"),
        pytest.param("13 months ago", "2024-12-18 15:23", id="more than a year"),
        pytest.param("2y", "2024-01-18 15:23", id="years"),
    ],
)
def test_a_date_means_what_people_mean(text: str, meaning: str) -> None:
    """A day begins at midnight; `ago` is this hour, so much earlier."""
    assert read(text) == meaning


@pytest.mark.parametrize(
    "text",
    [
        "", "soon", "2026-13-01", "2026-02-30", "30 feb 2025", "0w0", "5m", "99999999d",
        "999999y", "-1d", "٣", "0000", "10000-01-01", "last", "last fix", "2 bugs ago",
        "2026-01-18T25:00", "\x00", "mon tue",
    ],
)  # fmt: skip
def test_what_is_no_date_is_none(text: str) -> None:
    """It becomes a word of the query, not another date."""
    assert moment(text, NOW) is None


@pytest.mark.parametrize(
    ("day", "months", "meaning"),
    [
        pytest.param(31, 1, "2026-02-28", id="a shorter month"),
        pytest.param(31, 2, "2026-01-31", id="as long"),
        pytest.param(31, 25, "2024-02-29", id="a leap year"),
        pytest.param(31, 3, "2025-12-31", id="over the new year"),
    ],
)
def test_a_month_ago_stays_in_its_month(day: int, months: int, meaning: str) -> None:
    """There is no 31st of February, and the 3rd of March is not meant."""
    now = datetime(2026, 3, day, 12, tzinfo=UTC)

    assert read(f"{months}mo", now) == f"{meaning} 12:00"


def test_days_are_of_the_calendar_and_hours_of_the_clock() -> None:
    """On the 8th of March 2026 New York's day had 23 hours."""
    now = datetime(2026, 3, 8, 15, 0, tzinfo=NEW_YORK)

    assert read("1d", now) == "2026-03-07 15:00"
    assert read("24h", now) == "2026-03-07 14:00"
    assert read("today", now) == "2026-03-08 00:00"
    midnight = datetime(2026, 3, 8, 0, 0, tzinfo=NEW_YORK)
    assert moment("today", now) == midnight.timestamp() * 1000
    assert (now.timestamp() * 1000 - midnight.timestamp() * 1000) == 14 * 3_600_000


def test_an_hour_that_comes_twice_is_its_first() -> None:
    """On the 1st of November 2026 New York has 01:30 twice; either would be right."""
    now = datetime(2026, 11, 2, 12, 0, tzinfo=NEW_YORK)

    first = datetime(2026, 11, 1, 5, 30, tzinfo=UTC)
    assert moment("2026-11-01 01:30", now) == first.timestamp() * 1000


def test_a_midnight_that_does_not_exist_is_the_first_minute_of_the_day() -> None:
    """Clocks in Beirut go forward at midnight."""
    now = datetime(2026, 3, 29, 15, 0, tzinfo=ZoneInfo("Asia/Beirut"))

    first = datetime(2026, 3, 28, 22, 0, tzinfo=UTC)
    assert moment("today", now) == first.timestamp() * 1000


@given(
    st.text(max_size=20) | st.from_regex(r"[0-9a-z :/.\-]{1,20}", fullmatch=True),
    st.datetimes(timezones=st.timezones()),
)
def test_no_text_and_no_present_is_refused(text: str, now: datetime) -> None:
    """At the ends of time there may be no answer, but never an exception."""
    found = moment(text, now)

    assert found is None or isinstance(found, int)
