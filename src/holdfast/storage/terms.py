"""What of a checkpoint can be searched, and what a query asks for. Pure.

Words go through `analysis.words`, the same for indexing and asking. What a query filters
by exactly is a facet: one token of letters and digits, so that no engine's syntax and no
language matters.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from holdfast.analysis.words import index_terms, phrase_terms, query_terms
from holdfast.digests import blake2b
from holdfast.domain.checkpoint import Draft, Item
from holdfast.domain.query import Query
from holdfast.domain.text import storable
from holdfast.tuples import NamedTuple

EVERYTHING = "all"  # a facet that each checkpoint has
# Tokens that follow each other; a last one that ends in `*` is the beginning of one.
Phrase = tuple[str, ...]


class Columns(NamedTuple):
    """The searchable texts of a checkpoint."""

    title: str
    instructions: str
    decisions: str
    errors: str
    files: str
    rest: str


class Weights(NamedTuple):
    """How much a word counts: a title says most, a passing mention least."""

    title: float = 8.0
    instructions: float = 4.0
    decisions: float = 3.0
    errors: float = 3.0
    files: float = 2.0
    rest: float = 1.0


WEIGHTS = Weights()


class Wanted(NamedTuple):
    """A query in tokens. Even one word may be several: `getUserName`, `ตรวจสอบ`."""

    words: tuple[Phrase, ...]
    phrases: tuple[Phrase, ...]
    excluded: tuple[Phrase, ...]
    facets: tuple[Phrase, ...]
    is_possible: bool  # False: it asks for text in which there is no word


def columns(draft: Draft) -> Columns:
    """Return the tokens of each column, space-separated."""
    content = draft.content
    texts = Columns(
        title=content.title,
        instructions=_lines(content.requests, content.instructions),
        decisions=_lines(content.decisions),
        errors=_lines(content.errors, content.dead_ends),
        files="\n".join(file.path for file in content.files),
        rest="\n".join(_rest(draft)),
    )
    return Columns(*map(index_terms, texts))


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
    return kind[:2] + blake2b(f"{kind}:{folded}".encode(), digest_size=6).hexdigest()


def folded_name(name: str) -> str:
    """Return a name the way names are kept."""
    return unicodedata.normalize("NFC", storable(name)).strip().lower()


def wanted(query: Query) -> Wanted:
    """Return what a query asks for; text without any word in it asks for nothing."""
    words = tuple(filter(None, (query_terms(storable(w)) for w in query.words)))
    phrases = tuple(filter(None, (phrase_terms(storable(p)) for p in query.phrases)))
    excluded = tuple(filter(None, (phrase_terms(storable(e)) for e in query.excluded)))
    return Wanted(
        words=words,
        phrases=phrases,
        excluded=excluded,
        facets=tuple(_asked_facets(query)),
        is_possible=bool(words or phrases) or not (query.words or query.phrases),
    )


def _asked_facets(query: Query) -> Iterator[Phrase]:
    for kind, values in (
        ("tag", query.tags),
        ("topic", query.topics),
        ("tool", query.tools),
        ("type", (query.type,) if query.type else ()),
        ("branch", (query.branch,) if query.branch else ()),
    ):
        yield from ((facet(kind, value),) for value in values)
    yield from (
        tuple(_path_facets(path)) or (facet("file", ""),) for path in query.files
    )


def _path_facets(path: str) -> Iterator[str]:
    """Yield the name, then the folders from the inside out.

    So a name, a path and any ending of a path are each the beginning of a phrase.
    """
    parts = [
        part for part in path.replace("\\", "/").split("/") if part not in ("", ".")
    ]
    for place, part in enumerate(reversed(parts)):
        yield facet("folder" if place else "file", part)


def _lines(*kinds: Iterable[Item]) -> str:
    return "\n".join(item.text for items in kinds for item in items)


def _rest(draft: Draft) -> Iterator[str]:
    content = draft.content
    yield content.summary
    yield from content.topics
    yield _lines(content.key_outcomes, content.discoveries, content.pending)
    yield _lines(content.next_steps, content.open_questions, content.in_flight)
    yield content.last_words
    yield from content.names
    yield content.mental_model
    for command in content.commands:
        yield command.command
        yield command.output
    if content.plan:
        yield content.plan.path
    for detail in draft.details:
        yield detail.topic
        yield detail.text
    yield from draft.tags
