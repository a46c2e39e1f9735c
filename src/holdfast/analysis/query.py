"""The query language: what a person or an agent types, to what a store is asked.

Every string is a query. What cannot be understood as a filter is a word.
"""

import re
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import Any

from holdfast.domain.query import Query
from holdfast.domain.text import REPLACEMENT, storable
from holdfast.patterns import pattern

MOST_TEXT = 100_000
MOST_OF_A_KIND = 64
MOST_WORD = 512
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS
_SPANS_MS = {
    "minute": _HOUR_MS // 60,
    "hour": _HOUR_MS,
    "day": _DAY_MS,
    "week": 7 * _DAY_MS,
    "month": 30 * _DAY_MS,
    "year": 365 * _DAY_MS,
}
_SHORT = {"h": "hour", "d": "day", "w": "week", "mo": "month", "y": "year"}
_UNIT = "(minute|hour|day|week|month|year)s?"
_AGO = pattern(rf"(\d{{1,6}}|an?) ?(?:{_UNIT}(?: ago)?|(mo|[hdwy]))")
_LAST = pattern(r"last (week|month|year)")
_DAYS_BEFORE = {"today": 0, "yesterday": 1}
_ONE_VALUE = ("checkpoint", "session", "parent", "lineage", "type", "branch", "name")
_MANY_VALUES = {"tag": "tags", "file": "files", "tool": "tools", "topic": "topics"}
_RECORD_KINDS = ("checkpoint", "session")
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»", '"'))
# How other tools are asked: `/mem-search query="…"`, `search(query: "…")`.
_WRAPPER = pattern(
    r"\s*(?:/[\w:.\-]{1,64}\s+|[\w\-]{1,80}\(\s*)?query\s{0,8}[=:]\s{0,8}\""
)
_COMMAND = pattern(r"\s*/(?:[\w\-]{1,64}:)?mem-search(?!\S)")
_TOKEN = pattern(
    rf"(after|before):(\d{{1,6}} {_UNIT}(?: ago)?|last (?:week|month|year))(?!\S)"
    r'|(-?)(?:([a-z]{1,16}):)?"([^"]*)"'
    r"|(\S+)",
    re.IGNORECASE,
)
_PLAIN_ID = pattern(r"(?:ccp-)?[0-9A-Fa-f\-]+")


def parse(text: str, now_ms: int) -> Query:
    """Read a query; `now_ms` is what `yesterday` and `2w` are counted from."""
    found = _Found(now_ms)
    for position, token in enumerate(_TOKEN.finditer(_unwrapped(text))):
        dated, date, _, minus, key, quoted, word = token.groups()
        if dated:
            found.filter(dated.lower(), date, token[0])
        elif word is None:
            found.quoted(minus, (key or "").lower(), quoted, token[0])
        elif position > 0 or word.lower() not in _RECORD_KINDS:
            found.word(word)
    return found.query()


class _Found:
    """What was read of a query so far."""

    def __init__(self, now_ms: int) -> None:
        self._now_ms = now_ms
        self._one: dict[str, Any] = {}
        self._many: dict[str, dict[str, None]] = {}

    def query(self) -> Query:
        many: dict[str, Any] = {f: tuple(values) for f, values in self._many.items()}
        return Query(**many, **self._one)

    def filter(self, key: str, value: str, token: str) -> None:
        """Take `key:value` as a filter, or else the whole token as a word."""
        if not self._is_taken(key, value.strip()[:MOST_WORD]):
            self._add("words", token)

    def quoted(self, minus: str, key: str, value: str, token: str) -> None:
        if minus:
            self._add("excluded", f"{key}:{value}" if key else value)
        elif key:
            self.filter(key, value, token)
        else:
            self._add("phrases", value)

    def word(self, word: str) -> None:
        key, colon, value = word.partition(":")
        if word.lower() == "latest":
            self._one["latest"] = True
        elif word[0] == "-" and word[1:2] not in ("", "-"):
            self._add("excluded", word[1:])
        elif colon:
            self.filter(key.lower(), value, word)
        else:
            self._add("words", word)

    def _add(self, field: str, value: str) -> None:
        values = self._many.setdefault(field, {})
        clean = " ".join(value.replace('"', " ").split())[:MOST_WORD]
        if clean and len(values) < MOST_OF_A_KIND:
            values[clean] = None

    def _is_taken(self, key: str, value: str) -> bool:
        if not value:
            return False
        if key in _MANY_VALUES:
            self._add(_MANY_VALUES[key], value)
        elif key in _ONE_VALUE:
            self._one[key] = _normal(key, value)
        elif key == "sort" and value.lower() in ("asc", "desc"):
            self._one["sort"] = value.lower()
        elif key in ("after", "before"):
            moment = _moment(value, self._now_ms)
            if moment is None:
                return False
            self._one[key] = moment
        else:
            return False
        return True


def _unwrapped(text: str) -> str:
    """Return the query itself, without a wrapper and what no store can hold."""
    clean = storable(text[:MOST_TEXT]).replace(REPLACEMENT, " ").translate(_QUOTES)
    if wrapper := _WRAPPER.match(clean):
        inner = clean[wrapper.end() :]
        return (inner.rpartition('"')[0] or inner).replace('\\"', '"')
    if command := _COMMAND.match(clean):
        return clean[command.end() :]
    return clean


def _normal(key: str, value: str) -> str:
    """Return a value in the form in which records have it."""
    if key == "name":
        return unicodedata.normalize("NFC", value).lower()
    if key == "type" or _PLAIN_ID.fullmatch(value):
        return value.lower()
    return value


def _moment(text: str, now_ms: int) -> int | None:
    """Return the Unix milliseconds that a date means, or None if it is not one."""
    exact = _iso_moment(text)
    if exact is not None:
        return exact
    plain = " ".join(re.split(r"[\s_\-]+", text.lower()))
    midnight = now_ms - now_ms % _DAY_MS
    if plain in _DAYS_BEFORE:
        return midnight - _DAYS_BEFORE[plain] * _DAY_MS
    if last := _LAST.fullmatch(plain):
        return midnight - _SPANS_MS[last[1]]
    if ago := _AGO.fullmatch(plain):
        count = int(ago[1]) if ago[1].isdigit() else 1
        return now_ms - count * _SPANS_MS[ago[2] or _SHORT[ago[3]]]
    return None


def _iso_moment(text: str) -> int | None:
    """Return an ISO 8601 moment; without a zone it is UTC, without a day the first."""
    partial = re.fullmatch(r"(\d{4})(-\d{2})?", text)
    try:
        moment = datetime.fromisoformat(f"{text}-01-01"[:10] if partial else text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(milliseconds=1)
