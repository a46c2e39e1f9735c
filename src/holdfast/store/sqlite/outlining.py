"""Checkpoints in outline: picked out of the records by the engine, none of them decoded.

Whether a record matches its hash is asked apart, of those that are about to be shown.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import apsw

from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.outline import Outline, Tally, tally_of
from holdfast.domain.query import Scope
from holdfast.domain.text import storable
from holdfast.domain.time_order import in_order_of_time
from holdfast.kernel.errors import StoreDamaged
from holdfast.store.chain import GENESIS
from holdfast.store.sqlite.database import Database, Parameters, Row
from holdfast.store.sqlite.finding import sessions_of
from holdfast.store.sqlite.rows import whole_checkpoint

# In the order of the fields of `Outline` from `project_root` on, without the columns.
_PICKED = (
    "$.project.root",
    "$.content.title",
    "$.code.branch",
    "$.code.dirty",
    "$.session_state.files_modified",
    "$.session_state.context_percent",
    "$.session_state.started_at_unix",
    "$.session_state.last_turn",
    "$.session_state.abandoned",
    "$.relations.merged_from",
    "$.number",
    "$.foreign.machine",
    "$.relations.forked_at",
    "$.author",
)
_NOTHING = [None] * len(_PICKED)
_PATHS = ", ".join(f"'{path}'" for path in _PICKED)
_OUTLINES = f"""
    SELECT
        position, checkpoint_id, number, session_id, sequence, project_id, type,
        trigger, created_at, name, json_extract(body, {_PATHS}),
        json_array_length(body, '$.code.uncommitted')
    FROM checkpoint
    WHERE position > :after
        AND (:project IS NULL OR project_id = :project)
        AND (:workspace IS NULL OR workspace = :workspace)
        AND (
            :sessions IS NULL
            OR session_id IN (SELECT value FROM json_each(:sessions))
        )
    ORDER BY position
    LIMIT :batch
"""  # noqa: S608  # our own paths
# The same where one of the texts is no JSON any more: asking each would cost everybody.
_CAREFUL = _OUTLINES.replace("(body,", "(iif(json_valid(body), body, NULL),")
# A record's numbers: few ask for them, so the text itself is decoded. What was done on
# another machine is not counted on this one.
_TALLIED = """
    SELECT position, body, hash, previous_hash, name, NULL FROM kept
    WHERE position > :after AND number > 0
        AND (:project IS NULL OR project_id = :project)
        AND (:workspace IS NULL OR workspace = :workspace)
    ORDER BY position
    LIMIT :batch
"""
# As bytes: turning them into text and back would cost more than the hash.
_PROVEN = """
    SELECT
        checkpoint_id, typeof(body) = 'text', CAST(body AS BLOB), hash, previous_hash
    FROM kept
    WHERE checkpoint_id IN (SELECT value FROM json_each(:ids))
"""
_SEVERAL = """
    SELECT body, hash, previous_hash, name, next_checkpoint FROM kept
    WHERE checkpoint_id IN (SELECT value FROM json_each(:ids))
"""
_PARENTS = """
    SELECT session_id, parent_session FROM session
    WHERE parent_session IS NOT NULL
"""
_BATCH = 500


def outlines(
    database: Database, scope: Scope, session: str | None, lineage: str | None
) -> Iterator[Outline]:
    """Yield checkpoints in outline, oldest first."""
    yield from in_order_of_time(_as_kept(database, scope, session, lineage))


def _as_kept(
    database: Database, scope: Scope, session: str | None, lineage: str | None
) -> Iterator[Outline]:
    of = sessions_of(database, session=session, lineage=lineage)
    wanted = {
        "project": scope.project_id,
        "workspace": scope.workspace,
        "sessions": None if of is None else json.dumps(of),
        "batch": _BATCH,
    }
    after = 0
    while rows := _rows(database, {**wanted, "after": after}):
        after = rows[-1][0]
        yield from _outlined(rows)


def _rows(database: Database, wanted: Parameters) -> list[Row]:
    try:
        return database.rows(_OUTLINES, wanted)
    except (apsw.SQLError, StoreDamaged):
        return database.rows(_CAREFUL, wanted)


def damaged(database: Database, checkpoint_ids: Sequence[str]) -> frozenset[str]:
    """Return which of these do not match their hash."""
    from hashlib import sha256  # noqa: PLC0415  # quicker for thousands, dear to import

    def is_proven(body: bytes, digest: str, previous: str) -> bool:
        """Do what `chain.link` does."""
        link = sha256(previous.encode())
        link.update(body)
        return link.hexdigest() == digest

    wanted = {"ids": json.dumps([storable(each) for each in checkpoint_ids])}
    return frozenset(
        checkpoint_id
        for checkpoint_id, is_text, *row in database.rows(_PROVEN, wanted)
        # A flipped bit can change a type, too.
        if not is_text or not is_proven(row[0], row[1], str(row[2] or GENESIS))
    )


def several(database: Database, checkpoint_ids: Sequence[str]) -> dict[str, Checkpoint]:
    """Return those of these that match their hash, by their ids."""
    wanted = {"ids": json.dumps([storable(each) for each in checkpoint_ids])}
    found = map(whole_checkpoint, database.rows(_SEVERAL, wanted))
    return {each.checkpoint_id: each for each in found if each is not None}


def tallies(database: Database, scope: Scope) -> Iterator[Tally]:
    """Yield the numbers of checkpoints, oldest first."""
    wanted = {
        "project": scope.project_id,
        "workspace": scope.workspace,
        "batch": _BATCH,
    }
    after = 0
    while rows := database.rows(_TALLIED, {**wanted, "after": after}):
        for position, *row in rows:
            checkpoint = whole_checkpoint(tuple(row))
            if checkpoint is not None:
                yield tally_of(checkpoint, len(row[0].encode()))
            after = position


def parents(database: Database) -> dict[str, str]:
    """Return the parent of each session that has one."""
    return dict(database.rows(_PARENTS))


def _outlined(rows: Sequence[Row]) -> Iterator[Outline]:
    """Yield rows as outlines; what was picked out of all is decoded at once."""
    picked = json.loads(f"[{','.join(row[10] or 'null' for row in rows)}]")
    for row, found in zip(rows, picked, strict=True):
        yield _outline(row, found)


def _outline(row: Row, picked: list[Any] | None) -> Outline:
    _, checkpoint_id, number, session, sequence, project, *rest = row
    type_, trigger, created, name, _, uncommitted = rest
    is_whole = picked is not None
    found = picked if picked is not None else _NOTHING
    root, title, branch, dirty, files, percent, started, turn, abandoned, *others = (
        found
    )
    merged, own_number, machine, forked_at, author = others
    return Outline(
        checkpoint_id,
        own_number or number,
        session,
        sequence,
        project,
        root or "",
        type_,
        trigger,
        created,
        name,
        title or "",
        branch,
        bool(dirty),
        (uncommitted or 0) if is_whole else 0,
        files or 0,
        percent,
        started or 0,
        turn,
        tuple((first, end) for first, end in abandoned) if abandoned else (),
        tuple(merged) if merged else (),
        machine,
        is_whole,
        forked_at,
        author or "",
    )
