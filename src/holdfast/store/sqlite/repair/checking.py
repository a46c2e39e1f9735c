"""Check a store: structure, chain, head, rows and index, one finding each.

The engine's own check sees broken structure and hardly ever a changed byte of content;
the chain sees every change to a record, and seals every change to what stands beside.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import apsw

from holdfast.domain.amounts import counted as amount_of
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.query import HealthResult
from holdfast.domain.record import checkpoint_from
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.search.ranking import row_of
from holdfast.store.chain import ChainEntry, ChainHead, ChainWalk, tombstone_text
from holdfast.store.index_terms import entry, facet
from holdfast.store.sqlite import head_file
from holdfast.store.sqlite.database import Database, Row, batches
from holdfast.store.sqlite.repair.losses import check_witnesses
from holdfast.store.sqlite.rows import columns_of, place_of, tombstone_of
from holdfast.store.sqlite.schema.migrate import FOUND, SCHEMA, changed
from holdfast.store.sqlite.schema.seals import FUNCTION, SEALED, broken, seal
from holdfast.store.sqlite.search import indexing
from holdfast.store.sqlite.write.rewriting import Rewrites

_ADVICE = "keep what is whole with `holdfast doctor --repair`"
MENDED = ("structure", "chain", "head", "rows", "index")
EVERYTHING = (*MENDED, "witnesses")  # the log, the journal, and what is gone
_TOLD = 3
_STRUCTURE = "PRAGMA integrity_check(3)"
_FOREIGN_KEYS = "PRAGMA foreign_key_check"
_CHAIN = """
    SELECT
        entry.position, entry.kind, entry.checkpoint_id, entry.hash, c.body,
        c.checkpoint_id, own.checkpoint_id, own.number, own.sequence, own.old_hash, own.reason,
        own.removed_at, own.project_id, later.old_hash
    FROM chain AS entry
    LEFT JOIN checkpoint AS c ON c.position = entry.position
    LEFT JOIN tombstone AS own ON own.position = entry.position
    LEFT JOIN tombstone AS later ON later.checkpoint_id = entry.checkpoint_id
    WHERE entry.position > :after
    ORDER BY entry.position
    LIMIT :batch
"""
_HASH_AT = "SELECT hash FROM chain WHERE position = :position"

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


def check(
    database: Database, names: Collection[str] = EVERYTHING
) -> Iterator[HealthResult]:
    """Yield one finding per thing that can be wrong, or per named one of them."""
    # The head file first: what is committed meanwhile only makes the store newer.
    kept_head = head_file.read(database.directory)
    looks: dict[str, Callable[[], tuple[list[str], str]]] = {
        "structure": lambda: _structure(database),
        "chain": lambda: _chain(database),
        "head": lambda: _head(database, kept_head),
        "rows": lambda: _rows(database),
        "index": lambda: check_index(database),
    }
    with database.reading():
        findings = [_told(name, look) for name, look in looks.items() if name in names]
    yield from findings
    if set(names) - set(MENDED):
        yield from check_witnesses(database)


def counted(count: int) -> str:
    return "a row" if count == 1 else f"{count:,} rows"


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
    return problems, f"index agrees with {amount_of(count, 'record')}{still}"


def last_observation(raw: Mapping[str, Any]) -> int:
    observations = raw["observations"]
    return int(max(observations["master_summary_id"], *observations["detailed_ids"], 0))


def _told(name: str, look: Callable[[], tuple[list[str], str]]) -> HealthResult:
    """Return the finding of one look, which itself may stumble over the damage."""
    try:
        problems, fine = look()
    except HoldfastError as error:
        return HealthResult(name, "fail", error.message, _ADVICE)
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        return HealthResult(name, "fail", f"a row cannot be read: {error}", _ADVICE)
    except apsw.Error as error:  # whatever the engine makes of damage, a check tells it
        return HealthResult(name, "fail", f"it cannot be read: {error}", _ADVICE)
    if not problems:
        return HealthResult(name, "ok", fine)
    more = len(problems) - _TOLD
    shown = "; ".join(problems[:_TOLD])
    return HealthResult(
        name, "fail", f"{shown}; and {more} more" if more > 0 else shown, _ADVICE
    )


def _structure(database: Database) -> tuple[list[str], str]:
    said = [str(row[0]) for row in database.rows(_STRUCTURE)]
    problems = [line.replace("\n", " ") for line in said if line != "ok"]
    orphans = database.rows(_FOREIGN_KEYS)
    problems += [f"a row of `{row[0]}` belongs to nothing" for row in orphans]
    defined = changed(database.rows(FOUND), SCHEMA)
    problems += [f"the definition of `{name}` was changed" for name in defined]
    return problems, "structure whole"


def _chain(database: Database) -> tuple[list[str], str]:
    walk = ChainWalk()
    rewrites = Rewrites(database)
    for row in batches(database, _CHAIN):
        walk.step(rewrites.told(_entry(row)))
    if walk.head != database.head():
        walk.problems.append("the newest entries of the chain are missing or changed")
    return walk.problems, f"{amount_of(walk.head.records, 'checkpoint')}, chain whole"


def _entry(row: Row) -> ChainEntry:
    position, kind, checkpoint_id, digest, text, found_id, *rest = row
    *own, project_id, buried_hash = rest
    if kind == "tombstone":
        found_id = own[0]
        text = (
            tombstone_text(tombstone_of(tuple(own)), project_id) if found_id else None
        )
    return ChainEntry(
        position, kind, checkpoint_id, digest, text, found_id, buried_hash
    )


def _head(database: Database, kept: ChainHead | None) -> tuple[list[str], str]:
    if kept is None:
        return ["the head file is missing or damaged"], ""
    now = database.head()
    if kept.position > now.position:
        lost = kept.position - now.position
        return [f"the {lost:,} newest entries of the chain are gone"], ""
    if kept.position and database.row(_HASH_AT, {"position": kept.position}) != (
        kept.hash,
    ):
        return ["the chain is not the one that the head file knows"], ""
    if kept.position < now.position:
        return [], "head is behind, as after a crash; the next save moves it"
    return ([] if kept == now else ["the number of records is not the head's"]), (
        "head matches"
    )


def _rows(database: Database) -> tuple[list[str], str]:
    """Look at everything that stands outside the chain: its seals."""
    problems = []
    for table in SEALED:
        count = sum(1 for _ in broken(database, table))
        if count:
            problems.append(f"{counted(count)} of `{table}` changed since it was kept")
    return problems, "every row is as it was kept"


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
    if last_number is None or last_number < place_of(checkpoint):
        yield f"the number counter of project `{checkpoint.draft.project_id}` is behind"
