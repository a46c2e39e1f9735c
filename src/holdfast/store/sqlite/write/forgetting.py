"""Let go of records, of sessions' traces, of projects, and of the bytes they stood in.

A tombstone stays in the chain for each removed record, and nothing of what it said.
"""

import json
from collections.abc import Iterable, Iterator, Sequence

from holdfast.domain.checkpoint import Checkpoint, Tombstone
from holdfast.domain.query import Scope
from holdfast.domain.text import storable
from holdfast.store.chain import ChainHead, link, tombstone_text
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.read.finding import at
from holdfast.store.sqlite.rows import tombstone_of
from holdfast.store.sqlite.search import indexing

_BATCH = 200
_POSITIONS = """
    SELECT position FROM checkpoint
    WHERE position > :after
      AND (:project IS NULL OR project_id = :project)
      AND (:workspace IS NULL OR workspace = :workspace)
    ORDER BY position
    LIMIT :batch
"""
_TOLD = """
    SELECT DISTINCT session_id FROM delivery
    WHERE checkpoint_id IN (SELECT value FROM json_each(:ids))
    ORDER BY session_id
"""
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


def every(database: Database, scope: Scope) -> Iterator[Checkpoint]:
    """Yield every whole checkpoint of a scope; the store may be larger than memory."""
    wanted = {"project": scope.project_id, "workspace": scope.workspace}
    after = 0
    while rows := database.rows(
        _POSITIONS, {**wanted, "after": after, "batch": _BATCH}
    ):
        yield from at(database, (row[0] for row in rows))
        after = rows[-1][0]


def told_of(database: Database, checkpoint_ids: Sequence[str]) -> tuple[str, ...]:
    """Return the sessions that were offered one of these."""
    rows = database.rows(_TOLD, {"ids": _listed(checkpoint_ids)})
    return tuple(row[0] for row in rows)


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
