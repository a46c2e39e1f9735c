"""Removing: a tombstone stays, and nothing of what the record said."""

import pytest

from holdfast.domain.code import CodeState
from holdfast.domain.query import Query, Scope
from holdfast.domain.session import Cursor, KeptFold, SessionState
from holdfast.kernel.errors import CheckpointNotFound, NameTaken
from holdfast.kernel.ids import reference
from holdfast.store.port import Store
from holdfast.store.retention import RetentionRow
from tests.builders import NOON, OTHER_PROJECT, PROJECT, SESSION, a_draft

HERE = Scope(project_id=PROJECT)
EVERYWHERE = Scope()


def test_a_tombstone_says_what_was_there_and_why_it_went(store: Store) -> None:
    """Number, sequence, old hash, reason; no content."""
    store.put(a_draft())
    kept = store.put(a_draft()).checkpoint

    (tombstone,) = store.remove([kept.checkpoint_id], "retention")

    assert tombstone.checkpoint_id == kept.checkpoint_id
    assert (tombstone.number, tombstone.sequence) == (2, 2)
    assert tombstone.old_hash == kept.content_hash
    assert tombstone.reason == "retention"


def test_nothing_of_a_removed_record_can_be_found_again(store: Store) -> None:
    """What is forgotten is gone, by every way there is."""
    kept = store.put(
        a_draft("Zebra crossing", name="zebra", tags=("stripes",))
    ).checkpoint

    store.remove([kept.checkpoint_id], "forgotten")

    for text in ("latest", "1", "zebra", kept.checkpoint_id, f"session:{SESSION}"):
        with pytest.raises(CheckpointNotFound):
            store.find(reference(text), HERE)
    assert store.list(EVERYWHERE) == ()
    assert store.search(Query(words=("zebra",)), EVERYWHERE, 10) == ()
    assert store.search(Query(tags=("stripes",)), EVERYWHERE, 10) == ()
    assert list(store.retention_rows()) == []
    record = store.session(SESSION)
    assert record is not None
    assert record.checkpoints == ()


def test_the_rest_stays_as_it_was(store: Store) -> None:
    """Neighbours keep their numbers and hashes; the walk leads past the gap."""
    first, second, third = (store.put(a_draft()).checkpoint for _ in range(3))

    store.remove([second.checkpoint_id], "test")

    assert store.get(first.checkpoint_id).next_checkpoint == third.checkpoint_id
    assert store.get(third.checkpoint_id) == third
    assert [c.number for c in store.list(HERE)] == [3, 1]
    assert all(finding.state == "ok" for finding in store.check())


def test_removing_the_newest_makes_the_one_before_the_latest(store: Store) -> None:
    """`latest` is computed from what is there."""
    first, second = (store.put(a_draft()).checkpoint for _ in range(2))

    store.remove([second.checkpoint_id], "test")

    assert store.find(reference("latest"), HERE) == first
    assert store.get(first.checkpoint_id).latest_checkpoint


def test_removing_twice_changes_nothing(store: Store) -> None:
    """A retried removal gets the same answer."""
    kept = store.put(a_draft()).checkpoint
    first = store.remove([kept.checkpoint_id], "first")

    second = store.remove([kept.checkpoint_id, kept.checkpoint_id], "second")

    assert second == first
    assert store.put(a_draft()).checkpoint.number == 2


def test_removing_what_is_not_there_removes_nothing(store: Store) -> None:
    """Ids come from a list that may be a moment old."""
    store.put(a_draft())

    assert store.remove(["ccp-none", "\ud800"], "test") == ()
    assert store.remove([], "test") == ()
    assert len(store.list(HERE)) == 1


def test_a_freed_name_can_be_taken(store: Store) -> None:
    """The name goes with the record."""
    kept = store.put(a_draft(name="api")).checkpoint
    store.remove([kept.checkpoint_id], "test")

    assert store.put(a_draft(name="api")).checkpoint.name == "api"


