"""Which sessions can be continued, and which were left in the middle."""

from typing import Any

import pytest

from holdfast.domain.checkpoint import CommandRef, FileRef, Item, ToolRef, fact_item
from holdfast.domain.code import CodeState
from holdfast.domain.fact import Failure
from holdfast.start.decision import is_candidate, is_related, is_unfinished, last_active
from tests.builders import NOON, a_draft, a_foreign
from tests.sessions import a_checkpoint

_MENDED = fact_item(Failure("make", "it broke", state="fixed"))
EDITED = (FileRef("refresh.py", "edited"),)
DIRTY = CodeState(branch="main", dirty=True)
CLEAN = CodeState(branch="main")


def calls(count: int) -> tuple[ToolRef, ...]:
    return (ToolRef("Read", count, NOON, NOON),)


@pytest.mark.parametrize(
    ("parts", "is_one"),
    [
        pytest.param({}, False, id="nothing but talk"),
        pytest.param({"files": EDITED}, True, id="edited a file"),
        pytest.param({"files": (FileRef("a.py", "read"),)}, False, id="only read"),
        pytest.param(
            {"commands": (CommandRef("git commit", 0),)}, True, id="committed"
        ),
        pytest.param({"pending": (Item("a todo"),)}, True, id="an open todo"),
        pytest.param({"open_questions": (Item("which?"),)}, True, id="an open question"),
        pytest.param({"errors": (Item("it broke"),)}, True, id="an open error"),
        pytest.param(
            {"errors": (_MENDED,)}, False, id="a mended error"
        ),
        pytest.param({"tools": calls(5)}, True, id="five calls"),
        pytest.param({"tools": calls(4)}, False, id="four calls"),
        pytest.param({"trigger": "command"}, True, id="saved by hand"),
        pytest.param({"trigger": "headless", "files": EDITED}, False, id="headless"),
        pytest.param(
            {
                "files": (FileRef("refresh.py", "edited", origin="ccp-1"),),
                "pending": (Item("a todo", origin="ccp-1"),),
                "open_questions": (Item("which?", origin="ccp-1"),),
                "errors": (Item("it broke", origin="ccp-1"),),
            },
            False, id="nothing but what it inherited",
        ),
    ],
)  # fmt: skip
def test_a_session_is_a_candidate_by_what_it_did(
    parts: dict[str, Any],
    is_one: bool,  # noqa: FBT001  # a column of the table
) -> None:
    """What could be continued is offered; a greeting and a look around are not."""
    draft = a_draft(**{"trigger": "exit", **parts})

    assert is_candidate(a_checkpoint(draft)) == is_one


def test_what_a_teammate_did_is_not_ours_to_continue() -> None:
    """Finding spans the team; resuming stays with who did it."""
    draft = a_draft(trigger="command", files=EDITED)

    assert not is_candidate(a_checkpoint(draft, foreign=a_foreign("laptop")))


@pytest.mark.parametrize(
    ("parts", "is_left"),
    [
        pytest.param({"files": EDITED, "code": DIRTY}, True, id="not committed"),
        pytest.param({"files": EDITED, "code": CLEAN}, False, id="all committed"),
        pytest.param({"code": DIRTY}, False, id="somebody else's changes"),
        pytest.param({"pending": (Item("a todo"),)}, True, id="an open todo"),
        pytest.param(
            {"open_questions": (Item("which?"),)}, True, id="an open question"
        ),
        pytest.param({"errors": (Item("it broke"),)}, True, id="an open error"),
        pytest.param({"in_flight": (Item("a turn cut off"),)}, True, id="cut off"),
        pytest.param({"tools": calls(9)}, False, id="nothing open"),
    ],
)
def test_work_is_unfinished_if_something_was_left(
    parts: dict[str, Any],
    is_left: bool,  # noqa: FBT001  # a column of the table
) -> None:
    """Unfinished work is offered for 14 days, finished work for one."""
    draft = a_draft(**{"code": CLEAN, **parts})

    assert is_unfinished(a_checkpoint(draft)) == is_left


def test_a_rescue_is_as_old_as_its_crash() -> None:
    """Saved today, crashed last week: that is not two hours ago."""
    rescued = a_draft(
        trigger="rescue", started_at=NOON - 9_000_000, duration_seconds=60
    )
    saved = a_draft(trigger="exit", started_at=NOON - 9_000_000, duration_seconds=60)

    assert last_active(a_checkpoint(rescued)) == NOON - 9_000_000 + 60_000
    assert last_active(a_checkpoint(saved)) == NOON


@pytest.mark.parametrize(
    ("one", "other", "related"),
    [
        pytest.param("/code/a", "/code/a", True, id="the same"),
        pytest.param("/code/a/web", "/code/a", True, id="below"),
        pytest.param("/code/a", "/code/a/web/", True, id="above"),
        pytest.param("/code/a/web", "/code/a/api", False, id="beside"),
        pytest.param("/code/ab", "/code/a", False, id="only alike"),
    ],
)
def test_directories_are_related_if_one_holds_the_other(
    one: str,
    other: str,
    related: bool,  # noqa: FBT001  # a column of the table
) -> None:
    """Siblings in one repository have their own threads of work."""
    assert is_related(one, other) == related
    assert is_related(other, one) == related
