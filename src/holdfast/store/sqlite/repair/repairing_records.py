"""Repair the chain and its records, in the caller's transaction."""

import json
import os
from collections.abc import Iterator

from holdfast.domain.checkpoint import Tombstone
from holdfast.domain.record import checkpoint_from
from holdfast.store.chain import (
    ChainEntry,
    ChainHead,
    RepairDecision,
    Verdict,
    link,
    repair_decisions,
    rewrite_text,
    tombstone_text,
)
from holdfast.store.journal import JournalEntry
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite import head_file
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.repair.losses import (
    REASON,
    REMOVED_BEFORE,
    NewTombstone,
    numbered,
)
from holdfast.store.sqlite.repair.repairing_rows import (
    repair_rewrites,
    rewrite_at,
    rewrites_of,
)
from holdfast.store.sqlite.rows import tombstone_of
from holdfast.store.sqlite.write.forgetting import ADD_TOMBSTONE

LOST_NAME = "lost-"  # and the position of an entry that nothing tells more about
_TOLD = 3
BEHIND = ("checkpoint", "tombstone", "rewrite")  # what an entry may stand for
_LARGEST_GAP = (
    1_000  # positions; what lies further off was thrown there by a flipped bit
)
_POSITIONS = """
    SELECT position FROM chain UNION SELECT position FROM checkpoint
    UNION SELECT position FROM tombstone UNION SELECT position FROM rewrite
    ORDER BY position
"""
_CHAIN = "SELECT kind, checkpoint_id, hash FROM chain WHERE position = :position"
_BODY = "SELECT checkpoint_id, body FROM checkpoint WHERE position = :position"
_TOMBSTONE = """
    SELECT checkpoint_id, number, sequence, old_hash, reason, removed_at, project_id
    FROM tombstone WHERE position = :position
"""
_BURIED = "SELECT old_hash FROM tombstone WHERE checkpoint_id = :checkpoint_id"
_ROW = "SELECT * FROM {table} WHERE position = :position"
_NAMES = "SELECT name FROM pragma_table_info('{table}')"
_DELETE = "DELETE FROM {table} WHERE position = :position"
_STRAYED = """
    SELECT c.position, entry.position
    FROM checkpoint AS c
    JOIN chain AS entry ON entry.checkpoint_id = c.checkpoint_id
        AND entry.kind = 'record' AND entry.position <> c.position
    WHERE NOT EXISTS (SELECT 1 FROM checkpoint WHERE position = entry.position)
"""
_MOVE = "UPDATE checkpoint SET position = :to WHERE position = :position"
_SET_ENTRY = """
    INSERT INTO chain (position, kind, checkpoint_id, hash)
    VALUES (:position, :kind, :checkpoint_id, :hash)
    ON CONFLICT (position) DO UPDATE SET
        kind = excluded.kind, checkpoint_id = excluded.checkpoint_id,
        hash = excluded.hash
"""
_SET_OLD_HASH = """
    UPDATE tombstone SET old_hash = :hash WHERE checkpoint_id = :checkpoint_id
"""
_DROP_TOMBSTONE = "DELETE FROM tombstone WHERE checkpoint_id = :checkpoint_id"
_TAKEN = "SELECT 1 FROM tombstone WHERE project_id = :project_id AND number = :number"
_KEEP_STORE = """
    INSERT INTO store (only_row, machine, position, hash, records, observations)
    VALUES (1, :machine, :position, :hash, :records, 0)
    ON CONFLICT (only_row) DO UPDATE SET
        position = excluded.position, hash = excluded.hash, records = excluded.records
"""
_COUNT = "SELECT count(*) FROM checkpoint"


def repair_records(
    database: Database, quarantine: Quarantine, now_ms: int
) -> Iterator[str]:
    """Yield what was done. Afterwards the chain verifies."""
    for at, to in database.rows(_STRAYED):
        database.rows(_MOVE, {"position": at, "to": to})
        yield f"the record of entry {to} was listed under another position"
    yield from repair_rewrites(database, quarantine)
    count, strays = _without_strays(database, quarantine)
    yield from strays
    kept = head_file.read(database.directory)
    count = max(count, kept.position if kept else 0)
    new_tombstones: list[NewTombstone] = []
    said: dict[Verdict, list[str]] = {"rehash": [], "bury": [], "keep": []}
    for decision in _decisions(database, count, kept):
        told = _done(database, decision, new_tombstones, quarantine)
        said[decision.verdict] += told
    for each in said.values():
        yield from each[:_TOLD]
        if len(each) > _TOLD:
            yield f"and {len(each) - _TOLD:,} more of the same kind"
    yield from _close_chain(database, count, new_tombstones, now_ms)


