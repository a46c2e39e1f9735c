"""Is the store whole? Structure, chain, head, rows and index, one finding each.

The engine's own check sees broken structure and hardly ever a changed byte of content;
the chain sees every change to a record, and seals every change to what stands beside.
"""

from collections.abc import Callable, Collection, Iterator

from holdfast.domain.query import HealthResult
from holdfast.kernel.errors import HoldfastError
from holdfast.store.chain import Entry, Head, Walk, tombstone_text
from holdfast.store.sqlite.database import Database, Row, batches
from holdfast.store.sqlite.repair.checking_index import check_index
from holdfast.store.sqlite.schema import head as head_file
from holdfast.store.sqlite.schema.definitions import FOUND, changed
from holdfast.store.sqlite.schema.migrate import SCHEMA
from holdfast.store.sqlite.schema.seals import SEALED, broken
from holdfast.store.sqlite.write.rewriting import Rewrites
from holdfast.store.sqlite.write.rows import tombstone_of

_ADVICE = "keep what is whole with `holdfast doctor --repair`"
EVERYTHING = ("structure", "chain", "head", "rows", "index")
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


def _told(name: str, look: Callable[[], tuple[list[str], str]]) -> HealthResult:
    """Return the finding of one look, which itself may stumble over the damage."""
    try:
        problems, fine = look()
    except HoldfastError as error:
        return HealthResult(name, "fail", error.message, _ADVICE)
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        return HealthResult(name, "fail", f"a row cannot be read: {error}", _ADVICE)
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
    walk = Walk()
    rewrites = Rewrites(database)
    for row in batches(database, _CHAIN):
        walk.step(rewrites.told(_entry(row)))
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


def _rows(database: Database) -> tuple[list[str], str]:
    """Look at everything that stands outside the chain: its seals."""
    problems = []
    for table in SEALED:
        count = sum(1 for _ in broken(database, table))
        if count:
            problems.append(f"{counted(count)} of `{table}` changed since it was kept")
    return problems, "every row is as it was kept"


def counted(count: int) -> str:
    return "a row" if count == 1 else f"{count:,} rows"
