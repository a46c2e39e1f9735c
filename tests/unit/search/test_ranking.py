"""Ranking: the rare word, the strong passage, the neighbour, all words first."""

import pytest
from hypothesis import given, strategies as st

from holdfast.search.ranking import (
    LEVELS,
    NEIGHBOURS,
    Postings,
    level,
    position_of,
    ranked,
    row_of,
)


def rows(*found: Postings, limit: int = 10, total: int = 1000) -> list[int]:
    return [each.row for each in ranked(found, total, limit)]


def test_a_row_knows_its_checkpoint() -> None:
    """Rows are what indexes return; the rest is looked up by position."""
    assert position_of(row_of(7, 3)) == 7
    assert row_of(7, 4) == row_of(7, 3) + 1


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        pytest.param((3, 20, "requests"), (1, 20, "requests"), id="said more often"),
        pytest.param((1, 5, "requests"), (1, 80, "requests"), id="a shorter passage"),
        pytest.param((1, 8, "title"), (1, 8, "requests"), id="a title"),
        pytest.param((1, 8, "decisions"), (1, 8, "summary"), id="a decision"),
        pytest.param((1, 8, "instructions"), (1, 8, "files"), id="an instruction"),
        pytest.param((1, 8, "errors"), (1, 8, "commands"), id="an error"),
    ],
)
def test_a_word_says_more_where(
    stronger: tuple[int, int, str], weaker: tuple[int, int, str]
) -> None:
    """What a passage is about comes before what it mentions."""
    assert level(*stronger) > level(*weaker)


@given(st.integers(1, 10_000), st.integers(1, 10_000), st.text(max_size=5))
def test_every_passage_has_a_level(times: int, length: int, kind: str) -> None:
    """The index has room for so many marks and no more."""
    assert 0 <= level(times, length, kind) < LEVELS


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    """Of two passages with one word each, the one with the telling word is first."""
    rare, common = row_of(1, 10), row_of(2, 10)

    assert rows(Postings(2, {rare: 5}), Postings(900, {common: 5})) == [rare, common]


def test_all_words_come_before_some() -> None:
    """Also where one word alone would score higher, and wherever the words stand."""
    apart = {row_of(1, 10): 1}, {row_of(1, 500): 1}
    strong = row_of(2, 10)

    found = ranked(
        [Postings(5, {**apart[0], strong: 9}), Postings(5, apart[1])], 1000, 10
    )

    assert [each.group for each in found] == [1, 2]
    assert found[0].score > 1 > found[1].score


def test_a_word_that_only_helps_is_not_missed() -> None:
    """The whole form of an identifier lifts a passage and excludes none."""
    helped, plain = row_of(1, 10), row_of(2, 10)
    words = [
        Postings(5, {helped: 5, plain: 5}),
        Postings(1, {helped: 5}, is_asked=False),
    ]

    found = ranked(words, 1000, 10)

    assert [each.row for each in found] == [helped, plain]
    assert all(each.score > 1 for each in found)


def test_what_stands_beside_the_words_is_found_with_them() -> None:
    """A short answer is found by the question before it, where passages are asked for."""
    question, far = row_of(1, 10), row_of(1, 10 + 9)
    reach = len(NEIGHBOURS)

    found = ranked(
        [Postings(1, {question: 5})], 1000, 50, group=lambda row: row, beside=reach
    )

    by_row = {each.group: each.score % 1 for each in found}
    assert by_row[question] > by_row[question + 1] > by_row[question + 2] > 0
    assert far not in by_row
    assert len(found) == 1 + 2 * reach


def test_a_question_has_all_words_only_where_they_stand_together() -> None:
    """In a long text common words are all somewhere, which says nothing."""
    words = [10, 30, 50, 70]
    scattered = [{row_of(1, place): 3} for place in words]
    together = [{row_of(2, 10 + place % 20 // 10): 1} for place in words]
    found = ranked(
        [Postings(5, {**a, **b}) for a, b in zip(scattered, together, strict=True)],
        1000,
        10,
    )

    assert [each.group for each in found if each.score > 1] == [2]


def test_words_beside_each_other_in_two_groups_are_not_together() -> None:
    """Where each passage is a group, only its own words complete it."""
    own = [{row_of(1, 10): 5}] * 3
    words = [Postings(5, rows) for rows in (*own, {row_of(1, 11): 5})]

    as_one = ranked(words, 1000, 10)
    apart = ranked(words, 1000, 10, group=lambda row: row)

    assert as_one[0].score > 1
    assert all(each.score < 1 for each in apart)


def test_one_checkpoint_does_not_crowd_out_the_others() -> None:
    """However many strong passages it has, the next best have their place, too."""
    crowd = {row_of(1, place): 9 for place in range(10, 900)}
    others = {row_of(position, 10): 2 for position in range(2, 12)}

    found = ranked([Postings(900, {**crowd, **others})], 5000, 10)

    assert len(found) == 10
    assert found[0].group == 1


def test_a_weak_checkpoint_with_all_words_is_not_lost_among_strong_ones() -> None:
    """All words first holds although very many have one of them strongly."""
    strong = {row_of(position, 10): 9 for position in range(2, 500)}
    weak = {row_of(1, 10): 0}

    found = ranked([Postings(499, {**strong, **weak}), Postings(1, weak)], 5000, 10)

    assert found[0].group == 1


def test_words_around_a_passage_lift_it() -> None:
    """Of two equal passages, the one among passages that say it too is first."""
    alone, among = row_of(2, 10), row_of(1, 10)

    assert rows(Postings(3, {alone: 5, among: 5, among + 1: 3}))[0] == among


def test_ties_go_to_the_newer() -> None:
    """Of two that say the same, the last word counts."""
    old, new = row_of(1, 10), row_of(2, 10)

    assert rows(Postings(2, {old: 5, new: 5})) == [new, old]


def test_nothing_comes_of_nothing() -> None:
    """Words that no passage has, or no words at all."""
    assert rows() == []
    assert rows(Postings(0, {})) == []
