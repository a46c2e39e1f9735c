"""List checkpoints, newest first: by the order they were kept, and the past by its time.

Every statement here is answered by an index: the cost does not grow with the store.
"""

import json
from collections.abc import Iterable, Sequence
from itertools import islice

from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.query import Scope
from holdfast.domain.time_order import newest_first, newest_of
from holdfast.store.sqlite.database import Database, Row
from holdfast.store.sqlite.finding import at

# Saved while it happened, in the order of keeping; and what tells of an earlier time, by
# its time: the index of the past is asked with the same words.
_LIVE = "number > 0 AND trigger NOT IN ('backfill', 'import')"
_PAST = "(number < 0 OR trigger IN ('backfill', 'import'))"
# With a bound that every time keeps, the engine looks into the index instead of along it.
_AT_ANY_TIME = f"{_PAST} AND created_at > -1e18"
_HAS_PAST = f"SELECT EXISTS (SELECT 1 FROM checkpoint WHERE {_AT_ANY_TIME})"  # noqa: S608  # our own words
_LISTED = "SELECT position, created_at FROM checkpoint WHERE "
_IN_WORKSPACE = """
    workspace = :workspace AND (:project IS NULL OR project_id = :project)
"""
_LIVE_BY_NUMBER = f"""
    {_LISTED} project_id = :project AND {_LIVE} ORDER BY number DESC LIMIT :limit
"""
_NEWEST_LIVE = "ORDER BY position DESC LIMIT :limit"
_NEWEST_PAST = "ORDER BY created_at DESC, position DESC LIMIT :limit"
_LIST_OF_SESSION = f"""
    SELECT position, created_at, {_PAST} FROM checkpoint
    WHERE session_id = :session_id
      AND (:project IS NULL OR project_id = :project)
      AND (:workspace IS NULL OR workspace = :workspace)
      AND (NOT :live OR {_LIVE})
    ORDER BY sequence DESC
    LIMIT :limit
"""  # noqa: S608  # our own words

_TIMES = f"""
    SELECT position, created_at, {_PAST} FROM checkpoint
    WHERE position IN (SELECT value FROM json_each(:positions))
    ORDER BY position
"""  # noqa: S608  # our own words


def listed(
    database: Database,
    scope: Scope,
    sessions: Sequence[str] | None,
    limit: int,
    *,
    live: bool = False,
) -> tuple[Checkpoint, ...]:
    """Return the newest checkpoints, of some sessions only if they are given."""
    with database.reading():
        found = places(database, scope, sessions, max(0, limit), live=live)
        return tuple(at(database, found))


def places(
    database: Database,
    scope: Scope,
    sessions: Sequence[str] | None,
    limit: int,
    *,
    live: bool = False,
) -> list[int]:
    """Return where the newest stand in the chain; a limit below zero is none."""
    wanted = {
        "project": scope.project_id,
        "workspace": scope.workspace,
        "limit": limit,
        "live": live,
    }
    if sessions is None:
        kept = database.rows(_live_of(scope), wanted)
        past = () if live else database.rows(_past_of(scope), wanted)
        told = newest_first(kept, past, _made)
    else:
        rows = {
            row
            for session_id in sessions
            for row in database.rows(
                _LIST_OF_SESSION, {**wanted, "session_id": session_id}
            )
        }
        told = newest_of(sorted(rows), _made, _is_past)
    return [row[0] for row in islice(told, limit if limit >= 0 else None)]


def has_past(database: Database) -> bool:
    """Say whether anything here tells of an earlier time than it was kept in."""
    return bool(database.one(_HAS_PAST)[0])


def in_time(database: Database, positions: Iterable[int]) -> list[int]:
    """Return places of the chain, those of the newest first."""
    rows = database.rows(_TIMES, {"positions": json.dumps([*positions])})
    return [row[0] for row in newest_of(rows, _made, _is_past)]


def _live_of(scope: Scope) -> str:
    if scope.workspace is not None:
        return f"{_LISTED} {_IN_WORKSPACE} AND {_LIVE} {_NEWEST_LIVE}"
    if scope.project_id is not None:
        return _LIVE_BY_NUMBER
    return f"{_LISTED} position > 0 AND {_LIVE} {_NEWEST_LIVE}"


def _past_of(scope: Scope) -> str:
    if scope.workspace is not None:
        return f"{_LISTED} {_IN_WORKSPACE} AND {_PAST} {_NEWEST_PAST}"
    if scope.project_id is not None:
        return f"{_LISTED} project_id = :project AND {_PAST} {_NEWEST_PAST}"
    return f"{_LISTED} {_AT_ANY_TIME} {_NEWEST_PAST}"


def _made(row: Row) -> int:
    return int(row[1])


def _is_past(row: Row) -> bool:
    return bool(row[2])