def _decisions(
    database: Database, count: int, kept: ChainHead | None
) -> list[RepairDecision]:
    """Decide over every entry up to where the head file knows of one."""
    stored = database.row("SELECT hash FROM store")
    heads = {kept.hash} if kept else set()
    heads |= {stored[0]} if stored else set()

    def found_at(position: int) -> ChainEntry:
        entry = entry_at(database, position)
        if kept and position == kept.position and not entry.hash:
            return entry._replace(hash=kept.hash)  # so that what follows stands on it
        return entry

    return list(repair_decisions(count, found_at, heads))


def _done(
    database: Database,
    decision: RepairDecision,
    new_tombstones: list[NewTombstone],
    quarantine: Quarantine,
) -> list[str]:
    if decision.verdict == "rehash":
        entry = entry_at(database, decision.position)
        set_entry(database, entry, entry.kind, decision.hash)
        return [f"the hash of entry {decision.position} was set right"]
    if decision.verdict == "keep":
        return [*_named_right(database, decision.position)]
    return [_buried(database, decision, new_tombstones, quarantine)]


def entry_at(database: Database, position: int) -> ChainEntry:
    """Return an entry as it is found; what is no text, or not there, is None."""
    at = {"position": position}
    row = database.row(_CHAIN, at)
    kind, checkpoint_id, digest = row or ("", "", "")
    tombstone, record = database.row(_TOMBSTONE, at), database.row(_BODY, at)
    rewrite = rewrite_at(database, position)
    if record and not (tombstone or rewrite):
        kind = "record"  # whatever its entry says
    elif kind not in ("record", "tombstone"):
        kind = "tombstone" if (tombstone or rewrite) and not record else "record"
    text = found_id = None
    if kind == "tombstone" and rewrite:
        found_id, text = rewrite.checkpoint_id, rewrite_text(rewrite)
    elif kind == "tombstone" and tombstone:
        found_id = tombstone[0]
        text = tombstone_text(tombstone_of(tombstone[:6]), tombstone[6])
    elif kind == "record" and record and isinstance(record[1], str):
        found_id, text = record
        if row is None and not _is_record(text):
            text = None  # without an entry, nothing proves it
    buried = database.row(_BURIED, {"checkpoint_id": checkpoint_id})
    return ChainEntry(
        position,
        kind,
        checkpoint_id or found_id or "",
        str(digest),
        text,
        found_id,
        buried[0] if buried else None,
        rewrites_of(database, position),
    )


def _named_right(database: Database, position: int) -> Iterator[str]:
    """Let a proved entry have the id that its text says."""
    entry = entry_at(database, position)
    if entry.text is None:
        return
    told = json.loads(entry.text)
    name = told["id" if entry.kind == "record" else "checkpoint_id"]
    stored = database.one(_CHAIN, {"position": position})
    if stored[:2] != (entry.kind, name):
        named = entry._replace(checkpoint_id=name)
        set_entry(database, named, entry.kind, entry.hash)
        yield f"entry {position} names its record again"


def _is_record(text: str) -> bool:
    try:
        raw = json.loads(text)
        checkpoint_from(raw, content_hash="", name=None, next_checkpoint=None)
    except (TypeError, ValueError, LookupError, AttributeError):
        return False
    return True


def set_entry(
    database: Database, entry: ChainEntry | JournalEntry, kind: str, digest: str
) -> None:
    values = {"position": entry.position, "kind": kind, "hash": digest}
    database.rows(_SET_ENTRY, {**values, "checkpoint_id": entry.checkpoint_id})


def _without_strays(
    database: Database, quarantine: Quarantine
) -> tuple[int, list[str]]:
    """Move rows far beyond the end aside; return how long the chain is, and of what."""
    count, said = 0, list[str]()
    for (position,) in database.rows(_POSITIONS):
        if 0 < position <= count + _LARGEST_GAP:
            count = position
            continue
        for table in ("chain", *BEHIND):
            set_aside(database, table, position, quarantine)
        said.append(f"rows at position {position}, where none can be, were moved aside")
    return count, said


