"""Ask the full-text index where words are, strongest first, and no more than ranking can use.

A word may be several terms (`getUserName`, `ตรวจสอบ`): then a passage must have all of
them, and its checkpoint must have them side by side. A beginning stands for the terms
that start with it.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any

from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.search.ranking import Postings, position_of, row_of
from holdfast.store.index_terms import (
    EVERYTHING,
    MARKS,
    AskedTerms,
    Phrase,
    facet,
    telling_parts,
)
from holdfast.store.sqlite.database import Database

# A word with no more rows than this is read whole: its strongest would cost as much.
AT_ONCE = 1200

# Rows of a commoner one that are ranked, its strongest: the rest hardly matter.
ENOUGH = 600
_ENOUGH_FILTERED = 50_000  # rows that are read where a filter leaves few of them
_MOST_TOKENS = 256  # of one beginning
_MOST_PHRASES = 20_000  # checkpoints with a phrase; beyond, its terms have to do
_LAST = "\U0010ffff"
_LEVELS = {mark: level for level, mark in enumerate(MARKS)}
_PLACES = """
    SELECT doc, term FROM search_place
    WHERE term >= :first AND term <= :last
    LIMIT :most
"""
_TOKENS = """
    SELECT term, doc FROM search_term
    WHERE term >= :first AND term <= :last
    LIMIT :most
"""
_OF_LEVEL = """
    SELECT rowid, :level{0} FROM search_passage
    WHERE search_passage MATCH :match{0} AND rowid BETWEEN :first AND :last
"""
_NEWEST = """
    SELECT rowid FROM search_passage
    WHERE search_passage MATCH :match AND rowid BETWEEN :first AND :last
    ORDER BY rowid DESC
    LIMIT :most
"""
_OF_PROJECT = """
    SELECT rowid FROM search_passage
    WHERE search_passage MATCH :match
"""
_POSITIONS = """
    SELECT rowid FROM search_index
    WHERE search_index MATCH :match
    LIMIT :most
