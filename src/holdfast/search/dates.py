"""Dates as people type them, in the zone they live in.

`yesterday` and `2026-01-18` begin at midnight there; `3 days ago` is this hour, three
days back, whatever the clocks did in between.
"""

import re
import unicodedata
from datetime import UTC, datetime, timedelta

from holdfast.language.languages import languages_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_EXACT = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}
_CALENDAR = {"day": (1, 0), "week": (7, 0), "month": (0, 1), "year": (0, 12)}
_SHORT = {
    "min": "minute", "h": "hour", "d": "day", "w": "week", "mo": "month", "y": "year",
}  # fmt: skip
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?"
    r"|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
# Patterns are compiled when they are first used: who never types a date pays nothing.
_COUNT = r"(?:\d{1,6}|an?)"
_UNIT = r"(?:minute|hour|day|week|month|year)s?"
# Dates of several words that need no quotes: nothing else can be meant by them.
SPOKEN = (
    rf"{_COUNT} {_UNIT}(?: ago)?"
    rf"|(?:last|this) (?:week|month|year|{_WEEKDAY})"
    rf"|(?:\d{{1,2}} )?{_MONTH} \d{{4}}"
    r"|\d{4}-\d{1,2}-\d{1,2} \d{1,2}:\d{2}(?::\d{2})?"
)
_AGO = rf"({_COUNT}) ?(?:({_UNIT})(?: ago)?|(mo|min|[hdwy])(?: ago)?)"
_PERIOD = r"(last|this) (week|month|year)"
_DAY_OF_WEEK = rf"(last |this )?({_WEEKDAY})"
_DAY_OF_MONTH = rf"(?:(\d{{1,2}}) )?({_MONTH})(?: (\d{{4}}))?"
_NUMBERS = r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[t ](\d{1,2}):(\d{2}))?)?)?"


def moment(text: str, now: datetime) -> int | None:
    """Return the Unix milliseconds a date means, or None if it is not one.

    `now` has the zone in which the date is read.
    """
    try:
        found = _found(unicodedata.normalize("NFC", text).strip(), now)
        return None if found is None else (found - _EPOCH) // _MILLISECOND
    except (ValueError, OverflowError):  # the 30th of February, the year 0
        return None


def _found(text: str, now: datetime) -> datetime | None:
    lower = text.lower()
    plain = " ".join(re.split(r"[\s_]+", lower))
    spoken = " ".join(re.split(r"[\s_\-]+", lower))
    if numbers := re.fullmatch(_NUMBERS, plain):
        year, month, day, hour, minute = (int(n or 0) for n in numbers.groups())
        start = _midnight(now).replace(year=year, month=month or 1, day=day or 1)
        return start.replace(hour=hour, minute=minute)
    for tongue in languages_of(spoken):
        if spoken in tongue.words.days_ago:
            return _days_before(_midnight(now), tongue.words.days_ago[spoken])
    if ago := re.fullmatch(_AGO, spoken):
        count = int(ago[1]) if ago[1].isdigit() else 1
        return _before(now, count, _SHORT.get(ago[3]) or ago[2].removesuffix("s"))
    return _named(spoken, now) or _iso(text, now)


def _named(spoken: str, now: datetime) -> datetime | None:
    """Return the beginning of a week, month or year, or of a day with a name."""
    today = _midnight(now)
    if period := re.fullmatch(_PERIOD, spoken):
        return _before(_start_of(today, period[2]), int(period[1] == "last"), period[2])
    if weekday := re.fullmatch(_DAY_OF_WEEK, spoken):
        back = (today.weekday() - _WEEKDAYS.index(weekday[2][:3])) % 7
        return _days_before(today, 7 if back == 0 and weekday[1] == "last " else back)
    if named := re.fullmatch(_DAY_OF_MONTH, spoken):
        month = _MONTHS.index(named[2][:3]) + 1
        year = int(named[3]) if named[3] else today.year
        day = today.replace(year=year, month=month, day=int(named[1] or 1))
        is_to_come = not named[3] and day > today
        return day.replace(year=year - 1) if is_to_come else day
    return None


def _iso(text: str, now: datetime) -> datetime | None:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=now.tzinfo)


def _before(moment: datetime, count: int, unit: str) -> datetime:
    if unit in _EXACT:
        return moment.astimezone(UTC) - count * _EXACT[unit]
    days, months = _CALENDAR[unit]
    if days:
        return _days_before(moment, count * days)
    year, month = divmod(moment.year * 12 + moment.month - 1 - count * months, 12)
    first = moment.replace(year=year, month=month + 1, day=1)
    length = _days_before((first + timedelta(days=31)).replace(day=1), 1).day
    return first.replace(day=min(moment.day, length))


def _days_before(moment: datetime, days: int) -> datetime:
    return moment - timedelta(days=days)  # of the calendar: the zone stays, hours vary


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


def _start_of(day: datetime, unit: str) -> datetime:
    if unit == "week":
        return _days_before(day, day.weekday())
    return day.replace(day=1, month=1 if unit == "year" else day.month)
