"""No pattern of redaction can be made slow: proved by its form, not by a stopwatch."""

import re
import re._constants as sre  # type: ignore[import-not-found]  # no stubs; its names are stable
import re._parser as parser  # type: ignore[import-not-found]  # as above
from collections.abc import Iterator
from typing import Any

import pytest

from holdfast.redaction import (
    blocks,
    by_field,
    by_name,
    by_position,
    by_word,
    foreign_words,
    formats,
    lookalikes,
    manifests,
    pairs,
    prose,
    redactor,
    scan,
    seed_phrases,
    tables,
    tokens,
    values,
)

MODULES = (
    redactor, blocks, lookalikes, formats, by_name, by_position, prose, scan, tokens, values, by_word,
    by_field, foreign_words, manifests, pairs, tables, seed_phrases,
)  # fmt: skip
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT)
_MOST_REPEATED = 10_000


def _patterns() -> Iterator[tuple[str, str]]:
    """Yield every text in the rules' modules that is a pattern, and every scan."""
    for module in MODULES:
        for name, value in vars(module).items():
            for number, text in enumerate(_texts(value)):
                yield f"{module.__name__.rpartition('.')[2]}.{name} {number}", text
    for mark, whole, _ in scan.scans():
        yield f"scan {mark}", whole


def _texts(value: Any) -> Iterator[str]:
    value = getattr(value, "pattern", value)  # one that is compiled when it is needed
    if isinstance(value, str) and re.search(r"[\[({\\]", value):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _texts(item)


def _parsed(text: str) -> Any | None:
    try:
        return parser.parse(text)
    except re.error:
        return None


PATTERNS = {name: text for name, text in _patterns() if _parsed(text) is not None}


def _parts(node: Any) -> Iterator[Any]:
    """Yield the patterns inside one operation."""
    kind, given = node
    if kind in _REPEATS or str(kind) == "POSSESSIVE_REPEAT":
        yield given[2]
    elif kind is sre.SUBPATTERN:
        yield given[-1]
    elif kind is sre.BRANCH:
        yield from given[1]
    elif kind in (sre.ASSERT, sre.ASSERT_NOT):
        yield given[1]


def test_there_are_patterns_to_look_at() -> None:
    """A change of form must not leave this file with nothing to prove."""
    assert len(PATTERNS) > 250
    assert sum(name.startswith("scan") for name in PATTERNS) > 20


# These read a whole value, of at most 1,024 characters of a text, once.
_OF_VALUES = "values."


@pytest.mark.parametrize(
    "name", [name for name in PATTERNS if not name.startswith(_OF_VALUES)]
)
def test_every_repetition_has_an_end(name: str) -> None:
    """Where a rule stops reading after so many characters, a text cannot hold it up."""

    def repeats(nodes: Any) -> Iterator[int]:
        for node in nodes:
            if node[0] in _REPEATS:
                yield int(node[1][1])
            for part in _parts(node):
                yield from repeats(part)

    assert max(repeats(_parsed(PATTERNS[name])), default=0) <= _MOST_REPEATED


@pytest.mark.parametrize("name", PATTERNS)
def test_no_unbounded_repetition_is_inside_another(name: str) -> None:
    """`(a+)+` is what makes a pattern exponential."""

    def nested(nodes: Any, *, inside: bool) -> bool:
        for node in nodes:
            kind, given = node
            is_open = kind in _REPEATS and given[1] == sre.MAXREPEAT
            if is_open and inside:
                return True
            if any(nested(p, inside=inside or is_open) for p in _parts(node)):
                return True
        return False

    assert not nested(_parsed(PATTERNS[name]), inside=False)
