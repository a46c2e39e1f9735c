"""What speaks for it that a prompt continues a work, and what against it, in points.

Pure, and without a model: things are counted, and each count has a weight. The weights were
fitted to labelled pairs by `python -m benchmarks continuing`, which also tells how they do
on pairs that they were not fitted to.
"""

from math import log1p

from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.language.content_words import content_words, folded, part_of_word
from holdfast.start.continues.continuing_phrases import FILLER
from holdfast.start.continues.discourse import (
    ADDRESSES,
    CONNECTS,
    HOLDS,
    POINTS,
    REPORTS,
    WONDERS,
)
from holdfast.start.continues.naming_work import names_in, things_in
from holdfast.start.continues.new_work import ASKS, MAKES
from holdfast.start.continues.phrase_book import FoldedText, PhraseBook, is_dense, said
from holdfast.start.continues.trade_words import common_words, tool_words, trade_words
from holdfast.start.continues.work import Work, apart, numbers_in, words_of

_OPENING, _OPENING_DENSE = 200, 90  # where a prompt shows how it speaks
_DENSE_PER_WORD = 2.5  # signs of a script without spaces to a word
_VERY_SHORT, _SHORT, _NOT_SHORT = 3, 8, 10  # words
_COMMON_SHARE = 0.35  # of a word that every project has
_MOST_WORDS, _MOST_STATE, _MOST_THINGS, _MOST = 4.0, 3.0, 3, 2


class Speech(NamedTuple):
    """The books that tell how a prompt speaks: of what is known, and of what is new."""

    leans: tuple[PhraseBook, ...] = (
        HOLDS,
        REPORTS,
        ADDRESSES,
        POINTS,
        CONNECTS,
        WONDERS,
    )
    against: tuple[PhraseBook, ...] = (MAKES, ASKS)


class Evidence(NamedTuple):
    """What was counted; as weights, what one of each is worth."""

    named: float  # names what only this work has
    words: float  # words that both have
    state: float  # those of how the work stands: what is open, was told, failed
    share: float  # how much of the prompt they are
    trade: float  # things of the trade that both speak of, whatever the language
    names: float  # identifiers of the work
    numbers: float
    new: float  # words that the work has not, on a logarithmic scale
    new_names: float
    new_tools: float
    new_things: float  # other words that look like names
    holds: float
    reports: float
    addresses: float
    points: float
    connects: float
    wonders: float
    replies: float  # short where the agent asked something; very short counts twice
    leans: float  # speaks so, and is short and has hardly a new word
    makes: float
    asks: float


_ABOUT, _SPOKEN = slice(1, 7), slice(11, 18)  # of the fields above
# In points; the sum of all and this continues the work if it is more than none.
_BIAS = -0.9
_WEIGHTS = Evidence(
    named=0.6,
    words=0.45,
    state=0.65,
    share=1.35,
    trade=0.55,
    names=0.55,
    numbers=0.4,
    new=-0.65,
    new_names=-0.2,
    new_tools=-0.5,
    new_things=-0.45,
    holds=0.95,
    reports=1.2,
    addresses=1.1,
    points=0.85,
    connects=1.6,
    wonders=0.55,
    replies=0.8,
    leans=1.95,
    makes=-1.0,
    asks=-1.2,
)


BAR = 0.0  # more points than this continue the work
START = "start"  # what every prompt has


def points(found: Evidence) -> float:
    """Return all points; more than `BAR` continue the work."""
    return _BIAS + sum(_worth(found))


def counted(found: Evidence) -> tuple[tuple[str, float, float], ...]:
    """Return what there was of each, and its points; none is left out."""
    names = zip(Evidence._fields, found, _worth(found), strict=True)
    parts = tuple((name, float(count), worth) for name, count, worth in names if count)
    return ((START, 1.0, _BIAS), *parts)


def of_words(found: Evidence) -> float:
    """Return the points for what the prompt is about."""
    return sum(_worth(found)[_ABOUT])


def of_speech(found: Evidence) -> float:
    """Return the points for leaning on what was said before."""
    return sum(_worth(found)[_SPOKEN])


def length_of(heard: FoldedText) -> float:
    """Return how many words were said, about."""
    if is_dense(heard.text):
        return len(heard.text) / _DENSE_PER_WORD
    return len(heard.words.split())


def evidence(
    raw: str, work: Work, *, named: bool, speech: Speech | None = None
) -> Evidence:
    """Return what a prompt and a work have to do with each other."""
    theirs, heard = words_of(work), said(folded(raw))
    ours = content_words(apart(raw)) - theirs.usual
    known = theirs.near | theirs.far | theirs.usual
    both, whole = _weight(ours & theirs.near), _weight(ours)
    names = {name for name in names_in(raw) if name not in theirs.usual_text}
    leans = _spoken(_opening(heard), (speech or Speech()).leans)
    against = _spoken(_bare(_opening(heard)), (speech or Speech()).against)
    texts = f"{theirs.text} {theirs.usual_text}"
    length, new = length_of(heard), _weight(ours - known)
    counts = (
        named,
        min(both, _MOST_WORDS),
        min(_weight(ours & theirs.state), _MOST_STATE),
        both / whole if whole else 0.0,
        min(len(trade_words(heard) & theirs.trade), _MOST),
        min(sum(name in theirs.text for name in names), _MOST),
        min(len(numbers_in(raw) & theirs.numbers), _MOST),
        log1p(new),
        min(sum(name not in theirs.text for name in names), _MOST),
        min(len((ours | content_words(raw)) & tool_words() - known), _MOST),
        min(sum(one not in texts for one in things_in(raw)), _MOST_THINGS),
        *leans,
        _replies(length) if work.question and not any(against) else 0.0,
        max(0.0, 1 - length / _NOT_SHORT) / (1 + new) if any(leans) else 0.0,
        *against,
    )
    return Evidence(*counts)


def _replies(length: float) -> float:
    return float(length <= _SHORT) + float(length <= _VERY_SHORT)


def _worth(found: Evidence) -> tuple[float, ...]:
    return tuple(weight * count for weight, count in zip(_WEIGHTS, found, strict=True))


def _weight(words: frozenset[str]) -> float:
    """Return how many words these are; what is everybody's is less of a word."""
    common = common_words()
    return sum(
        part_of_word(word) * (_COMMON_SHARE if word in common else 1.0)
        for word in sorted(words)
    )


def _spoken(heard: FoldedText, books: tuple[PhraseBook, ...]) -> tuple[bool, ...]:
    return tuple(book.find(heard) is not None for book in books)


def _opening(heard: FoldedText) -> FoldedText:
    """A long prompt says everything somewhere; how it begins is how it speaks."""
    most = _OPENING_DENSE if is_dense(heard.text) else _OPENING
    return heard if len(heard.text) <= most else said(heard.text[:most])


def _bare(heard: FoldedText) -> FoldedText:
    return said(FILLER.sub("", heard.text, count=1))
