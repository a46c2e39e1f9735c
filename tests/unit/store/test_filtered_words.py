"""A word that is everywhere, asked for where a filter leaves little of it."""

from collections.abc import Callable

import pytest

from holdfast.domain.checkpoint import Item
from holdfast.domain.query import Filter, Query, Scope
from holdfast.store.sqlite.search import postings
from holdfast.store.sqlite.store import SqliteStore
from tests.builders import (
    NOON,
    OTHER_PROJECT,
    PROJECT,
    SESSION,
    a_draft,
    session_number,
)

OLD = session_number(1)


@pytest.fixture
def store(
    opened: Callable[..., SqliteStore], monkeypatch: pytest.MonkeyPatch
) -> SqliteStore:
    """One old checkpoint that says `zebra` in passing, and many newer titles."""
    monkeypatch.setattr(postings, "ENOUGH", 3)
    monkeypatch.setattr(postings, "_ENOUGH_FILTERED", 3)
    store = opened()
    old = (Item("a zebra among other animals of the plain"),)
    store.put(a_draft("Old", session_id=OLD, decisions=old, name="old"))
    for project in (PROJECT, OTHER_PROJECT):
        for day in range(1, 9):
            changes = {"project_id": project, "created_at": NOON + day}
            store.put(a_draft("Zebra", session_id=SESSION, **changes))
    return store


@pytest.mark.parametrize(
    "query",
    [
        pytest.param(Query(words=("zebra",), session=OLD), id="session"),
        pytest.param(Query(words=("zebra",), lineage=OLD), id="lineage"),
        pytest.param(Query(words=("zebra",), checkpoint=f"ccp-{OLD}"), id="id"),
        pytest.param(Query(words=("zebra",), name="old"), id="name"),
        pytest.param(Query(words=("zebra",), before=NOON + 1), id="date"),
        pytest.param(Query(words=("zebra",), phrases=("of the plain",)), id="phrase"),
        pytest.param(
            Query(words=("zebra",), without=(Filter("session", SESSION),)), id="without"
        ),
    ],
)
@pytest.mark.parametrize("scope", [Scope(), Scope(project_id=PROJECT)])
def test_a_filter_finds_the_word_however_common_it_is(
    store: SqliteStore, query: Query, scope: Scope
) -> None:
    """Stronger and newer passages elsewhere must not crowd it out."""
    found = store.search(query, scope, 10)

    assert [hit.checkpoint.draft.content.title for hit in found] == ["Old"]
