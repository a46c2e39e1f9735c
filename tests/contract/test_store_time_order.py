"""The order in which checkpoints are told, where some tell of an earlier time."""

from typing import Any

import pytest

from holdfast.domain.query import Query, Scope
from holdfast.store.port import Store
from tests.builders import (
    NOON,
    OTHER_SESSION,
    PROJECT,
    WORKSPACE,
    a_draft,
    a_foreign_checkpoint,
    session_number,
)

HOUR = 3_600_000
EVERYWHERE = Scope()
HERE = Scope(project_id=PROJECT, workspace=WORKSPACE)
NEWEST_FIRST = ["today", "colleague", "yesterday", "last year", "the year before"]


@pytest.fixture
def mixed(store: Store) -> Store:
    """Two saves of these days, then what a backfill and a colleague bring."""
    store.put(a_draft("yesterday", created_at=NOON - 24 * HOUR))
    store.put(a_draft("today", created_at=NOON))
    bring(store, "last year", 2, NOON - 8000 * HOUR)
    bring(store, "the year before", 1, NOON - 16000 * HOUR)
    store.adopt(
        a_foreign_checkpoint(7, "laptop", created_at=NOON - HOUR, project_id=PROJECT)
    )
    return store


def bring(store: Store, title: str, number: int, at: int, **more: Any) -> None:
    """Keep what a backfill found."""
    given = {"session_id": session_number(number), "trigger": "backfill", **more}
    store.put(a_draft(title, created_at=at, **given))


def titles(found: Any) -> list[str]:
    told = [one.draft.content.title for one in found]
    return [one if one in NEWEST_FIRST else "colleague" for one in told]


@pytest.mark.parametrize("scope", [EVERYWHERE, Scope(project_id=PROJECT)])
def test_what_tells_of_an_earlier_time_is_listed_there(
    mixed: Store, scope: Scope
) -> None:
    assert titles(mixed.list(scope)) == NEWEST_FIRST
    for limit in range(len(NEWEST_FIRST)):
        assert titles(mixed.list(scope, limit=limit)) == NEWEST_FIRST[:limit]
    assert titles(mixed.list(scope, live=True)) == ["today", "yesterday"]
    assert mixed.count(scope) == len(NEWEST_FIRST)


def test_a_workspace_has_the_order_too(mixed: Store) -> None:
    """What a colleague did was done elsewhere."""
    here = [one for one in NEWEST_FIRST if one != "colleague"]
    assert titles(mixed.list(HERE)) == here
    assert titles(mixed.list(HERE, limit=3)) == here[:3]


def test_a_history_has_the_same_order(mixed: Store) -> None:
    newest_first = [one.checkpoint_id for one in mixed.list(EVERYWHERE)]
    outlines = [one.checkpoint_id for one in mixed.outlines(EVERYWHERE)]
    assert outlines[::-1] == newest_first


def test_a_search_without_words_has_it_too(mixed: Store) -> None:
    found = mixed.search(Query(sort="desc"), EVERYWHERE, 10)
    assert titles(hit.checkpoint for hit in found) == NEWEST_FIRST
    few = mixed.search(Query(sort="desc"), EVERYWHERE, 3)
    assert titles(hit.checkpoint for hit in few) == NEWEST_FIRST[:3]
    oldest = mixed.search(Query(sort="asc"), EVERYWHERE, 2)
    assert titles(hit.checkpoint for hit in oldest) == NEWEST_FIRST[:-3:-1]
    (latest,) = mixed.search(Query(latest=True), EVERYWHERE, 10)
    assert titles([latest.checkpoint]) == ["today"]


def test_a_session_that_goes_on_after_it_was_brought_ends_with_the_new(
    store: Store,
) -> None:
    bring(store, "last year", 1, NOON - 8000 * HOUR)
    store.put(a_draft("today", session_id=session_number(1), created_at=NOON))
    newest = store.list(EVERYWHERE, session=session_number(1))
    assert titles(newest) == ["today", "last year"]
    first = store.list(EVERYWHERE, session=session_number(1), limit=1)
    assert titles(first) == ["today"]


def test_a_clock_that_went_back_changes_no_order_of_what_was_saved_as_it_happened(
    store: Store,
) -> None:
    """And what is older than the later save stands before both."""
    store.put(a_draft("yesterday", created_at=NOON + 24 * HOUR))
    store.put(a_draft("today", session_id=OTHER_SESSION, created_at=NOON))
    bring(store, "last year", 1, NOON + HOUR)
    assert titles(store.list(EVERYWHERE)) == ["last year", "today", "yesterday"]
    told = [one.title for one in store.outlines(EVERYWHERE)]
    assert told == ["yesterday", "today", "last year"]
