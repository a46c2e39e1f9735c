"""Search without an index: the same answers, found by looking at every record. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from holdfast.domain.checkpoint import Draft
from holdfast.kernel.lazy_values import dataclass
from holdfast.search.ranking import Postings, row_of
from holdfast.store.index_terms import MARKS, AskedTerms, Phrase, entry, telling_parts


@dataclass(frozen=True, slots=True)
class Tokens:
    """What can be found of one checkpoint."""

    position: int
    words: tuple[str, ...]
    facets: tuple[str, ...]
    terms: Mapping[str, Mapping[int, int]]  # term → row → level


def tokens_of(draft: Draft, position: int) -> Tokens:
    found = entry(draft)
    terms: dict[str, dict[int, int]] = {}
    for place, marked in found.passages:
        for token in marked.split(" "):  # one mark is a line break to `split()`
            rows = terms.setdefault(token[:-1], {})
            rows[row_of(position, place)] = MARKS.index(token[-1])
    facets = tuple(found.facets.split())
    return Tokens(position, tuple(found.words.split()), facets, terms)


def passages_of(tokens: Tokens) -> set[int]:
    """Return the rows of a checkpoint's passages."""
    return {row for rows in tokens.terms.values() for row in rows}


def is_known(records: Sequence[Tokens], phrase: Phrase) -> bool:
    """Say whether any record has terms side by side, or a passage the only one."""
    if len(phrase) == 1:
        return any(phrase[0] in tokens.terms for tokens in records)
    return any(_occurs(phrase, tokens.words) for tokens in records)


def answers(tokens: Tokens, asked: AskedTerms) -> bool:
    """Say whether a checkpoint has what a query asks for, and nothing it excludes."""
    return (
        all(_occurs(facet, tokens.facets) for facet in asked.facets)
        and not any(_occurs(facet, tokens.facets) for facet in asked.without)
        and not any(_occurs(text, tokens.words) for text in asked.excluded)
        and all(_occurs(phrase, tokens.words) for phrase in asked.phrases)
        and (not asked.words or any(_occurs(w, tokens.words) for w in asked.words))
    )


def postings(
    records: Sequence[Tokens], passing: Sequence[Tokens], asked: AskedTerms
) -> list[Postings]:
    """Return where each word is in records that pass; all of them say how rare it is."""
    phrases = [p for p in (*asked.words, *asked.phrases) if telling_parts(p)]
    wholes: list[Phrase] = [(whole,) for whole in asked.wholes]
    return [
        *(_word(records, passing, phrase) for phrase in phrases),
        *(_word(records, passing, w)._replace(is_asked=False) for w in wholes),
    ]


def _word(
    records: Sequence[Tokens], passing: Sequence[Tokens], phrase: Phrase
) -> Postings:
    counts = [_count(records, term) for term in telling_parts(phrase)]
    rarest = min(range(len(counts)), key=counts.__getitem__)
    count = counts[rarest]
    having = passing
    if len(phrase) > 1:
        everywhere = sum(bool(_occurs(phrase, tokens.words)) for tokens in records)
        count = min(count, max(everywhere, 1))
        having = [tokens for tokens in passing if _occurs(phrase, tokens.words)]
    found: dict[int, int] = {}
    for tokens in having:
        terms = [_rows(tokens, term) for term in telling_parts(phrase)]
        together = set.intersection(*map(set, terms))
        found.update((row, terms[rarest][row]) for row in together)
    return Postings(count, found)


def _count(records: Iterable[Tokens], term: str) -> int:
    fits = _fitting(term)
    return sum(
        len(rows) for tokens in records for t, rows in tokens.terms.items() if fits(t)
    )


def _rows(tokens: Tokens, term: str) -> dict[int, int]:
    """Return where a term or a beginning is, with its strongest level there."""
    fits = _fitting(term)
    found: dict[int, int] = {}
    for own, rows in tokens.terms.items():
        if fits(own):
            for row, level in rows.items():
                found[row] = max(level, found.get(row, 0))
    return found


def _fitting(term: str) -> Callable[[str], bool]:
    beginning = term.removesuffix("*")
    if beginning == term:
        return term.__eq__
    return lambda own: own.startswith(beginning)


def _occurs(phrase: Phrase, tokens: Sequence[str]) -> int:
    """Return how often tokens follow each other. A last `*` asks for a beginning."""
    *first, last = phrase
    fits = _fitting(last)
    size = len(phrase)
    return sum(
        fits(tokens[start + size - 1])
        and list(tokens[start : start + size - 1]) == first
        for start in range(len(tokens) - size + 1)
    )
