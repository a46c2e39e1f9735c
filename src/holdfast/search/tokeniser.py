"""Text to index terms: the one tokeniser, so that every store finds the same.

A store indexes `index_terms(text)` with a tokenizer that only splits at spaces: FTS5's
`ascii`, or `unicode61 remove_diacritics 0 categories 'L* N* Mn Mc'`. Terms consist of
`[a-z0-9]` and non-ASCII word characters, never of private ones, which a store may use as
marks. They come in the order of the text, so that the terms of a phrase stand side by
side; forms that would break this order follow at the end.

Identifiers and paths are indexed by their parts (`getUserName` as `get user name`) and
joined. Thai, Lao, Khmer, Burmese, Chinese, Japanese and Korean are written without
spaces or with endings glued on: their runs become overlapping pairs of characters.
English words are stemmed on both sides.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.language.en_stemmer import stem
from holdfast.language.languages import language

MOST_TEXT = 1_000_000  # characters of one text that are indexed
MOST_QUERY_TEXT = 4_096
MOST_QUERY_TERMS = 64
_MOST_TERM = 64
_MOST_KNOWN = 16_384
_ASCII_END = 128
_LONGEST_KNOWN = 64
_MOST_JOINED = 6
_MOST_MARKS = 7
_HASH_LIKE = 3  # groups of digits in one run: no word has so many

# A word with what is joined to it. Pieces are few and short, so that a hostile text
# cannot fill the memory of what is known; a run without spaces may be a paragraph.
_ASCII_CHUNK = pattern(r"[A-Za-z0-9]{1,64}(?:[_.\-]{1,4}[A-Za-z0-9]{1,64}){0,7}")
_CHUNK = r"[^\x00-/:-@\[-`{-\x7f]+(?:[_.\-]{1,4}[^\x00-/:-@\[-`{-\x7f]+){0,7}"
_SEPARATORS = pattern(r"[_.\-]+")
_ASCII_PARTS = pattern(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[0-9]+")
# Scripts without spaces between words, their combining marks included.
_DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007"
    "\u3021-\u3035\u3041-\u312f\u3131-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\ua9e0-\ua9ff\uaa60-\uaa7f\uac00-\ud7ff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_MARKS = (
    "\u0300-\u036f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074"
    "\u1082-\u108d\u108f\u109a-\u109d\u17b4-\u17d3\u17dd\u302a-\u302f\u3099\u309a"
    "\uaa7b-\uaa7d\ufe00-\ufe0f\U000e0100-\U000e01ef"
)
_DENSE_RUN = f"([{_DENSE}][{_DENSE}{_MARKS}]*)"
# Where a reader marks such a run, the signs between its words belong to it; letters that
# are put together from parts are left to what splits at spaces.
DENSE_TEXT = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff"
    "\U00020000-\U0003ffff]+"
)
_CLUSTER = f"[^{_MARKS}][{_MARKS}]{{0,{_MOST_MARKS}}}|[{_MARKS}]{{1,{_MOST_MARKS}}}"
# Letters of any script with their marks: no ASCII signs, no digits, no punctuation.
_WRITTEN = pattern(
    "[^\\s\x00-@\\[-`{-\x7f\u2000-\u206f\u3000-\u3004\u3008-\u3020\uff00-\uff20]{2,}"
)
# Letters whose stroke or ligature no decomposition takes away.
_PLAIN_LETTERS = str.maketrans(
    {"đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "ŧ": "t"}
    | {"æ": "ae", "œ": "oe", "þ": "th"}
)

# No passage is found by these, only phrases.
STOP_TERMS = frozenset(map(stem, language("en").words.stop.split()))


class _Clean(dict[int, int | str]):
    """What each character becomes: itself in a word, a space or nothing else."""

    def __missing__(self, code: int) -> int | str:
        character = chr(code)
        category = unicodedata.category(character)
        is_of_words = category[0] in "LN" or category in ("Mn", "Mc")
        is_kept = code < _ASCII_END or is_of_words
        self[code] = code if is_kept else "" if category == "Cf" else " "
        return self[code]


_CLEAN = _Clean()


class _Terms(NamedTuple):
    """What one chunk of a text gives."""

    plain: tuple[str, ...]  # in order
    folded: tuple[str, ...]  # the same without accents
    joined: tuple[str, ...]
    clusters: int  # of the run that it ends in, 0 if its script has spaces


def index_terms(text: str) -> str:
    """Return the terms of a text as the one string a store indexes."""
    return " ".join(listed_terms(text))


def listed_terms(text: str) -> list[str]:
    """Return the terms of a text, each as often as it is there."""
    plain: list[str] = []
    folded: list[str] = []
    joined: dict[str, None] = {}
    terms_of = _ascii_terms if text.isascii() else _terms
    for line in _lines(text[:MOST_TEXT]):
        found = list(map(terms_of, line))
        accents = False
        for each, bare, wholes, _ in found:
            plain += each
            accents = accents or each is not bare
            if wholes:
                joined.update(dict.fromkeys(wholes))
        # A line with accents is indexed twice: its phrases are found without them too.
        if accents:
            folded += [term for terms in found for term in terms.folded]
    return [*plain, *folded, *joined]


def query_terms(text: str) -> tuple[str, ...]:
    """Return the terms that stand side by side wherever a query's word or phrase is found.

    A last term with a trailing `*` is the beginning of a term.
    """
    found = [_terms(chunk) for line in _lines(text[:MOST_QUERY_TEXT]) for chunk in line]
    terms = [term for each in found for term in each.plain]
    if found and found[-1].clusters:
        # The text may go on where the query ends: its last character stands for more.
        last = terms.pop()
        if found[-1].clusters == 1:
            terms.append(f"{last}*")
    return tuple(terms[:MOST_QUERY_TERMS])


def joined_terms(word: str) -> tuple[str, ...]:
    """Return what an identifier is called as a whole: `getusernam` for `getUserName`."""
    found = [_terms(chunk) for line in _lines(word[:MOST_QUERY_TEXT]) for chunk in line]
    return tuple(term for each in found for term in each.joined)


def written_words(text: str) -> list[str]:
    """Return the words of a text as they stand there, of two letters and more.

    Names in code are not taken apart: these are shown to people.
    """
    return _WRITTEN.findall(text)


def has_dense(word: str) -> bool:
    """Say whether a word has letters of a script without spaces between words."""
    return re.search(DENSE_TEXT, word) is not None


def clusters_of(run: str) -> list[str]:
    """Return the characters of a run as people count them: each with its marks."""
    return re.findall(_CLUSTER, run)


def _lines(text: str) -> Iterator[list[str]]:
    """Yield the chunks of each line: words, identifiers, segments of paths."""
    if text.isascii():
        yield _ASCII_CHUNK.findall(text)
        return
    clean = _without_symbols(unicodedata.normalize("NFKC", text))
    for line in clean.splitlines():
        if line.isascii():
            yield _ASCII_CHUNK.findall(line)
        else:
            yield [
                piece
                for chunk in re.findall(_CHUNK, line)
                for piece in (
                    _ASCII_CHUNK.findall(chunk) if chunk.isascii() else (chunk,)
                )
            ]


def _without_symbols(text: str) -> str:
    """Return text whose non-ASCII characters all belong to words."""
    if len(_CLEAN) > _MOST_KNOWN:
        _CLEAN.clear()
    return text.translate(_CLEAN)


def _terms(chunk: str) -> _Terms:
    if chunk.isascii():
        return _ascii_terms(chunk)
    if len(chunk) <= _LONGEST_KNOWN:
        return _known_terms(chunk)
    return _make_terms(chunk)


def _make_terms(chunk: str) -> _Terms:
    plain: list[str] = []
    folded: list[str] = []
    joined = _joined(chunk)
    clusters = 0
    for run in _SEPARATORS.split(chunk):
        for segment, is_dense in _segments(run):
            clusters = 0
            if is_dense:
                pairs, clusters = _pairs(segment.casefold())
                plain += pairs
                folded += pairs
                continue
            parts = _parts(segment)
            plain += map(_term, parts)
            folded += [_term(_unaccented(part)) for part in parts]
            if len(parts) > 1:
                joined.append(_term(segment))
    terms = tuple(plain)
    bare = terms if folded == plain else tuple(folded)
    return _Terms(terms, bare, tuple(joined), clusters)


_known_terms = lru_cache(_MOST_KNOWN)(_make_terms)


@lru_cache(_MOST_KNOWN)
def _ascii_terms(chunk: str) -> _Terms:
    runs = (chunk,) if chunk.isalnum() else _SEPARATORS.split(chunk)
    joined = _joined(chunk) if len(runs) > 1 else []
    plain: list[str] = []
    for run in runs:
        parts = _parts(run)
        plain += map(_term, parts)
        if len(parts) > 1:
            joined.append(_term(run))
    terms = tuple(plain)
    return _Terms(terms, terms, tuple(joined), 0)


def _joined(chunk: str) -> list[str]:
    """Return `token_store.py` as people also type it: `tokenstore`, `tokenstorepy`."""
    pieces = chunk.split(".") if "." in chunk else []
    runs = [_SEPARATORS.split(piece) for piece in (*pieces, chunk)]
    return [_term("".join(each)) for each in runs if 1 < len(each) <= _MOST_JOINED]


def _segments(run: str) -> Iterator[tuple[str, bool]]:
    """Yield a run cut where a script without spaces begins or ends."""
    for index, segment in enumerate(re.split(_DENSE_RUN, run)):
        if segment:
            yield segment, index % 2 == 1


def _pairs(run: str) -> tuple[list[str], int]:
    """Return overlapping pairs of a run's characters and its last one, and how many."""
    clusters = clusters_of(run)
    pairs = [a + b for a, b in itertools.pairwise(clusters)]
    return [*pairs, clusters[-1]], len(clusters)


