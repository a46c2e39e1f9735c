"""Is the store whole? Structure, chain, head, index and permissions, one finding each.

The engine's own check sees broken structure and hardly ever a changed byte of content;
the chain sees every change to a record. Neither alone is enough.
"""

import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from holdfast.domain.query import Finding
from holdfast.domain.record import checkpoint_from
from holdfast.errors import HoldfastError
from holdfast.storage.chain import Entry, Head, Walk, tombstone_text
from holdfast.storage.files import DIRECTORY_MODE, FILE_MODE
from holdfast.storage.sqlite import head as head_file, indexing
from holdfast.storage.sqlite.database import Database, Row
from holdfast.storage.sqlite.rows import columns_of, tombstone_of

_ADVICE = "copy the store's directory to a safe place before anything else"
_BATCH = 500
_TOLD = 3
_STRUCTURE = "PRAGMA integrity_check(3)"
_FOREIGN_KEYS = "PRAGMA foreign_key_check"
_CHAIN = """
    SELECT
        entry.position, entry.kind, entry.checkpoint_id, entry.hash, c.body,
        c.checkpoint_id, own.checkpoint_id, own.number, own.sequence, own.old_hash, own.reason,
        own.project_id, later.old_hash
    FROM chain AS entry
    LEFT JOIN checkpoint AS c ON c.position = entry.position
    LEFT JOIN tombstone AS own ON own.position = entry.position
    LEFT JOIN tombstone AS later ON later.checkpoint_id = entry.checkpoint_id
    WHERE entry.position > :after
    ORDER BY entry.position
    LIMIT :batch
"""
_RECORDS = """
    SELECT
        c.position, c.body, c.checkpoint_id, c.session_id, c.sequence, c.project_id,
        c.number, c.workspace, c.key, c.state_key, c.type, c.trigger, c.created_at,
        s.sequence, p.number,
        EXISTS (SELECT 1 FROM search_index WHERE rowid = c.position)
    FROM checkpoint AS c
    LEFT JOIN session AS s ON s.session_id = c.session_id
    LEFT JOIN project AS p ON p.project_id = c.project_id
    WHERE c.position > :after
    ORDER BY c.position
    LIMIT :batch
"""
_COLUMNS = (
    "checkpoint_id", "session_id", "sequence", "project_id", "number", "workspace",
    "key", "state_key", "type", "trigger", "created_at",
)  # fmt: skip
_STRAY = """
    SELECT count(*) FROM search_index
    WHERE rowid NOT IN (SELECT position FROM checkpoint)
"""
_OBSERVATIONS = "SELECT observations FROM store"
_HASH_AT = "SELECT hash FROM chain WHERE position = :position"


def check(database: Database) -> Iterator[Finding]:
    """Yield one finding per thing that can be wrong."""
    # The head file first: what is committed meanwhile only makes the store newer.
    kept_head = head_file.read(database.directory)
    with database.reading():
        findings = [
            _told("structure", lambda: _structure(database)),
            _told("chain", lambda: _chain(database)),
            _told("head", lambda: _head(database, kept_head)),
            _told("index", lambda: _index(database)),
        ]
    yield from findings
    yield _permissions(database)


def _told(name: str, look: Callable[[], tuple[list[str], str]]) -> Finding:
    """Return the finding of one look, which itself may stumble over the damage."""
    try:
        problems, fine = look()
    except HoldfastError as error:
        return Finding(name, "fail", error.message, _ADVICE)
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        return Finding(name, "fail", f"a row cannot be read: {error}", _ADVICE)
    if not problems:
        return Finding(name, "ok", fine)
    more = len(problems) - _TOLD
    shown = "; ".join(problems[:_TOLD])
    return Finding(
        name, "fail", f"{shown}; and {more} more" if more > 0 else shown, _ADVICE
    )


def _structure(database: Database) -> tuple[list[str], str]:
    said = [str(row[0]) for row in database.rows(_STRUCTURE)]
    problems = [line.replace("\n", " ") for line in said if line != "ok"]
    broken = database.rows(_FOREIGN_KEYS)
    problems += [f"a row of `{row[0]}` belongs to nothing" for row in broken]
    return problems, "structure whole"


