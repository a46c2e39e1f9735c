"""What the search index keeps of a checkpoint, and what a query asks it, in terms. Pure.

Words go through `search.tokeniser`, the same for indexing and asking. What a query filters by
exactly is a facet: one token of letters and digits after a mark, so that no engine's syntax
and no language matters, and no word is like one. The words of all passages in order answer
phrases and exclusions. Each passage, too, is a row of terms, and behind each term stands a
mark for how much it says there: `parser` followed by the mark of level 4. So a store can
read the strongest first.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from holdfast.domain.checkpoint import Draft
from holdfast.domain.query import Filter, Passage, Query
from holdfast.domain.text import storable
from holdfast.kernel.digests import blake2b
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.search.passages import Placed, each_passage, placed_passages
from holdfast.search.ranking import LEVELS, PLACE_BITS, level
from holdfast.search.tokeniser import (
    STOP_TERMS,
    joined_terms,
    listed_terms,
    query_terms,
)

_MARK = "\x9e"  # of facets: a control character, which no word has
EVERYTHING = f"{_MARK}all"  # a facet that each checkpoint has
_FACETS = ("tag", "topic", "tool", "type", "branch")
_MOST_WORDS = 24  # of a query that are looked up
_MOST_PARTS = 16  # terms of one word
_SHORTEST_BEGINNING = 3

# Tokens that follow each other; a last one that ends in `*` is the beginning of one.
Phrase = tuple[str, ...]

# Changes whenever the same text would give other entries: then indexes are made anew.
ANALYSIS = 3

# Control characters, which no term has.
MARKS = tuple(chr(0x80 + each) for each in range(LEVELS))
_BREAK = " \x9f "  # between passages: no phrase spans two


class AskedTerms(NamedTuple):
    """A query in tokens. Even one word may be several: `getUserName`, `ตรวจสอบ`."""

    words: tuple[Phrase, ...]
    phrases: tuple[Phrase, ...]
    excluded: tuple[Phrase, ...]
    facets: tuple[Phrase, ...]
    without: tuple[Phrase, ...]  # facets of which none may hold
    wholes: tuple[str, ...]  # identifiers as one term: they help, and need not be there
    is_possible: bool  # False: it asks for text in which there is no word

    @property
    def telling(self) -> tuple[Phrase, ...]:
        """What can be ranked by: words and phrases that are not only stop words."""
        return tuple(filter(None, map(telling_parts, (*self.words, *self.phrases))))

    def widened(self, is_known: Callable[[Phrase], bool]) -> "AskedTerms":
        """Return the query with each word that nothing has taken less strictly.

        One term is taken as a beginning, several as words of their own. So is a phrase
        beside words; one that stands alone is meant as it is.
        """
        words = [other for word in self.words for other in _widened(word, is_known)]
        phrases = self.phrases
        if words and phrases:
            phrases = tuple(p for p in phrases if is_known(p) or len(p) == 1)
            lost = (p for p in self.phrases if p not in phrases)
            words += [other for phrase in lost for other in _widened(phrase, is_known)]
        distinct = tuple(dict.fromkeys(words))[:_MOST_WORDS]
        return self._replace(words=distinct, phrases=phrases)


class IndexEntry(NamedTuple):
    """What is indexed of one checkpoint."""

    words: str
    facets: str
    passages: tuple[tuple[int, str], ...]  # place, marked terms


def telling_parts(phrase: Phrase) -> Phrase:
    """Return the terms of a phrase by which a passage can be found."""
    return tuple(term for term in phrase if term not in STOP_TERMS)


def facets(draft: Draft) -> str:
    """Return the facets of a checkpoint, space-separated."""
    content = draft.content
    found = [
        EVERYTHING,
        facet("project", draft.project_id),
        facet("session", draft.session_id),
        facet("type", draft.type),
        facet("branch", draft.code.branch or ""),
        *(facet("tag", tag) for tag in draft.tags),
        *(facet("topic", topic) for topic in content.topics),
        *(facet("tool", tool.tool) for tool in draft.facts.tools),
    ]
    for file in content.files:
        found.extend(_path_facets(file.path))
    return " ".join(found)


@lru_cache(4096)  # the same folders and tools come again and again
def facet(kind: str, value: str) -> str:
    """Return the token that stands for a value, however it is spelled."""
    folded = unicodedata.normalize("NFC", storable(value)).casefold()
    return _MARK + blake2b(f"{kind}:{folded}".encode(), digest_size=6).hexdigest()


def folded_name(name: str) -> str:
    """Return a name the way names are kept."""
    return unicodedata.normalize("NFC", storable(name)).strip().lower()


def wanted(query: Query) -> AskedTerms:
    """Return what a query asks for; text without any word in it asks for nothing."""
    words = tuple(dict.fromkeys(filter(None, map(_word, query.words))))
    phrases = tuple(filter(None, (query_terms(storable(p)) for p in query.phrases)))
    excluded = tuple(filter(None, (query_terms(storable(e)) for e in query.excluded)))
    telling = tuple(word for word in words if telling_parts(word))
    return AskedTerms(
        words=(telling or words)[:_MOST_WORDS],
        phrases=phrases,
        excluded=excluded,
        facets=tuple(_asked_facets(_filters(query))),
        without=tuple(_asked_facets(query.without)),
        wholes=tuple(
            dict.fromkeys(t for word in query.words for t in joined_terms(word))
        )[:_MOST_WORDS],
        is_possible=bool(words or phrases) or not (query.words or query.phrases),
    )


def entry(draft: Draft) -> IndexEntry:
    """Return what makes a checkpoint found."""
    texts: list[str] = []
    passages: list[tuple[int, str]] = []
    for place, _, passage in each_passage(draft):
        terms = listed_terms(passage.text)
        texts.append(" ".join(terms))
        if marked := marked_terms(terms, passage.kind):
            passages.append((place, marked))
    return IndexEntry(_BREAK.join(texts), facets(draft), tuple(passages))


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


def _widened(word: Phrase, is_known: Callable[[Phrase], bool]) -> Iterable[Phrase]:
    parts = telling_parts(word)
    if not parts or parts[-1].endswith("*") or is_known(word):
        return (word,)
    if len(word) > 1:
        return [(part,) for part in parts if is_known((part,))] or (word,)
    is_long = len(parts[0]) >= _SHORTEST_BEGINNING
    return ((f"{parts[0]}*",),) if is_long else (word,)


def _word(word: str) -> Phrase:
    """Return the terms of a word; a `*` at its end asks for a beginning."""
    terms = query_terms(storable(word))[:_MOST_PARTS]
    if not terms or not word.endswith("*") or len(terms[-1]) < _SHORTEST_BEGINNING:
        return terms
    return (*terms[:-1], f"{terms[-1].rstrip('*')}*")


def _filters(query: Query) -> Iterator[Filter]:
    """Yield the filters of a query that are facets."""
    yield from (Filter("tag", tag) for tag in query.tags)
    yield from (Filter("topic", topic) for topic in query.topics)
    yield from (Filter("tool", tool) for tool in query.tools)
    yield from (Filter("file", path) for path in query.files)
    if query.type:
        yield Filter("type", query.type)
    if query.branch:
        yield Filter("branch", query.branch)


def _asked_facets(filters: Iterable[Filter]) -> Iterator[Phrase]:
    for kind, value in filters:
        if kind == "file":
            yield tuple(_path_facets(value)) or (facet("file", ""),)
        elif kind in _FACETS:
            yield (facet(kind, value),)


def _path_facets(path: str) -> Iterator[str]:
    """Yield the name, then the folders from the inside out.

    So a name, a path and any ending of a path are each the beginning of a phrase.
    """
    parts = [
        part for part in path.replace("\\", "/").split("/") if part not in ("", ".")
    ]
    for place, part in enumerate(reversed(parts)):
        yield facet("folder" if place else "file", part)
