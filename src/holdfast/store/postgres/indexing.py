"""The team's search index: made after a save, by whoever searches or syncs next.

A save keeps the record and nothing else, because others wait for it. What a record is found
by can always be made again; until it is, a search first makes what is missing. One makes it
at a time for each project, and a removal waits for that, so that nothing comes back.
"""

import json
from collections.abc import Callable
from functools import partial

from holdfast.domain.record import checkpoint_from
from holdfast.store.index_terms import ANALYSIS, MARKS, IndexEntry, entry
from holdfast.store.postgres.database import TeamDatabase, Transaction

LEVEL_BITS = 4
Progress = Callable[[int, int], None]
_BEHIND = """
    SELECT p.project_id, p.position - coalesce(s.done, 0)
    FROM project AS p
    LEFT JOIN search_state AS s ON s.project_id = p.project_id
    WHERE p.position > coalesce(s.done, 0) OR s.analysis <> %(analysis)s
    ORDER BY p.project_id
"""
_BEGIN = """
    INSERT INTO search_state (project_id, analysis)
    VALUES (%(project)s, %(analysis)s)
    ON CONFLICT DO NOTHING
"""
_LOCK = """
    SELECT analysis, done FROM search_state
    WHERE project_id = %(project)s
    FOR UPDATE
"""
_HEAD = "SELECT position FROM project WHERE project_id = %(project)s"
_NEXT = """
    SELECT position, body FROM checkpoint
    WHERE project_id = %(project)s AND position > %(done)s AND position <= %(head)s
    ORDER BY position
    LIMIT %(batch)s
"""
_ADD_TERMS = """
    INSERT INTO posting (project_id, term, position, places)
    SELECT %(project)s, t.term, %(position)s, t.places::integer[]
    FROM unnest(%(terms)s::text[], %(places)s::text[]) AS t (term, places)
"""
_ADD_TEXT = """
    INSERT INTO search_text (project_id, position, passages, words, facets)
    VALUES (%(project)s, %(position)s, %(passages)s, %(words)s, %(facets)s)
"""
_MOVE = """
    UPDATE search_state SET done = %(done)s, passages = passages + %(passages)s
    WHERE project_id = %(project)s
"""
_START_ANEW = """
    UPDATE search_state SET done = 0, passages = 0, analysis = %(analysis)s
    WHERE project_id = %(project)s
"""
_EMPTY = (
    "DELETE FROM posting WHERE project_id = %(project)s",
    "DELETE FROM search_text WHERE project_id = %(project)s",
)
_DROP_TERMS = """
    DELETE FROM posting WHERE project_id = %(project)s
        AND term = ANY(%(terms)s) AND position = %(position)s
"""
_DROP_TEXT = """
    DELETE FROM search_text
    WHERE project_id = %(project)s AND position = %(position)s
    RETURNING passages, words, facets
"""
_PROJECTS = "SELECT project_id FROM project ORDER BY project_id"
_BATCH = 50


def reindex(
    database: TeamDatabase, progress: Progress | None = None, *, anew: bool = False
) -> int:
    """Index every record that is not indexed yet, and return how many there were."""
    if anew:
        for (project,) in database.read(lambda run: run.rows(_PROJECTS)):
            database.write(partial(_start_anew, project))
    behind = database.read(lambda run: run.rows(_BEHIND, {"analysis": ANALYSIS}))
    total, done = sum(entries for _, entries in behind), 0
    for project, _ in behind:
        while (made := database.write(partial(_batch, project))) >= 0:
            done += made
            if progress and made:
                progress(done, max(total, done))
    return done


def remove(run: Transaction, project: str, position: int) -> None:
    """Let nothing find a record any more, also if somebody is just indexing it."""
    where = {"project": project, "position": position, "analysis": ANALYSIS}
    run.do(_BEGIN, where)
    run.rows(_LOCK, where)
    for passages, words, facets in run.rows(_DROP_TEXT, where):
        terms = sorted({*words.split(), *facets.split()})
        run.do(_DROP_TERMS, {**where, "terms": terms})
        _, done = run.one(_LOCK, where)
        run.do(_MOVE, {"project": project, "done": done, "passages": -passages})


def _start_anew(project: str, run: Transaction) -> None:
    where = {"project": project, "analysis": ANALYSIS}
    run.do(_BEGIN, where)
    run.rows(_LOCK, where)
    for statement in (*_EMPTY, _START_ANEW):
        run.do(statement, where)


def _batch(project: str, run: Transaction) -> int:
    """Index the next records of a project; -1 if there is nothing left to do."""
    where = {"project": project, "analysis": ANALYSIS}
    run.do(_BEGIN, where)
    analysis, done = run.one(_LOCK, where)
    if analysis != ANALYSIS:
        _start_anew(project, run)
        done = 0
    (head,) = run.one(_HEAD, where)
    if done >= head:
        return -1
    reach = {"done": done, "head": head, "batch": _BATCH}
    rows = run.rows(_NEXT, {**where, **reach})
    passages = sum(_add(run, project, position, body) for position, body in rows)
    reached = rows[-1][0] if len(rows) == _BATCH else head
    run.do(_MOVE, {**where, "done": reached, "passages": passages})
    return len(rows)


def _add(run: Transaction, project: str, position: int, body: str) -> int:
    checkpoint = checkpoint_from(
        json.loads(body), content_hash="", name=None, next_checkpoint=None
    )
    found = entry(checkpoint.draft)
    terms = _places(found)
    where = {"project": project, "position": position}
    run.do(
        _ADD_TERMS,
        {
            **where,
            "terms": list(terms),
            "places": [f"{{{','.join(map(str, each))}}}" for each in terms.values()],
        },
    )
    texts = {"words": found.words, "facets": found.facets}
    run.do(_ADD_TEXT, {**where, **texts, "passages": len(found.passages)})
    return len(found.passages)


def _places(found: IndexEntry) -> dict[str, list[int]]:
    """Return each term and facet of a record with its places, those with a level."""
    terms: dict[str, list[int]] = {
        term: [] for term in (*found.words.split(), *found.facets.split())
    }
    for place, marked in found.passages:
        for token in marked.split(" "):  # one mark is a line break to `split()`
            level = MARKS.index(token[-1])
            terms.setdefault(token[:-1], []).append(place << LEVEL_BITS | level)
    return terms
