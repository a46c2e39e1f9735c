"""Listing: the newest first, of what was asked for."""

from typing import Any

import pytest

from holdfast.domain.query import Scope
from holdfast.store.port import Store
from tests.builders import (
    NOON,
    OTHER_PROJECT,
    OTHER_SESSION,
    PROJECT,
    SESSION,
    WORKSPACE,
    a_draft,
    a_session,
    session_number,
)

HERE = Scope(project_id=PROJECT)
EVERYWHERE = Scope()


@pytest.fixture
def filled(store: Store) -> Store:
    store.put(a_draft("First", created_at=NOON + 9000))
    store.put(a_draft("Second", session_id=OTHER_SESSION))
    store.put(a_draft("Third", workspace="/code/tree", created_at=NOON - 9000))
    store.put(a_draft("Fourth", project_id=OTHER_PROJECT))
    return store


def titles(store: Store, scope: Scope, **only: Any) -> list[str]:
    found = store.list(scope, **only)
    return [checkpoint.draft.content.title for checkpoint in found]


def test_the_newest_comes_first_by_the_order_of_keeping(filled: Store) -> None:
    """Not by the clock, which may have jumped."""
    assert titles(filled, EVERYWHERE) == ["Fourth", "Third", "Second", "First"]


def test_what_is_listed_can_be_counted(filled: Store) -> None:
    """All of it, whatever the limit of a list is."""
    assert filled.count(EVERYWHERE) == 4
    assert filled.count(HERE) == 3
    assert filled.count(Scope(project_id=PROJECT, workspace=WORKSPACE)) == 2
    assert filled.count(EVERYWHERE, session=OTHER_SESSION[:8]) == 1
    assert filled.count(EVERYWHERE, lineage=OTHER_SESSION) == 1
    assert filled.count(Scope(project_id="")) == 0


def test_a_project_lists_its_own(filled: Store) -> None:
    """Other projects' work is none of this one's."""
    assert titles(filled, HERE) == ["Third", "Second", "First"]
    assert titles(filled, Scope(project_id=OTHER_PROJECT)) == ["Fourth"]
    assert titles(filled, Scope(project_id="")) == []


def test_a_workspace_lists_its_own(filled: Store) -> None:
    """Two worktrees of a project do not get each other's work."""
    here = Scope(project_id=PROJECT, workspace=WORKSPACE)
    anywhere = Scope(workspace=WORKSPACE)

    assert titles(filled, here) == ["Second", "First"]
    assert titles(filled, anywhere) == ["Fourth", "Second", "First"]


def test_a_session_is_named_by_its_id_or_the_beginning_of_it(filled: Store) -> None:
    """Nobody types a whole session id."""
    assert titles(filled, EVERYWHERE, session=SESSION) == ["Fourth", "Third", "First"]
    assert titles(filled, HERE, session=SESSION[:6]) == ["Third", "First"]
    assert titles(filled, EVERYWHERE, session=SESSION[:6].upper(), limit=1) == [
        "Fourth"
    ]
    assert titles(filled, EVERYWHERE, session="no such session") == []
    assert titles(filled, EVERYWHERE, session="") == []


def test_a_prefix_of_several_sessions_lists_them_together(store: Store) -> None:
    """In the order of keeping, not session after session."""
    for number, title in ((1, "a"), (2, "b"), (1, "c"), (0x1000, "d")):
        store.put(a_draft(title, session_id=session_number(number)))

    assert titles(store, EVERYWHERE, session="0000000") == ["c", "b", "a"]


def test_a_lineage_lists_the_whole_family(store: Store) -> None:
    """Parent, child and fork are one story."""
    root, child, fork, stranger = (session_number(number) for number in range(1, 5))
    store.put(a_draft("Root", session_id=root))
    store.put(a_draft("Child", session_id=child, parent_session=root))
    store.put(a_draft("Stranger", session_id=stranger))
    store.put(a_draft("Fork", session_id=fork, parent_session=root))

    for member in (root, child, fork):
        assert titles(store, EVERYWHERE, lineage=member) == ["Fork", "Child", "Root"]
    assert titles(store, EVERYWHERE, lineage=child, session=fork) == ["Fork"]
    assert titles(store, EVERYWHERE, lineage=child, session=stranger) == []
    assert titles(store, Scope(project_id=OTHER_PROJECT), lineage=child) == []


def test_a_lineage_may_hang_on_a_session_that_nobody_recorded(store: Store) -> None:
    """The parent's transcript may be long gone."""
    parent = session_number(1)
    store.put(a_draft("A", session_id=session_number(2), parent_session=parent))
    store.note_session(a_session(session_number(3), parent_session=parent))
    store.put(a_draft("B", session_id=session_number(3)))

    assert titles(store, EVERYWHERE, lineage=parent) == ["B", "A"]


def test_a_limit_is_kept(filled: Store) -> None:
    """The newest of what was asked for, and no more."""
    assert titles(filled, EVERYWHERE, limit=2) == ["Fourth", "Third"]
    assert titles(filled, EVERYWHERE, limit=0) == []
    assert titles(filled, EVERYWHERE, limit=-1) == []
    assert titles(filled, EVERYWHERE, session=SESSION, limit=0) == []


def test_without_a_limit_twenty_are_listed(store: Store) -> None:
    """A screen full."""
    for _ in range(21):
        store.put(a_draft())

    assert len(store.list(HERE)) == 20


def test_every_checkpoint_comes_oldest_first(store: Store) -> None:
    """Copies come after what they were made from."""
    here = [store.put(a_draft()).checkpoint for _ in range(3)]
    abroad = store.put(a_draft(project_id=OTHER_PROJECT)).checkpoint

    every = [c.checkpoint_id for c in store.every(Scope())]
    own = [c.checkpoint_id for c in store.every(Scope(project_id=PROJECT))]

    assert own == [c.checkpoint_id for c in here]
    assert every == [*own, abroad.checkpoint_id]


def test_what_was_saved_while_it_happened_is_listed_alone(store: Store) -> None:
    """A backfill and an import bring old work with new numbers."""
    store.put(a_draft("Live"))
    store.put(a_draft("Brought", trigger="backfill", session_id=OTHER_SESSION))
    store.put(a_draft("Given", trigger="import"))

    assert titles(store, HERE) == ["Given", "Brought", "Live"]
    for scope in (HERE, EVERYWHERE, Scope(project_id=PROJECT, workspace=WORKSPACE)):
        assert titles(store, scope, live=True, limit=1) == ["Live"]
    assert titles(store, HERE, live=True, session=OTHER_SESSION) == []


def test_what_was_merged_into_a_session_is_found_by_it(store: Store) -> None:
    """Later saves of the session carry on what a merge brought there: oldest first,
    and nothing of another session whose id begins alike."""
    store.put(a_draft("work"))
    first = store.put(a_draft("one", trigger="merge")).checkpoint
    store.put(a_draft("elsewhere", trigger="merge", session_id=OTHER_SESSION))
    second = store.put(a_draft("two", trigger="merge")).checkpoint

    assert store.merged_into(SESSION) == (
        store.get(first.checkpoint_id),
        store.get(second.checkpoint_id),
    )
    assert store.merged_into(SESSION[:8]) == store.merged_into("\ud800") == ()
