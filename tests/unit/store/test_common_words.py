"""A word that is everywhere: only its strongest passages are read, and they are enough."""

from collections.abc import Iterator

import pytest

from holdfast.domain.checkpoint import Draft, Item
from holdfast.domain.query import Query, Scope
from holdfast.search.ranking import position_of
from holdfast.store.index_terms import wanted
from holdfast.store.sqlite.search.postings import (
    AT_ONCE,
    ENOUGH,
    SearchBounds,
    WordLookup,
)
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import OTHER_PROJECT, PROJECT, a_draft, session_number

_MANY = AT_ONCE + 50


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    """Return a store where every prompt has the word `common`, some with another."""
    with open_store(str(tmp_path_factory.mktemp("store")), create=True) as store:
        store.put(a_draft("Common ground", project_id=OTHER_PROJECT))
        store.put(_saying("oldest", f"a common {_filler(40)} beside the telling one"))
        store.put(_saying("named", "see commonCommon"))
        for number in range(0, _MANY, 50):
            text = f"something common {_filler(number % 7)}"
            store.put(_saying(f"many {number}", *[text] * 50))
        yield store


def _saying(title: str, *prompts: str) -> Draft:
    return a_draft(
        title,
        requests=tuple(Item(prompt, "user") for prompt in prompts),
        session_id=session_number(len(title)),
    )


def _filler(count: int) -> str:
    return " ".join(f"filler{number}" for number in range(count))


def titles(store: SqliteStore, scope: Scope, *words: str) -> list[str]:
    hits = store.search(Query(words=words), scope, 10)
    return [hit.checkpoint.draft.content.title for hit in hits]


def test_only_the_strongest_are_read_however_old_they_are(store: SqliteStore) -> None:
    """The cost of a common word does not grow with the store, nor does it forget."""
    words = WordLookup(store._database)

    (found,) = words.postings(wanted(Query(words=("common",))), SearchBounds())

    assert found.passages > AT_ONCE
    assert len(found.rows) == ENOUGH
    oldest = min(found.rows)
    assert position_of(oldest) == 1
    assert found.rows[oldest] == max(found.rows.values())


def test_a_project_is_searched_by_itself(store: SqliteStore) -> None:
    """What is strong elsewhere must not use up what is read here."""
    assert titles(store, Scope(project_id=OTHER_PROJECT), "common") == ["Common ground"]
    assert "Common ground" not in titles(store, Scope(project_id=PROJECT), "common")


def test_all_words_come_first_though_one_is_everywhere(store: SqliteStore) -> None:
    """Its weak mention beside the rare word is read in addition."""
    hits = store.search(Query(words=("common", "telling")), Scope(), 10)

    assert hits[0].checkpoint.draft.content.title == "oldest"
    assert hits[0].score > 1
    assert hits[1].score < 1


def test_a_whole_name_of_common_parts_helps_within_a_project(
    store: SqliteStore,
) -> None:
    """The parts are everywhere; only the whole tells, in a project as anywhere."""
    asked = wanted(Query(words=("telling", "commonCommon")))

    helping = [
        posting
        for posting in WordLookup(store._database).postings(
            asked, SearchBounds(PROJECT)
        )
        if not posting.is_asked
    ]

    assert [len(posting.rows) for posting in helping] == [1]