def _buried(
    database: Database,
    decision: RepairDecision,
    new_tombstones: list[NewTombstone],
    quarantine: Quarantine,
) -> str:
    """Move what an entry stands for aside; its tombstone comes at the end."""
    position = decision.position
    entry = entry_at(database, position)
    if entry.kind == "record" and entry.text is None and entry.buried_hash:
        # The record was removed long ago; what is wrong is its tombstone's hash of it.
        told = {"checkpoint_id": entry.checkpoint_id, "hash": decision.hash}
        database.rows(_SET_OLD_HASH, told)
        return f"the tombstone of `{entry.checkpoint_id}` names its entry again"
    row = database.row(
        "SELECT project_id, number, sequence FROM checkpoint WHERE position = :position",
        {"position": position},
    )
    for table in BEHIND:
        set_aside(database, table, position, quarantine)
    name = entry.checkpoint_id
    if entry.kind == "tombstone" or not name or has_tombstone(database, name):
        # What it removed gets a tombstone of its own; this entry stands for nothing.
        if entry.kind == "tombstone" and not _lives(database, name):
            new_tombstones += _removed_by(database, name, new_tombstones)
        name = f"{LOST_NAME}{position}"
        database.rows(_DROP_TOMBSTONE, {"checkpoint_id": name})
    set_entry(database, entry._replace(checkpoint_id=name), "record", decision.hash)
    is_record = entry.kind == "record" or row is not None
    reason = REASON if is_record else REMOVED_BEFORE
    new_tombstones.append(NewTombstone(name, decision.hash, reason, *(row or ())))
    return f"entry {position} (`{name}`) cannot be trusted: moved to the quarantine"


def _lives(database: Database, name: str) -> bool:
    wanted = {"name": name}
    found = database.row("SELECT 1 FROM checkpoint WHERE checkpoint_id = :name", wanted)
    return found is not None


def has_tombstone(database: Database, name: str) -> bool:
    return database.row(_BURIED, {"checkpoint_id": name}) is not None


def _removed_by(
    database: Database, name: str, new_tombstones: list[NewTombstone]
) -> list[NewTombstone]:
    """Return a new tombstone for the record that a lost tombstone was about."""
    found = database.row(
        "SELECT position, hash FROM chain"
        " WHERE checkpoint_id = :name AND kind = 'record'",
        {"name": name},
    )
    is_known = any(new.checkpoint_id == name for new in new_tombstones)
    if found is None or is_known or has_tombstone(database, name):
        return []
    return [NewTombstone(name, found[1], REMOVED_BEFORE)]


def set_aside(
    database: Database, table: str, position: int, quarantine: Quarantine
) -> None:
    at = {"position": position}
    row = database.row(_ROW.format(table=table), at)
    if row is None:
        return
    names = [name for (name,) in database.rows(_NAMES.format(table=table))]
    quarantine.keep_row(table, dict(zip(names, row, strict=True)), REASON)
    database.rows(_DELETE.format(table=table), at)


def _close_chain(
    database: Database, count: int, new_tombstones: list[NewTombstone], now_ms: int
) -> Iterator[str]:
    """Add the tombstones, and let the store know its newest entry."""
    found = database.row(_CHAIN, {"position": count})
    (records,) = database.one(_COUNT)
    head = ChainHead(count, found[2], records) if found else ChainHead()
    for new in numbered(database, new_tombstones):
        head = _add_tombstone(database, new, head, now_ms)
    values = {"position": head.position, "hash": head.hash, "records": head.records}
    if database.row("SELECT position, hash, records FROM store") != tuple(
        values.values()
    ):
        database.rows(_KEEP_STORE, {**values, "machine": os.uname().nodename})
        yield f"the chain ends at entry {head.position} with {head.records:,} records"
    database.move_head(head)


def _add_tombstone(
    database: Database, new: NewTombstone, head: ChainHead, now_ms: int
) -> ChainHead:
    number, project_id = new.number, str(new.project_id)
    position = head.position + 1
    taken = {"project_id": project_id, "number": number}
    if not number or database.row(_TAKEN, taken):
        number = -position  # no record ever had it
    tombstone = Tombstone(
        checkpoint_id=new.checkpoint_id,
        number=number,
        sequence=new.sequence,
        old_hash=new.old_hash,
        reason=new.reason,
        removed_at=now_ms,
    )
    digest = link(head.hash, tombstone_text(tombstone, project_id))
    entry = {"position": position, "checkpoint_id": new.checkpoint_id}
    database.rows(_SET_ENTRY, {**entry, "kind": "tombstone", "hash": digest})
    database.rows(
        ADD_TOMBSTONE,
        {
            **entry,
            "project_id": project_id,
            "number": number,
            "sequence": new.sequence,
            "old_hash": new.old_hash,
            "reason": new.reason,
            "removed_at": now_ms,
        },
    )
    return ChainHead(position, digest, head.records)
