"""Where the terms of a query are in the team's index, and which records have them together."""

from collections.abc import Iterable, Sequence

from holdfast.store.index_terms import AskedTerms, Phrase, telling_parts
from holdfast.store.postgres.database import Transaction
from holdfast.store.postgres.indexing import LEVEL_BITS
from holdfast.store.postgres.rows import Place

# Of one record: passages by place, each with the level of a term.
Levels = dict[int, int]
_PROJECTS = "SELECT project_id FROM project"
_TERMS = """
    SELECT term, project_id, position, places FROM posting
    WHERE project_id = ANY(%(projects)s) AND term = ANY(%(terms)s)
"""
_BEGINNINGS = """
    SELECT project_id, position, places FROM posting
    WHERE project_id = ANY(%(projects)s)
      AND term >= %(first)s AND term < %(first)s || chr(1114111)
"""
_TEXTS = """
    SELECT t.project_id, t.position, t.words, t.facets
    FROM unnest(%(projects)s::text[], %(positions)s::bigint[])
        AS wanted (project_id, position)
    JOIN search_text AS t
      ON t.project_id = wanted.project_id AND t.position = wanted.position
"""
_TOTAL = "SELECT coalesce(sum(passages), 0)::bigint FROM search_state"


class TermLookup:
    """The terms of one query, each looked up once."""

    def __init__(self, run: Transaction) -> None:
        self._run = run
        self._projects = [row[0] for row in run.rows(_PROJECTS)]
        self._terms: dict[str, dict[Place, Levels]] = {}
        self._counts: dict[str, int] = {}  # of beginnings
        self._texts: dict[Place, list[str]] = {}
        self._together: dict[Phrase, frozenset[Place]] = {}

    @property
    def total(self) -> int:
        """Return how many passages there are."""
        return int(self._run.one(_TOTAL)[0])

    def load(self, asked: AskedTerms) -> None:
        """Look up all terms of a query at once."""
        phrases = (*asked.words, *asked.phrases, *asked.excluded, *asked.facets)
        named = {term for phrase in (*phrases, *asked.without) for term in phrase}
        self._load([*named, *asked.wholes])

    def is_known(self, phrase: Phrase) -> bool:
        """Say whether any record has terms side by side, or a passage the only one."""
        if len(phrase) == 1:
            return any(self.rows(phrase[0]).values())
        return bool(self.having(phrase))

    def rows(self, term: str) -> dict[Place, Levels]:
        """Return where a term or a beginning is, with its strongest level there."""
        if term not in self._terms:
            self._load([term])
        return self._terms[term]

    def count(self, term: str) -> int:
        """Return how many passages have a term; a beginning counts each of its terms."""
        if not term.endswith("*"):
            return sum(map(len, self.rows(term).values()))
        self.rows(term)
        return self._counts[term]

    def having(self, phrase: Phrase) -> frozenset[Place]:
        """Return the records that have terms side by side."""
        if phrase not in self._together:
            each = [self.rows(term).keys() for term in phrase]
            both = set(each[0]).intersection(*each[1:])
            if len(phrase) > 1:
                self._read_texts(both)
                both = {p for p in both if is_side_by_side(phrase, self._texts[p])}
            self._together[phrase] = frozenset(both)
        return self._together[phrase]

    def answering(self, asked: AskedTerms) -> frozenset[Place] | None:
        """Return the records that words, phrases and facets let pass; None: all.

        What must not be there is asked apart, of those that are left.
        """
        found: frozenset[Place] | None = None
        for phrase in (*asked.facets, *asked.phrases):
            own = self.having(phrase)
            found = own if found is None else found & own
        if asked.words:
            words = frozenset[Place]().union(*map(self.having, asked.words))
            found = words if found is None else found & words
        return found

    def excluded(self, asked: AskedTerms) -> frozenset[Place]:
        """Return the records that have what must not be there."""
        unwanted = (*asked.excluded, *asked.without)
        return frozenset[Place]().union(*map(self.having, unwanted))

    def together(self, phrase: Phrase) -> tuple[int, str, dict[Place, set[int]]]:
        """Return how rare a phrase is, its rarest term, and the passages with all terms."""
        parts = telling_parts(phrase)
        counts = [self.count(term) for term in parts]
        rarest = min(range(len(counts)), key=counts.__getitem__)
        count, having = counts[rarest], self.having(phrase)
        if len(phrase) > 1:
            count = min(count, max(len(having), 1))
        passages = {
            place: set.intersection(*(set(self.rows(t).get(place, ())) for t in parts))
            for place in having
        }
        return count, parts[rarest], passages

    def _load(self, terms: Iterable[str]) -> None:
        missing = [term for term in terms if term not in self._terms]
        whole = [term for term in missing if not term.endswith("*")]
        self._terms.update((term, {}) for term in missing)
        wanted = {"projects": self._projects, "terms": whole}
        for term, project, position, places in self._run.rows(_TERMS, wanted):
            self._terms[term][project, position] = _levels(places)
        for term in set(missing).difference(whole):
            self._load_beginning(term)

    def _load_beginning(self, term: str) -> None:
        found, count = self._terms[term], 0
        wanted = {"projects": self._projects, "first": term.removesuffix("*")}
        for project, position, places in self._run.rows(_BEGINNINGS, wanted):
            levels = found.setdefault((project, position), {})
            count += len(places)
            for place, level in _levels(places).items():
                levels[place] = max(level, levels.get(place, 0))
        self._counts[term] = count

    def _read_texts(self, places: Iterable[Place]) -> None:
        missing = [place for place in places if place not in self._texts]
        wanted = {
            "projects": [project for project, _ in missing],
            "positions": [position for _, position in missing],
        }
        for project, position, words, facets in self._run.rows(_TEXTS, wanted):
            self._texts[project, position] = [*words.split(), *facets.split()]


def is_side_by_side(phrase: Phrase, tokens: Sequence[str]) -> bool:
    """Say whether tokens follow each other. A last `*` asks for a beginning."""
    *first, last = phrase
    beginning = last.removesuffix("*")
    ahead = len(first)
    return any(
        (token.startswith(beginning) if beginning != last else token == last)
        and tokens[end - ahead : end] == first
        for end, token in enumerate(tokens)
        if end >= ahead
    )


def _levels(places: Iterable[int]) -> Levels:
    mask = (1 << LEVEL_BITS) - 1
    return {place >> LEVEL_BITS: place & mask for place in places}
