"""Phrases of six languages, and whether a prompt has one of them.

A phrase is plain text, found without compiling an expression: between spaces where words
have spaces, anywhere where they have none. `^` ties it to the beginning, `$` to the end,
`*` leaves the end of its last word open, and `_` is a space that belongs to it.
"""

from functools import cache

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

_DENSE = pattern("[\u0e00-\u0e7f\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_BETWEEN_WORDS = pattern(r"[^\w'\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]+")


class FoldedText(NamedTuple):
    """A folded text, and its words with one space around each."""

    text: str
    words: str


class PhraseBook(NamedTuple):
    """Phrases between bars; they are read when the first is looked for."""

    tables: tuple[str, ...]

    def find(self, heard: FoldedText) -> str | None:
        """Return the first phrase that was said, or None."""
        spaced, dense = _read(self.tables)
        for phrase in spaced:
            if _is_in(phrase, heard.words):
                return phrase
        for phrase in dense:
            if _is_in(phrase, heard.text):
                return phrase
        return None


def phrases(*tables: str) -> PhraseBook:
    """Return a book of phrases, usually a table to a language."""
    return PhraseBook(tables)


def said(folded: str) -> FoldedText:
    """Return a folded text as it is asked for phrases."""
    return FoldedText(folded, f" {_BETWEEN_WORDS.sub(' ', folded).strip()} ")


def is_dense(text: str) -> bool:
    """Say whether a text has letters of a script that writes words together."""
    return _DENSE.search(text) is not None


@cache
def _read(tables: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the phrases that stand between spaces, and those that stand anywhere."""
    every = [one.strip() for table in tables for one in table.split("|")]
    return (
        tuple(_spaced(" ".join(one.split())) for one in every if not is_dense(one)),
        tuple(one.replace("_", " ") for one in every if is_dense(one)),
    )


def _spaced(phrase: str) -> str:
    """`^and` becomes `^ and `, `relanc*` becomes ` relanc`."""
    start = "^ " if phrase.startswith("^") else " "
    words = phrase.strip("^$")
    if phrase.endswith("*"):
        return f"{start}{words.removesuffix('*')}"
    return f"{start}{words} {'$' if phrase.endswith('$') else ''}"


def _is_in(phrase: str, text: str) -> bool:
    if phrase[0] == "^":
        return text.startswith(phrase[1:])
    if phrase[-1] == "$":
        return text.endswith(phrase[:-1])
    return phrase in text
