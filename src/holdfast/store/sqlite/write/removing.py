"""Remove records: a tombstone stays in the chain, and nothing of what they said.

The write-ahead log still holds the old pages, so it is emptied at the end.
"""

from collections.abc import Iterable, Sequence

from holdfast.domain.checkpoint import Tombstone
from holdfast.domain.text import storable
from holdfast.store.chain import Head, link, tombstone_text
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.read.finding import at
from holdfast.store.sqlite.search import indexing
from holdfast.store.sqlite.write.rows import tombstone_of

_RECORD = """
    SELECT c.position, c.session_id, c.project_id, c.number, c.sequence, entry.hash
    FROM checkpoint AS c
    JOIN chain AS entry ON entry.position = c.position
    WHERE c.checkpoint_id = :checkpoint_id
"""
_TOMBSTONE = """
    SELECT checkpoint_id, number, sequence, old_hash, reason, removed_at
    FROM tombstone
    WHERE checkpoint_id = :checkpoint_id
"""
_DELETE_RECORD = "DELETE FROM checkpoint WHERE position = :position"
_ADD_ENTRY = """
    INSERT INTO chain (position, kind, checkpoint_id, hash)
    VALUES (:position, 'tombstone', :checkpoint_id, :hash)
"""
ADD_TOMBSTONE = """
    INSERT INTO tombstone (
        position, checkpoint_id, project_id, number, sequence, old_hash, reason,
        removed_at
    )
    VALUES (
        :position, :checkpoint_id, :project_id, :number, :sequence, :old_hash, :reason,
        :removed_at
    )
"""
_MOVE_HEAD = """
    UPDATE store SET position = :position, hash = :hash, records = :records
"""
# The fold of a session without any checkpoint left would still say what it said.
_DROP_FOLD = """
    DELETE FROM fold
    WHERE session_id = :session_id
      AND NOT EXISTS (SELECT 1 FROM checkpoint WHERE session_id = :session_id)
"""


def remove(
    database: Database,
    checkpoint_ids: Sequence[str],
    reason: str,
    removed_at: int | None = None,
) -> tuple[Tombstone, ...]:
    """Remove what is there, and return the tombstone of each that is gone."""
    wanted = [storable(checkpoint_id) for checkpoint_id in checkpoint_ids]
    with database.writing():
        before = database.head()
        for checkpoint_id in dict.fromkeys(wanted):
            _bury(database, checkpoint_id, storable(reason), removed_at)
        buried = tuple(_tombstones(database, wanted))
        after = database.head()
        database.move_head(after)
    if after != before:
        database.wipe_log()
    return buried


def _bury(
    database: Database, checkpoint_id: str, reason: str, removed_at: int | None
) -> None:
    row = database.row(_RECORD, {"checkpoint_id": checkpoint_id})
    if row is None:
        return
    old_position, session_id, project_id, number, sequence, old_hash = row
    tombstone = Tombstone(
        checkpoint_id=checkpoint_id,
        number=number,
        sequence=sequence,
        old_hash=old_hash,
        reason=reason,
        removed_at=removed_at,
    )
    head = database.head()
    position = head.position + 1
    digest = link(head.hash, tombstone_text(tombstone, project_id))
    after = Head(position, digest, head.records - 1)
    indexing.remove(
        database, next(iter(at(database, (old_position,))), None), old_position
    )
    database.rows(_DELETE_RECORD, {"position": old_position})
    database.rows(_DROP_FOLD, {"session_id": session_id})
    entry = {"position": position, "checkpoint_id": checkpoint_id}
    database.rows(_ADD_ENTRY, {**entry, "hash": digest})
    database.rows(
        ADD_TOMBSTONE,
        {
            **entry,
            "project_id": project_id,
            "number": number,
            "sequence": sequence,
            "old_hash": old_hash,
            "reason": reason,
            "removed_at": removed_at,
        },
    )
    database.rows(
        _MOVE_HEAD,
        {"position": position, "hash": digest, "records": after.records},
    )


def _tombstones(database: Database, wanted: Iterable[str]) -> Iterable[Tombstone]:
    for checkpoint_id in dict.fromkeys(wanted):
        row = database.row(_TOMBSTONE, {"checkpoint_id": checkpoint_id})
        if row is not None:
            yield tombstone_of(row)
