"""Where work stands: what is left, or by what it shows to be finished."""

from typing import Any

import pytest

from holdfast.domain.checkpoint import Content, FileRef, Item, fact_item
from holdfast.domain.code import CodeState
from holdfast.domain.fact import (
    Commit,
    Failure,
    Note,
    PassingCommand,
    RunningWork,
    UnfinishedTurn,
    WaitingPlan,
)
from holdfast.domain.standing import standing_of
from holdfast.kernel.lazy_values import replace

EDITED = (FileRef("src/a.py", "edited"),)
CLEAN = CodeState(branch="main", head="3f2c1a9")
DIRTY = CodeState(branch="main", head="3f2c1a9", dirty=True)


def in_flight(*facts: Any) -> dict[str, Any]:
    return {"in_flight": tuple(map(fact_item, facts))}


@pytest.mark.parametrize(
    ("parts", "left"),
    [
        ({}, ()),
        ({"pending": (Item("write docs"),)}, ("task",)),
        ({"notes": (Item("write docs", fact=Note("next_steps")),)}, ("task",)),
        ({"notes": (Item("no cron", fact=Note("decisions")),)}, ()),
        ({"errors": (fact_item(Failure("make", "it broke")),)}, ("failure",)),
        ({"errors": (fact_item(Failure("make", state="fixed")),)}, ()),
        ({"open_questions": (Item("Which?"),)}, ("question",)),
        (in_flight(WaitingPlan("Retry")), ("plan",)),
        (in_flight(UnfinishedTurn("cut off")), ("turn",)),
        (in_flight(RunningWork("sub-agent", "review")), ("running",)),
        (in_flight(RunningWork("server", "npm run dev")), ()),
        ({"uncommitted": ("src/a.py",)}, ("uncommitted",)),
    ],
)
def test_work_is_finished_when_nothing_is_left(
    parts: dict[str, Any], left: tuple[str, ...]
) -> None:
    """A server that runs on is no work that waits; a mended failure is over."""
    assert standing_of(Content(title="t", **parts)).left == left


@pytest.mark.parametrize(
    ("code", "left"), [(CLEAN, ()), (DIRTY, ("uncommitted",)), (CodeState(), ())]
)
def test_git_knows_best_what_is_not_committed(
    code: CodeState, left: tuple[str, ...]
) -> None:
    """Somebody else may have committed it; without git there is nothing to commit."""
    content = Content(title="t", files=EDITED, uncommitted=("src/a.py",))

    assert standing_of(content, code).left == left


def test_finished_work_says_by_what() -> None:
    """The last commit and the last run that went well are all that is left to tell."""
    outcomes = (
        fact_item(Commit("first")),
        fact_item(Commit("last")),
        fact_item(PassingCommand("make test")),
    )
    content = Content(title="t", key_outcomes=outcomes)

    standing = standing_of(content, CLEAN)

    assert standing.is_finished
    assert (standing.commit, standing.passed) == ("last", "make test")


@pytest.mark.parametrize("done", [Commit("add a"), PassingCommand("pytest")])
def test_what_was_done_before_the_goal_was_set_is_not_done_for_it(done: Any) -> None:
    """A commit of the request before says nothing about this one."""
    before = fact_item(replace(done, before_goal=True))
    standing = standing_of(Content(title="t", key_outcomes=(before,)))
    assert (standing.commit, standing.passed) == ("", "")
    since = standing_of(Content(title="t", key_outcomes=(fact_item(done),)))
    assert since.commit or since.passed


def test_what_was_red_before_is_not_left_of_this_work_nor_is_it_done() -> None:
    """The user has seen it and asked for something else; it is told as open still."""
    red = fact_item(Failure("make", "it broke", before_goal=True))
    green = fact_item(PassingCommand("pytest"))
    standing = standing_of(Content(title="t", errors=(red,), key_outcomes=(green,)))
    assert (standing.left, standing.passed) == ((), "")