def _chain(database: Database) -> tuple[list[str], str]:
    walk = Walk()
    for row in _batches(database, _CHAIN):
        walk.step(_entry(row))
    if walk.head != database.head():
        walk.problems.append("the newest entries of the chain are missing or changed")
    return walk.problems, f"{walk.head.records:,} checkpoints, chain whole"


def _entry(row: Row) -> Entry:
    position, kind, checkpoint_id, digest, text, found_id, *rest = row
    *own, project_id, buried_hash = rest
    if kind == "tombstone":
        found_id = own[0]
        text = (
            tombstone_text(tombstone_of(tuple(own)), project_id) if found_id else None
        )
    return Entry(position, kind, checkpoint_id, digest, text, found_id, buried_hash)


def _head(database: Database, kept: Head | None) -> tuple[list[str], str]:
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


def _index(database: Database) -> tuple[list[str], str]:
    problems: list[str] = []
    count = observations = waiting = 0
    index = indexing.state(database)
    for row in _batches(database, _RECORDS):
        count += 1
        raw = json.loads(row[1])
        observations = max(observations, _last_observation(raw))
        waits = index.waits(row[0])
        waiting += waits
        problems += _disagreements((*row[:-1], row[-1] or waits), raw)
    (stray,) = database.one(_STRAY)
    if stray:
        problems.append(f"{stray} entries of the index belong to no checkpoint")
    if database.one(_OBSERVATIONS)[0] < observations:
        problems.append("the counter of observations is behind")
    still = f", {waiting:,} wait for the next search to be indexed" if waiting else ""
    return problems, f"index agrees with {count:,} records{still}"


def _disagreements(row: Row, raw: Mapping[str, Any]) -> Iterator[str]:
    _, _, *columns, last_sequence, last_number, is_indexed = row
    checkpoint = checkpoint_from(raw, content_hash="", name=None, next_checkpoint=None)
    said = columns_of(checkpoint)
    kept = dict(zip(_COLUMNS, columns, strict=True))
    name = checkpoint.checkpoint_id
    if kept != said:
        wrong = ", ".join(column for column in _COLUMNS if kept[column] != said[column])
        yield f"`{name}` is listed under another {wrong}"
    if not is_indexed:
        yield f"`{name}` cannot be found by its words"
    if last_sequence is None or last_sequence < checkpoint.sequence:
        yield f"the sequence counter of session `{checkpoint.draft.session_id}` is behind"
    if last_number is None or last_number < checkpoint.number:
        yield f"the number counter of project `{checkpoint.draft.project_id}` is behind"


def _last_observation(raw: Mapping[str, Any]) -> int:
    observations = raw["observations"]
    return int(max(observations["master_summary_id"], *observations["detailed_ids"], 0))


def _batches(database: Database, statement: str) -> Iterator[Row]:
    """Yield every row; the store may be larger than memory."""
    after = 0
    while rows := database.rows(statement, {"after": after, "batch": _BATCH}):
        yield from rows
        after = rows[-1][0]


def _permissions(database: Database) -> Finding:
    """Others must not read what sessions said."""
    open_to_others: list[str] = []
    directory = os.path.dirname(database.path)
    try:
        if _loose(os.fstat(database.directory).st_mode, DIRECTORY_MODE):
            open_to_others.append(directory)
        for name in os.listdir(database.directory):
            mode = os.stat(
                name, dir_fd=database.directory, follow_symlinks=False
            ).st_mode
            wanted = DIRECTORY_MODE if stat.S_ISDIR(mode) else FILE_MODE
            if not stat.S_ISLNK(mode) and _loose(mode, wanted):
                open_to_others.append(os.path.join(directory, name))
    except OSError as error:
        return Finding("permissions", "warn", f"cannot be looked at: {error}")
    if not open_to_others:
        return Finding("permissions", "ok", "only you can read it")
    first = open_to_others[0]
    return Finding(
        "permissions",
        "warn",
        f"others may reach {len(open_to_others)} files, such as `{first}`",
        f"chmod -R go= '{directory}'",
    )


def _loose(mode: int, wanted: int) -> bool:
    return bool(stat.S_IMODE(mode) & ~wanted)
