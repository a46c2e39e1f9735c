"""Halving: which checkpoint is tried next, and how few trials it takes."""

from math import ceil, log2

import pytest
from hypothesis import given, strategies as st

from holdfast.app.code.bisect import Verdict, bounds, next_place, verdict_of


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        pytest.param(0, "good", id="success"),
        pytest.param(1, "bad", id="failure"),
        pytest.param(127, "bad", id="the highest failure"),
        pytest.param(125, "skip", id="cannot tell"),
        pytest.param(128, None, id="not about the code"),
        pytest.param(139, None, id="a shell's word for a signal"),
        pytest.param(-9, None, id="killed"),
    ],
)
def test_exit_statuses_mean_what_they_mean_to_git(
    status: int, verdict: Verdict | None
) -> None:
    """Scripts written for `git bisect run` work as they are."""
    assert verdict_of(status) == verdict


def _truth(size: int, first_bad: int) -> list[Verdict]:
    return ["good" if place < first_bad else "bad" for place in range(size)]


def _run(truth: list[Verdict]) -> tuple[int, int, int]:
    """Return last good, first bad, and how many were tried in between."""
    verdicts: list[Verdict | None] = [None] * len(truth)
    verdicts[0], verdicts[-1] = "good", "bad"
    tried = 0
    while (place := next_place(verdicts)) is not None:
        assert verdicts[place] is None
        verdicts[place] = truth[place]
        tried += 1
    return *bounds(verdicts), tried


@given(size=st.integers(2, 400), data=st.data())
def test_the_first_bad_one_is_found_in_log2_trials(
    size: int, data: st.DataObject
) -> None:
    """A thousand checkpoints cost ten runs."""
    first_bad = data.draw(st.integers(1, size - 1))
    truth = _truth(size, first_bad)

    good, bad, tried = _run(truth)

    assert (good, bad) == (first_bad - 1, first_bad)
    assert tried <= ceil(log2(size))


@given(size=st.integers(2, 60), data=st.data())
def test_those_that_cannot_be_told_are_all_that_is_left_in_doubt(
    size: int, data: st.DataObject
) -> None:
    """Between the last good and the first bad one only skipped ones remain."""
    first_bad = data.draw(st.integers(1, size - 1))
    skipped = data.draw(st.sets(st.integers(1, max(1, size - 2)), max_size=size))
    truth = _truth(size, first_bad)
    for place in skipped - {0, size - 1}:
        truth[place] = "skip"

    good, bad, _ = _run(truth)

    assert good < first_bad <= bad
    assert truth[good + 1 : bad] == ["skip"] * (bad - good - 1)