def _parts(segment: str) -> list[str]:
    """Return the words of an identifier; what looks like a hash is one word."""
    if segment.isascii():
        if segment.isalpha() and segment[1:].islower():
            return [segment]
        parts = _ASCII_PARTS.findall(segment)
    else:
        parts = [
            part
            for piece in re.findall(r"[0-9]+|[^0-9]+", segment)
            for part in _at_capitals(piece)
        ]
    numbers = sum(part[0] in "0123456789" for part in parts)
    return [segment] if numbers >= _HASH_LIKE else parts


def _at_capitals(word: str) -> list[str]:
    """Return a word of any alphabet cut before each capital that follows a small."""
    cuts = [
        index
        for index in range(1, len(word))
        if word[index].isupper() and word[index - 1].islower()
    ]
    return [word[a:b] for a, b in itertools.pairwise((0, *cuts, len(word)))]


@lru_cache(_MOST_KNOWN)
def _term(part: str) -> str:
    word = part.casefold()[:_MOST_TERM]
    return stem(word) if word.isalpha() else word


def _unaccented(part: str) -> str:
    if part.isascii():
        return part
    letters = unicodedata.normalize("NFD", part.casefold()).translate(_PLAIN_LETTERS)
    return re.sub("[\u0300-\u036f]+", "", letters) or part
