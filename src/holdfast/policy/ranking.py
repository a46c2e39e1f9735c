"""Which passage answers best: BM25, with a share of what stands beside a passage.

How much a word says in a passage (how often it is there, how long the passage is, what
kind it is of) is one of ten levels, fixed when the passage is kept. So the passages that
a word says most in are found first, and a word that is everywhere stays affordable.

A passage's row is a number. Rows of one checkpoint share all but the last bits, rows of
neighbours differ by one.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence, Set as AbstractSet
from functools import lru_cache
from heapq import nlargest

from holdfast.tuples import NamedTuple

LEVELS = 10
PLACE_BITS = 10
# What neighbours one, two and three places away add of their own strength.
NEIGHBOURS = (0.5, 0.3, 0.15)
_LOWEST = 0.06
_STEP = 1.6
_SATURATION = 1.2
_LENGTH_SHARE = 0.5
_USUAL_LENGTH = 30  # terms of a passage
_DIGITS = 6  # scores that differ less are the same: then the newer is first
# A title says most, a passing mention least; a prompt is the measure.
_KIND_WEIGHTS = {
    "title": 3.0,
    "instructions": 1.5,
    "decisions": 1.5,
    "errors": 1.3,
    "dead_ends": 1.3,
    "requests": 1.0,
    "files": 0.8,
}
_OTHER_WEIGHT = 0.7
STRENGTHS = tuple(_LOWEST * _STEP**level for level in range(LEVELS))
# By level: what a word adds to its passage, and to those before and after it.
_ADDED = tuple(
    (
        (0, strength),
        *((-away, share * strength) for away, share in enumerate(NEIGHBOURS, 1)),
        *((away, share * strength) for away, share in enumerate(NEIGHBOURS, 1)),
    )
    for strength in STRENGTHS
)
# What adds to a passage that one of the best adds to is at most so far from that one.
_NEAR = range(-2 * len(NEIGHBOURS), 2 * len(NEIGHBOURS) + 1)
_LEAST = 60  # of the best passages, the context of which is looked at


class Postings(NamedTuple):
    """Where a word is: how many passages of the store have it, and its level in rows."""

    passages: int
    rows: Mapping[int, int]
    is_asked: bool = True  # False: only its presence helps, its absence does not harm


class Ranked(NamedTuple):
    """A group of passages with its best one. Above 1, it has all words."""

    group: int
    row: int
    score: float


def row_of(position: int, place: int) -> int:
    """Return the row of a passage; positions are the chain's."""
    return position << PLACE_BITS | place


def position_of(row: int) -> int:
    """Return the place in the chain of a passage's checkpoint; newer ones are higher."""
    return row >> PLACE_BITS


@lru_cache(4096)
def level(times: int, length: int, kind: str) -> int:
    """Return how much a word says that is so many times in a passage of some length."""
    weight = _KIND_WEIGHTS.get(kind, _OTHER_WEIGHT)
    norm = 1 - _LENGTH_SHARE + _LENGTH_SHARE * length / _USUAL_LENGTH
    strength = weight * times / (_SATURATION * norm)
    nearest = round(math.log(strength / _LOWEST, _STEP))
    return max(0, min(LEVELS - 1, nearest))


def ranked(
    words: Sequence[Postings],
    total: int,
    limit: int,
    *,
    group: Callable[[int], int] = position_of,
    with_all: Collection[int] = (),
) -> list[Ranked]:
    """Return groups of passages, those with all words first, then the best.

    `with_all` are groups that are known to have all words though not every row of a
    very common word was looked at.
    """
    complete = _complete(words, group).union(with_all)
    best: dict[int, int] = {}
    found_scores = scores(words, total, max(_LEAST, 4 * limit))
    for row, score in found_scores.items():
        rival = best.setdefault(group(row), row)
        if score > found_scores[rival]:
            best[group(row)] = row
    found = [
        ((key in complete) + _rounded(found_scores[row]), key, row)
        for key, row in best.items()
    ]
    found.sort(reverse=True)
    return [Ranked(key, row, score) for score, key, row in found[:limit]]


def _rounded(score: float) -> float:
    return round(score / (1 + score), _DIGITS)


def scores(words: Sequence[Postings], total: int, most: int) -> dict[int, float]:
    """Return the score of each passage that may be among the best, context included."""
    rarities = [_rarity(word.passages, total) for word in words]
    own: defaultdict[int, float] = defaultdict(float)
    for rarity, word in zip(rarities, words, strict=True):
        gains = [rarity * strength / (1 + strength) for strength in STRENGTHS]
        for row, each in word.rows.items():
            own[row] += gains[each]
    near: AbstractSet[int] = own.keys()
    if len(own) > most:
        best = nlargest(most, zip(own.values(), own.keys(), strict=True))
        near = {row + step for _, row in best for step in _NEAR}
    summed: defaultdict[int, float] = defaultdict(float)
    for rarity, word in zip(rarities, words, strict=True):
        for row, strength in _in_context(word.rows, near).items():
            summed[row] += rarity * strength / (1 + strength)
    return summed


def _in_context(rows: Mapping[int, int], near: AbstractSet[int]) -> dict[int, float]:
    """Return how strong a word is in each passage with what its neighbours add."""
    summed: defaultdict[int, float] = defaultdict(float)
    for row in near & rows.keys():
        for away, added in _ADDED[rows[row]]:
            summed[row + away] += added
    return summed


def _rarity(passages: int, total: int) -> float:
    without = max(total - passages, 0)
    return math.log(1 + (without + 0.5) / (passages + 0.5))


def _complete(words: Sequence[Postings], group: Callable[[int], int]) -> set[int]:
    """Return the groups that have every word which is asked for."""
    asked = sorted((word.rows for word in words if word.is_asked), key=len)
    if not asked or not asked[0]:
        return set()
    complete = set(map(group, asked[0]))
    for rows in asked[1:]:
        complete.intersection_update(map(group, rows))
    return complete
