"""Where a text says what a query asks for, found as the index finds it. Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from holdfast.domain.query import Query
from holdfast.kernel.lazy_patterns import pattern
from holdfast.search.tokeniser import (
    DENSE_TEXT,
    STOP_TERMS,
    clusters_of,
    index_terms,
    query_terms,
)

MOST_TEXT = 20_000  # characters of a passage that are looked at
_SHORTEST_BEGINNING = 3
_CHUNK = pattern(r"[^\W_]+(?:[_.\-]+[^\W_]+)*")
_PART = pattern(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_WHOLE = pattern(r"[^\W\d_]+|\d+")

Span = tuple[int, int]


def spans(text: str, query: Query) -> tuple[Span, ...]:
    """Return the places in `text` that a query's words and phrases name, in order."""
    asked = (*query.words, *query.phrases)
    seen = text[:MOST_TEXT]
    found = [*_dense(seen, asked), *_spaced(seen, asked)]
    return tuple(_merged(sorted(found)))


def _spaced(text: str, asked: Sequence[str]) -> Iterator[Span]:
    terms = {
        term for word in asked for term in query_terms(re.sub(DENSE_TEXT, " ", word))
    }
    wanted = terms - STOP_TERMS or terms  # unless they are all that was asked for
    if not wanted:
        return
    spaced = re.sub(DENSE_TEXT, lambda run: " " * len(run[0]), text)
    pieces = [piece for chunk in _CHUNK.finditer(spaced) for piece in _pieces(chunk)]
    known = {term for _, terms in pieces for term in terms}
    # What is nowhere as a whole was found as a beginning.
    rest = wanted - known
    missing = tuple(term for term in rest if len(term) >= _SHORTEST_BEGINNING)
    for span, terms in pieces:
        if not wanted.isdisjoint(terms) or any(t.startswith(missing) for t in terms):
            yield span


def _pieces(chunk: re.Match[str]) -> Iterator[tuple[Span, set[str]]]:
    """Yield the parts of a name with their terms, then the whole with what it adds."""
    start = chunk.start()
    said: set[str] = set()
    for part in (_PART if chunk[0].isascii() else _WHOLE).finditer(chunk[0]):
        terms = set(index_terms(part[0]).split())
        said |= terms
        yield (start + part.start(), start + part.end()), terms
    yield chunk.span(), set(index_terms(chunk[0]).split()) - said


def _dense(text: str, asked: Sequence[str]) -> Iterator[Span]:
    """Yield the runs of scripts without spaces: whole if they occur, else in pairs."""
    runs = {run for word in asked for run in re.findall(DENSE_TEXT, word)}
    for run in runs:
        places = list(_occurrences(text, run))
        if not places:
            clusters = clusters_of(run)
            pairs = {a + b for a, b in pairwise(clusters)}
            places = [place for pair in pairs for place in _occurrences(text, pair)]
        yield from places


def _occurrences(text: str, part: str) -> Iterator[Span]:
    return (found.span() for found in re.finditer(re.escape(part), text))


def _merged(found: list[Span]) -> Iterator[Span]:
    """Yield spans that overlap or touch as one."""
    held: Span | None = None
    for start, end in found:
        if held and start <= held[1]:
            held = (held[0], max(held[1], end))
            continue
        if held:
            yield held
        held = (start, end)
    if held:
        yield held
