"""The words that restore a wallet: twelve to twenty-four of a published list.

    seed phrase: legal winner thank year wave sausage …
    MNEMONIC="…"
    recovery phrase:
    1. legal
    2. winner

Each word alone is plain English. What tells them from prose is the name before them, how
many there are, and that no small word holds them together: the list has none.
"""

from collections.abc import Iterator
from functools import lru_cache

from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction import Span

KIND = "seed-phrase"
ENDS = ("rase", "onic", "seed")  # of every name of theirs
_COUNTS = (12, 15, 18, 21, 24)
_FEWEST_DIFFERENT = 8
_MOST_READ = 600  # characters of 24 words, numbered and on a line each
_NAMED = pattern(
    r"(?i)(?:(?:seed|recovery|backup|secret|wallet|mnemonic)[ _\-]?phrase"
    r"|mnemonic|(?<![a-z])seed)\Z"
)
# From the operator to the first word.
_LEAD = pattern(
    r"[:=]{0,2}>?\*{0,2}[ \t]{0,4}(?:\r?\n[ \t]{0,4}){0,2}\\{0,3}[\"'`\[(]{0,2}"
)
_NUMBER = r"(?:[0-9]{1,2}[.):]?[ \t]{0,4})?"
_WORD = r"[A-Za-z]{3,8}(?![A-Za-z0-9_\-]|['’][a-z])"
_ON_A_LINE = pattern(rf"{_NUMBER}{_WORD}(?:[ \t,\"']{{1,6}}{_NUMBER}{_WORD}){{11,23}}")
_BY_LINES = pattern(
    rf"[-*•]?[ \t]{{0,4}}{_NUMBER}{_WORD}"
    rf"(?:[ \t,\"']{{0,6}}\r?\n[ \t\"'>*•-]{{0,8}}{_NUMBER}{_WORD}){{11,23}}"
)
_GOES_ON = pattern(r"[ \t,\"']{1,6}[A-Za-z0-9]")
_WORDS = pattern(_WORD)
_SMALL = frozenset(
    [
        "the",
        "and",
        "for",
        "are",
        "was",
        "were",
        "has",
        "had",
        "have",
        "been",
        "not",
        "but",
        "its",
        "our",
        "your",
        "their",
        "his",
        "her",
        "him",
        "she",
        "who",
        "how",
        "why",
        "does",
        "did",
        "from",
        "these",
        "those",
        "than",
        "them",
        "would",
        "could",
        "should",
        "may",
        "might",
    ]
)


@lru_cache(maxsize=256)  # each value of a record is asked by its name
def is_named(before: str) -> bool:
    """Say whether a text ends in a name of such words: `seed phrase`, `MNEMONIC`."""
    return _NAMED.search(before) is not None


def phrase_behind(text: str, index: int) -> Iterator[Span]:
    """Yield each word behind the operator at `index`, or behind none."""
    lead = _LEAD.match(text, index)
    start = lead.end() if lead else index
    stop = start + _MOST_READ
    found = _ON_A_LINE.match(text, start, stop) or _BY_LINES.match(text, start, stop)
    if found is None or _GOES_ON.match(text, found.end()):
        return
    places = [word.span() for word in _WORDS.finditer(text, start, found.end())]
    if _is_phrase([text[begin:end] for begin, end in places]):
        yield from ((begin, end, KIND) for begin, end in places)


def _is_phrase(words: list[str]) -> bool:
    has_case = all(word.islower() or word.istitle() for word in words)
    different = {word.lower() for word in words}
    return (
        len(words) in _COUNTS
        and has_case
        and len(different) >= _FEWEST_DIFFERENT
        and different.isdisjoint(_SMALL)
    )
