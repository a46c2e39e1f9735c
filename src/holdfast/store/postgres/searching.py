"""Search in the team's store: the same terms, the same ranking, the same order as at home.

Records of several projects have no common chain: they are put in the order in which they
were kept before they are ranked. All of a word's passages are ranked; the store at home
reads only the strongest of a word that is nearly everywhere.
"""

from collections.abc import Iterator, Sequence
from typing import Any, LiteralString

from holdfast.domain.query import Filter, FilterKind, Hit, Query, Scope
from holdfast.domain.text import storable
from holdfast.domain.time_order import newest_of
from holdfast.search.ranking import Postings, Ranked, ranked, row_of
from holdfast.store.index_terms import (
    AskedTerms,
    folded_name,
    passage_at,
    passage_with,
    telling_parts,
    wanted,
)
from holdfast.store.postgres.database import Row, TeamDatabase, Transaction
from holdfast.store.postgres.finding import LIVE
from holdfast.store.postgres.indexing import reindex
from holdfast.store.postgres.rows import Place, at
from holdfast.store.postgres.sessions import sessions_like, sessions_of
from holdfast.store.postgres.terms import TermLookup

_SELECT = f"""
    SELECT c.project_id, c.position, c.created_at, NOT ({LIVE}) FROM checkpoint AS c
"""  # noqa: S608  # our own words
_AMONG = """
    JOIN unnest(%(projects)s::text[], %(positions)s::bigint[])
        AS found (project_id, position)
      ON c.project_id = found.project_id AND c.position = found.position
"""
_SCOPE: tuple[tuple[str, LiteralString], ...] = (
    ("project", "c.project_id = %(project)s"),
    ("workspace", "c.workspace = %(workspace)s"),
    ("after", "c.created_at >= %(after)s"),
    ("before", "c.created_at < %(before)s"),
    ("sessions", "c.session_id = ANY(%(sessions)s)"),
)
_BEGINS: dict[str, LiteralString] = {
    "checkpoint": "c.checkpoint_id >= {0} AND c.checkpoint_id < {0} || chr(1114111)",
    "name": "c.name >= {0} AND c.name < {0} || chr(1114111)",
}
_NOT_BEGINS: LiteralString = "coalesce(NOT ({}), true)"
_CHILDREN = """
    SELECT DISTINCT session_id FROM session
    WHERE parent_session >= %(first)s AND parent_session < %(first)s || chr(1114111)
"""
_AS_KEPT: LiteralString = " ORDER BY c.kept, c.project_id, c.position"


def search(
    database: TeamDatabase, query: Query, scope: Scope, limit: int
) -> tuple[Hit, ...]:
    """Return what matches, best first; ties go to the newer."""
    if limit <= 0:
        return ()
    reindex(database)
    return database.read(lambda run: tuple(_hits(run, query, scope, limit)))


def _hits(run: Transaction, query: Query, scope: Scope, limit: int) -> Iterator[Hit]:
    terms = TermLookup(run)
    plain = wanted(query)
    terms.load(plain)
    asked = plain.widened(terms.is_known)
    if not asked.is_possible:
        return
    search_for = _Search(run, terms, asked, query, scope)
    if asked.telling and query.sort == "relevance" and not query.latest:
        yield from search_for.best(limit)
    else:
        yield from search_for.in_order(1 if query.latest else limit)


