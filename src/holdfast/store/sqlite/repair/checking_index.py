"""Does everything that helps to find a record say what the record says?

Columns and counters are compared with the record; the words of the index with those that
the record has, one sum for each record and each passage.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.record import checkpoint_from
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.search.ranking import row_of
from holdfast.store.entries import entry
from holdfast.store.sqlite.database import Database, Row, batches
from holdfast.store.sqlite.schema.seals import FUNCTION, seal
from holdfast.store.sqlite.search import indexing
from holdfast.store.sqlite.write.rows import columns_of
from holdfast.store.terms import facet

_RECORDS = """
    SELECT
        c.position, c.body, c.checkpoint_id, c.session_id, c.sequence, c.project_id,
        c.number, c.workspace, c.key, c.state_key, c.type, c.trigger, c.created_at,
        s.sequence, p.number
    FROM checkpoint AS c
    LEFT JOIN session AS s ON s.session_id = c.session_id
    LEFT JOIN project AS p ON p.project_id = c.project_id
    WHERE c.position > :after
    ORDER BY c.position
    LIMIT :batch
"""
COLUMNS = (
    "checkpoint_id", "session_id", "sequence", "project_id", "number", "workspace",
    "key", "state_key", "type", "trigger", "created_at",
)  # fmt: skip
_OBSERVATIONS = "SELECT observations FROM store"
_LOOK_INTO = """
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.seen_{table}
    USING fts5vocab (main, {table}, instance)
"""
_SUMS = f"""
    SELECT doc, count(*), sum({FUNCTION}(term, col, offset))
    FROM temp.seen_{{table}} GROUP BY doc
"""  # noqa: S608  # our own names
_TOKEN = pattern("[0-9A-Za-z\x80-\U0010ffff]+")  # as the index cuts text

Sum = tuple[int, int]  # how many words, and a sum over them


class _Sums(NamedTuple):
    """What the index holds, by record and by passage; what was looked at goes."""

    words: dict[int, Sum]
    passages: dict[int, Sum]


def check_index(database: Database) -> tuple[list[str], str]:
    """Return what does not agree, and what to say if all does."""
    problems: list[str] = []
    count = observations = waiting = passages = 0
    index = indexing.state(database)
    held = _Sums(_sums(database, "search_index"), _sums(database, "search_passage"))
    for row in batches(database, _RECORDS):
        count += 1
        raw = json.loads(row[1])
        observations = max(observations, last_observation(raw))
        kept = checkpoint_from(raw, content_hash="", name=None, next_checkpoint=None)
        problems += _disagreements(row, kept)
        if index.waits(row[0]):
            waiting += 1
        else:
            passages += _looked_up(row[0], kept, held, problems)
    # The next search empties an index of another analysis.
    if index.is_begun and (held.words or held.passages):
        stray = len(held.words) + len(held.passages)
        problems.append(f"{stray} entries of the index belong to no checkpoint")
    if index.is_current and index.passages != passages:
        problems.append("the index counts its passages wrong")
    if database.one(_OBSERVATIONS)[0] < observations:
        problems.append("the counter of observations is behind")
    still = f", {waiting:,} wait for the next search to be indexed" if waiting else ""
    return problems, f"index agrees with {count:,} records{still}"


def _sums(database: Database, table: str) -> dict[int, Sum]:
    database.rows(_LOOK_INTO.format(table=table))
    return {row[0]: row[1:] for row in database.rows(_SUMS.format(table=table))}


def _looked_up(
    position: int, kept: Checkpoint, held: _Sums, problems: list[str]
) -> int:
    """Compare the entries of a record with what it says; return how many passages."""
    draft = kept.draft
    wanted = entry(draft)
    project = facet("project", draft.project_id)
    is_same = held.words.pop(position, (0, 0)) == _sum_of(
        f"{wanted.words} {wanted.facets}"
    )
    for place, terms in wanted.passages:
        found = held.passages.pop(row_of(position, place), (0, 0))
        is_same = is_same and found == _bare_sum(f"{project} {terms}")
    if not is_same:
        problems.append(f"`{kept.checkpoint_id}` cannot be found by its words")
    return len(wanted.passages)


def _sum_of(text: str) -> Sum:
    sums = [seal(term, "words", place) for place, term in enumerate(_terms(text))]
    return len(sums), sum(sums)


def _bare_sum(text: str) -> Sum:
    """Passages keep which words they have, and not where."""
    sums = [seal(term, None, None) for term in set(_terms(text))]
    return len(sums), sum(sums)


def _terms(text: str) -> list[str]:
    return _TOKEN.findall(re.sub("[A-Z]+", lambda found: found[0].lower(), text))


def _disagreements(row: Row, checkpoint: Checkpoint) -> Iterator[str]:
    _, _, *columns, last_sequence, last_number = row
    said = columns_of(checkpoint)
    kept = dict(zip(COLUMNS, columns, strict=True))
    name = checkpoint.checkpoint_id
    if kept != said:
        wrong = ", ".join(column for column in COLUMNS if kept[column] != said[column])
        yield f"`{name}` is listed under another {wrong}"
    if last_sequence is None or last_sequence < checkpoint.sequence:
        yield f"the sequence counter of session `{checkpoint.draft.session_id}` is behind"
    if last_number is None or last_number < checkpoint.number:
        yield f"the number counter of project `{checkpoint.draft.project_id}` is behind"


def last_observation(raw: Mapping[str, Any]) -> int:
    observations = raw["observations"]
    return int(max(observations["master_summary_id"], *observations["detailed_ids"], 0))
