"""Which records a query may find, by all that is not text: ids, names, dates.

Everything is looked up by an index before the full-text index is asked, so that a filter
costs what it lets pass, not what the store holds.
"""

import json
from collections.abc import Iterable, Iterator

from holdfast.domain.query import Filter, FilterKind, Query
from holdfast.kernel.lazy_values import dataclass
from holdfast.store.index_terms import folded_name
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.finding import prefix_range, sessions_like, sessions_of

# Up to so many sessions are asked for one by one; more of them, by their records.
MOST_SESSIONS = 1000
_LEAST, _MOST = -(2**63), 2**63 - 1
EVERYWHERE = (1, _MOST)  # places of the chain
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
_OF_SESSIONS = """
    SELECT c.position
    FROM json_each(:sessions) AS wanted
    CROSS JOIN checkpoint AS c ON c.session_id = wanted.value
"""
_SPAN = """
    SELECT min(position), max(position) FROM checkpoint
    WHERE created_at >= :after AND created_at < :before
"""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Sessions and places of the chain that a query may and may not come from."""

    sessions: tuple[str, ...] | None = None  # one of these; None: any
    positions: tuple[int, ...] | None = None  # one of these; None: any
    span: tuple[int, int] = EVERYWHERE  # first and last place that dates allow
    without_sessions: tuple[str, ...] = ()
    without_positions: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        nowhere = self.span[0] > self.span[1]
        return self.sessions == () or self.positions == () or nowhere


def narrowed(database: Database, query: Query) -> Narrowed:
    """Return what the filters of a query leave; the dates still hold for each record."""
    sessions = _sessions(database, query)
    places = [set(found) for found in _places(database, query)]
    if sessions is not None and len(sessions) > MOST_SESSIONS:
        places.append(set(_of_sessions(database, sessions)))
        sessions = None
    without_sessions = tuple(_sessions_without(database, query.without))
    without = {place for f in query.without for place in _with(database, f)}
    if len(without_sessions) > MOST_SESSIONS:
        without.update(_of_sessions(database, without_sessions))
        without_sessions = ()
    return Narrowed(
        sessions=sessions,
        positions=tuple(sorted(set.intersection(*places))) if places else None,
        span=_span(database, query),
        without_sessions=without_sessions,
        without_positions=tuple(sorted(without)),
    )


def _sessions(database: Database, query: Query) -> tuple[str, ...] | None:
    sessions = sessions_of(database, session=query.session, lineage=query.lineage)
    if query.parent is None:
        return sessions
    allowed = None if sessions is None else set(sessions)
    children = _children(database, query.parent)
    return tuple(c for c in children if allowed is None or c in allowed)


def _sessions_without(database: Database, filters: Iterable[Filter]) -> Iterator[str]:
    for kind, value in filters:
        if kind == "session":
            yield from sessions_like(database, value)
        elif kind == "lineage":
            yield from sessions_of(database, session=None, lineage=value) or ()
        elif kind == "parent":
            yield from _children(database, value)


def _children(database: Database, parent: str) -> list[str]:
    return [row[0] for row in database.rows(_CHILDREN, prefix_range(parent))]


def _places(database: Database, query: Query) -> Iterator[Iterable[int]]:
    asked: tuple[tuple[FilterKind, str | None], ...] = (
        ("checkpoint", query.checkpoint),
        ("name", query.name),
    )
    for kind, value in asked:
        if value is not None:
            yield _with(database, Filter(kind, value))


def _with(database: Database, wanted: Filter) -> Iterator[int]:
    if wanted.kind == "checkpoint":
        rows = database.rows(_BY_ID_PREFIX, prefix_range(wanted.value.lower()))
    elif wanted.kind == "name":
        rows = database.rows(_BY_NAME, prefix_range(folded_name(wanted.value)))
    else:
        return
    yield from (row[0] for row in rows)


def _of_sessions(database: Database, sessions: Iterable[str]) -> Iterator[int]:
    wanted = {"sessions": json.dumps(tuple(sessions))}
    yield from (row[0] for row in database.rows(_OF_SESSIONS, wanted))


def _span(database: Database, query: Query) -> tuple[int, int]:
    """Return between which places the dates lie; clocks jump, so not all there do."""
    if query.after is None and query.before is None:
        return EVERYWHERE
    after = _LEAST if query.after is None else query.after
    before = _MOST if query.before is None else query.before
    first, last = database.one(_SPAN, {"after": after, "before": before})
    return (1, 0) if first is None else (first, last)
