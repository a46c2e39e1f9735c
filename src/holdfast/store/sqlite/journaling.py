"""Let the journal follow the chain: after each commit, under the lock of the writers.

What the journal lacks is read back from the database, so a process that died before it
wrote its line costs nothing: the next one writes both.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from holdfast.domain.checkpoint import Tombstone
from holdfast.domain.forgetting import Rewrite
from holdfast.kernel.digests import canonical
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.store.chain import rewrite_text, tombstone_text
from holdfast.store.journal import Journal, JournalEntry

Row = tuple[Any, ...]
Rows = Callable[[str, Mapping[str, Any]], list[Row]]  # of an open database

_AT_ONCE = 200  # lines; a journal that is further behind catches up save by save
_COLUMNS = """
    SELECT
        entry.position, entry.kind, entry.checkpoint_id, entry.hash, c.name, c.body,
        t.checkpoint_id, t.number, t.sequence, t.old_hash, t.reason, t.removed_at,
        t.project_id, r.checkpoint_id, r.old_hash, r.new_hash, r.reason, r.record
    FROM chain AS entry
    LEFT JOIN checkpoint AS c ON c.position = entry.position
    LEFT JOIN tombstone AS t ON t.position = entry.position
    LEFT JOIN rewrite AS r ON r.position = entry.position
"""
_AFTER = f"""
    {_COLUMNS} WHERE entry.position > :after ORDER BY entry.position LIMIT :batch
"""
_AT = f"""
    {_COLUMNS} WHERE entry.position IN (SELECT value FROM json_each(:positions))
"""  # noqa: S608  # our own names
# A walk over the chain, only after a process died between its commit and its lines.
_POSITIONS_OF = """
    SELECT position FROM chain
    WHERE kind = 'record' AND checkpoint_id IN (SELECT value FROM json_each(:ids))
"""
_BURIED = (
    "checkpoint_id", "number", "sequence", "old_hash", "reason", "removed_at",
)  # fmt: skip
_HASH_AT = "SELECT hash FROM chain WHERE position = :position"


class JournalState(NamedTuple):
    """How the journal compares with the database."""

    lines: int
    unreadable: int
    different: (
        int  # positions whose line says something else, or is missing before the last
    )
    behind: int  # the newest entries, as after a crash


class ChainJournal:
    """The journal of an open database, which is asked by `rows`."""

    def __init__(self, home: str, rows: Rows) -> None:
        self._home = home
        self._rows = rows
        self._journal = Journal(home)

    def follow(self, changed: Collection[int] = ()) -> bool:
        """Write what the journal lacks; say whether it has everything then.

        `changed` are the positions of records whose line says something else.

        Raises:
            OSError, StoreBusy, StoreDamaged: it lacks something.
        """
        after = self._known()
        rows = self._rows(_AFTER, {"after": after, "batch": _AT_ONCE})
        # Before the lines that tell of it: killed in between, the next one does it again.
        self._change({*changed, *self._changed_by(rows, changed)}, after)
        if rows:
            self._journal.append([_entry_of(row) for row in rows])
        return len(rows) < _AT_ONCE

    def follow_wholly(self) -> None:
        """Write all that the journal lacks, and see it on the disk.

        Raises:
            OSError, StoreBusy, StoreDamaged: it lacks something.
        """
        while not self.follow():
            continue
        self._journal.flush()

    def write_anew(self) -> None:
        """Set aside a journal that does not say what the database does; write another.

        Raises:
            OSError, StoreBusy, StoreDamaged: it is not written; the next save goes on.
        """
        self._set_aside()
        self.follow_wholly()

    def compared(self) -> JournalState:
        """Compare every line with the database, which is taken to be right."""
        found: dict[int, int] = {}  # a journal may be larger than memory
        lines = unreadable = different = last = behind = 0
        for entry in self._journal.entries():
            lines += 1
            if entry is None:
                unreadable += 1
            else:
                found[entry.position] = hash(entry)
                last = max(last, entry.position)
        for wanted in self._wanted():
            if wanted.position > last:
                behind += 1
            elif found.pop(wanted.position, None) != hash(wanted):
                different += 1
        return JournalState(lines, unreadable, different + len(found), behind)

    def _wanted(self) -> Iterator[JournalEntry]:
        """Yield the line that each entry of the chain should have."""
        after = 0
        while rows := self._rows(_AFTER, {"after": after, "batch": _AT_ONCE}):
            yield from map(_entry_of, rows)
            after = rows[-1][0]

    def _known(self) -> int:
        """Return how far the journal is; one of another chain is set aside."""
        for last in (self._journal.last, self._journal.last_readable):
            position, digest = last() or (-1, "")
            known = self._rows(_HASH_AT, {"position": position})
            if position == 0 or known == [(digest,)]:
                return position
        self._set_aside()
        return 0

    def _set_aside(self) -> None:
        from holdfast.store.quarantine import Quarantine  # noqa: PLC0415  # hardly ever

        self._journal.begin_anew(Quarantine(self._home).free_folder("journal"))

    def _changed_by(self, rows: Sequence[Row], known: Collection[int]) -> set[int]:
        """Return the records that entries tell of: that were removed, or rewritten."""
        rewritten = {row[-1] for row in rows if row[-1] is not None}
        removed = {
            row[6] for row in rows if row[1] == "tombstone" and row[6] is not None
        }
        if len(removed) <= len(known):
            return rewritten
        found = self._rows(_POSITIONS_OF, {"ids": canonical([*removed])})
        return rewritten | {position for (position,) in found}

    def _change(self, positions: Collection[int], known: int) -> None:
        """Let the lines of these records say what they are now."""
        if positions:
            rows = self._rows(_AT, {"positions": canonical([*positions])})
            self._journal.change(
                {row[0]: _entry_of(row) for row in rows if row[0] <= known}
            )


def _entry_of(row: Row) -> JournalEntry:
    position, kind, checkpoint_id, digest, name, text, *rest = row
    tombstone, rewrite = rest[:7], rest[7:11]
    if kind == "tombstone" and rewrite[0] is not None:
        text = rewrite_text(Rewrite(*rewrite))
    elif kind == "tombstone" and tombstone[0] is not None:
        *told, project_id = tombstone
        buried = Tombstone(**dict(zip(_BURIED, told, strict=True)))
        text = tombstone_text(buried, project_id)
    return JournalEntry(position, kind, checkpoint_id, name, text, digest)
