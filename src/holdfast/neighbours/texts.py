"""Texts of other programs taken apart with care: bytes, moments, Markdown sections. Pure.

Whatever is not of the expected form is a value, and never an exception: anybody may have
written it.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any

from holdfast.kernel.digests import sha256
from holdfast.kernel.lazy_patterns import pattern

_BYTE_ORDER_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
# A number below is seconds, milliseconds, microseconds.
_SECONDS_END, _MILLIS_END, _MICROS_END = 1e11, 1e14, 1e18
_LAST_MOMENT = 253_402_300_799_000  # the end of the year 9999, Unix ms
_NOTHING = ("none", "n/a", "-", "nothing")
_BULLET = pattern(r"(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_SHORT = 16


def decoded(data: bytes) -> str | None:
    """Return bytes as text, or None if they are none: UTF-8, or UTF-16 that says so."""
    coding = _BYTE_ORDER_MARKS.get(data[:2], "utf-8-sig")
    try:
        text = data.decode(coding)
    except UnicodeDecodeError:
        return None
    return None if "\x00" in text else text


def digest(*parts: str) -> str:
    """Return what stands for a text that has no id."""
    told = "\x00".join(parts).encode("utf-8", "surrogatepass")
    return sha256(told).hexdigest()[:_SHORT]


def moment(value: object, zone: tzinfo = UTC) -> int:
    """Return Unix milliseconds of a moment, however it was written, or 0 if it is none.

    A clock without a zone is read in `zone`.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _of_number(value)
    if not isinstance(value, str):
        return 0
    text = value.strip()
    if text.isascii() and text.isdecimal() and len(text) <= _SHORT:
        return _of_number(int(text))
    try:
        read = datetime.fromisoformat(text)
        aware = read if read.tzinfo else read.replace(tzinfo=zone)
        return _possible(math.floor(aware.timestamp() * 1000))
    except (ValueError, OverflowError, OSError):
        return 0


def _of_number(value: float) -> int:
    if not 0 < value < _MICROS_END:  # nothing is true of what is no number
        return 0
    if value < _SECONDS_END:
        return _possible(int(value * 1000))
    return _possible(int(value if value < _MILLIS_END else value / 1000))


def _possible(unix_ms: int) -> int:
    return unix_ms if 0 < unix_ms <= _LAST_MOMENT else 0


def parsed_json(text: str) -> Any:
    """Return a JSON value, or None if it is not one (or is `null`)."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def field_text(raw: Mapping[str, Any], *names: str) -> str:
    """Return the first of some fields that is text and says something."""
    for name in names:
        value = raw.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def field_texts(raw: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return the texts of a list, also one that was written as JSON into a text."""
    value = raw.get(name)
    if isinstance(value, str):
        inner = parsed_json(value) if value.lstrip().startswith("[") else None
        value = inner if isinstance(inner, list) else [value]
    if not isinstance(value, list):
        return ()
    return distinct(each for each in value if isinstance(each, str))


def distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))


def sections(text: str) -> dict[str, str]:
    """Return what stands under each heading of a Markdown text, by its words in lower
    case; what stands before the first one is under the empty heading."""
    found: dict[str, list[str]] = {"": []}
    into, fence = found[""], ""
    for line in text.split("\n"):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~") and fence in ("", mark):
            fence = "" if fence else mark
        if not fence and (heading := heading_of(line)):
            into = found.setdefault(heading.lower(), [])
        else:
            into.append(line.rstrip())
    return {name: "\n".join(lines).strip() for name, lines in found.items()}


def heading_of(line: str) -> str:
    """Return the words of a line that is a heading, without marks and colon."""
    bare = line.lstrip("#")
    if len(bare) == len(line) or not bare.startswith(" "):
        return ""
    return bare.strip().strip("*_").rstrip(":").strip()


def entries(text: str) -> tuple[str, ...]:
    """Return the entries of a list in Markdown, each with the lines that belong to it;
    of a text without a list, its paragraphs."""
    return distinct(
        entry for entry in _entries(text) if entry.strip(" .").lower() not in _NOTHING
    )


def _entries(text: str) -> Iterator[str]:
    held = list[str]()
    for line in text.split("\n"):
        bare = line.strip()
        mark = _BULLET.match(bare)
        if mark or not bare:
            yield " ".join(held)
            held = []
        if bare:
            held.append(bare[mark.end() if mark else 0 :])
    yield " ".join(held)


def first_line(text: str) -> str:
    """Return the first line that says something, without marks of Markdown."""
    lines = (line.strip().lstrip("#>*- ").rstrip("*_ ") for line in text.split("\n"))
    return next((line for line in lines if line), "")
