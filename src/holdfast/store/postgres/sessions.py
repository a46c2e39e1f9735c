"""Session records of the team, and their families."""

from collections.abc import Iterable, Sequence

from holdfast.domain.query import Scope
from holdfast.domain.session import SessionRecord
from holdfast.domain.text import storable
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import replace
from holdfast.store.postgres.database import Parameters, Row, TeamDatabase, Transaction
from holdfast.store.session_tree import by_generation, clean_record, merged_record

# The one touched last is what is known of a session; a sequence is never given twice.
KNOWN = """
    SELECT
        project_id, sequence, born, agent, agent_version, workspace,
        working_directory, hostname, transcript, parent_session, root_session,
        started_at, ended_at, cleared, message_count
    FROM session
    WHERE session_id = %(session_id)s
    ORDER BY touched DESC
"""
_CHECKPOINTS = """
    SELECT session_id, checkpoint_id FROM checkpoint
    WHERE session_id = ANY(%(sessions)s)
    ORDER BY sequence
"""
KEEP = """
    INSERT INTO session (
        project_id, session_id, agent, agent_version, workspace, working_directory,
        hostname, transcript, parent_session, root_session, started_at, ended_at,
        cleared, message_count, born, touched, sequence
    )
    VALUES (
        %(project_id)s, %(session_id)s, %(agent)s, %(agent_version)s, %(workspace)s,
        %(working_directory)s, %(hostname)s, %(transcript)s, %(parent_session)s,
        %(root_session)s, %(started_at)s, %(ended_at)s, %(cleared)s,
        %(message_count)s,
        coalesce(%(born)s, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint),
        (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, %(sequence)s
    )
    ON CONFLICT (project_id, tenant, session_id) DO UPDATE SET
        agent = excluded.agent,
        agent_version = excluded.agent_version,
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
        touched = greatest(excluded.touched, session.touched + 1),
        sequence = greatest(excluded.sequence, session.sequence)
"""
# UNION, not UNION ALL: a circle in damaged data ends where it began.
_SET_ROOT_BELOW = """
    WITH RECURSIVE below (session_id) AS (
        SELECT session_id FROM session WHERE parent_session = %(session_id)s
        UNION
        SELECT s.session_id
        FROM below
        JOIN session AS s ON s.parent_session = below.session_id
    )
    UPDATE session SET root_session = %(root_session)s
    WHERE session_id IN (SELECT session_id FROM below)
"""
_FAMILY = """
    WITH RECURSIVE up (session_id) AS (
        SELECT unnest(%(sessions)s::text[]) COLLATE "C"
        UNION
        SELECT s.parent_session
        FROM up
        JOIN session AS s ON s.session_id = up.session_id
        WHERE s.parent_session IS NOT NULL
    ),
    family (session_id) AS (
        SELECT session_id FROM up
        UNION
        SELECT s.session_id
        FROM family
        JOIN session AS s ON s.parent_session = family.session_id
    )
    SELECT s.session_id
    FROM family
    JOIN session AS s ON s.session_id = family.session_id
    GROUP BY s.session_id
    ORDER BY min(s.born), s.session_id
"""
_NEWEST = """
    SELECT session_id FROM session
    WHERE (%(project)s::text IS NULL OR project_id = %(project)s)
      AND (%(workspace)s::text IS NULL OR workspace = %(workspace)s)
    GROUP BY session_id
    ORDER BY max(touched) DESC
    LIMIT %(limit)s
"""
_LIKE = """
    SELECT DISTINCT session_id FROM session
    WHERE lower(session_id) >= lower(%(first)s)
      AND lower(session_id) < lower(%(first)s) || chr(1114111)
"""
_PARENTS = """
    SELECT DISTINCT ON (session_id) session_id, parent_session FROM session
    WHERE parent_session IS NOT NULL
    ORDER BY session_id, touched DESC
"""


class KnownSession(NamedTuple):
    """A session as it stands, and what the store gave it so far."""

    record: SessionRecord
    sequence: int
    born: int


def session(database: TeamDatabase, session_id: str) -> SessionRecord | None:
    """Return what is known of a session, with its checkpoints' ids."""
    found = database.read(lambda run: _records(run, [storable(session_id)]))
    return found[0] if found else None


def note_session(database: TeamDatabase, news: SessionRecord) -> SessionRecord:
    """Create a session's record or bring it up to date, and return it as kept."""
    clean = clean_record(news)

    def noted(run: Transaction) -> SessionRecord:
        note(run, clean)
        return _records(run, [clean.session_id])[0]

    return database.write(noted)


