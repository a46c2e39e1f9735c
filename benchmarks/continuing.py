"""How well the weights of `start/continues/evidence.py` do on labelled pairs they were not fitted to.

Each set of `tests/fixtures/continuations*.json` is left out in turn, and what is fitted to
the others is asked about it. The phrase books were written by people who had read some of
the sets, so a phrase counts in such a set only if another set has it too: otherwise a book
would be praised for what it copied. `--fit` prints weights fitted to all sets.
"""

import sys
from collections.abc import Iterable, Sequence
from math import exp, sqrt

from holdfast.kernel.lazy_values import dataclass
from holdfast.language.content_words import folded
from holdfast.start.continues.continues import judged, told, weighed
from holdfast.start.continues.evidence import Evidence, Speech
from holdfast.start.continues.phrase_book import PhraseBook, phrases, said
from holdfast.start.continues.work import Work
from tests.unit.start.test_continues import SETS as ALL, work_in

# Nothing is fitted to the last set: it is only asked.
SETS = {name: told for name, told in ALL.items() if name != "blind 5"}
_UNREAD = "blind 4"  # no phrase was written by it
_FULL = ("blind 2", "blind 3", "blind 4")  # works that tell what a checkpoint tells
# What a pair counts where works tell less than a checkpoint does, or pairs are many and alike.
_SHARE = {"fitted": 0.1, "unseen": 0.3, "blind": 0.5, "rich": 0.5}
_HELD = 50.0  # how firmly weights are held to none
_MOST_UNRELATED = 0.04  # the goal is 5 %
_ROUNDS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    of: str
    prompt: str
    work: Work
    continues: bool
    told: str


Row = tuple[float, ...]


def main() -> None:
    pairs = list(_pairs())
    sources = _sources(pairs)
    print(
        "set        as it is      left out       (unrelated taken, continuation missed)"
    )
    left = {one: _left_out(one, pairs, sources) for one in SETS}
    bar = _bar([point for one in _FULL for point in left[one]])
    for one in SETS:
        now = [
            (pair, 1.0 if judged(pair.prompt, pair.work).sign else -1.0)
            for pair in pairs
            if pair.of == one
        ]
        print(f"{one:9} {_rates(now, 0.0)} {_rates(left[one], bar)}")
    pooled = [point for one in _FULL for point in left[one]]
    print(f"{'blind 2-4':9} {'':15} {_rates(pooled, bar)}  at a bar of {bar:.2f}")
    if "--fit" in sys.argv:
        _print_fit(pairs, sources, bar)


def _pairs() -> Iterable[Pair]:
    for name, one in SETS.items():
        works = {
            str(pair["work"]): work_in(one["works"][pair["work"]])
            for pair in one["pairs"]
        }
        for pair in one["pairs"]:
            work = works[str(pair["work"])]
            yield Pair(
                of=name,
                prompt=pair["prompt"],
                work=work,
                continues=pair["continues"],
                told=told(pair["prompt"], work),
            )


def _sources(pairs: list[Pair]) -> dict[str, frozenset[str]]:
    """Return in which sets each phrase of the books is said."""
    heard = [(pair.of, said(folded(pair.prompt))) for pair in pairs]
    every = {
        one for book in (*Speech().leans, *Speech().against) for one in _phrases(book)
    }
    return {
        one: frozenset(of for of, words in heard if phrases(one).find(words))
        for one in every
    }


def _phrases(book: PhraseBook) -> list[str]:
    return [one.strip() for table in book.tables for one in table.split("|")]


def _speech(of: str, left: str, sources: dict[str, frozenset[str]]) -> Speech:
    """Return the books as if nobody had read a set when they were written."""

    def unread(book: PhraseBook) -> PhraseBook:
        kept = (one for one in _phrases(book) if sources[one] - {of, left})
        return phrases("|".join(kept))

    if of == _UNREAD:
        return Speech()
    return Speech(
        tuple(map(unread, Speech().leans)), tuple(map(unread, Speech().against))
    )


