"""Session records and their families."""

import json
from collections.abc import Iterable

from holdfast.domain.query import Scope
from holdfast.domain.session import SessionRecord
from holdfast.domain.text import storable
from holdfast.kernel.lazy_values import replace
from holdfast.store.session_tree import by_generation, clean_record, merged_record
from holdfast.store.sqlite.database import Database, Parameters

_BY_ID = """
    SELECT
        agent, agent_version, project_id, workspace, working_directory, hostname,
        transcript, parent_session, root_session, started_at, ended_at, cleared,
        message_count
    FROM session
    WHERE session_id = :session_id
"""
_CHECKPOINTS = """
    SELECT checkpoint_id FROM checkpoint
    WHERE session_id = :session_id
    ORDER BY sequence
"""
_KEEP = """
    INSERT INTO session (
        session_id, agent, agent_version, project_id, workspace, working_directory,
        hostname, transcript, parent_session, root_session, started_at, ended_at,
        cleared, message_count, touched
    )
    VALUES (
        :session_id, :agent, :agent_version, :project_id, :workspace,
        :working_directory, :hostname, :transcript, :parent_session, :root_session,
        :started_at, :ended_at, :cleared, :message_count,
        (SELECT coalesce(max(touched), 0) + 1 FROM session)
    )
    ON CONFLICT (session_id) DO UPDATE SET
        agent = excluded.agent,
        agent_version = excluded.agent_version,
        project_id = excluded.project_id,
        workspace = excluded.workspace,
        working_directory = excluded.working_directory,
        hostname = excluded.hostname,
        transcript = excluded.transcript,
        parent_session = excluded.parent_session,
        root_session = excluded.root_session,
        started_at = excluded.started_at,
        ended_at = excluded.ended_at,
        cleared = excluded.cleared,
        message_count = excluded.message_count,
        touched = excluded.touched
"""
# UNION, not UNION ALL: a circle in damaged data ends where it began. CROSS JOIN: the
# family is small, so it is walked over, and never the table.
_SET_ROOT_BELOW = """
    WITH RECURSIVE below (session_id) AS (
        SELECT session_id FROM session WHERE parent_session = :session_id
        UNION
        SELECT s.session_id
        FROM below
        CROSS JOIN session AS s ON s.parent_session = below.session_id
    )
    UPDATE session SET root_session = :root_session
    WHERE session_id IN (SELECT session_id FROM below)
"""
_FAMILY = """
    WITH RECURSIVE up (session_id) AS (
        SELECT value FROM json_each(:sessions)
        UNION
        SELECT s.parent_session
        FROM up
        CROSS JOIN session AS s ON s.session_id = up.session_id
        WHERE s.parent_session IS NOT NULL
    ),
    family (session_id) AS (
        SELECT session_id FROM up
        UNION
        SELECT s.session_id
        FROM family
        CROSS JOIN session AS s ON s.parent_session = family.session_id
    )
    SELECT s.session_id
    FROM family
    CROSS JOIN session AS s ON s.session_id = family.session_id
    ORDER BY s.born
"""
_NEWEST = """
    SELECT session_id FROM session
    WHERE touched > 0 AND (:workspace IS NULL OR workspace = :workspace)
    ORDER BY touched DESC
    LIMIT :limit
"""
_NEWEST_OF_PROJECT = """
    SELECT session_id FROM session
    WHERE project_id = :project AND (:workspace IS NULL OR workspace = :workspace)
    ORDER BY touched DESC
    LIMIT :limit
"""


def session(database: Database, session_id: str) -> SessionRecord | None:
    """Return what is known of a session, with its checkpoints' ids."""
    session_id = storable(session_id)
    with database.reading():
        record = _known(database, session_id)
        if record is None:
            return None
        rows = database.rows(_CHECKPOINTS, {"session_id": session_id})
    return replace(record, checkpoints=tuple(row[0] for row in rows))


def note_session(database: Database, news: SessionRecord) -> SessionRecord:
    """Create a session's record or bring it up to date, and return it as kept."""
    with database.writing():
        record = note(database, clean_record(news))
        return session(database, record.session_id) or record


def note(database: Database, news: SessionRecord) -> SessionRecord:
    """Do the same inside the caller's transaction."""

    def known(session_id: str) -> SessionRecord | None:
        return _known(database, session_id)

    record = merged_record(news, known)
    values: Parameters = {
        "session_id": record.session_id,
        "agent": record.agent,
        "agent_version": record.agent_version,
        "project_id": record.project_id,
        "workspace": record.workspace,
        "working_directory": record.working_directory,
        "hostname": record.hostname,
        "transcript": record.transcript,
        "parent_session": record.parent_session,
        "root_session": record.root_session,
        "started_at": record.started_at,
        "ended_at": record.ended_at,
        "cleared": int(record.cleared),
        "message_count": record.message_count,
    }
    database.rows(_KEEP, values)
    if record.parent_session is not None:
        database.rows(_SET_ROOT_BELOW, values)
    return record


def lineage(database: Database, session_id: str) -> tuple[SessionRecord, ...]:
    """Return the whole family of a session: root first, then by generation."""
    with database.reading():
        ids = family(database, (storable(session_id),))
        return by_generation(_records(database, ids))


def family(database: Database, sessions: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of every recorded relative, in the order they were first noted."""
    rows = database.rows(_FAMILY, {"sessions": json.dumps(list(sessions))})
    return tuple(row[0] for row in rows)


def sessions(database: Database, scope: Scope, limit: int) -> tuple[SessionRecord, ...]:
    """Return sessions, the one that kept or was noted last first."""
    statement = _NEWEST if scope.project_id is None else _NEWEST_OF_PROJECT
    wanted = {
        "project": scope.project_id,
        "workspace": scope.workspace,
        "limit": max(0, limit),
    }
    with database.reading():
        ids = [row[0] for row in database.rows(statement, wanted)]
        return tuple(_records(database, ids))


def _records(database: Database, ids: Iterable[str]) -> list[SessionRecord]:
    found = (session(database, session_id) for session_id in ids)
    return [record for record in found if record is not None]


def _known(database: Database, session_id: str) -> SessionRecord | None:
    row = database.row(_BY_ID, {"session_id": session_id})
    if row is None:
        return None
    *texts, parent, root, started, ended, cleared, messages = row
    agent, version, project, workspace, directory, hostname, transcript = texts
    return SessionRecord(
        session_id=session_id,
        agent=agent,
        agent_version=version,
        project_id=project,
        workspace=workspace,
        working_directory=directory,
        hostname=hostname,
        transcript=transcript,
        parent_session=parent,
        root_session=root,
        started_at=started,
        ended_at=ended,
        cleared=bool(cleared),
        message_count=messages,
    )
