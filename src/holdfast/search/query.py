"""The query language: what a person or an agent types, to what a store is asked.

Every string is a query. What cannot be understood as a filter is a word.
"""

import re
import unicodedata
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, cast

from holdfast.domain.query import Filter, FilterKind, Query
from holdfast.domain.text import REPLACEMENT, storable
from holdfast.search.dates import SPOKEN, moment

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
_TOKEN = (
    rf"(?i:(-?)(?:(after|before):({SPOKEN})(?!\S)"
    r'|(?:([a-z]{1,16}):)?"([^"]*)"))'
    r"|(\S+)"
)
# `foo:bar`; but no address, path, drive, `a::b`, line of a file or end of a clause.
_LIKE_A_FILTER = r"[A-Za-z]{2,16}:[^\s:/\\0-9][^\s:/\\]*"
_PLAIN_ID = r"(?:ccp-)?[0-9A-Fa-f\-]+"


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
