"""The query language: what a person or an agent types, to what a store is asked.

Every string is a query. What cannot be understood as a filter is a word. A date is in the
zone people live in: `yesterday` and `2026-01-18` begin at midnight there; `3 days ago` is
this hour, three days back, whatever the clocks did in between.
"""

import re
import unicodedata
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, cast

from holdfast.domain.query import Filter, FilterKind, Query
from holdfast.domain.text import REPLACEMENT, storable
from holdfast.language.languages import languages_of

MOST_TEXT = 100_000
MOST_OF_A_KIND = 64
MOST_WORD = 512
_ONE_VALUE = ("checkpoint", "session", "parent", "lineage", "type", "branch", "name")
_MANY_VALUES = {"tag": "tags", "file": "files", "tool": "tools", "topic": "topics"}
_RECORD_KINDS = ("checkpoint", "session")
_DATES = {"after": "before", "before": "after"}  # each with its opposite
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# What keyboards of other languages and word processors write instead.
_PLAIN_SIGNS = str.maketrans(dict.fromkeys("“”„‟«»「」『』＂", '"') | {"：": ":"})

# How other tools are asked: `/mem-search query="…"`, `search(query: "…")`. A shell takes
# the quotes away: then what follows is the query.
_WRAPPER = (
    r"\s*(?:/[\w:.\-]{1,64}\s+|[\w\-]{1,80}\(\s*)?query"
    r"(?:\s{0,8}[=:]\s{0,8}([\"'])|=)"
)
_COMMAND = r"\s*/(?:[\w\-]{1,64}:)?mem-search(?!\S)"

# `foo:bar`; but no address, path, drive, `a::b`, line of a file or end of a clause.
_LIKE_A_FILTER = r"[A-Za-z]{2,16}:[^\s:/\\0-9][^\s:/\\]*"
_PLAIN_ID = r"(?:ccp-)?[0-9A-Fa-f\-]+"

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


_TOKEN = (
    rf"(?i:(-?)(?:(after|before):({SPOKEN})(?!\S)"
    r'|(?:([a-z]{1,16}):)?"([^"]*)"))'
    r"|(\S+)"
)


def parse(text: str, now_ms: int, zone: tzinfo = UTC) -> Query:
    """Read a query; `yesterday` and `2w` are counted from `now_ms` in `zone`."""
    found = _Found((_EPOCH + timedelta(milliseconds=now_ms)).astimezone(zone))
    for position, token in enumerate(re.finditer(_TOKEN, _unwrapped(text))):
        minus, dated, date, key, quoted, word = token.groups()
        if dated:
            found.filter(minus, dated.lower(), date, token[0])
        elif word is None:
            found.quoted(minus, (key or "").lower(), quoted, token[0])
        elif position > 0 or word.lower() not in _RECORD_KINDS:
            found.word(word)
    return found.query()


class _Found:
    """What was read of a query so far."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._one: dict[str, Any] = {}
        self._many: dict[str, dict[Any, None]] = {}

    def query(self) -> Query:
        many: dict[str, Any] = {f: tuple(values) for f, values in self._many.items()}
        return Query(**many, **self._one)

    def filter(self, minus: str, key: str, value: str, token: str) -> None:
        """Take `key:value` as a filter, or else the whole token as text."""
        clean = _clean(value)
        is_taken = self._is_denied if minus else self._is_taken
        if not (clean and is_taken(key, clean)):
            self._add("excluded" if minus else "words", token.removeprefix(minus))

    def quoted(self, minus: str, key: str, value: str, token: str) -> None:
        if key:
            self.filter(minus, key, value, token)
        else:
            self._add("excluded" if minus else "phrases", value)

    def word(self, word: str) -> None:
        if word.lower() == "latest":
            self._one["latest"] = True
            return
        minus = "-" if word[0] == "-" and word[1:2] not in ("", "-") else ""
        key, colon, value = word.removeprefix(minus).partition(":")
        if colon:
            self.filter(minus, key.lower(), value, word)
        else:
            self._add("excluded" if minus else "words", key)

    def _add(self, field: str, value: str) -> None:
        if clean := _clean(value):
            self._put(field, clean)

    def _put(self, field: str, value: object) -> None:
        values = self._many.setdefault(field, {})
        if len(values) < MOST_OF_A_KIND:
            values[value] = None

    def _is_taken(self, key: str, value: str) -> bool:
        if key in _MANY_VALUES:
            self._put(_MANY_VALUES[key], value)
        elif key in _ONE_VALUE:
            self._one[key] = _normal(key, value)
        elif key == "sort" and value.lower() in ("asc", "desc"):
            self._one["sort"] = value.lower()
        else:
            return key in _DATES and self._is_date(key, value)
        return True

    def _is_denied(self, key: str, value: str) -> bool:
        if key in _DATES:  # not after a date is before it
            return self._is_date(_DATES[key], value)
        if key not in _ONE_VALUE and key not in _MANY_VALUES:
            return False
        self._put("without", Filter(cast("FilterKind", key), _normal(key, value)))
        return True

    def _is_date(self, key: str, value: str) -> bool:
        found = moment(value, self._now)
        if found is not None:
            self._one[key] = found
        return found is not None


def _clean(value: str) -> str:
    return " ".join(value.replace('"', " ").split())[:MOST_WORD]


def _unwrapped(text: str) -> str:
    """Return the query itself, without a wrapper and what no store can hold."""
    clean = storable(text[:MOST_TEXT]).replace(REPLACEMENT, " ").translate(_PLAIN_SIGNS)
    if wrapper := re.match(_WRAPPER, clean):
        inner = clean[wrapper.end() :]
        closed = inner.rpartition(wrapper[1])[0] if wrapper[1] else inner
        return (closed or inner).replace('\\"', '"')
    if command := re.match(_COMMAND, clean):
        return clean[command.end() :]
    return clean


def _normal(key: str, value: str) -> str:
    """Return a value in the form in which records have it."""
    if key == "name":
        return unicodedata.normalize("NFC", value).lower()
    if key == "type" or re.fullmatch(_PLAIN_ID, value):
        return value.lower()
    return value


def misread(query: Query) -> tuple[str, ...]:
    """Return the words that look like a filter and are none of ours, or mean nothing."""
    keys = (*_DATES, "sort", *_ONE_VALUE, *_MANY_VALUES)
    return tuple(
        word
        for word in query.words
        if (word.lower().partition(":")[0] in keys and ":" in word)
        or re.fullmatch(_LIKE_A_FILTER, word)
    )


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