class _Search:
    """A query with all that was looked up for it."""

    def __init__(
        self,
        run: Transaction,
        terms: TermLookup,
        asked: AskedTerms,
        query: Query,
        scope: Scope,
    ) -> None:
        self._run = run
        self._terms = terms
        self._asked = asked
        self._query = query
        self._scope = scope

    def in_order(self, limit: int) -> Iterator[Hit]:
        """Yield hits by age."""
        is_oldest_first = self._query.sort == "asc" and not self._query.latest
        words = (*self._asked.words, *self._asked.phrases)
        told = [*newest_of(self._passing(), _made, _is_past)]
        rows = told[::-1] if is_oldest_first else told
        for checkpoint in at(self._run, [_place(row) for row in rows[:limit]]):
            passage = passage_with(checkpoint.draft, words) if words else None
            yield Hit(checkpoint, 0.0, passage)

    def best(self, limit: int) -> Iterator[Hit]:
        """Yield hits, those with all words first, then the best."""
        passing = [_place(row) for row in self._passing()]
        turns = {place: turn for turn, place in enumerate(passing, 1)}
        words = [self._word(p, turns) for p in self._phrases()]
        words += [
            self._word((whole,), turns)._replace(is_asked=False)
            for whole in self._asked.wholes
        ]
        found = ranked(words, self._terms.total, limit)
        yield from self._answers(found, passing)

    def _answers(
        self, found: Sequence[Ranked], passing: Sequence[Place]
    ) -> Iterator[Hit]:
        for turn, row, score in found:
            for checkpoint in at(self._run, (passing[turn - 1],)):
                yield Hit(checkpoint, score, passage_at(checkpoint.draft, row))

    def _phrases(self) -> list[tuple[str, ...]]:
        asked = (*self._asked.words, *self._asked.phrases)
        return [phrase for phrase in asked if telling_parts(phrase)]

    def _word(self, phrase: tuple[str, ...], turns: dict[Place, int]) -> Postings:
        count, rarest, passages = self._terms.together(phrase)
        levels = self._terms.rows(rarest)
        rows = {
            row_of(turns[place], each): levels[place][each]
            for place, own in passages.items()
            if place in turns
            for each in own
        }
        return Postings(count, rows)

    def _passing(self) -> list[Row]:
        """Return the places of records that everything lets pass, as they were kept,
        with their times and whether these are of the past."""
        answering = self._terms.answering(self._asked)
        unwanted = self._terms.excluded(self._asked)
        if answering is not None:
            answering -= unwanted
        values: dict[str, Any] = {}
        clauses = [*self._clauses(values)]
        statement: LiteralString = _SELECT
        if answering is not None:
            statement += _AMONG
            values["projects"] = [project for project, _ in answering]
            values["positions"] = [position for _, position in answering]
        if clauses:
            statement += " WHERE " + " AND ".join(clauses)
        rows = self._run.rows(statement + _AS_KEPT, values)
        return [row for row in rows if _place(row) not in unwanted]

    def _clauses(self, values: dict[str, Any]) -> Iterator[LiteralString]:
        query, scope = self._query, self._scope
        values["project"] = scope.project_id and storable(scope.project_id)
        values["workspace"] = scope.workspace and storable(scope.workspace)
        values["after"], values["before"] = query.after, query.before
        values["sessions"] = _sessions(self._run, query)
        values["absent"] = [*_sessions_without(self._run, query.without)]
        yield from (clause for name, clause in _SCOPE if values[name] is not None)
        if values["absent"]:
            yield "c.session_id <> ALL(%(absent)s)"
        yield from _beginnings(query, values)


def _place(row: Row) -> Place:
    return row[0], row[1]


def _made(row: Row) -> int:
    return int(row[2])


def _is_past(row: Row) -> bool:
    return bool(row[3])


def _beginnings(query: Query, values: dict[str, Any]) -> Iterator[LiteralString]:
    """Yield what ids and names must begin with, and must not."""
    kinds: tuple[tuple[FilterKind, str | None], ...] = (
        ("checkpoint", query.checkpoint),
        ("name", query.name),
    )
    held = [Filter(kind, value) for kind, value in kinds if value is not None]
    for filters, form in ((held, "{}"), (query.without, _NOT_BEGINS)):
        for kind, value in filters:
            if kind in _BEGINS:
                name = f"begins{len(values)}"
                told = value.lower() if kind == "checkpoint" else folded_name(value)
                values[name] = storable(told)
                clause = _BEGINS[kind].format(f"%({name})s")
                yield form.format(clause)


def _sessions(run: Transaction, query: Query) -> list[str] | None:
    found = sessions_of(run, session=query.session, lineage=query.lineage)
    if query.parent is not None:
        children = _children(run, query.parent)
        found = tuple(c for c in children if found is None or c in set(found))
    return None if found is None else list(found)


def _sessions_without(run: Transaction, filters: Sequence[Filter]) -> Iterator[str]:
    for kind, value in filters:
        if kind == "session":
            yield from sessions_like(run, value)
        elif kind == "lineage":
            yield from sessions_of(run, session=None, lineage=value) or ()
        elif kind == "parent":
            yield from _children(run, value)


def _children(run: Transaction, parent: str) -> list[str]:
    return [row[0] for row in run.rows(_CHILDREN, {"first": storable(parent)})]
