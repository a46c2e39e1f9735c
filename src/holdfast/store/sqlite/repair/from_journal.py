"""Bring back from the journal what the database lost, in the caller's transaction.

What the database proves stays as it is. A text from the journal is taken only if the chain,
or the record's last rewrite, proves it: a line may be older than a rewrite or a removal.
Lines prove each other, of whatever store they are: a journal that disagrees with what else
is known of the chain is another store's, and is set aside.
"""

import json
from collections.abc import Iterator, Mapping

from holdfast.domain.record import checkpoint_from
from holdfast.kernel.errors import HoldfastError
from holdfast.store.chain import GENESIS, is_whole, link
from holdfast.store.journal import Journal, JournalEntry
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite import head_file
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.repair.checking import last_observation
from holdfast.store.sqlite.repair.repairing_records import (
    BEHIND,
    LOST_NAME,
    entry_at,
    has_tombstone,
    set_aside,
    set_entry,
)
from holdfast.store.sqlite.repair.repairing_rows import count_up
from holdfast.store.sqlite.rows import columns_of
from holdfast.store.sqlite.write.forgetting import ADD_TOMBSTONE
from holdfast.store.sqlite.write.insert_checkpoint import ADD_RECORD
from holdfast.store.sqlite.write.rewriting import ADD_REWRITE

_HAS_NAME = "SELECT 1 FROM checkpoint WHERE project_id = :project_id AND name = :name"
_LAST_REWRITE = """
    SELECT old_hash, new_hash FROM rewrite
    WHERE record = :position ORDER BY position DESC LIMIT 1
"""

Lines = Mapping[int, JournalEntry]


def bring_back(database: Database, quarantine: Quarantine) -> Iterator[str]:
    """Yield what was done."""
    lines = {
        line.position: line
        for line in Journal(database.home).entries()
        if line and not line.checkpoint_id.startswith(LOST_NAME)
    }
    if _is_foreign(database, lines):
        aside = quarantine.free_folder("journal")
        Journal(database.home).begin_anew(aside)
        yield f"the journal is another store's: nothing was taken of it, it is in `{aside}`"
        return
    wanted = [at for at in sorted(lines) if not _stands(database, at, lines)]
    for at in wanted:
        for table in BEHIND:
            set_aside(database, table, at, quarantine)
        set_entry(database, lines[at], lines[at].kind, lines[at].hash)
    for at in wanted:  # what removed or rewrote a record, before the records
        if lines[at].kind == "tombstone":
            _add_beside(database, lines[at], lines)
    # The newest first: a name is the last one's who was given it.
    count = sum(_added(database, lines[at], lines) for at in reversed(wanted))
    if count:
        records = "a record was" if count == 1 else f"{count:,} records were"
        yield f"{records} brought back from the journal"
    if others := len(wanted) - count:
        entries = "an entry" if others == 1 else f"{others:,} entries"
        yield f"{entries} of the chain were looked up in the journal"


def _is_foreign(database: Database, lines: Lines) -> bool:
    """Say whether the newest entry that is known from elsewhere has another line.

    Its hash covers every entry before it. Where nothing else is left, the lines stand.
    """
    head = head_file.read(database.directory)
    for at in sorted(lines, reverse=True):
        found = entry_at(database, at)
        before = entry_at(database, at - 1).hash if at > 1 else GENESIS
        if found.text is not None and is_whole(before, found.text, found):
            return found.hash != lines[at].hash
        if head and head.position == at:
            return head.hash != lines[at].hash
    return False


def _stands(database: Database, position: int, lines: Lines) -> bool:
    """Say whether the database needs no line: it has what that says, or proves more."""
    found, line = entry_at(database, position), lines[position]
    if found.hash != line.hash or found.checkpoint_id != line.checkpoint_id:
        is_lost = found.checkpoint_id.startswith(LOST_NAME)
        before = _hash_before(database, position, lines)
        is_other = found.text is not None and is_whole(before, found.text, found)
        return is_other and not is_lost
    if found.kind == "record" and found.text is None:
        return line.text is None or found.buried_hash is not None
    before = _hash_before(database, position, lines)
    return found.text is not None and (
        found.text == line.text or is_whole(before, found.text, found)
    )


def _hash_before(database: Database, position: int, lines: Lines) -> str:
    if position == 1:
        return GENESIS
    before = lines.get(position - 1)
    return before.hash if before else entry_at(database, position - 1).hash


def _add_beside(database: Database, line: JournalEntry, lines: Lines) -> None:
    """Add the row of a tombstone or of a rewrite."""
    before = _hash_before(database, line.position, lines)
    if line.text is None or link(before, line.text) != line.hash:
        return
    told = {"removed_at": None, **json.loads(line.text), "position": line.position}
    if "new_hash" not in told:
        database.rows(ADD_TOMBSTONE, told)
        return
    named = (
        at
        for at, each in lines.items()
        if each.kind == "record" and each.checkpoint_id == line.checkpoint_id
    )
    record = next(named, None)
    if record is not None:
        database.rows(ADD_REWRITE, {**told, "record": record})


def _added(database: Database, line: JournalEntry, lines: Lines) -> bool:
    """Add a record that is proved and was not removed; say whether it was."""
    if line.kind != "record" or line.text is None:
        return False
    if has_tombstone(database, line.checkpoint_id) or not _is_proved(
        database, line, line.text, lines
    ):
        return False
    try:
        raw = json.loads(line.text)
        kept = checkpoint_from(raw, content_hash="", name=None, next_checkpoint=None)
        count_up(database, kept, last_observation(raw))
        columns = columns_of(kept)
        name = {"project_id": columns["project_id"], "name": line.name}
        is_free = line.name is not None and database.row(_HAS_NAME, name) is None
        own = {"position": line.position, "body": line.text}
        own["name"] = line.name if is_free else None
        database.rows(ADD_RECORD, {**columns, **own})
    except (HoldfastError, TypeError, ValueError, LookupError, AttributeError):
        return False  # it stays in the journal, which is set aside
    return True


def _is_proved(database: Database, line: JournalEntry, text: str, lines: Lines) -> bool:
    rewritten = database.row(_LAST_REWRITE, {"position": line.position})
    if rewritten is not None:
        return bool(link(rewritten[0], text) == rewritten[1])
    return link(_hash_before(database, line.position, lines), text) == line.hash