"""
_LAST_ROW = 2**63 - 1


class SearchBounds(NamedTuple):
    """Where to look: in a project, and at places of the chain, if not everywhere."""

    project_id: str | None = None
    positions: Collection[int] | None = None
    first: int = 0
    last: int = _LAST_ROW

    def at(self, positions: Sequence[int]) -> "SearchBounds":
        """Return the shortest range that has all rows of some places of the chain.

        What a filter lets pass mostly lies together: of a word that is everywhere, only
        the rows there are read, and none is missed for stronger ones elsewhere.
        """
        first, last = min(positions, default=0), max(positions, default=0)
        return self._replace(
            positions=frozenset(positions),
            first=row_of(first, 0),
            last=row_of(last + 1, 0) - 1,
        )

    def matching(self, *parts: str) -> str:
        """Return the expression for rows that have all parts and are within."""
        if self.project_id is None:
            return " AND ".join(parts)
        return " AND ".join((*parts, f'"{facet("project", self.project_id)}"'))


class Term(NamedTuple):
    """A term as the index has it: in how many passages, and its tokens by level.

    Of a term that is not everywhere, the level in each of its rows, too.
    """

    passages: int
    tokens: dict[int, list[str]]
    rows: dict[int, int] | None = None

    @property
    def anywhere(self) -> str:
        return _any(token for tokens in self.tokens.values() for token in tokens)


class WordLookup:
    """The words of the index, each looked up once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._terms: dict[str, Term] = {}
        self._of_project: frozenset[int] | None = None

    def is_known(self, phrase: Phrase) -> bool:
        """Say whether any record has terms side by side, or a passage the only one."""
        if len(phrase) == 1:
            return self._term(phrase[0]).passages > 0
        return bool(self._positions(phrase, 1))

    def postings(self, asked: AskedTerms, within: SearchBounds) -> list[Postings]:
        """Return where each word and phrase of a query is."""
        phrases = [p for p in (*asked.words, *asked.phrases) if telling_parts(p)]
        words = [[self._term(t) for t in telling_parts(p)] for p in phrases]
        wholes = [self._term(whole) for whole in asked.wholes]
        pairs = zip(phrases, words, strict=True)
        found = [self._word(phrase, terms, within) for phrase, terms in pairs]
        for place, word in enumerate(found):
            if word.passages > AT_ONCE and len(word.rows) >= ENOUGH:
                rows = self._beside(words, place, within)
                found[place] = word._replace(rows={**word.rows, **rows})
        helping = [self._read([whole], within) for whole in wholes]
        return [*found, *(each._replace(is_asked=False) for each in helping)]

    def _term(self, term: str) -> Term:
        if term not in self._terms:
            self._terms[term] = _looked_up(self._database, term)
        return self._terms[term]

    def _word(
        self, phrase: Phrase, terms: Sequence[Term], within: SearchBounds
    ) -> Postings:
        if len(phrase) == 1 or not all(term.passages for term in terms):
            return self._read(terms, within)
        having = self._positions(phrase, _MOST_PHRASES)
        if len(having) == _MOST_PHRASES:
            return self._read(terms, within)
        allowed = within.positions
        both = having if allowed is None else having.intersection(allowed)
        found = self._read(terms, within._replace(positions=both))
        return found._replace(passages=min(found.passages, max(len(having), 1)))

    def _positions(self, phrase: Phrase, most: int) -> set[int]:
        """Return where in the chain a phrase is."""
        just_it = AskedTerms((phrase,), (), (), (), (), (), is_possible=True)
        wanted = {"match": expression(just_it, None), "most": most}
        return {row[0] for row in self._database.rows(_POSITIONS, wanted)}

    def _read(self, terms: Sequence[Term], within: SearchBounds) -> Postings:
        """Read the rows that have all terms."""
        rarest = min(terms, key=lambda term: term.passages)
        others = [term for term in terms if term is not rarest]
        if not rarest.passages:
            return Postings(0, {})
        if rarest.rows is None or any(term.rows is None for term in others):
            return Postings(rarest.passages, self._rows(rarest, others, within))
        rows = rarest.rows
        for term in others:
            rows = {row: rows[row] for row in rows.keys() & (term.rows or {}).keys()}
        return Postings(rarest.passages, self._kept(rows, within))

    def _kept(self, rows: dict[int, int], within: SearchBounds) -> dict[int, int]:
        """Return those of some rows that are within."""
        allowed = within.positions
        if within.project_id is not None:
            own = self._rows_of_project(within)
            rows = {row: rows[row] for row in rows.keys() & own}
        if allowed is None:
            return rows
        return {row: each for row, each in rows.items() if position_of(row) in allowed}

    def _rows_of_project(self, within: SearchBounds) -> frozenset[int]:
        """Return the rows of a project among those that were read of any term."""
        if self._of_project is None:
            read = [term for term in self._terms.values() if term.rows]
            match = (
                within.matching(f"({' OR '.join(t.anywhere for t in read)})")
                if read
                else ""
            )
            found = self._database.rows(_OF_PROJECT, {"match": match}) if read else []
            self._of_project = frozenset(row for (row,) in found)
        return self._of_project

    def _beside(
        self, words: Sequence[Sequence[Term]], place: int, within: SearchBounds
    ) -> dict[int, int]:
        """Read a very common word where it stands beside the rarest other one."""
        others = [terms for other, terms in enumerate(words) if other != place]
        known = [terms for terms in others if all(term.passages for term in terms)]
        if not known:
            return {}
        rarest = min(known, key=lambda terms: min(term.passages for term in terms))
        return self._rows(words[place][0], (*rarest, *words[place][1:]), within)

    def _rows(
        self, term: Term, others: Sequence[Term], within: SearchBounds
    ) -> dict[int, int]:
        allowed = within.positions
        beside = [other.anywhere for other in others]
        fewest = min(each.passages for each in (term, *others))
        if fewest <= (AT_ONCE if allowed is None else _ENOUGH_FILTERED):
            rows = self._at_once(term, beside, within)
        else:
            most = ENOUGH if allowed is None else _ENOUGH_FILTERED
            rows = self._from_the_strongest(term, beside, within, most)
        return (
            rows if allowed is None else self._kept(rows, SearchBounds(None, allowed))
        )

    def _at_once(
        self, term: Term, others: Sequence[str], within: SearchBounds
    ) -> dict[int, int]:
        levels = sorted(term.tokens)  # weakest first: the strongest stays
        wanted: dict[str, Any] = {"first": within.first, "last": within.last}
        for place, level in enumerate(levels):
            wanted[f"level{place}"] = level
            tokens = _any(term.tokens[level])
            wanted[f"match{place}"] = within.matching(tokens, *others)
        return dict(self._database.rows(_of_levels(len(levels)), wanted))

    def _from_the_strongest(
        self, term: Term, others: Sequence[str], within: SearchBounds, most: int
    ) -> dict[int, int]:
        rows: dict[int, int] = {}
        for level in sorted(term.tokens, reverse=True):
            match = within.matching(_any(term.tokens[level]), *others)
            reach = {"first": within.first, "last": within.last}
            wanted = {"match": match, "most": most - len(rows), **reach}
            for (row,) in self._database.rows(_NEWEST, wanted):
                rows.setdefault(row, level)
            if len(rows) >= most:
                break
        return rows


