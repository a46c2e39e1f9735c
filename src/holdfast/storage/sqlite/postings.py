"""Read where words are, strongest first, and no more than ranking can use.

A word may be several terms (`getUserName`, `ตรวจสอบ`): then a passage must have all of
them, and its checkpoint must have them side by side. A beginning stands for the terms
that start with it.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any

from holdfast.policy.ranking import Postings, position_of, row_of
from holdfast.storage.entries import MARKS, project_token
from holdfast.storage.sqlite.database import Database
from holdfast.storage.sqlite.expression import expression
from holdfast.storage.terms import Phrase, Wanted, telling_parts
from holdfast.tuples import NamedTuple

# Rows of one word that are ranked. Its strongest are read first: the rest hardly matter.
ENOUGH = 600
_ENOUGH_FILTERED = 50_000  # rows that are read where a filter leaves few of them
_MOST_TOKENS = 256  # of one beginning
_MOST_PHRASES = 20_000  # checkpoints with a phrase; beyond, its terms have to do
_LAST = "\U0010ffff"
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
_POSITIONS = """
    SELECT rowid FROM search_index
    WHERE search_index MATCH :match
    LIMIT :most
"""
_LAST_ROW = 2**63 - 1


class Within(NamedTuple):
    """Where to look: in a project, and at places of the chain, if not everywhere."""

    project_id: str | None = None
    positions: Collection[int] | None = None
    first: int = 0
    last: int = _LAST_ROW

    def at(self, positions: Sequence[int]) -> "Within":
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
        return " AND ".join((*parts, f'"{project_token(self.project_id)}"'))


class Term(NamedTuple):
    """A term as the index has it: its tokens by level, and in how many passages."""

    passages: int
    tokens: dict[int, list[str]]

    @property
    def anywhere(self) -> str:
        return _any(token for tokens in self.tokens.values() for token in tokens)


class Words:
    """The words of the index, each looked up once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._terms: dict[str, Term] = {}

    def is_known(self, phrase: Phrase) -> bool:
        """Say whether any record has terms side by side, or a passage the only one."""
        if len(phrase) == 1:
            return self._term(phrase[0]).passages > 0
        return bool(self._positions(phrase, 1))

    def postings(self, asked: Wanted, within: Within) -> list[Postings]:
        """Return where each word and phrase of a query is."""
        phrases = [p for p in (*asked.words, *asked.phrases) if telling_parts(p)]
        words = [[self._term(t) for t in telling_parts(p)] for p in phrases]
        pairs = zip(phrases, words, strict=True)
        found = [self._word(phrase, terms, within) for phrase, terms in pairs]
        for place, word in enumerate(found):
            if len(word.rows) >= ENOUGH:
                rows = self._beside(words, place, within)
                found[place] = word._replace(rows={**word.rows, **rows})
        wholes = ([self._term(whole)] for whole in asked.wholes)
        helping = [self._read(terms, within) for terms in wholes]
        return [*found, *(each._replace(is_asked=False) for each in helping)]

    def _term(self, term: str) -> Term:
        if term not in self._terms:
            self._terms[term] = _looked_up(self._database, term)
        return self._terms[term]

    def _word(self, phrase: Phrase, terms: Sequence[Term], within: Within) -> Postings:
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
        just_it = Wanted((phrase,), (), (), (), (), (), is_possible=True)
        wanted = {"match": expression(just_it, None), "most": most}
        return {row[0] for row in self._database.rows(_POSITIONS, wanted)}

    def _read(self, terms: Sequence[Term], within: Within) -> Postings:
        """Read the rows that have all terms."""
        rarest = min(terms, key=lambda term: term.passages)
        if not rarest.passages:
            return Postings(0, {})
        others = [term.anywhere for term in terms if term is not rarest]
        return Postings(rarest.passages, self._rows(rarest, others, within))

    def _beside(
        self, words: Sequence[Sequence[Term]], place: int, within: Within
    ) -> dict[int, int]:
        """Read a very common word where it stands beside the rarest other one."""
        others = [terms for other, terms in enumerate(words) if other != place]
        known = [terms for terms in others if all(term.passages for term in terms)]
        if not known:
            return {}
        rarest = min(known, key=lambda terms: min(term.passages for term in terms))
        beside = [term.anywhere for term in (*rarest, *words[place][1:])]
        return self._rows(words[place][0], beside, within)

    def _rows(
        self, term: Term, others: Sequence[str], within: Within
    ) -> dict[int, int]:
        allowed = within.positions
        most = ENOUGH if allowed is None else _ENOUGH_FILTERED
        if term.passages <= most:
            rows = self._at_once(term, others, within)
        else:
            rows = self._from_the_strongest(term, others, within, most)
        if allowed is None:
            return rows
        return {row: each for row, each in rows.items() if position_of(row) in allowed}

    def _at_once(
        self, term: Term, others: Sequence[str], within: Within
    ) -> dict[int, int]:
        levels = sorted(term.tokens)  # weakest first: the strongest stays
        wanted: dict[str, Any] = {"first": within.first, "last": within.last}
        for place, level in enumerate(levels):
            wanted[f"level{place}"] = level
            tokens = _any(term.tokens[level])
            wanted[f"match{place}"] = within.matching(tokens, *others)
        return dict(self._database.rows(_of_levels(len(levels)), wanted))

    def _from_the_strongest(
        self, term: Term, others: Sequence[str], within: Within, most: int
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


def _looked_up(database: Database, term: str) -> Term:
    beginning = term.removesuffix("*")
    is_whole = beginning == term
    first = term + MARKS[0] if is_whole else beginning
    last = term + MARKS[-1] if is_whole else beginning + _LAST
    wanted = {"first": first, "last": last, "most": _MOST_TOKENS}
    found = database.rows(_TOKENS, wanted)
    tokens: dict[int, list[str]] = {}
    for token, _ in found:
        tokens.setdefault(MARKS.index(token[-1]), []).append(token)
    return Term(sum(passages for _, passages in found), tokens)


@cache
def _of_levels(count: int) -> str:
    """Return the statement that reads so many levels of a term."""
    return " UNION ALL ".join(_OF_LEVEL.format(place) for place in range(count))


def _any(tokens: Iterable[str]) -> str:
    quoted = " OR ".join(f'"{token}"' for token in tokens)
    return f"({quoted})"
