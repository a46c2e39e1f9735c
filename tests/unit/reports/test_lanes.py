"""Lanes: which line of work a checkpoint is on, decided once and for all."""

from itertools import combinations

from hypothesis import given, strategies as st

from holdfast.reports.lanes import LaneRow, partings, rows_of
from tests.unit.reports.histories import Told, histories


def rows(told: Told) -> list[LaneRow]:
    return list(rows_of(told.outlines, told.parents))


def hows(told: Told) -> list[tuple[str, ...]]:
    return [tuple(parent.how for parent in row.parents) for row in rows(told)]


@given(histories(), st.integers(0, 40))
def test_new_work_never_repaints_old(told: Told, some: int) -> None:
    """Whoever remembers a lane by its place and colour finds it there tomorrow."""
    whole = rows(told)

    assert list(rows_of(told.outlines[:some], told.parents)) == whole[:some]


@given(histories())
def test_no_two_lines_lie_on_each_other(told: Told) -> None:
    """A line that crosses another's checkpoint would tell a lie."""
    whole = rows(told)
    lines = [(p.via, p.place, row.place) for row in whole for p in row.parents]

    for via, start, end in lines:
        assert not [r for r in whole[start + 1 : end] if r.lane == via]
    for (via, start, end), (other, begin, stop) in combinations(lines, 2):
        is_shared = start == begin  # two lines to one row may come down together
        assert via != other or is_shared or end <= begin or stop <= start


@given(histories())
def test_a_line_leads_from_a_checkpoint_to_older_ones(told: Told) -> None:
    """Parents are rows of the graph, each once; a colour belongs to one place."""
    whole = rows(told)
    columns: dict[int, set[int]] = {}

    for row in whole:
        columns.setdefault(row.colour, set()).add(row.lane)
        ids = [parent.checkpoint_id for parent in row.parents]
        assert len(set(ids)) == len(ids)
        for parent in row.parents:
            assert parent.place < row.place
            assert whole[parent.place].outline.checkpoint_id == parent.checkpoint_id
    assert all(len(places) == 1 for places in columns.values())


def test_a_session_stays_in_its_lane_and_a_clear_goes_on_in_it() -> None:
    """A chain of clears is one line of work."""
    told = Told()
    told.keeps("a")
    told.keeps("a", trigger="clear")
    told.begins("b", "a")
    told.keeps("b")

    assert [row.lane for row in rows(told)] == [0, 0, 0]
    assert hows(told) == [(), ("goes on",), ("clear",)]


def test_a_session_that_only_passed_work_on_is_no_gap() -> None:
    """Clear twice in a row, and the second session has no checkpoint of its own."""
    told = Told()
    told.keeps("a", trigger="clear")
    told.begins("empty", "a")
    told.begins("c", "empty")
    told.keeps("c")

    assert hows(told) == [(), ("clear",)]


def test_a_fork_has_a_lane_of_its_own() -> None:
    """The session it was copied from goes on where it was."""
    told = Told()
    told.keeps("a")
    told.begins("f", "a", copied=True)
    told.keeps("f")
    told.keeps("a")

    assert [row.lane for row in rows(told)] == [0, 1, 0]
    assert hows(told) == [(), ("fork",), ("goes on",)]
    assert partings(rows(told)) == {"ccp-1": ("ccp-2", "ccp-3")}


def test_a_fork_parts_where_it_was_made_though_its_parent_was_saved_since() -> None:
    """It says itself what it had seen; one that saw nothing comes from what was before."""
    told = Told()
    first = told.keeps("z", trigger="clear")
    told.begins("a", "z")
    told.begins("early", "a", copied=True)
    seen = told.keeps("a")
    told.begins("late", "a", copied=True)
    told.keeps("a")
    told.keeps("late", forked_at=seen)
    told.keeps("early", forked_at="")

    found = [[parent.checkpoint_id for parent in row.parents] for row in rows(told)]

    assert found == [[], [first], [seen], [seen], [first]]
    assert hows(told)[3] == ("fork",)


def test_two_clears_of_one_session_part_where_each_was_made() -> None:
    """It was taken up again after the first: the second child is not of that one."""
    told = Told()
    told.keeps("a", trigger="clear")
    told.begins("b", "a")
    told.keeps("b")
    told.keeps("a", trigger="clear")
    told.begins("c", "a")
    told.keeps("c")

    found = rows(told)
    assert [row.lane for row in found] == [0, 0, 1, 1]
    assert [row.parents[0].place for row in found[1:]] == [0, 0, 2]


def test_what_follows_a_rewind_parts_from_before_it() -> None:
    """The way that was taken back stays to be seen, and nothing goes on from it."""
    told = Told()
    told.keeps("a", last_turn=1)
    wrong = told.keeps("a", last_turn=3)
    told.keeps("a", last_turn=5, abandoned=((2, 4),))
    told.keeps("a", last_turn=6, abandoned=((2, 4),))

    found = rows(told)
    assert hows(told) == [(), ("goes on",), ("rewind",), ("goes on",)]
    assert [row.lane for row in found] == [0, 0, 1, 1]
    assert [row.left for row in found] == [(), (), (wrong,), ()]
    assert found[2].parents[0].place == 0


def test_a_merge_has_every_parent() -> None:
    """Where the conclusions of a fork came home."""
    told = Told()
    told.keeps("a")
    told.begins("f", "a", copied=True)
    fork = told.keeps("f")
    gone = "ccp-gone"
    told.keeps("a", merged_from=("ccp-1", fork, gone))

    merged = rows(told)[-1]
    assert [(p.checkpoint_id, p.how) for p in merged.parents] == [
        ("ccp-1", "goes on"),
        (fork, "merge"),
    ]
    assert merged.parents[1].via == 1


def test_a_merge_of_a_session_of_its_own_goes_on_from_the_first() -> None:
    """Whoever made it, it stands on what it brings together."""
    told = Told()
    first = told.keeps("a", trigger="exit")
    other = told.keeps("b", trigger="exit")
    told.keeps("m", merged_from=(other, first))

    merged = rows(told)[-1]
    assert [(p.checkpoint_id, p.how) for p in merged.parents] == [
        (other, "merge"),
        (first, "merge"),
    ]
    assert merged.lane == rows(told)[1].lane


def test_columns_are_used_again() -> None:
    """A year of sessions, one after the other, is not a year of columns."""
    told = Told()
    for session in range(200):
        told.keeps(f"s{session}", trigger="exit" if session % 3 else "command")

    assert max(row.lane for row in rows(told)) <= 6


def test_a_circle_in_damaged_data_ends() -> None:
    """Sessions that claim to be each other's parent hold nobody up."""
    told = Told()
    told.parents = {"a": "b", "b": "a"}
    told.keeps("a")

    assert hows(told) == [()]
