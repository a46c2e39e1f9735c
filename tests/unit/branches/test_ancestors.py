"""Which checkpoint others came from: through clears, forks, rewinds and merges."""

from dataclasses import replace
from typing import Any

import pytest

from holdfast.branches.ancestors import Ancestor, common_ancestor, is_ancestor
from holdfast.domain.checkpoint import Checkpoint, Item, fact_item
from holdfast.domain.fact import RewoundRequest
from holdfast.domain.query import Scope
from tests.builders import NOON, a_draft, a_session, session_number
from tests.memory_store.store import MemoryStore

P, A, B, C = (session_number(number) for number in range(1, 5))


class Family(MemoryStore):
    """A store in memory, asked as whoever knows a family is."""

    def checkpoint(self, checkpoint_id: str) -> Checkpoint | None:
        found = [
            c for c in self.list(Scope(), limit=99) if c.checkpoint_id == checkpoint_id
        ]
        return found[0] if found else None

    def saves(self, session: str, *lines: str, **parts: Any) -> Checkpoint:
        """Keep a checkpoint of a session in which these lines were typed."""
        self.clock = getattr(self, "clock", NOON) + 1000
        asked = tuple(Item(f"asked at {line}", "user", (line,)) for line in lines)
        draft = a_draft(
            session_id=session, requests=asked, created_at=self.clock, **parts
        )
        return self.put(draft).checkpoint

    def begins(self, session: str, parent: str, **parts: Any) -> None:
        self.note_session(a_session(session, parent_session=parent, **parts))


@pytest.fixture
def family() -> Family:
    return Family()


def _of(family: Family, *checkpoints: Checkpoint) -> int | None:
    found = common_ancestor(checkpoints, family).checkpoint
    return found.number if found else None


def test_a_later_one_of_a_session_goes_on_from_an_earlier_one(family: Family) -> None:
    """And each from itself; never the other way round."""
    first, second = family.saves(P, "1"), family.saves(P, "1", "2")

    assert is_ancestor(first, second, family)
    assert is_ancestor(first, first, family)
    assert not is_ancestor(second, first, family)


def test_strangers_have_nothing_in_common(family: Family) -> None:
    """Two sessions that nobody linked."""
    one, other = family.saves(A, "1"), family.saves(B, "2")

    assert common_ancestor((one, other), family) == Ancestor()


def test_two_clears_part_where_each_inherited(family: Family) -> None:
    """The origin of what was inherited says at which checkpoint a session began, though
    its parent was saved again since."""
    first = family.saves(P, "1")
    second = family.saves(P, "1", "2")
    family.begins(A, P)
    family.begins(B, P)
    one = family.saves(A, "3", pending=(Item("t", origin=first.checkpoint_id),))
    other = family.saves(B, "4", pending=(Item("t", origin=second.checkpoint_id),))

    assert _of(family, one, other) == first.number
    assert is_ancestor(second, other, family)
    assert not is_ancestor(second, one, family)


def test_a_fork_parts_where_its_lines_end(family: Family) -> None:
    """It has the conversation up to there and not what was asked in its parent since."""
    family.saves(P, "1")
    second = family.saves(P, "1", "2")
    third = family.saves(P, "1", "2", "3")
    family.begins(A, P)
    fork = family.saves(A, "1", "2", "7")

    assert _of(family, third, fork) == second.number
    assert not is_ancestor(third, fork, family)


def test_a_fork_parts_there_whatever_it_inherited(family: Family) -> None:
    """One that was saved late was given what its parent came to since, once."""
    first = family.saves(P, "1")
    second = family.saves(P, "1", "2")
    family.begins(A, P)
    given = (Item("t", origin=second.checkpoint_id),)
    fork = family.saves(A, "1", "7", pending=given)

    assert _of(family, second, fork) == first.number
    assert not is_ancestor(second, fork, family)


def test_a_fork_of_what_was_not_kept_yet_has_nothing_of_it(family: Family) -> None:
    """Its parent was saved for the first time when it had gone on."""
    first = family.saves(P, "1", "2")
    family.begins(A, P)
    fork = family.saves(A, "1", "7")

    assert _of(family, first, fork) is None
    assert common_ancestor((first, fork), family).session_id == P


def test_where_nothing_else_tells_the_moment_does(family: Family) -> None:
    """A session that inherited nothing began after what was saved before it."""
    first = family.saves(P, "1")
    family.begins(A, P, started_at=NOON + 1500)
    later = family.saves(P, "1", "2")
    one = family.saves(A, "3", started_at=NOON + 1500)

    assert _of(family, later, one) == first.number


def test_a_rewind_leaves_a_branch_in_its_own_session(family: Family) -> None:
    """What was saved before going back is no ancestor of what came after."""
    first = family.saves(P, "1")
    left = family.saves(P, "1", "2")
    gone = fact_item(RewoundRequest("asked at 2"))
    after = family.saves(P, "1", "3", dead_ends=(gone,))

    assert not is_ancestor(left, after, family)
    assert _of(family, left, after) == first.number


def test_a_merge_joins_two_lines(family: Family) -> None:
    """Everything that either side went on from is behind it."""
    base = family.saves(P, "1")
    family.begins(A, P)
    fork = family.saves(A, "1", "2")
    home = family.saves(P, "1", "3")
    ids = (home.checkpoint_id, fork.checkpoint_id)
    merge = family.saves(P, "2", "1", "3", trigger="merge", merged_from=ids)
    later = family.saves(A, "1", "2", "4")

    assert all(is_ancestor(one, merge, family) for one in (base, fork, home))
    assert _of(family, merge, later) == fork.number


def test_three_have_the_oldest_in_common(family: Family) -> None:
    """Where the first of them left."""
    first = family.saves(P, "1")
    family.saves(P, "1", "2")
    family.begins(A, P)
    family.begins(B, P)
    one = family.saves(A, "1", "5")
    other = family.saves(B, "1", "2", "6")
    third = family.saves(P, "1", "2", "3")

    assert _of(family, one, other, third) == first.number


def test_one_that_is_gone_is_told(family: Family) -> None:
    """An older one stands in for it, or none does."""
    family.saves(P, "1")
    second = family.saves(P, "1", "2")
    third = family.saves(P, "1", "2", "3")
    family.begins(A, P)
    fork = family.saves(A, "1", "2", "7")
    family.remove([second.checkpoint_id], "forgotten")

    found = common_ancestor((third, fork), family)

    assert found.checkpoint
    assert (found.checkpoint.number, found.is_gone) == (1, True)
    family.remove([found.checkpoint.checkpoint_id], "forgotten")
    assert common_ancestor((third, fork), family) == Ancestor(
        is_gone=True, session_id=P
    )


def test_a_circle_in_damaged_data_ends(family: Family) -> None:
    """Whoever asks gets an answer."""
    one, other = family.saves(A, "1"), family.saves(B, "2")
    ids = (one.checkpoint_id, other.checkpoint_id)
    first = family.saves(A, "1", trigger="merge", merged_from=ids)
    ids = (first.checkpoint_id, other.checkpoint_id)
    second = family.saves(B, "2", trigger="merge", merged_from=ids)

    assert is_ancestor(first, second, family)
    assert is_ancestor(one, replace(second, sequence=99), family)