def note(run: Transaction, news: SessionRecord) -> None:
    """Do the same inside the caller's transaction."""
    known = known_of(run.rows(KNOWN, {"session_id": news.session_id}), news.session_id)
    record = merged(run, news, known)
    run.do(KEEP, values_of(record, known, known.sequence if known else 0))
    settle_family(run, record, known)


def merged(
    run: Transaction, news: SessionRecord, known: KnownSession | None
) -> SessionRecord:
    """Return a session's record after the news, asking for its ancestors as needed."""

    def look_up(session_id: str) -> SessionRecord | None:
        if session_id == news.session_id:
            return known.record if known else None
        other = known_of(run.rows(KNOWN, {"session_id": session_id}), session_id)
        return other.record if other else None

    return merged_record(news, look_up)


def settle_family(
    run: Transaction, record: SessionRecord, known: KnownSession | None
) -> None:
    """Give a session's descendants its root, where that is news to them."""
    is_news = known is None or known.record.root_session != record.root_session
    if record.parent_session is not None and is_news:
        root = {"root_session": record.root_session}
        run.do(_SET_ROOT_BELOW, {"session_id": record.session_id, **root})


def values_of(
    record: SessionRecord, known: KnownSession | None, sequence: int
) -> Parameters:
    return {
        "project_id": record.project_id,
        "session_id": record.session_id,
        "agent": record.agent,
        "agent_version": record.agent_version,
        "workspace": record.workspace,
        "working_directory": record.working_directory,
        "hostname": record.hostname,
        "transcript": record.transcript,
        "parent_session": record.parent_session,
        "root_session": record.root_session,
        "started_at": record.started_at,
        "ended_at": record.ended_at,
        "cleared": record.cleared,
        "message_count": record.message_count,
        "born": known.born if known else None,
        "sequence": sequence,
    }


def known_of(rows: Sequence[Row], session_id: str) -> KnownSession | None:
    """Return what rows of one session say together, the one touched last first."""
    if not rows:
        return None
    project, _, _, agent, version, workspace, directory, hostname, *rest = rows[0]
    transcript, parent, root, started, ended, cleared, messages = rest
    record = SessionRecord(
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
        cleared=cleared,
        message_count=messages,
    )
    return KnownSession(record, max(row[1] for row in rows), min(r[2] for r in rows))


def lineage(database: TeamDatabase, session_id: str) -> tuple[SessionRecord, ...]:
    """Return the whole family of a session: root first, then by generation."""

    def found(run: Transaction) -> tuple[SessionRecord, ...]:
        return by_generation(_records(run, family(run, (storable(session_id),))))

    return database.read(found)


def family(run: Transaction, sessions: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of every recorded relative, in the order they were first noted."""
    rows = run.rows(_FAMILY, {"sessions": list(sessions)})
    return tuple(row[0] for row in rows)


def sessions(
    database: TeamDatabase, scope: Scope, limit: int
) -> tuple[SessionRecord, ...]:
    """Return sessions, the one that kept or was noted last first."""
    wanted = {
        "project": scope.project_id and storable(scope.project_id),
        "workspace": scope.workspace and storable(scope.workspace),
        "limit": max(0, limit),
    }
    return database.read(
        lambda run: tuple(_records(run, [row[0] for row in run.rows(_NEWEST, wanted)]))
    )


def parents(database: TeamDatabase) -> dict[str, str]:
    """Return the parent of each session that has one."""
    return database.read(lambda run: {row[0]: row[1] for row in run.rows(_PARENTS)})


def sessions_like(run: Transaction, prefix: str) -> tuple[str, ...]:
    """Return the ids that start with a prefix, or the one that is it exactly."""
    if not prefix:
        return ()
    found = tuple(row[0] for row in run.rows(_LIKE, {"first": storable(prefix)}))
    exact = tuple(i for i in found if i.lower() == prefix.lower())
    return exact or found


def sessions_of(
    run: Transaction, *, session: str | None, lineage: str | None
) -> tuple[str, ...] | None:
    """Return the sessions a listing is about, or None if it is about all of them."""
    own = None if session is None else sessions_like(run, session)
    if lineage is None:
        return own
    kin = family(run, (storable(lineage), *sessions_like(run, lineage)))
    return kin if own is None else tuple(found for found in own if found in set(kin))


def _records(run: Transaction, ids: Sequence[str]) -> list[SessionRecord]:
    kept: dict[str, list[str]] = {}
    for session_id, checkpoint_id in run.rows(_CHECKPOINTS, {"sessions": list(ids)}):
        kept.setdefault(session_id, []).append(checkpoint_id)
    found = []
    for session_id in ids:
        known = known_of(run.rows(KNOWN, {"session_id": session_id}), session_id)
        if known is not None:
            own = tuple(kept.get(session_id, ()))
            found.append(replace(known.record, checkpoints=own))
    return found
