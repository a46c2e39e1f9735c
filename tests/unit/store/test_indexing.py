"""The search index can be made again: in steps, from where it stopped, meanwhile in use."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from holdfast.domain.query import Query, Scope
from holdfast.kernel.errors import StoreNotFound
from holdfast.store.index_terms import ANALYSIS
from holdfast.store.sqlite.search import indexing
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import a_draft, session_number

Opened = Callable[..., SqliteStore]
Edited = Callable[[str], None]
ANOTHER_ANALYSIS = "UPDATE search_state SET analysis = 0"


class Interrupted(Exception):
    """Somebody pressed Ctrl-C."""


def filled(store: SqliteStore, count: int = 7) -> list[str]:
    drafts = [
        a_draft(f"Zebra {number}", session_id=session_number(number))
        for number in range(count)
    ]
    return [store.put(draft).checkpoint.checkpoint_id for draft in drafts]


def titles(store: SqliteStore, *words: str) -> list[str]:
    hits = store.search(Query(words=words), Scope(), 100)
    return [hit.checkpoint.draft.content.title for hit in hits]


def interrupted(done: int, _: int) -> None:
    if done >= 2:
        raise Interrupted


def test_a_rebuild_tells_how_far_it_is_and_finds_the_same(opened: Opened) -> None:
    """Nobody waits for a silent program, and nothing may change by repairing it."""
    store = opened()
    filled(store)
    before = store.search(Query(words=("zebra", "3")), Scope(), 100)
    told: list[tuple[int, int]] = []

    count = indexing.reindex(
        store._database, lambda *step: told.append(step), anew=True, step=3
    )

    assert count == 7
    assert told == [(3, 7), (6, 7), (7, 7)]
    assert store.search(Query(words=("zebra", "3")), Scope(), 100) == before
    assert store.reindex() == 0


def test_an_interrupted_rebuild_goes_on_where_it_stopped(opened: Opened) -> None:
    """A large store takes minutes; what was done stays done."""
    store = opened()
    filled(store)
    with pytest.raises(Interrupted):
        indexing.reindex(store._database, interrupted, anew=True, step=2)
    store.close()
    store = opened()

    left = store.reindex(anew=True)

    assert left == 5
    assert len(titles(store, "zebra")) == 7
    assert {finding.state for finding in store.check()} == {"ok"}


def test_a_search_finishes_what_was_begun(opened: Opened) -> None:
    """Half an index must not look like half a memory."""
    store = opened()
    filled(store)
    with pytest.raises(Interrupted):
        indexing.reindex(store._database, interrupted, anew=True, step=2)

    assert len(titles(store, "zebra")) == 7


def test_a_half_made_index_takes_saves_and_removals(opened: Opened) -> None:
    """The hook saves while the rebuild waits for somebody to search."""
    store = opened()
    kept = filled(store)
    with pytest.raises(Interrupted):
        indexing.reindex(store._database, interrupted, anew=True, step=2)

    store.put(a_draft("Zebra new", session_id=session_number(99)))
    store.remove([kept[0], kept[5]], "one that is indexed, one that is not")
    waiting = next(f.message for f in store.check() if f.name == "index")

    assert "wait for the next search" in waiting
    assert len(titles(store, "zebra")) == 6
    assert titles(store, "new") == ["Zebra new"]
    assert {finding.state for finding in store.check()} == {"ok"}


@pytest.mark.parametrize("use", ["search", "put", "remove"])
def test_an_index_of_another_analysis_is_made_anew(
    opened: Opened, edited: Edited, use: str
) -> None:
    """After an upgrade, old entries would be found by nothing and removed by nothing."""
    store = opened()
    kept = filled(store)
    store.close()
    edited(ANOTHER_ANALYSIS)
    store = opened()

    if use == "put":
        store.put(a_draft("Zebra new", session_id=session_number(99)))
    elif use == "remove":
        store.remove(kept[:1], "test")

    assert len(titles(store, "zebra")) == {"search": 7, "put": 8, "remove": 6}[use]
    assert indexing.state(store._database).analysis == ANALYSIS
    assert {finding.state for finding in store.check()} == {"ok"}


def test_removing_a_damaged_record_leaves_no_word_behind(
    opened: Opened, edited: Edited
) -> None:
    """What it said is not known any more, so everything is indexed again."""
    store = opened()
    kept = filled(store)
    store.close()
    edited("UPDATE checkpoint SET body = replace(body, 'Zebra 3', 'Giraffe')")
    store = opened()

    store.remove([kept[3]], "damaged")

    assert indexing.state(store._database).passages == 0
    assert len(titles(store, "zebra")) == 6


def test_a_store_that_cannot_be_written_is_searched_as_it_is(
    opened: Opened, unprivileged: Callable[[], AbstractContextManager[Path]]
) -> None:
    """Half an index is better than none."""
    opened().close()  # what it imports may be out of reach for somebody else
    with unprivileged() as directory:
        home = directory / "home"
        with open_store(str(home), create=True) as store:
            filled(store)
            with pytest.raises(Interrupted):
                indexing.reindex(store._database, interrupted, anew=True, step=2)
            store._database.wipe_log()
        for leftover in ("holdfast.db-wal", "holdfast.db-shm"):
            (home / leftover).unlink(missing_ok=True)
        home.chmod(0o500)
        try:
            with open_store(str(home), create=False) as reader:
                with pytest.raises(StoreNotFound):
                    reader.reindex()

                assert len(titles(reader, "zebra")) == 2
        finally:
            home.chmod(0o700)
