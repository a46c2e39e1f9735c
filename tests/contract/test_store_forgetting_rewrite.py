"""Rewriting: what a record said goes, its hash and the reason stay."""

import pytest

from holdfast.domain.forgetting import Rewrite
from holdfast.domain.query import Query, Scope
from holdfast.domain.session import Cursor, KeptFold, SessionState
from holdfast.kernel.errors import CheckpointNotFound
from holdfast.kernel.ids import reference
from holdfast.store.port import Store
from tests.builders import OTHER_PROJECT, PROJECT, SESSION, a_draft, session_number

HERE = Scope(project_id=PROJECT)
EVERYWHERE = Scope()


def test_a_rewritten_record_says_the_new_and_keeps_its_place(store: Store) -> None:
    """Id, number, sequence, name and key stay: whatever points at it still does."""
    store.put(a_draft())
    kept = store.put(a_draft("Zebra", name="api", key="k")).checkpoint
    store.put(a_draft())

    store.rewrite(kept.checkpoint_id, a_draft("Horse"), "scan")

    now = store.get(kept.checkpoint_id)
    assert now.draft.content.title == "Horse"
    assert (now.number, now.sequence, now.name) == (2, 2, "api")
    assert store.find(reference("api"), HERE) == now
    assert [c.number for c in store.list(HERE)] == [3, 2, 1]
    assert store.put(a_draft(key="k")).checkpoint == now


def test_a_retry_key_can_be_put_in_the_place_of_another(store: Store) -> None:
    """A key may hold a secret; what took its place answers retries, and only once."""
    first = store.put(a_draft("Zebra", key="old")).checkpoint
    second = store.put(a_draft("Horse", key="other")).checkpoint

    store.rewrite(first.checkpoint_id, a_draft("Zebra"), "scan", "new")
    store.rewrite(second.checkpoint_id, a_draft("Horse"), "scan", "new")

    repeated = store.put(a_draft(key="new"))
    assert repeated.checkpoint.checkpoint_id == first.checkpoint_id
    assert store.get(second.checkpoint_id).draft.key == ""
    assert store.put(a_draft("Cow", key="old")).outcome == "saved"
    assert [f.message for f in store.check() if f.state != "ok"] == []


def test_a_rewrite_is_told_with_the_hashes_before_and_after(store: Store) -> None:
    """A receipt: it proves that something stood there, and says nothing of it."""
    kept = store.put(a_draft("Zebra")).checkpoint

    done = store.rewrite(kept.checkpoint_id, a_draft("Horse"), "scan")

    now = store.get(kept.checkpoint_id)
    assert done == Rewrite(
        kept.checkpoint_id, kept.content_hash, now.content_hash, "scan"
    )


def test_what_only_the_old_text_said_cannot_be_found_again(store: Store) -> None:
    """The index must forget with the record."""
    kept = store.put(a_draft("Zebra crossing", tags=("stripes",))).checkpoint

    store.rewrite(kept.checkpoint_id, a_draft("Horse crossing"), "scan")

    def found(query: Query) -> int:
        return len(store.search(query, EVERYWHERE, 10))

    assert found(Query(words=("zebra",))) == found(Query(tags=("stripes",))) == 0
    assert found(Query(words=("horse",))) == found(Query(words=("crossing",))) == 1


def test_the_chain_stays_whole_through_rewrites_saves_and_removals(
    store: Store,
) -> None:
    """Whoever verifies the chain must be able to, whatever was taken out."""
    first, second, third = (store.put(a_draft(f"T{n}")).checkpoint for n in range(3))

    store.rewrite(second.checkpoint_id, a_draft("Other"), "scan")
    store.put(a_draft("More"))
    store.rewrite(second.checkpoint_id, a_draft("Third"), "scan")
    store.rewrite(first.checkpoint_id, a_draft("First"), "scan")
    store.remove([second.checkpoint_id, third.checkpoint_id], "retention")

    assert [f.message for f in store.check() if f.state != "ok"] == []
    assert [c.draft.content.title for c in store.list(HERE)] == ["More", "First"]


def test_a_tombstone_names_the_hash_the_chain_knows(store: Store) -> None:
    """A record that was rewritten and then removed is one entry, not two."""
    kept = store.put(a_draft("Zebra")).checkpoint
    store.rewrite(kept.checkpoint_id, a_draft("Horse"), "scan")

    (tombstone,) = store.remove([kept.checkpoint_id], "forgotten")

    assert tombstone.old_hash == kept.content_hash


def test_rewriting_to_the_same_changes_nothing(store: Store) -> None:
    """A second scan finds nothing to do."""
    kept = store.put(a_draft("Zebra")).checkpoint
    store.rewrite(kept.checkpoint_id, a_draft("Horse"), "scan")
    now = store.get(kept.checkpoint_id)

    assert store.rewrite(kept.checkpoint_id, now.draft, "again") is None
    assert store.get(kept.checkpoint_id) == now


def test_what_a_record_is_looked_up_by_cannot_be_rewritten(store: Store) -> None:
    """A rewrite takes text out; it moves nothing to another session or project."""
    kept = store.put(a_draft("Zebra")).checkpoint
    stray = a_draft("Horse", project_id=OTHER_PROJECT, session_id=session_number(2))

    store.rewrite(kept.checkpoint_id, stray, "scan")

    now = store.get(kept.checkpoint_id)
    assert (now.draft.project_id, now.draft.session_id) == (PROJECT, SESSION)
    assert all(finding.state == "ok" for finding in store.check())


def test_what_is_not_there_cannot_be_rewritten(store: Store) -> None:
    """Neither a wrong id nor a tombstone."""
    kept = store.put(a_draft()).checkpoint
    store.remove([kept.checkpoint_id], "test")

    for wrong in ("ccp-none", kept.checkpoint_id):
        with pytest.raises(CheckpointNotFound):
            store.rewrite(wrong, a_draft("Horse"), "scan")


def test_the_fold_of_a_rewritten_session_goes(store: Store) -> None:
    """It says what the record said, and can be made again."""
    kept = store.put(a_draft("Zebra")).checkpoint
    store.keep_fold(SESSION, KeptFold("/t", Cursor(), SessionState(session_id=SESSION)))

    store.rewrite(kept.checkpoint_id, a_draft("Horse"), "scan")

    assert store.fold(SESSION) is None
