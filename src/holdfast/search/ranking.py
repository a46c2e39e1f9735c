"""Which passage answers best: BM25, with a share of what stands beside a passage.

How much a word says in a passage (how often it is there, how long the passage is, what
kind it is of) is one of ten levels, fixed when the passage is kept. So the passages that
a word says most in are found first, and a word that is everywhere stays affordable.

A passage's row is a number. Rows of one checkpoint share all but the last bits, rows of
neighbours differ by one.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from holdfast.domain.kinds import KINDS, USUAL_SEARCH_WEIGHT
from holdfast.kernel.lazy_tuples import NamedTuple

LEVELS = 10
PLACE_BITS = 10
# What neighbours one, two and three places away add of their own strength.
NEIGHBOURS = (0.5, 0.3, 0.15)
_REACH = len(NEIGHBOURS)
_LOWEST = 0.06
_STEP = 1.6
_SATURATION = 1.2
_LENGTH_SHARE = 0.5
_USUAL_LENGTH = 30  # terms of a passage
_DIGITS = 6  # scores that differ less are the same: then the newer is first
# A title says most, a passing mention least; a prompt is the measure.
_KIND_WEIGHTS = {
    "title": 3.0,
    **{kind.name: kind.search_weight for kind in KINDS},
    "files": 0.8,
}
STRENGTHS = tuple(_LOWEST * _STEP**level for level in range(LEVELS))
_AWAY = tuple(
    (side * away, tuple(share * strength for strength in STRENGTHS))
    for away, share in enumerate(NEIGHBOURS, 1)
    for side in (-1, 1)
)
# By distance: what a word of each level adds to a passage there.
_ADDED = ((0, STRENGTHS), *_AWAY)
# Groups per result that are scored with their context, and passages of each.
_GROUPS = 2
_PASSAGES = 6
_OTHERS = 0.3  # what those passages add, on average, to the best of them
# A query of more words is a question: all of its words count where they stand together.
_KEYWORDS = 3


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
    weight = _KIND_WEIGHTS.get(kind, USUAL_SEARCH_WEIGHT)
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
    beside: int = 0,
) -> list[Ranked]:
    """Return groups of passages, those with all words first, then the best.

    `with_all` are groups that are known to have all words though not every row of a
    very common word was looked at. The best passage of a checkpoint has a word itself;
    where groups are smaller, those up to `beside` places away may be an answer, too.
    """
    rarities = [_rarity(word.passages, total) for word in words]
    own = _own(words, rarities)
    complete = _complete(words, group).union(with_all)
    groups: dict[int, dict[int, float]] = {}
    for row in _promising(own, complete, group, _GROUPS * limit):
        for near in range(row - beside, row + beside + 1):
            passages = groups.setdefault(group(near), {})
            if near not in passages:
                passages[near] = _score(near, own, words, rarities)
    found = [
        (
            (key in complete) + _joint(passages),
            key,
            max(passages, key=passages.__getitem__),
        )
        for key, passages in groups.items()
    ]
    found.sort(reverse=True)
    return [Ranked(key, row, score) for score, key, row in found[:limit]]


def is_question(words: int) -> bool:
    """Say whether so many words are asked together rather than each for itself."""
    return words > _KEYWORDS


def _joint(passages: Mapping[int, float]) -> float:
    """Return the score of a group, below 1: its best passage, lifted by the others."""
    best = sorted(passages.values())[-_PASSAGES:]
    score = best[-1] + _OTHERS * sum(best) / _PASSAGES
    return round(score / (1 + score), _DIGITS)


def _own(words: Sequence[Postings], rarities: Sequence[float]) -> dict[int, float]:
    """Return the score of each passage by the words that it has itself."""
    own: dict[int, float] = {}
    for rarity, word in zip(rarities, words, strict=True):
        gains = [rarity * strength / (1 + strength) for strength in STRENGTHS]
        more = {row: gains[each] for row, each in word.rows.items()}
        for row in own.keys() & more.keys():
            more[row] += own[row]
        own.update(more)
    return own


def _promising(
    own: Mapping[int, float],
    complete: Collection[int],
    group: Callable[[int], int],
    most: int,
) -> Iterator[int]:
    """Yield the best passages of the best groups, by what they have themselves."""
    newest = sorted(own, reverse=True)
    best = sorted(newest, key=own.__getitem__, reverse=True)
    taken: dict[int, int] = {}
    for is_complete in (True, False) if complete else (False,):
        for row in best:
            key = group(row)
            if (key in complete) is not is_complete:
                continue
            times = taken.get(key, 0)
            if not times and len(taken) >= most:
                return
            if times < _PASSAGES:
                taken[key] = times + 1
                yield row


def _score(
    row: int,
    own: Mapping[int, float],
    words: Sequence[Postings],
    rarities: Sequence[float],
) -> float:
    """Return the score of a passage with what its neighbours add to each word."""
    before, after = range(row - _REACH, row), range(row + 1, row + _REACH + 1)
    if own.keys().isdisjoint(before) and own.keys().isdisjoint(after):
        return own.get(row, 0.0)
    score = 0.0
    for rarity, word in zip(rarities, words, strict=True):
        rows, strength = word.rows, 0.0
        for away, added in _ADDED:
            each = rows.get(row + away)
            if each is not None:
                strength += added[each]
        score += rarity * strength / (1 + strength)
    return score


def _rarity(passages: int, total: int) -> float:
    without = max(total - passages, 0)
    return math.log(1 + (without + 0.5) / (passages + 0.5))


def _complete(words: Sequence[Postings], group: Callable[[int], int]) -> set[int]:
    """Return the groups that have every word which is asked for.

    Those of a question must stand in one passage or beside it: in a long text, common
    words are all somewhere.
    """
    asked = sorted((word.rows for word in words if word.is_asked), key=len)
    if not asked or not asked[0]:
        return set()
    rarest, *others = asked
    if is_question(len(asked)):
        return {
            group(row)
            for row in rarest
            if all(_has_near(rows, row, group) for rows in others)
        }
    complete = set(map(group, rarest))
    for rows in others:
        complete.intersection_update(map(group, rows))
    return complete


def _has_near(rows: Mapping[int, int], row: int, group: Callable[[int], int]) -> bool:
    """Say whether a word is in a passage, or beside it in the same group."""
    if row in rows:
        return True
    beside = (near for near in (row - 1, row + 1) if near in rows)
    return any(group(near) == group(row) for near in beside)