def _rows(
    pairs: list[Pair], left: str, sources: dict[str, frozenset[str]]
) -> list[Row]:
    speech = {name: _speech(name, left, sources) for name in SETS}
    return [tuple(map(float, weighed(p.prompt, p.work, speech[p.of]))) for p in pairs]


def _left_out(
    one: str, pairs: list[Pair], sources: dict[str, frozenset[str]]
) -> list[tuple[Pair, float]]:
    unsure = [pair for pair in pairs if pair.told == "unsure"]
    rows = _rows(unsure, one, sources)
    seen = [
        (row, pair) for row, pair in zip(rows, unsure, strict=True) if pair.of != one
    ]
    weights = _fitted([row for row, _ in seen], [pair for _, pair in seen])
    points = {id(p): _point(weights, row) for row, p in zip(rows, unsure, strict=True)}
    sure = {"no": -99.0}
    return [
        (p, points.get(id(p), sure.get(p.told, 99.0))) for p in pairs if p.of == one
    ]


def _point(weights: Sequence[float], row: Row) -> float:
    return weights[-1] + sum(w * x for w, x in zip(weights, row, strict=False))


def _fitted(rows: list[Row], pairs: list[Pair]) -> list[float]:
    """Return weights and what is added to them: logistic regression, by Newton's steps."""
    scale = [_spread(column) or 1.0 for column in zip(*rows, strict=True)]
    inputs = [(*(x / s for x, s in zip(row, scale, strict=True)), 1.0) for row in rows]
    share = [_SHARE.get(pair.of, 1.0) for pair in pairs]
    size = len(scale) + 1
    held = [_HELD] * len(scale) + [0.0]
    weights = [0.0] * size
    for _ in range(_ROUNDS):
        slope = [-h * w for h, w in zip(held, weights, strict=True)]
        bend = [[held[i] if i == j else 0.0 for j in range(size)] for i in range(size)]
        for row, pair, much in zip(inputs, pairs, share, strict=True):
            chance = 1 / (
                1 + exp(-sum(w * x for w, x in zip(weights, row, strict=True)))
            )
            off, curve = much * (pair.continues - chance), much * chance * (1 - chance)
            told = [i for i in range(size) if row[i]]
            for i in told:
                slope[i] += off * row[i]
                for j in told:
                    bend[i][j] += curve * row[i] * row[j]
        weights = [
            w + step for w, step in zip(weights, _solved(bend, slope), strict=True)
        ]
    return [*(w / s for w, s in zip(weights, scale, strict=False)), weights[-1]]


def _spread(column: Sequence[float]) -> float:
    mean = sum(column) / len(column)
    return sqrt(sum((x - mean) ** 2 for x in column) / len(column))


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(size):
            if r != i and rows[r][i]:
                rows[r] = [
                    x - rows[r][i] * y for x, y in zip(rows[r], rows[i], strict=True)
                ]
    return [row[-1] for row in rows]


def _bar(points: list[tuple[Pair, float]]) -> float:
    """Return the bar that lets as many unrelated prompts pass as the goal allows."""
    unrelated = sorted(
        (point for pair, point in points if not pair.continues), reverse=True
    )
    return unrelated[int(_MOST_UNRELATED * len(unrelated))]


def _rates(points: list[tuple[Pair, float]], bar: float) -> str:
    taken = [point > bar for pair, point in points if not pair.continues]
    missed = [point <= bar for pair, point in points if pair.continues]
    return f"{sum(taken) / len(taken):6.1%} {sum(missed) / len(missed):6.1%} "


def _print_fit(
    pairs: list[Pair], sources: dict[str, frozenset[str]], bar: float
) -> None:
    unsure = [pair for pair in pairs if pair.told == "unsure"]
    weights = _fitted(_rows(unsure, "", sources), unsure)
    print(f"_BIAS = {weights[-1] - bar:.2f}")
    for name, weight in zip(Evidence._fields, weights, strict=False):
        print(f"    {name}={weight:.2f},")


if __name__ == "__main__":
    main()
