"""Does a checkpoint answer a query in tokens, and how well? Pure, without an index."""

from collections.abc import Sequence

from holdfast.domain.checkpoint import Draft
from holdfast.storage.terms import WEIGHTS, Phrase, Wanted, columns, facets
from holdfast.values import dataclass


@dataclass(frozen=True, slots=True)
class Tokens:
    """What can be found of one checkpoint."""

    columns: tuple[tuple[str, ...], ...]
    facets: tuple[str, ...]


def tokens_of(draft: Draft) -> Tokens:
    texts = tuple(tuple(text.split()) for text in columns(draft))
    return Tokens(texts, tuple(facets(draft).split()))


def strength(tokens: Tokens, asked: Wanted) -> float | None:
    """Return how well a checkpoint answers, or None if it does not.

    Between 1 and 2 where all words occur, between 0 and 1 where only some do.
    """
    if not all(_occurs(facet, tokens.facets) for facet in asked.facets):
        return None
    if any(_weight(tokens, text) for text in asked.excluded):
        return None
    phrases = [_weight(tokens, phrase) for phrase in asked.phrases]
    words = [_weight(tokens, word) for word in asked.words]
    if not all(phrases) or (words and not any(words)):
        return None
    total = sum(phrases) + sum(words)
    return (1.0 if all(words) else 0.0) + total / (1.0 + total)


def _weight(tokens: Tokens, phrase: Phrase) -> float:
    pairs = zip(tokens.columns, WEIGHTS, strict=True)
    return sum(weight * _occurs(phrase, column) for column, weight in pairs)


def _occurs(phrase: Phrase, tokens: Sequence[str]) -> int:
    """Return how often tokens follow each other. A last `*` asks for a beginning."""
    *first, last = phrase
    beginning = last.rstrip("*")
    size = len(phrase)
    count = 0
    for start in range(len(tokens) - size + 1):
        end = tokens[start + size - 1]
        fits = end.startswith(beginning) if last != beginning else end == last
        count += fits and list(tokens[start : start + size - 1]) == first
    return count
