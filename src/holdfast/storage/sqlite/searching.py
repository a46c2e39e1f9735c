"""Search: one expression for the full-text index, filters on columns, best first.

No text of a user reaches the engine's syntax: words and facets are tokens of letters and
digits, quoted all the same, and everything else is a bound value.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from holdfast.domain.query import Hit, Query, Scope
from holdfast.storage.sqlite.database import Database, Parameters
from holdfast.storage.sqlite.expression import expression
from holdfast.storage.sqlite.finding import at, sessions_of
from holdfast.storage.sqlite.prefixes import prefix_range
from holdfast.storage.terms import (
    EVERYTHING,
    WEIGHTS,
    Wanted,
    facet,
    folded_name,
    wanted,
)
from holdfast.tuples import NamedTuple

# The newest so many that match are ranked: a word that is everywhere stays affordable.
_RANKED = 2000
_BY_ID_PREFIX = """
    SELECT position FROM checkpoint
    WHERE checkpoint_id >= :first AND checkpoint_id < :end
"""
_BY_NAME = """
    SELECT c.position
    FROM project AS p
    CROSS JOIN checkpoint AS c
      ON c.project_id = p.project_id AND c.name >= :first AND c.name < :end
"""
_CHILDREN = """
    SELECT session_id FROM session
    WHERE parent_session >= :first AND parent_session < :end
"""
_NEWEST = """
    SELECT search_index.rowid
    FROM search_index
    JOIN checkpoint AS c ON c.position = search_index.rowid
    WHERE search_index MATCH :match
      AND (:project IS NULL OR c.project_id = :project)
      AND (:workspace IS NULL OR c.workspace = :workspace)
      AND (:after IS NULL OR c.created_at >= :after)
      AND (:before IS NULL OR c.created_at < :before)
      AND (:only IS NULL OR c.position IN (SELECT value FROM json_each(:only)))
    ORDER BY search_index.rowid DESC
    LIMIT :limit
"""
_OLDEST = _NEWEST.replace("rowid DESC", "rowid ASC")
_RANK = """
    SELECT
        rowid,
        bm25(
            search_index, :title, :instructions, :decisions, :errors, :files, :rest, 0.0
        ) AS rank
    FROM search_index
    WHERE search_index MATCH :match
      AND rowid >= :oldest
      AND +rowid IN (SELECT value FROM json_each(:among))
    ORDER BY rank, rowid DESC
    LIMIT :limit
"""


class _Narrowed(NamedTuple):
    """What a query says about ids, looked up: sessions and places it may come from."""

    sessions: tuple[str, ...] | None
    positions: tuple[int, ...] | None

    @property
    def is_empty(self) -> bool:
        return self.sessions == () or self.positions == ()


def search(
    database: Database, query: Query, scope: Scope, limit: int
) -> tuple[Hit, ...]:
    """Return what matches, best first; ties go to the newer."""
    asked = wanted(query)
    with database.reading():
        narrowed = _narrowed(database, query)
        if limit <= 0 or not asked.is_possible or narrowed.is_empty:
            return ()
        filters = _filters(query, scope, narrowed)
        of = [facet("session", session) for session in narrowed.sessions or ()]
        sessions = None if narrowed.sessions is None else of
        if _is_ranked(query, asked):
            scores = _ranked(database, asked, sessions, filters, limit)
        else:
            everything = scope.project_id and facet("project", scope.project_id)
            match = expression(asked, sessions, everything or EVERYTHING)
            scores = _in_order(database, query, {**filters, "match": match}, limit)
        return tuple(_hits(database, scores))


def _is_ranked(query: Query, asked: Wanted) -> bool:
    has_text = bool(asked.words or asked.phrases)
    return has_text and query.sort == "relevance" and not query.latest


def _in_order(
    database: Database, query: Query, filters: Parameters, limit: int
) -> dict[int, float]:
    oldest_first = query.sort == "asc" and not query.latest
    statement = _OLDEST if oldest_first else _NEWEST
    most = 1 if query.latest else limit
    rows = database.rows(statement, {**filters, "limit": most})
    return {row[0]: 0.0 for row in rows}


def _ranked(
    database: Database,
    asked: Wanted,
    sessions: Sequence[str] | None,
    filters: Parameters,
    limit: int,
) -> dict[int, float]:
    """Return places with scores: those that have all words before those with some."""
    scores: dict[int, float] = {}
    for words, bonus in ((" AND ", 1.0), (" OR ", 0.0)):
        match = expression(asked, sessions, words=words)
        for position, strength in _best(database, match, filters, limit):
            scores.setdefault(position, bonus + strength)
        if len(scores) >= limit or len(asked.words) <= 1:
            break
    return dict(islice(scores.items(), limit))


def _best(
    database: Database, match: str, filters: Parameters, limit: int
) -> Iterator[tuple[int, float]]:
    newest = database.rows(_NEWEST, {**filters, "match": match, "limit": _RANKED})
    if not newest:
        return
    among = [row[0] for row in newest]
    asked = {"match": match, "oldest": among[-1], "among": json.dumps(among)}
    weights = WEIGHTS._asdict()
    for position, rank in database.rows(_RANK, {**asked, **weights, "limit": limit}):
        yield position, -rank / (1.0 - rank)  # bm25 is negative; this is within 0..1


def _narrowed(database: Database, query: Query) -> _Narrowed:
    sessions = sessions_of(database, session=query.session, lineage=query.lineage)
    if query.parent is not None:
        rows = database.rows(_CHILDREN, prefix_range(query.parent))
        children = [row[0] for row in rows]
        sessions = tuple(c for c in children if sessions is None or c in sessions)
    places: list[set[int]] = []
    if query.checkpoint is not None:
        rows = database.rows(_BY_ID_PREFIX, prefix_range(query.checkpoint.lower()))
        places.append({row[0] for row in rows})
    if query.name is not None:
        rows = database.rows(_BY_NAME, prefix_range(folded_name(query.name)))
        places.append({row[0] for row in rows})
    positions = tuple(sorted(set.intersection(*places))) if places else None
    return _Narrowed(sessions, positions)


def _filters(query: Query, scope: Scope, narrowed: _Narrowed) -> Parameters:
    positions = narrowed.positions
    return {
        "project": scope.project_id,
        "workspace": scope.workspace,
        "after": query.after,
        "before": query.before,
        "only": None if positions is None else json.dumps(positions),
    }


def _hits(database: Database, scores: Mapping[int, float]) -> Iterator[Hit]:
    for position, score in scores.items():
        for checkpoint in at(database, (position,)):
            yield Hit(checkpoint, score)
