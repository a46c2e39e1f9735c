"""Remove records, traces of sessions, and projects, and overwrite their bytes.

A tombstone stays in the chain for each removed record, and nothing of what it said.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from holdfast.domain.checkpoint import Tombstone
from holdfast.domain.text import storable
from holdfast.store.chain import ChainHead, link, tombstone_text
from holdfast.store.retention import RetentionRow
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.finding import at
from holdfast.store.sqlite.rows import tombstone_of
from holdfast.store.sqlite.search import indexing

_DROP_FOLDS = """
    DELETE FROM fold WHERE session_id IN (SELECT value FROM json_each(:sessions))
"""
_BLANK = """
    UPDATE session SET
        agent_version = '', workspace = '', working_directory = '', hostname = '',
        transcript = '', message_count = 0
    WHERE session_id IN (SELECT value FROM json_each(:sessions))
"""
_DROP_HOOKS = tuple(
    f"DELETE FROM {table} WHERE session_id IN (SELECT value FROM json_each(:sessions))"  # noqa: S608  # our own table names
    for table in ("client", "delivery", "hook_session")
)
_SESSIONS_OF = "SELECT session_id, workspace FROM session WHERE project_id = :project"
_DROP_ALIASES = "DELETE FROM project_alias WHERE project_id = :project"
_BLANK_PROJECT = (
    "UPDATE project SET root = '', remote = NULL WHERE project_id = :project"
)
_DROP_PLACES = (
    "DELETE FROM client WHERE workspace IN (SELECT value FROM json_each(:places))",
    "DELETE FROM delivery WHERE workspace IN (SELECT value FROM json_each(:places))",
    """
    DELETE FROM switch
    WHERE kind = 'fresh' AND value IN (SELECT value FROM json_each(:places))
    """,
)

# One segment, written anew: the others may hold parts of words that are gone.
_PUT_TOGETHER = (
    "INSERT INTO search_index (search_index) VALUES ('optimize')",
    "INSERT INTO search_passage (search_passage) VALUES ('optimize')",
)

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
_FOLDS = "SELECT session_id, head FROM fold"
_TURNS = "SELECT turn FROM fold_turn WHERE session_id = :session_id"
_RETENTION = """
    SELECT checkpoint_id, session_id, sequence, type, trigger, created_at, name,
        CASE WHEN json_valid(body) THEN json_extract(body, '$.code.tree') END
    FROM checkpoint
    ORDER BY position
"""


def drop_folds(database: Database, session_ids: Sequence[str]) -> None:
    """Let the kept folds of sessions go."""
    with database.writing():
        database.rows(_DROP_FOLDS, {"sessions": _listed(session_ids)})


def blank_sessions(database: Database, session_ids: Sequence[str]) -> None:
    """Leave of sessions only what links them."""
    with database.writing():
        _blank(database, session_ids)


def blank_project(database: Database, project_id: str) -> None:
    """Forget where a project lies; its id and its last number stay."""
    project = {"project": storable(project_id)}
    with database.writing():
        rows = database.rows(_SESSIONS_OF, project)
        _blank(database, [row[0] for row in rows])
        places = _listed([row[1] for row in rows if row[1]])
        for statement in _DROP_PLACES:
            database.rows(statement, {"places": places})
        database.rows(_DROP_ALIASES, project)
        database.rows(_BLANK_PROJECT, project)


def wipe(database: Database) -> None:
    """Leave no byte of what was removed in the file, its free pages or its log."""
    with database.writing():
        for statement in _PUT_TOGETHER:
            database.rows(statement)
    database.write_anew()


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


def drop_unclean_folds(database: Database, is_clean: Callable[[Any], bool]) -> int:
    """Drop each fold whose text is not clean; a damaged one, too: it is none."""
    unclean = [
        session_id
        for session_id, head in database.rows(_FOLDS)
        if not all(
            _is_clean_json(part, is_clean)
            for part in (
                head,
                *(row[0] for row in database.rows(_TURNS, {"session_id": session_id})),
            )
        )
    ]
    if unclean:
        with database.writing():
            database.rows(_DROP_FOLDS, {"sessions": _listed(unclean)})
        database.wipe_log()
    return len(unclean)


def retention_rows(database: Database) -> Iterator[RetentionRow]:
    """Yield what retention needs to know of every checkpoint."""
    for row in database.rows(_RETENTION):
        checkpoint_id, session_id, sequence, kind, trigger, created_at, *rest = row
        yield RetentionRow(
            checkpoint_id=checkpoint_id,
            session_id=session_id,
            sequence=sequence,
            type=kind,
            trigger=trigger,
            created_at=created_at,
            named=rest[0] is not None,
            tree=rest[1],
        )


def _blank(database: Database, session_ids: Sequence[str]) -> None:
    wanted = {"sessions": _listed(session_ids)}
    for statement in (_DROP_FOLDS, _BLANK, *_DROP_HOOKS):
        database.rows(statement, wanted)


def _listed(values: Sequence[str]) -> str:
    return json.dumps([storable(value) for value in values])


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
    after = ChainHead(position, digest, head.records - 1)
    indexing.remove(
        database, next(iter(at(database, (old_position,))), None), old_position
    )
    database.rows(_DELETE_RECORD, {"position": old_position})
    database.note_changed(old_position)
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


def _is_clean_json(text: str, is_clean: Callable[[Any], bool]) -> bool:
    try:
        return is_clean(json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return False
