"""Rewrite records: the old text is removed, its hash stays as an entry of the chain.

The write-ahead log still holds the old pages, so it is emptied at the end.
"""

from holdfast.domain.checkpoint import Checkpoint, Draft
from holdfast.domain.forgetting import Rewrite
from holdfast.domain.text import storable
from holdfast.store.chain import ChainEntry, ChainHead, link, rewrite_text
from holdfast.store.index_terms import entry as index_entry
from holdfast.store.prepare_draft import called_as, rewritten
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.finding import get
from holdfast.store.sqlite.search import indexing

_POSITION = "SELECT position FROM checkpoint WHERE checkpoint_id = :checkpoint_id"
_SET_BODY = "UPDATE checkpoint SET body = :body, key = :key WHERE position = :position"
_HAS_KEY = """
    SELECT 1 FROM checkpoint WHERE key = :key AND checkpoint_id <> :checkpoint_id
"""
_DROP_FOLD = "DELETE FROM fold WHERE session_id = :session_id"
_ADD_ENTRY = """
    INSERT INTO chain (position, kind, checkpoint_id, hash)
    VALUES (:position, 'tombstone', :checkpoint_id, :hash)
"""
ADD_REWRITE = """
    INSERT INTO rewrite (position, record, checkpoint_id, old_hash, new_hash, reason)
    VALUES (:position, :record, :checkpoint_id, :old_hash, :new_hash, :reason)
"""
_MOVE_HEAD = "UPDATE store SET position = :position, hash = :hash"
_REWRITES = """
    SELECT position, record, checkpoint_id, old_hash, new_hash, reason
    FROM rewrite
    ORDER BY position
"""


def rewrite(
    database: Database, checkpoint_id: str, draft: Draft, reason: str, key: str | None
) -> Rewrite | None:
    """Let a record say `draft` instead, unless it does already."""
    with database.writing():
        before = get(database, storable(checkpoint_id))
        after, text = rewritten(before, draft, _free_key(database, before, key))
        if after.draft == before.draft:
            return None
        done = Rewrite(
            checkpoint_id=before.checkpoint_id,
            old_hash=before.content_hash,
            new_hash=after.content_hash,
            reason=storable(reason),
        )
        _replace(database, before, after, text)
        _add_entry(database, done)
    database.wipe_log()
    return done


def rename_foreign(
    database: Database, here: Checkpoint, came: Checkpoint
) -> Checkpoint:
    """Let a record of another store be called what it is called there now; the caller
    holds the transaction."""
    named = called_as(here, came)
    if named == here:
        return here
    after, text = rewritten(named, named.draft)
    done = Rewrite(
        checkpoint_id=here.checkpoint_id,
        old_hash=here.content_hash,
        new_hash=after.content_hash,
        reason="renamed where it was made",
    )
    _replace(database, here, after, text)
    _add_entry(database, done)
    return after


def _free_key(database: Database, before: Checkpoint, key: str | None) -> str | None:
    """Return none where another record has the key: that one answers retries."""
    wanted = {"key": key, "checkpoint_id": before.checkpoint_id}
    return "" if key and database.row(_HAS_KEY, wanted) else key


def _replace(
    database: Database, before: Checkpoint, after: Checkpoint, text: str
) -> None:
    (position,) = database.one(_POSITION, {"checkpoint_id": before.checkpoint_id})
    indexing.remove(database, before, position)
    new = {"body": text, "key": after.draft.key, "position": position}
    database.rows(_SET_BODY, new)
    if not indexing.state(database).waits(position):
        indexing.add(database, after.draft, position, index_entry(after.draft))
    database.rows(_DROP_FOLD, {"session_id": before.draft.session_id})


def _add_entry(database: Database, done: Rewrite) -> None:
    head = database.head()
    (record,) = database.one(_POSITION, {"checkpoint_id": done.checkpoint_id})
    digest = link(head.hash, rewrite_text(done))
    after = ChainHead(head.position + 1, digest, head.records)
    entry = {"position": after.position, "checkpoint_id": done.checkpoint_id}
    database.rows(_ADD_ENTRY, {**entry, "hash": digest})
    database.rows(
        ADD_REWRITE,
        {
            **entry,
            "record": record,
            "old_hash": done.old_hash,
            "new_hash": done.new_hash,
            "reason": done.reason,
        },
    )
    database.rows(_MOVE_HEAD, {"position": after.position, "hash": digest})
    database.move_head(after)


class Rewrites:
    """Every rewrite of a store, for a walk over its chain."""

    def __init__(self, database: Database) -> None:
        self._by_position: dict[int, Rewrite] = {}
        self._by_record: dict[int, list[Rewrite]] = {}
        for position, record, *told in database.rows(_REWRITES):
            done = Rewrite(*told)
            self._by_position[position] = done
            self._by_record.setdefault(record, []).append(done)

    def told(self, entry: ChainEntry) -> ChainEntry:
        """Return an entry of the chain with what a rewrite says about it."""
        if own := self._by_position.get(entry.position):
            text = rewrite_text(own)
            return entry._replace(text=text, found_id=own.checkpoint_id)
        done = self._by_record.get(entry.position)
        return entry._replace(rewrites=tuple(done)) if done else entry
