"""The only caller of the system clock.

Order never depends on it: numbers and sequences decide, so a clock that jumps back
breaks nothing.
"""

import time
from typing import Protocol

_DAY_MS = 86_400_000
_USUAL_LENGTH = len("2026-11-15T19:41:39.677Z")
_MOST_DAYS = 1000  # a hostile log must not fill memory
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)  # of months
_MONTHS, _FEBRUARY = 12, 2
_EPOCH = 719_163  # what 1970-01-01 is, counted from 0001-01-01 on


class Clock(Protocol):
    def now_ms(self) -> int:
        """Return the present as Unix milliseconds."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000


def iso(unix_ms: int) -> str:
    """Return UTC in ISO 8601 with milliseconds and `Z`."""
    seconds, millis = divmod(unix_ms, 1000)
    moment = time.gmtime(seconds)
    return time.strftime("%Y-%m-%dT%H:%M:%S", moment) + f".{millis:03d}Z"


def utc_day(unix_ms: int) -> str:
    """Return the UTC day as `YYYYMMDD`, the form tags use."""
    return time.strftime("%Y%m%d", time.gmtime(unix_ms // 1000))


def local_time(unix_ms: int) -> str:
    """Return local time to the minute, the form people read."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(unix_ms // 1000))


def parse_iso(text: str) -> int:
    """Return Unix milliseconds of an ISO 8601 moment, or 0 if it is not one.

    Fast path for the form agents write (`2026-11-15T19:41:39.677Z`); a transcript
    belongs to someone else, so anything else is tried with care and never raises.
    """
    if (
        len(text) == _USUAL_LENGTH
        and text[-1] == "Z"
        and text[10] == "T"
        and text[19] == "."
    ):
        try:
            day = _days_since_epoch(text[:10])
            clock_ms = (
                int(text[11:13]) * 3_600_000
                + int(text[14:16]) * 60_000
                + int(text[17:19]) * 1000
                + int(text[20:23])
            )
        except ValueError:
            return 0
        return day * _DAY_MS + clock_ms
    return _parse_any_iso(text)


_days: dict[str, int] = {}


def _days_since_epoch(day: str) -> int:
    known = _days.get(day)
    if known is None:
        known = _days_until(day)
        if len(_days) > _MOST_DAYS:
            _days.clear()
        _days[day] = known
    return known


def _days_until(day: str) -> int:
    """Return the days from 1970 to one that is written `2026-11-15`.

    By hand: every hook that reads a transcript asks, and `datetime` costs it 2 ms.

    Raises:
        ValueError: there is no such day.
    """
    year, month, date = int(day[:4]), int(day[5:7]), int(day[8:])
    is_written_so = day == f"{year:04}-{month:02}-{date:02}"
    if not (is_written_so and year > 0 and 1 <= month <= _MONTHS):
        raise ValueError(day)
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= date <= _LENGTHS[month - 1] + (is_leap and month == _FEBRUARY):
        raise ValueError(day)
    past = year - 1
    leaps = past // 4 - past // 100 + past // 400 + (is_leap and month > _FEBRUARY)
    return past * 365 + leaps + sum(_LENGTHS[: month - 1]) + date - _EPOCH


def _parse_any_iso(text: str) -> int:
    from datetime import UTC, datetime  # noqa: PLC0415  # rare path, 3 ms

    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return 0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return int(moment.timestamp() * 1000)
    except (OverflowError, ValueError):
        return 0
