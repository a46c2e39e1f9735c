"""What a setting may be: each kind knows its values, their text and how to say them.

Tuples and plain classes: each start makes them, and a dataclass takes eight times longer.
"""

import json
from collections.abc import Mapping
from typing import Protocol

from holdfast.kernel.lazy_tuples import NamedTuple

_YES = frozenset(["true", "yes", "on", "1"])
_NO = frozenset(["false", "no", "off", "0"])
_MIRROR_KINDS = ("claude-mem", "memora")
_MIRROR_FIELDS = frozenset(["kind", "url"])
_SHARE_FIELDS = frozenset(["kind", "remote", "projects"])
_MOST_RUNS = 2
_FEWEST_PLAIN = 4
_MOST_PATTERN = 512
_STORES = ("sqlite://", "postgresql://", "postgres://")


class Kind(Protocol):
    @property
    def says(self) -> str:
        """Return what is allowed, in words that end a sentence."""
        ...

    def accepts(self, value: object) -> bool: ...

    def from_text(self, text: str) -> object:
        """Read a value as typed in a shell; what makes no sense comes back as it is."""
        ...


class Choice(NamedTuple):
    """One of a few values; `true` and `1` are not the same in a file."""

    options: tuple[bool | str, ...] = (True, False)

    @property
    def says(self) -> str:
        words = [f"`{_shown(option)}`" for option in self.options]
        return f"{', '.join(words[:-1])} or {words[-1]}"

    def accepts(self, value: object) -> bool:
        return any(type(value) is type(o) and value == o for o in self.options)

    def from_text(self, text: str) -> object:
        word = text.strip().lower()
        if word in self.options:  # `off` may be a word of its own
            return word
        if word in _YES and True in self.options:
            return True
        return False if word in _NO and False in self.options else text


class Whole(NamedTuple):
    """A whole number within bounds."""

    low: int
    high: int

    @property
    def says(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def accepts(self, value: object) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def from_text(self, text: str) -> object:
        digits = text.strip()
        is_short = len(digits) <= len(str(self.high))
        return int(digits) if is_short and digits.isdecimal() else text


class Texts:
    """A list of texts."""

    says = "a list of texts, none of them empty"

    def accepts(self, value: object) -> bool:
        return isinstance(value, list) and all(
            isinstance(text, str) and text.strip() for text in value
        )

    def from_text(self, text: str) -> object:
        if text.lstrip().startswith("["):
            return _json(text)
        return [part.strip() for part in text.split(",") if part.strip()]


class SecretPatterns:
    """Texts in which `*` stands for any run without spaces and `?` for one character.

    Not regular expressions: such a text cannot make a hook slow.
    """

    says = (
        "a list of texts in which `*` stands for any characters but spaces (at most"
        " twice) and `?` for one, with at least 4 others"
    )

    def accepts(self, value: object) -> bool:
        return isinstance(value, list) and all(_is_pattern(text) for text in value)

    def from_text(self, text: str) -> object:
        return Texts().from_text(text)


class StoreAddress:
    """The store: the local file, or an address."""

    says = "`sqlite`, or an address such as `sqlite:///DIR`"

    def accepts(self, value: object) -> bool:
        return isinstance(value, str) and (
            value == "sqlite" or value.startswith(_STORES)
        )

    def from_text(self, text: str) -> object:
        return text.strip()


class Mirrors:
    """Other systems that get a copy."""

    says = (
        'a list such as `[{"kind": "memora", "url": "http://127.0.0.1:8000/mcp"}]`,'
        " of kind `claude-mem` or `memora`"
    )

    def accepts(self, value: object) -> bool:
        return isinstance(value, list) and all(_is_mirror(mirror) for mirror in value)

    def from_text(self, text: str) -> object:
        return _json(text)


class TeamPlace:
    """Where a team's database is, if there is a team."""

    says = (
        "`null`, or an address without a password such as `postgresql://me@host/db`, or"
        " an object with `dsn` and, if need be, `tenant`, `password_file` and `projects`"
    )

    def accepts(self, value: object) -> bool:
        if value is None:
            return True
        from holdfast.domain.team import TeamAddress, team_address  # noqa: PLC0415  # most have none

        return isinstance(team_address(value), TeamAddress)

    def from_text(self, text: str) -> object:
        return text if text.lstrip()[:1] not in ("{", "n") else _json(text)


class ShareWith:
    """What checkpoints are shared with, if with anything."""

    says = (
        '`null` or an object such as `{"kind": "git", "remote": "origin"}`, to which'
        ' `"projects": ["~/code/**"]` may be added'
    )

    def accepts(self, value: object) -> bool:
        if value is None:
            return True
        return (
            isinstance(value, Mapping)
            and _SHARE_FIELDS.issuperset(value)
            and value.get("kind") == "git"
            and _is_word(value.get("remote", "origin"))
            and Texts().accepts(value.get("projects", []))
        )

    def from_text(self, text: str) -> object:
        return _json(text)


def _is_word(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and value.split() == [value]


def _is_pattern(text: object) -> bool:
    if not isinstance(text, str) or text.count("*") > _MOST_RUNS:
        return False
    plain = "".join(text.replace("*", "").replace("?", "").split())
    return len(plain) >= _FEWEST_PLAIN and len(text) <= _MOST_PATTERN


def _is_mirror(value: object) -> bool:
    if not isinstance(value, Mapping) or not _MIRROR_FIELDS.issuperset(value):
        return False
    url = value.get("url")
    is_address = isinstance(url, str) and url.startswith(("http://", "https://"))
    return value.get("kind") in _MIRROR_KINDS and (url is None or is_address)


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _shown(option: bool | str) -> str:  # noqa: FBT001  # an option of a setting may be true
    return str(option).lower() if isinstance(option, bool) else option
