"""Search: filters on columns and facets, words by their passages, best first.

No text of a user reaches the engine's syntax: words and facets are tokens of letters and
digits, quoted all the same, and everything else is a bound value.
"""

import json
from collections.abc import Callable, Iterator, Sequence

from holdfast.domain.query import Hit, Query, Scope
from holdfast.kernel.errors import HoldfastError
from holdfast.search.ranking import Ranked, is_question, position_of, ranked
from holdfast.store.index_terms import (
    EVERYTHING,
    AskedTerms,
    facet,
    passage_at,
    passage_with,
    wanted,
)
from holdfast.store.sqlite.database import Database, Parameters
from holdfast.store.sqlite.finding import at
from holdfast.store.sqlite.listing import has_past, in_time
from holdfast.store.sqlite.search import indexing
from holdfast.store.sqlite.search.filters import EVERYWHERE, Narrowed, narrowed
from holdfast.store.sqlite.search.postings import (
    AT_ONCE,
    SearchBounds,
    WordLookup,
    expression,
)

# The newest so many that a filter lets pass are ranked.
_MOST_FILTERED = 20_000
_MOST_WITH_ALL = 1000
_NEWEST = """
    SELECT search_index.rowid
    FROM search_index
    CROSS JOIN checkpoint AS c ON c.position = search_index.rowid
    WHERE search_index MATCH :match
      AND (:project IS NULL OR c.project_id = :project)
      AND (:workspace IS NULL OR c.workspace = :workspace)
      AND (:after IS NULL OR c.created_at >= :after)
      AND (:before IS NULL OR c.created_at < :before)
      AND search_index.rowid BETWEEN :first AND :last
      AND (:only IS NULL OR c.position IN (SELECT value FROM json_each(:only)))
      AND c.position NOT IN (SELECT value FROM json_each(:without))
    ORDER BY search_index.rowid DESC
    LIMIT :limit
"""
_OLDEST = _NEWEST.replace("rowid DESC", "rowid ASC")
# A few places are looked at one by one, wherever in a large index they are.
_FEW = 1000
_FROM_INDEX = "FROM search_index\n"
_FROM_PLACES = """FROM json_each(:only) AS place
    CROSS JOIN search_index ON search_index.rowid = place.value
"""


def search(
    database: Database, query: Query, scope: Scope, limit: int
) -> tuple[Hit, ...]:
    """Return what matches, best first; ties go to the newer."""
    _bring_up_to_date(database)
    with database.reading():
        looked_for = _looked_for(database, query, scope)
        if looked_for is None or limit <= 0:
            return ()
        asked = looked_for.asked
        if asked.telling and query.sort == "relevance" and not query.latest:
            return tuple(_answers(database, looked_for.ranked(limit)))
        return tuple(_listed(database, asked, looked_for.in_order(limit)))


def best(
    database: Database,
    query: Query,
    scope: Scope,
    limit: int,
    group: Callable[[int], int] = position_of,
    beside: int = 0,
) -> list[Ranked]:
    """Return the best groups of passages, as search ranks checkpoints."""
    with database.reading():
        looked_for = _looked_for(database, query, scope)
        return looked_for.ranked(limit, group, beside) if looked_for else []


def _looked_for(database: Database, query: Query, scope: Scope) -> "_LookedFor | None":
    """Return a query with all that was looked up, or None if it cannot find anything."""
    words = WordLookup(database)
    asked = wanted(query).widened(words.is_known)
    allowed = narrowed(database, query)
    if not asked.is_possible or allowed.is_empty:
        return None
    if allowed.without_sessions:
        without = ((facet("session", session),) for session in allowed.without_sessions)
        asked = asked._replace(without=(*asked.without, *without))
    return _LookedFor(database, words, asked, query, scope, allowed)


def _bring_up_to_date(database: Database) -> None:
    """Index what is not yet. A store that cannot be written is searched as it is."""
    if not indexing.state(database).is_current:
        try:
            indexing.reindex(database)
        except HoldfastError:
            return


class _LookedFor:
    """A query with all that was looked up for it."""

    def __init__(
        self,
        database: Database,
        words: WordLookup,
        asked: AskedTerms,
        query: Query,
        scope: Scope,
        allowed: Narrowed,
    ) -> None:
        self._database = database
        self._words = words
        self.asked = asked
        self._query = query
        self._scope = scope
        self._allowed = allowed
        of = allowed.sessions
        self._sessions = None if of is None else [facet("session", s) for s in of]
        self._has_few_places = len(allowed.positions or range(_FEW + 1)) <= _FEW
        self._is_filtered = bool(
            of is not None
            or allowed.positions is not None
            or allowed.span != EVERYWHERE
            or allowed.without_positions
            or scope.workspace is not None
            or any((asked.phrases, asked.excluded, asked.facets, asked.without))
        )

    def in_order(self, limit: int) -> list[int]:
        """Return places of the chain by age."""
        query = self._query
        oldest_first = query.sort == "asc" and not query.latest
        statement = _OLDEST if oldest_first else _NEWEST
        most = 1 if query.latest else limit
        if not has_past(self._database):
            return self._matching(statement, " OR ", most)
        found = self._matching(statement, " OR ", max(most, _MOST_FILTERED))
        told = in_time(self._database, found)
        return (told[::-1] if oldest_first else told)[:most]

    def ranked(
        self,
        limit: int,
        group: Callable[[int], int] = position_of,
        beside: int = 0,
    ) -> list[Ranked]:
        """Return the best checkpoints: those with all words before those with some."""
        within = SearchBounds(self._scope.project_id)
        if self._is_filtered:
            within = within.at(self._matching(_NEWEST, " OR ", _MOST_FILTERED))
        words = self._words.postings(self.asked, within)
        asked = [word for word in words if word.is_asked]
        is_partly_read = any(word.passages > AT_ONCE for word in asked)
        with_all: Sequence[int] = ()
        if is_partly_read and len(asked) > 1 and not is_question(len(asked)):
            with_all = self._matching(_NEWEST, " AND ", _MOST_WITH_ALL)
        total = indexing.state(self._database).passages
        return ranked(
            words, total, limit, group=group, with_all=with_all, beside=beside
        )

    def _matching(self, statement: str, words: str, limit: int) -> list[int]:
        project = self._scope.project_id
        everything = EVERYTHING if project is None else facet("project", project)
        match = expression(self.asked, self._sessions, everything, words)
        filters = _filters(self._query, self._scope, self._allowed)
        wanted_rows = {**filters, "match": match, "limit": limit}
        if self._has_few_places:
            statement = statement.replace(_FROM_INDEX, _FROM_PLACES)
        return [row[0] for row in self._database.rows(statement, wanted_rows)]


def _answers(database: Database, found: Sequence[Ranked]) -> Iterator[Hit]:
    for position, row, score in found:
        for checkpoint in at(database, (position,)):
            yield Hit(checkpoint, score, passage_at(checkpoint.draft, row))


def _listed(
    database: Database, asked: AskedTerms, positions: Sequence[int]
) -> Iterator[Hit]:
    words = (*asked.words, *asked.phrases)
    for checkpoint in at(database, positions):
        passage = passage_with(checkpoint.draft, words) if words else None
        yield Hit(checkpoint, 0.0, passage)


def _filters(query: Query, scope: Scope, allowed: Narrowed) -> Parameters:
    positions = allowed.positions
    first, last = allowed.span
    return {
        "project": scope.project_id,
        "workspace": scope.workspace,
        "after": query.after,
        "before": query.before,
        "first": first,
        "last": last,
        "only": None if positions is None else json.dumps(positions),
        "without": json.dumps(allowed.without_positions),
    }
