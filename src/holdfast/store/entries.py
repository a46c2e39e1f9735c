"""What the search index keeps of a checkpoint: its words, its facets, its passages. Pure.

The words of all passages in order answer phrases and exclusions. Each passage, too, is a
row of terms, and behind each term stands a mark for how much it says there: `parser`
followed by the mark of level 4. So a store can read the strongest first.
"""

from holdfast.domain.checkpoint import Draft
from holdfast.domain.query import Passage
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.search.passages import Placed, each_passage, placed_passages
from holdfast.search.ranking import LEVELS, PLACE_BITS, level
from holdfast.search.tokeniser import STOP_TERMS, listed_terms
from holdfast.store.terms import Phrase, facets

# Changes whenever the same text would give other entries: then indexes are made anew.
ANALYSIS = 3
# Control characters, which no term has.
MARKS = tuple(chr(0x80 + each) for each in range(LEVELS))
_BREAK = " \x9f "  # between passages: no phrase spans two


class Entry(NamedTuple):
    """What is indexed of one checkpoint."""

    words: str
    facets: str
    passages: tuple[tuple[int, str], ...]  # place, marked terms


def entry(draft: Draft) -> Entry:
    """Return what makes a checkpoint found."""
    texts: list[str] = []
    passages: list[tuple[int, str]] = []
    for place, _, passage in each_passage(draft):
        terms = listed_terms(passage.text)
        texts.append(" ".join(terms))
        if marked := marked_terms(terms, passage.kind):
            passages.append((place, marked))
    return Entry(_BREAK.join(texts), facets(draft), tuple(passages))


def marked_terms(terms: list[str], kind: str) -> str:
    """Return each term that can be found by itself, with the mark of its level."""
    counts: dict[str, int] = {}  # a Counter takes longer to make than to fill
    for term in terms:
        if term not in STOP_TERMS:
            counts[term] = counts.get(term, 0) + 1
    length = sum(counts.values())
    return " ".join(
        [term + MARKS[level(n, length, kind)] for term, n in counts.items()]
    )


def passage_at(draft: Draft, row: int) -> Passage | None:
    """Return the passage of a checkpoint that has a row of the index."""
    place = row & ((1 << PLACE_BITS) - 1)
    found = (each for each in each_passage(draft) if each.place == place)
    return next((each.passage for each in found), None)


def passage_with(draft: Draft, words: tuple[Phrase, ...]) -> Passage | None:
    """Return the first passage that has most of some words."""
    wanted = {term.rstrip("*") for word in words for term in word}

    def has(placed: Placed) -> int:
        return len(wanted.intersection(listed_terms(placed.passage.text)))

    best = max(placed_passages(draft), key=has, default=None)
    return best.passage if best is not None and has(best) else None
