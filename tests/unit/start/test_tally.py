"""The points behind a decision are kept as they were, and read as they were kept."""

import pytest

from holdfast.start.continues.continues import judged
from holdfast.start.continues.evidence import START, Evidence, points
from holdfast.start.continues.tally import MEANINGS, Tally, read, written
from holdfast.start.continues.work import Work

WORK = Work(
    goal=("Make the parser accept nested quotes",),
    state=("escaped quotes are still red",),
)


def test_what_was_weighed_is_kept_with_its_points() -> None:
    """`holdfast why` tells what was decided, not what would be decided now."""
    verdict = judged("are escaped quotes in the parser done now?", WORK)

    tally = read(written(verdict.sign, verdict.found))

    assert verdict.found is not None
    assert tally.sign == verdict.sign
    assert tally.sum == pytest.approx(points(verdict.found), abs=0.05)
    assert {"start", "words", "state"} <= {part.name for part in tally.parts}


def test_a_no_is_kept_with_its_points_too() -> None:
    """Why a brief was not given is the question more often."""
    verdict = judged("what is the difference between kelp and dulse in soup?", WORK)

    tally = read(written(verdict.sign, verdict.found))

    assert tally.sign == ""
    assert tally.sum < 0


def test_a_sign_that_decides_alone_weighs_nothing() -> None:
    """A phrase needs no points."""
    verdict = judged("continue", WORK)

    assert written(verdict.sign, verdict.found) == "phrase"
    assert read("phrase") == Tally("phrase")


@pytest.mark.parametrize(
    ("kept", "sign"),
    [
        ("", ""),
        ("late", "late"),
        ("words words=x:y", "words"),
        ("none =", ""),
        ("words start=nan:1", "words"),
        ("words start=1:1e999", "words"),
    ],
)
def test_whatever_was_kept_can_be_read(kept: str, sign: str) -> None:
    """A record of another version, or a changed byte, is no reason to fail."""
    assert read(kept) == Tally(sign)


def test_everything_that_is_counted_has_a_meaning() -> None:
    """A user reads sentences, not the names of fields."""
    assert set(MEANINGS) == {START, *Evidence._fields}


def test_each_meaning_is_understood_without_the_one_above_it() -> None:
    """They are told by their weight, not in one order."""
    words = {word for meaning in MEANINGS.values() for word in meaning.split()}

    assert words.isdisjoint({"they", "so", "such", "these"})
