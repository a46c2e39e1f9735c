"""Set the rows of rewrites right before the chain is mended: they prove records."""

from collections.abc import Iterator

from holdfast.domain.rewriting import Rewrite
from holdfast.kernel.lazy_values import replace
from holdfast.store.chain import GENESIS, link, rewrite_text
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite.database import Database

_WHY = "it does not match its entry in the chain"
_ALL = "SELECT position, checkpoint_id, old_hash, new_hash, reason, record FROM rewrite"
_AT = """
    SELECT checkpoint_id, old_hash, new_hash, reason FROM rewrite
    WHERE position = :position
"""
_OF = """
    SELECT checkpoint_id, old_hash, new_hash, reason FROM rewrite
    WHERE record = :position ORDER BY position
"""
_SET = """
    UPDATE rewrite SET
        checkpoint_id = :checkpoint_id, old_hash = :old_hash, new_hash = :new_hash,
        reason = :reason
    WHERE position = :position
"""
_SET_RECORD = """
    UPDATE rewrite SET record = entry.position
    FROM chain AS entry
    WHERE entry.checkpoint_id = rewrite.checkpoint_id AND entry.kind = 'record'
"""
_DELETE = "DELETE FROM rewrite WHERE position = :position"
_HASH_AT = "SELECT hash, checkpoint_id FROM chain WHERE position = :position"
_BODY_OF = "SELECT body FROM checkpoint WHERE checkpoint_id = :checkpoint_id"
_HASHES_OF = """
    SELECT hash FROM chain WHERE checkpoint_id = :checkpoint_id AND kind = 'record'
    UNION SELECT new_hash FROM rewrite WHERE checkpoint_id = :checkpoint_id
"""
_REASONS = "SELECT DISTINCT reason FROM rewrite"


def rewrite_at(database: Database, position: int) -> Rewrite | None:
    """Return the rewrite that an entry stands for, if it stands for one."""
    row = database.row(_AT, {"position": position})
    return Rewrite(*row) if row else None


def rewrites_of(database: Database, position: int) -> tuple[Rewrite, ...]:
    """Return how the record of an entry was rewritten, oldest first."""
    rows = database.rows(_OF, {"position": position})
    return tuple(Rewrite(*row) for row in rows)


def mend_rewrites(database: Database, quarantine: Quarantine) -> Iterator[str]:
    """Yield what was done; a row that stays damaged is moved to the quarantine."""
    for position, *told, record in database.rows(_ALL):
        found = Rewrite(*told)
        if _is_proved(database, position, found):
            continue
        true = next(_candidates(database, position, found), None)
        values = {"position": position, **_values(true or found)}
        if true is not None:
            database.rows(_SET, values)
            yield f"the rewrite at entry {position} was set right"
        else:
            quarantine.keep_row("rewrite", {**values, "record": record}, _WHY)
            database.rows(_DELETE, values)
            yield f"the rewrite at entry {position} was moved to the quarantine"
    before = database.rows(_ALL)
    database.rows(_SET_RECORD)
    if database.rows(_ALL) != before:
        yield "rewrites name the entries of their records again"


def _is_proved(database: Database, position: int, told: Rewrite) -> bool:
    entry = database.row(_HASH_AT, {"position": position})
    before = database.row(_HASH_AT, {"position": position - 1})
    stands_on = before[0] if before else GENESIS
    return entry is not None and link(stands_on, rewrite_text(told)) == entry[0]


def _candidates(database: Database, position: int, told: Rewrite) -> Iterator[Rewrite]:
    """Yield what the row may have said, where the chain proves it: one part differs."""
    entry = database.row(_HASH_AT, {"position": position})
    name = {"checkpoint_id": entry[1] if entry else told.checkpoint_id}
    hashes = [row[0] for row in database.rows(_HASHES_OF, name)]
    body = database.row(_BODY_OF, name)
    guesses = [replace(told, checkpoint_id=name["checkpoint_id"])]
    guesses += [replace(told, old_hash=each) for each in hashes]
    guesses += [replace(told, reason=row[0]) for row in database.rows(_REASONS)]
    if body and isinstance(body[0], str):
        guesses.append(replace(told, new_hash=link(told.old_hash, body[0])))
    yield from (guess for guess in guesses if _is_proved(database, position, guess))


def _values(told: Rewrite) -> dict[str, object]:
    return {
        "checkpoint_id": told.checkpoint_id,
        "old_hash": told.old_hash,
        "new_hash": told.new_hash,
        "reason": told.reason,
    }
