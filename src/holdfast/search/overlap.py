"""What a session's content has in common with another's: errors, names, telling words."""

from collections.abc import Iterable, Iterator

from holdfast.domain.checkpoint import Content, FileRef, Item, is_open
from holdfast.domain.fact import Failure
from holdfast.domain.text import one_line
from holdfast.facts.commands.errors_seen import signature
from holdfast.language.words import word_list
from holdfast.search.tokeniser import has_dense, index_terms, written_words

_MOST_TEXT = 4000  # characters of one text; a longer one is a paste
_LATEST = 3  # requests that say what is wanted now
_LEAST_WORDS = 3  # an error of fewer words may be any error
_SHOWN = 80
_SHORTEST = 3


def changed_files(content: Content) -> tuple[str, ...]:
    """Return the paths that this session itself changed."""
    return tuple(file.path for file in content.files if _is_own_change(file))


def errors_open(content: Content) -> dict[str, str]:
    """Return the errors that stand, by what stays of them when numbers change."""
    standing = (error for error in content.errors if is_open(error))
    return _by_signature(standing)


def errors_met(content: Content) -> dict[str, str]:
    """Return every error met, open or fixed, and what dead ends ended in."""
    return _by_signature((*content.errors, *content.error_lines, *content.dead_ends))


def names(content: Content, most: int) -> dict[str, str]:
    """Return the identifiers spoken of most, by term."""
    return {name.casefold(): name for name in content.names[:most]}


def wanted_words(content: Content) -> dict[str, str]:
    """Return the telling words of the latest requests, by term."""
    return _telling(item.text for item in content.requests[-_LATEST:])


def told_words(content: Content) -> dict[str, str]:
    """Return the telling words of all that was asked and decided."""
    items = (*content.requests, *content.decisions)
    return _telling((content.title, *(item.text for item in items)))


def _is_own_change(file: FileRef) -> bool:
    return file.change != "read" and file.origin is None


def _by_signature(items: Iterable[Item]) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in items:
        line = _error_line(item)
        key = signature(line)
        if len(written_words(key)) >= _LEAST_WORDS:
            found.setdefault(key, one_line(line, _SHOWN))
    return found


def _error_line(item: Item) -> str:
    """Return what an error says, without what failed with it."""
    fact = item.fact
    if isinstance(fact, Failure) and fact.state != "abandoned" and fact.line:
        return fact.line
    return item.text


def _telling(texts: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        for term, word in _terms(text[:_MOST_TEXT]):
            found.setdefault(term, word)
    return found


def _terms(text: str) -> Iterator[tuple[str, str]]:
    """Yield terms with the word as written; of a script without spaces, the pair."""
    for word in written_words(text):
        is_dense = has_dense(word)
        if word.casefold() in word_list("common") or (
            len(word) < _SHORTEST and not is_dense
        ):
            continue
        terms = (term for term in index_terms(word).split() if len(term) > 1)
        yield from ((term, term if is_dense else word) for term in terms)