@pytest.mark.local
def test_the_fold_of_a_session_goes_with_its_last_checkpoint(store: Store) -> None:
    """It says what the checkpoint said; while others are left it is still needed."""
    fold = KeptFold("/transcript", Cursor(), SessionState(session_id=SESSION))
    first, second = (store.put(a_draft()).checkpoint for _ in range(2))
    store.keep_fold(SESSION, fold)

    store.remove([first.checkpoint_id], "test")
    assert store.fold(SESSION) == fold
    store.remove([second.checkpoint_id], "test")

    assert store.fold(SESSION) is None


def test_a_name_can_be_given_and_taken_away(store: Store) -> None:
    """The record's hash stays: a name stands beside it."""
    kept = store.put(a_draft()).checkpoint

    store.rename(kept.checkpoint_id, "api")
    named = store.find(reference("api"), HERE)
    store.rename(kept.checkpoint_id, None)

    assert named.name == "api"
    assert named.content_hash == kept.content_hash
    assert store.get(kept.checkpoint_id) == kept


def test_renaming_does_not_take_a_name_from_another(store: Store) -> None:
    """Only a save that was told to may replace a name."""
    store.put(a_draft(name="api"))
    other = store.put(a_draft(name="other")).checkpoint
    abroad = store.put(a_draft(project_id=OTHER_PROJECT)).checkpoint

    with pytest.raises(NameTaken):
        store.rename(other.checkpoint_id, "api")
    store.rename(abroad.checkpoint_id, "api")
    store.rename(other.checkpoint_id, "other")

    assert store.get(other.checkpoint_id).name == "other"


def test_renaming_takes_a_consumed_name(store: Store) -> None:
    """Consumed is free for whoever comes next."""
    old = store.put(a_draft(name="api")).checkpoint
    new = store.put(a_draft()).checkpoint
    store.consume(old.checkpoint_id)

    store.rename(new.checkpoint_id, "api")

    assert store.find(reference("api"), HERE).checkpoint_id == new.checkpoint_id


def test_a_name_given_again_is_not_consumed(store: Store) -> None:
    """Who renames means to keep it."""
    kept = store.put(a_draft(name="api")).checkpoint
    store.consume(kept.checkpoint_id)
    store.rename(kept.checkpoint_id, "other")
    store.rename(kept.checkpoint_id, "api")

    with pytest.raises(NameTaken):
        store.put(a_draft(name="api"))


def test_what_is_not_there_cannot_be_renamed_or_consumed(store: Store) -> None:
    """A wrong id is an error, not a silent success."""
    with pytest.raises(CheckpointNotFound):
        store.rename("ccp-none", "api")
    with pytest.raises(CheckpointNotFound):
        store.consume("ccp-none")


def test_consuming_the_nameless_does_nothing(store: Store) -> None:
    """There is no name to free."""
    kept = store.put(a_draft()).checkpoint
    store.consume(kept.checkpoint_id)
    store.rename(kept.checkpoint_id, "api")

    with pytest.raises(NameTaken):
        store.put(a_draft(name="api"))


def test_retention_is_told_of_every_checkpoint(store: Store) -> None:
    """Without bodies: it runs over the whole store."""
    auto = store.put(a_draft(type="auto", trigger="threshold")).checkpoint
    code = CodeState(branch="main", tree="1" * 40)
    named = store.put(a_draft(name="api", code=code)).checkpoint

    rows = {row.checkpoint_id: row for row in store.retention_rows()}

    assert rows[auto.checkpoint_id] == RetentionRow(
        checkpoint_id=auto.checkpoint_id,
        session_id=SESSION,
        sequence=1,
        type="auto",
        trigger="threshold",
        created_at=NOON,
        named=False,
    )
    assert rows[named.checkpoint_id].named
    assert rows[named.checkpoint_id].tree == "1" * 40
    assert len(rows) == 2


def test_a_tombstone_says_when_it_was_made(store: Store) -> None:
    """Another machine that hears of it later must know which came first."""
    kept = store.put(a_draft()).checkpoint

    (tombstone,) = store.remove([kept.checkpoint_id], "forgotten", 1_768_737_600_000)

    assert tombstone.removed_at == 1_768_737_600_000
    assert {finding.state for finding in store.check()} == {"ok"}
