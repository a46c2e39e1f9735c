"""Write the search index: an entry with each record, and all of them anew when needed.

An index that another text analysis made is begun anew: emptied at once, filled again in
steps. Each step is one transaction that says how far it came, so an interrupted rebuild
goes on where it stopped, and a save or a removal meanwhile finds the index in order.
"""

import json
from collections.abc import Callable

from holdfast.domain.checkpoint import Checkpoint, Draft
from holdfast.domain.record import checkpoint_from
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.search.ranking import row_of
from holdfast.store.index_terms import ANALYSIS, IndexEntry, entry, facet
from holdfast.store.sqlite.database import Database

Progress = Callable[[int, int], None]
_NO_POSITION = 2**63 - 1  # after every record
_STEP = 100  # records of one transaction of a rebuild
_STATE = "SELECT analysis, target, done, passages FROM search_state"
_ADD_WORDS = """
    INSERT INTO search_index (rowid, words) VALUES (:position, :words)
"""
_ADD_PASSAGE = "INSERT INTO search_passage (rowid, terms) VALUES (:row, :terms)"
_COUNT = "UPDATE search_state SET passages = passages + :more"
_DROP_WORDS = """
    INSERT INTO search_index (search_index, rowid, words)
    VALUES ('delete', :position, :words)
"""
_DROP_PASSAGE = """
    INSERT INTO search_passage (search_passage, rowid, terms)
    VALUES ('delete', :row, :terms)
"""
_EMPTY_WORDS = "INSERT INTO search_index (search_index) VALUES ('delete-all')"
_EMPTY_PASSAGES = "INSERT INTO search_passage (search_passage) VALUES ('delete-all')"
_BEGIN_ANEW = """
    UPDATE search_state SET analysis = :analysis, done = 0, passages = 0, target =
        (SELECT coalesce(max(position), 0) FROM checkpoint WHERE position < :before)
"""
_WAITING = """
    SELECT position, body FROM checkpoint
    WHERE position > :done AND position <= :target
    ORDER BY position
    LIMIT :step
"""
_DONE = "UPDATE search_state SET done = :done"


class IndexState(NamedTuple):
    """How far the index is."""

    analysis: int
    target: int
    done: int
    passages: int

    @property
    def is_begun(self) -> bool:
        """Say whether what is there was made by the analysis of today."""
        return self.analysis == ANALYSIS

    @property
    def is_current(self) -> bool:
        return self.is_begun and self.done >= self.target

    def waits(self, position: int) -> bool:
        """Say whether a record is still to be indexed."""
        return not self.is_begun or self.done < position <= self.target


def state(database: Database) -> IndexState:
    return IndexState(*database.one(_STATE))


def add(database: Database, draft: Draft, position: int, found: IndexEntry) -> None:
    """Index a record that is being kept, in the caller's transaction."""
    if state(database).analysis != ANALYSIS:
        _begin_anew(database, before=position)
    # Counted first: an update between two entries would make each a segment of its own.
    database.rows(_COUNT, {"more": len(found.passages)})
    _write(database, draft.project_id, position, found)


def remove(database: Database, record: Checkpoint | None, position: int) -> None:
    """Take a record out of the index, in the caller's transaction.

    What a damaged record said is not known: then the whole index is begun anew.
    """
    now = state(database)
    if now.analysis != ANALYSIS or record is None:
        _begin_anew(database)
        return
    draft = record.draft
    if now.waits(position):
        return
    gone = entry(draft)
    database.rows(_DROP_WORDS, _words(position, gone))
    rows = _rows(draft.project_id, position, gone)
    database.many(_DROP_PASSAGE, rows)
    database.rows(_COUNT, {"more": -len(rows)})


def reindex(
    database: Database,
    progress: Progress | None = None,
    *,
    anew: bool = False,
    step: int = _STEP,
) -> int:
    """Index every record that is not indexed yet, and return how many there were.

    With `anew` it starts from nothing, unless a rebuild was interrupted: that goes on.
    A `step` is how many records share a transaction.

    Raises:
        StoreBusy, StoreDamaged, StoreNotFound
    """
    count = 0
    with database.writing():
        now = state(database)
        if now.analysis != ANALYSIS or (anew and now.is_current):
            _begin_anew(database)
    while True:
        with database.writing(durable=False):
            indexed = _step(database, state(database), step)
            now = state(database)
        count += indexed
        if progress is not None and indexed:
            progress(now.done, now.target)
        if now.is_current:
            return count


def _begin_anew(database: Database, before: int = _NO_POSITION) -> None:
    database.rows(_EMPTY_WORDS)
    database.rows(_EMPTY_PASSAGES)
    database.rows(_BEGIN_ANEW, {"analysis": ANALYSIS, "before": before})


def _step(database: Database, now: IndexState, step: int) -> int:
    """Index the next records, and return how many they were."""
    reach = {"done": now.done, "target": now.target, "step": step}
    waiting = database.rows(_WAITING, reach)
    more = 0
    for position, body in waiting:
        draft = _readable(body)
        if draft is not None:
            found = entry(draft)
            _write(database, draft.project_id, position, found)
            more += len(found.passages)
    database.rows(_COUNT, {"more": more})
    done = waiting[-1][0] if len(waiting) == step else now.target
    database.rows(_DONE, {"done": done})
    return len(waiting)


def _readable(body: object) -> Draft | None:
    """Return what a record says, or None if it is too damaged to be read."""
    try:
        raw = json.loads(str(body))
        return checkpoint_from(
            raw, content_hash="", name=None, next_checkpoint=None
        ).draft
    except (TypeError, ValueError, LookupError, AttributeError):
        return None


def _write(
    database: Database, project_id: str, position: int, found: IndexEntry
) -> None:
    database.rows(_ADD_WORDS, _words(position, found))
    database.many(_ADD_PASSAGE, _rows(project_id, position, found))


def _words(position: int, found: IndexEntry) -> dict[str, object]:
    return {"position": position, "words": f"{found.words} {found.facets}"}


def _rows(project_id: str, position: int, found: IndexEntry) -> list[dict[str, object]]:
    project = facet("project", project_id)
    return [
        {"row": row_of(position, place), "terms": f"{project} {terms}"}
        for place, terms in found.passages
    ]
