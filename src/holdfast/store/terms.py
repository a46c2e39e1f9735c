"""What a query asks for, in tokens, and what a checkpoint is filtered by. Pure.

Words go through `analysis.words`, the same for indexing and asking. What a query filters
by exactly is a facet: one token of letters and digits after a mark, so that no engine's
syntax and no language matters, and no word is like one.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from holdfast.domain.checkpoint import Draft
from holdfast.domain.query import Filter, Query
from holdfast.domain.text import storable
from holdfast.kernel.digests import blake2b
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.search.tokeniser import (
    STOP_TERMS,
    joined_terms,
    phrase_terms,
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


class Wanted(NamedTuple):
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

    def widened(self, is_known: Callable[[Phrase], bool]) -> "Wanted":
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


def telling_parts(phrase: Phrase) -> Phrase:
    """Return the terms of a phrase by which a passage can be found."""
    return tuple(term for term in phrase if term not in STOP_TERMS)


def _widened(word: Phrase, is_known: Callable[[Phrase], bool]) -> Iterable[Phrase]:
    parts = telling_parts(word)
    if not parts or parts[-1].endswith("*") or is_known(word):
        return (word,)
    if len(word) > 1:
        return [(part,) for part in parts if is_known((part,))] or (word,)
    is_long = len(parts[0]) >= _SHORTEST_BEGINNING
    return ((f"{parts[0]}*",),) if is_long else (word,)


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


def wanted(query: Query) -> Wanted:
    """Return what a query asks for; text without any word in it asks for nothing."""
    words = tuple(dict.fromkeys(filter(None, map(_word, query.words))))
    phrases = tuple(filter(None, (phrase_terms(storable(p)) for p in query.phrases)))
    excluded = tuple(filter(None, (phrase_terms(storable(e)) for e in query.excluded)))
    telling = tuple(word for word in words if telling_parts(word))
    return Wanted(
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
