"""Filters of a search: what they let pass, what they keep out, across a whole family."""

from typing import Any

import pytest

from holdfast.domain.checkpoint import FileRef, ToolRef
from holdfast.domain.code import CodeState
from holdfast.domain.query import Filter, Query, Scope
from holdfast.store.port import Store
from tests.builders import NOON, a_draft, a_session, session_number

EVERYWHERE = Scope()
ROOT, CHILD, FORK, GRANDCHILD, STRANGER = (session_number(n) for n in range(1, 6))


def titles(store: Store, limit: int = 10, **asked: Any) -> list[str]:
    hits = store.search(Query(**asked), EVERYWHERE, limit)
    return [hit.checkpoint.draft.content.title for hit in hits]


@pytest.fixture
def family(store: Store) -> Store:
    """Return a store with a session, its two forks, a grandchild and a stranger."""
    store.put(a_draft("Root zebra", session_id=ROOT))
    store.put(a_draft("Child zebra", session_id=CHILD, parent_session=ROOT))
    store.put(a_draft("Fork zebra", session_id=FORK, parent_session=ROOT))
    store.put(a_draft("Grandchild zebra", session_id=GRANDCHILD, parent_session=CHILD))
    store.put(a_draft("Stranger zebra", session_id=STRANGER))
    return store


@pytest.mark.parametrize("member", [ROOT, CHILD, FORK, GRANDCHILD])
def test_a_lineage_is_the_whole_family_whoever_is_named(
    family: Store, member: str
) -> None:
    """B3: any depth, up and down, forks included, with words and without."""
    everyone = ["Grandchild zebra", "Fork zebra", "Child zebra", "Root zebra"]

    assert titles(family, lineage=member) == everyone
    assert titles(family, lineage=member, sort="asc") == everyone[::-1]
    assert titles(family, lineage=member, latest=True) == ["Grandchild zebra"]
    assert sorted(titles(family, lineage=member, words=("zebra",))) == sorted(everyone)
    assert titles(family, lineage=member, words=("fork",)) == ["Fork zebra"]


def test_a_parent_has_its_children_and_no_grandchildren(family: Store) -> None:
    """`parent:` is one step, in every direction it forks."""
    assert titles(family, parent=ROOT) == ["Fork zebra", "Child zebra"]
    assert titles(family, parent=CHILD) == ["Grandchild zebra"]
    assert titles(family, parent=ROOT, latest=True) == ["Fork zebra"]
    assert titles(family, parent=ROOT, session=CHILD) == ["Child zebra"]
    assert titles(family, parent=GRANDCHILD) == []


def test_a_parent_may_be_a_session_without_checkpoints(store: Store) -> None:
    """Only the link counts: the parent may never have been saved."""
    store.note_session(a_session(CHILD, parent_session=ROOT))
    store.put(a_draft("Child", session_id=CHILD))

    assert titles(store, parent=ROOT) == ["Child"]
    assert titles(store, lineage=ROOT) == ["Child"]


@pytest.mark.parametrize(
    ("without", "left"),
    [
        pytest.param([("session", CHILD)], {"Root", "Fork", "Grandchild", "Stranger"}, id="session"),
        pytest.param([("session", CHILD[:8])], {"Root", "Fork", "Grandchild", "Stranger"}, id="beginning of a session"),
        pytest.param([("parent", ROOT)], {"Root", "Grandchild", "Stranger"}, id="parent"),
        pytest.param([("lineage", FORK)], {"Stranger"}, id="lineage"),
        pytest.param([("checkpoint", f"ccp-{FORK}")], {"Root", "Child", "Grandchild", "Stranger"}, id="checkpoint"),
        pytest.param([("session", CHILD), ("session", FORK)], {"Root", "Grandchild", "Stranger"}, id="two sessions"),
        pytest.param([("session", "none")], {"Root", "Child", "Fork", "Grandchild", "Stranger"}, id="nobody"),
    ],
)  # fmt: skip
def test_a_family_can_be_left_out(
    family: Store, without: list[tuple[Any, str]], left: set[str]
) -> None:
    """`-session:`, `-parent:`, `-lineage:` and `-checkpoint:`, with words or alone."""
    filters = tuple(Filter(kind, value) for kind, value in without)
    expected = {f"{name} zebra" for name in left}

    assert set(titles(family, without=filters)) == expected
    assert set(titles(family, without=filters, words=("zebra",))) == expected


@pytest.fixture
def marked(store: Store) -> Store:
    """Return a store with one checkpoint that has every mark, and one that has none."""
    store.put(
        a_draft(
            "Marked zebra",
            name="api-design",
            type="auto",
            tags=("nightly",),
            topics=("auth",),
            files=(FileRef("src/auth/refresh.py", "edited"),),
            tools=(ToolRef("Edit", 1, NOON, NOON),),
            code=CodeState(branch="spike/redis"),
        )
    )
    store.put(a_draft("Plain zebra"))
    return store


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        pytest.param("tag", "Nightly", id="tag in another case"),
        pytest.param("type", "auto", id="type"),
        pytest.param("file", "refresh.py", id="file name"),
        pytest.param("file", "auth/refresh.py", id="end of a path"),
        pytest.param("tool", "edit", id="tool"),
        pytest.param("branch", "spike/redis", id="branch"),
        pytest.param("topic", "Auth", id="topic"),
        pytest.param("name", "api", id="beginning of a name"),
    ],
)
def test_a_negated_filter_keeps_out_what_it_names(
    marked: Store, kind: Any, value: str
) -> None:
    """`-tag:x` is the opposite of `tag:x`, in a list and in a ranking."""
    without = (Filter(kind, value),)

    assert titles(marked, without=without) == ["Plain zebra"]
    assert titles(marked, without=without, words=("zebra",)) == ["Plain zebra"]
    assert titles(marked, without=without, latest=True) == ["Plain zebra"]
    assert titles(marked, without=(Filter(kind, "none"),)) == [
        "Plain zebra",
        "Marked zebra",
    ]


def test_a_filter_and_its_opposite_leave_nothing(marked: Store) -> None:
    """Nobody asks for it, and nothing else would be an answer."""
    without = (Filter("tag", "nightly"),)

    assert titles(marked, tags=("nightly",), without=without) == []


def test_more_sessions_than_an_expression_holds_are_found(store: Store) -> None:
    """A short prefix names many sessions; the answer is the same as for few."""
    for number in range(0x100, 0x128):
        store.put(a_draft("Zebra", session_id=session_number(number)))
    store.put(a_draft("Other zebra", session_id=session_number(0x2000)))

    many = Filter("session", "000001")

    assert len(titles(store, limit=100, session="000001")) == 0x28
    assert len(titles(store, limit=100, session="000001", words=("zebra",))) == 0x28
    assert titles(store, limit=100, without=(many,)) == ["Other zebra"]
    assert titles(store, limit=100, session="00000127", latest=True) == ["Zebra"]


def test_dates_hold_whatever_the_order_of_keeping(store: Store) -> None:
    """A6: a clock that jumps, a backfill: the order of keeping says nothing of dates."""
    for day in (3, 1, 4, 2, 5):
        store.put(a_draft(f"Day {day}", created_at=NOON + day))

    assert titles(store, after=NOON + 2, before=NOON + 5) == ["Day 2", "Day 4", "Day 3"]
    assert titles(store, after=NOON + 2, before=NOON + 4, words=("day",)) == [
        "Day 2",
        "Day 3",
    ]
    assert titles(store, before=NOON + 3, latest=True) == ["Day 2"]
    assert titles(store, after=NOON + 9) == []
    assert titles(store, after=NOON + 4, before=NOON + 3) == []