def expression(
    asked: AskedTerms,
    sessions: Sequence[str] | None,
    everything: str = EVERYTHING,
    words: str = " OR ",
) -> str:
    """Return the expression: facets and phrases must hold, words as they are joined.

    `sessions` are facets of which one must hold. Where nothing is asked for, everything
    is, so that an exclusion has something to exclude from.
    """
    parts = [_said(facet) for facet in asked.facets]
    if sessions is not None:
        parts.append(_joined(" OR ", [_said((facet,)) for facet in sessions]))
    parts += [_said(phrase) for phrase in asked.phrases]
    if asked.words:
        parts.append(_joined(words, [_said(word) for word in asked.words]))
    positive = _joined(" AND ", parts or [_said((everything,))])
    negative = [_said(text) for text in asked.excluded]
    negative += [_said(facet) for facet in asked.without]
    if not negative:
        return positive
    return f"{positive} NOT {_joined(' OR ', negative)}"


def _looked_up(database: Database, term: str) -> Term:
    beginning = term.removesuffix("*")
    is_whole = beginning == term
    first = term + MARKS[0] if is_whole else beginning
    last = term + MARKS[-1] if is_whole else beginning + _LAST
    reach = {"first": first, "last": last}
    found = database.rows(_PLACES, {**reach, "most": AT_ONCE + 1})
    if len(found) <= AT_ONCE:
        levels = {token: _LEVELS[token[-1]] for token in {token for _, token in found}}
        if not is_whole:
            found.sort(key=lambda each: levels[each[1]])  # the strongest stays
        rows = {row: levels[token] for row, token in found}
        return Term(len(found), _by_level(levels), rows)
    counts = database.rows(_TOKENS, {**reach, "most": _MOST_TOKENS})
    passages = sum(count for _, count in counts)
    return Term(passages, _by_level(token for token, _ in counts))


def _by_level(tokens: Iterable[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for token in tokens:
        found.setdefault(_LEVELS[token[-1]], []).append(token)
    return found


@cache
def _of_levels(count: int) -> str:
    """Return the statement that reads so many levels of a term."""
    return " UNION ALL ".join(_OF_LEVEL.format(place) for place in range(count))


def _any(tokens: Iterable[str]) -> str:
    quoted = " OR ".join(f'"{token}"' for token in tokens)
    return f"({quoted})"


def _joined(operator: str, parts: Sequence[str]) -> str:
    return f"({operator.join(parts)})" if len(parts) > 1 else parts[0]


def _said(phrase: Phrase) -> str:
    """Return tokens that follow each other. A last `*` asks for a beginning."""
    *tokens, last = phrase
    star = " *" if last.endswith("*") else ""
    quoted = " ".join((*tokens, last.rstrip("*"))).replace('"', " ")
    return f'"{quoted}"{star}'
