"""Find one checkpoint by what it is called, or list the newest.

Every statement here is answered by an index: the cost does not grow with the store.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from holdfast.domain.checkpoint import Checkpoint, Tombstone
from holdfast.domain.foreign import RecordProof
from holdfast.domain.query import Scope
from holdfast.domain.text import storable
from holdfast.kernel.errors import CheckpointNotFound
from holdfast.kernel.ids import IdPrefix, Latest, Number, Reference, SessionPrefix
from holdfast.store.chain import GENESIS
from holdfast.store.lookup_errors import (
    CANDIDATES,
    COUNTED,
    ambiguous,
    foreign_proof,
    not_found,
    removed,
    unknown,
)
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.rows import checkpoint_of, tombstone_of, whole_checkpoint
from holdfast.store.sqlite.sessions import family

_AT = """
    SELECT body, hash, previous_hash, name, next_checkpoint
    FROM kept
    WHERE position = :position
"""
_BY_ID = """
    SELECT body, hash, previous_hash, name, next_checkpoint
    FROM kept
    WHERE checkpoint_id = :checkpoint_id
"""
_ID_POSITION = "SELECT position FROM checkpoint WHERE checkpoint_id = :checkpoint_id"
_MACHINE = "SELECT machine FROM store"
_TOMBSTONE_BY_ID = """
    SELECT checkpoint_id, number, sequence, old_hash, reason, removed_at
    FROM tombstone
    WHERE checkpoint_id = :checkpoint_id
"""
# Those of other stores had no number here, only a place below all numbers.
_OWN_TOMBSTONES = """
    SELECT checkpoint_id, number, sequence, old_hash, reason, removed_at
    FROM tombstone
    WHERE number > 0
    ORDER BY position
"""
_TOMBSTONE_BY_NUMBER = """
    SELECT checkpoint_id, number, sequence, old_hash, reason, removed_at
    FROM tombstone
    WHERE project_id = :project AND number = :number
"""
# A record of another store has a place below zero in the column of numbers.
_LATEST = """
    SELECT position FROM checkpoint
    WHERE position > 0 AND number > 0
    ORDER BY position DESC
    LIMIT 1 OFFSET :back
"""
_LATEST_OF_PROJECT = """
    SELECT position FROM checkpoint
    WHERE project_id = :project AND number > 0
    ORDER BY number DESC
    LIMIT 1 OFFSET :back
"""
_BY_NUMBER = """
    SELECT c.position
    FROM project AS p
    CROSS JOIN checkpoint AS c ON c.project_id = p.project_id AND c.number = :number
    WHERE :project IS NULL OR p.project_id = :project
"""
_BY_FOREIGN_NUMBER = """
    SELECT position FROM checkpoint
    WHERE number < 0
      AND iif(json_valid(body), json_extract(body, '$.number'), NULL) = :number
      AND iif(json_valid(body), json_extract(body, '$.foreign.machine'), NULL)
          = :machine COLLATE NOCASE
      AND (:project IS NULL OR project_id = :project)
    LIMIT :most
"""
_BY_ID_PREFIX = """
    SELECT position FROM checkpoint
    WHERE checkpoint_id >= :first AND checkpoint_id < :end
    LIMIT :most
"""
_BY_NAME = """
    SELECT c.position
    FROM project AS p
    CROSS JOIN checkpoint AS c ON c.project_id = p.project_id AND c.name = :name
    WHERE :project IS NULL OR p.project_id = :project
"""
_BY_NAME_PREFIX = """
    SELECT c.position
    FROM project AS p
    CROSS JOIN checkpoint AS c
      ON c.project_id = p.project_id AND c.name >= :first AND c.name < :end
    WHERE :project IS NULL OR p.project_id = :project
    LIMIT :most
"""
_SESSIONS = """
    SELECT session_id FROM session
    WHERE session_id COLLATE NOCASE >= :first AND session_id COLLATE NOCASE < :end
"""
_NEWEST_OF_SESSION = """
    SELECT position FROM checkpoint
    WHERE session_id = :session_id
    ORDER BY sequence DESC
    LIMIT 1
"""
_MERGED_INTO = """
    SELECT position FROM checkpoint
    WHERE session_id = :session_id AND trigger = 'merge'
    ORDER BY sequence
"""

_LAST = "\U0010ffff"  # sorts after every text
_BATCH = 200
_POSITIONS = """
    SELECT position FROM checkpoint
    WHERE position > :after
      AND (:project IS NULL OR project_id = :project)
      AND (:workspace IS NULL OR workspace = :workspace)
    ORDER BY position
    LIMIT :batch
"""


def get(database: Database, checkpoint_id: str) -> Checkpoint:
    """Return a checkpoint by its exact id, its hash verified."""
    wanted = {"checkpoint_id": storable(checkpoint_id)}
    with database.reading():
        row = database.row(_BY_ID, wanted)
        if row is not None:
            return checkpoint_of(row)
        gone = database.row(_TOMBSTONE_BY_ID, wanted)
    raise removed(tombstone_of(gone)) if gone else unknown(checkpoint_id)


def proof(database: Database, checkpoint_id: str) -> RecordProof:
    """Return a record of this store as it was hashed."""
    wanted = {"checkpoint_id": storable(checkpoint_id)}
    with database.reading():
        kept = get(database, checkpoint_id)
        if kept.foreign is not None:
            raise foreign_proof(kept)
        text, digest, previous, name, _ = database.one(_BY_ID, wanted)
        own = machine(database)
    return RecordProof(own, str(previous or GENESIS), text, digest, name)


def own_tombstones(database: Database) -> dict[str, Tombstone]:
    """Return what stays of each record that this store made and removed."""
    found = map(tombstone_of, database.rows(_OWN_TOMBSTONES))
    return {tombstone.checkpoint_id: tombstone for tombstone in found}


def find(database: Database, reference: Reference, scope: Scope) -> Checkpoint:
    """Return the one checkpoint a reference names."""
    with database.reading():
        positions = _positions(database, reference, scope.project_id)
        if len(positions) == 1:
            return checkpoint_of(database.one(_AT, {"position": positions[0]}))
        if not positions or isinstance(reference, Latest):
            raise _nothing(database, reference, scope.project_id)
        newest = sorted(positions, reverse=True)
        candidates = tuple(islice(at(database, newest), CANDIDATES))
    raise ambiguous(reference, len(positions), candidates)


def merged_into(database: Database, session_id: str) -> tuple[Checkpoint, ...]:
    """Return the checkpoints of a session that merged others into it, oldest first."""
    with database.reading():
        rows = database.rows(_MERGED_INTO, {"session_id": storable(session_id)})
        return tuple(at(database, (row[0] for row in rows)))


def sessions_of(
    database: Database, *, session: str | None, lineage: str | None
) -> tuple[str, ...] | None:
    """Return the sessions a listing is about, or None if it is about all of them."""
    if session is None and lineage is None:
        return None
    own = None if session is None else sessions_like(database, session)
    if lineage is None:
        return own
    start = (storable(lineage), *sessions_like(database, lineage))
    kin = family(database, start)
    return kin if own is None else tuple(found for found in own if found in set(kin))


def sessions_like(database: Database, prefix: str) -> tuple[str, ...]:
    """Return the ids that start with a prefix, or the one that is it exactly."""
    if not prefix:
        return ()
    wanted = prefix_range(storable(prefix))
    found = tuple(row[0] for row in database.rows(_SESSIONS, wanted))
    exact = tuple(i for i in found if i.lower() == prefix.lower())
    return exact or found


def at(database: Database, positions: Iterable[int]) -> Iterable[Checkpoint]:
    """Yield the checkpoints at these places of the chain.

    One that does not match its hash is left out: `get` and `check` tell about it, and
    the others must stay within reach.
    """
    for position in positions:
        row = database.row(_AT, {"position": position})
        checkpoint = whole_checkpoint(row) if row else None
        if checkpoint is not None:
            yield checkpoint


def is_own(database: Database, name: str) -> bool:
    return name.casefold() == machine(database).casefold()


def prefix_range(prefix: str) -> dict[str, str]:
    """Return the bounds of all texts that start with a prefix."""
    first = storable(prefix)
    return {"first": first, "end": first + _LAST}


def every(database: Database, scope: Scope) -> Iterator[Checkpoint]:
    """Yield every whole checkpoint of a scope; the store may be larger than memory."""
    wanted = {"project": scope.project_id, "workspace": scope.workspace}
    after = 0
    while rows := database.rows(
        _POSITIONS, {**wanted, "after": after, "batch": _BATCH}
    ):
        yield from at(database, (row[0] for row in rows))
        after = rows[-1][0]


def machine(database: Database) -> str:
    """Return the name of the machine that made the store."""
    return str(database.one(_MACHINE)[0])


def _positions(
    database: Database, reference: Reference, project: str | None
) -> list[int]:
    match reference:
        case Latest(back=back):
            statement = _LATEST if project is None else _LATEST_OF_PROJECT
            rows = database.rows(statement, {"project": project, "back": back})
        case Number(number=number, machine=machine):
            wanted = {"project": project, "number": number, "machine": machine}
            rows = []
            if machine:
                most = {**wanted, "most": COUNTED}
                rows += database.rows(_BY_FOREIGN_NUMBER, most)
            if machine is None or is_own(database, machine):
                rows += database.rows(_BY_NUMBER, wanted)
        case IdPrefix(prefix=prefix):
            exact = database.rows(_ID_POSITION, {"checkpoint_id": storable(prefix)})
            rows = exact or database.rows(
                _BY_ID_PREFIX, {**prefix_range(prefix), "most": COUNTED}
            )
        case SessionPrefix(prefix=prefix):
            return _newest_of_sessions(database, prefix)
        case _:
            return _named(database, reference.prefix, project)
    return [row[0] for row in rows]


def _newest_of_sessions(database: Database, prefix: str) -> list[int]:
    found: list[int] = []
    for session_id in sessions_like(database, prefix):
        row = database.row(_NEWEST_OF_SESSION, {"session_id": session_id})
        if row is not None:
            found.append(row[0])
    return found


def _named(database: Database, prefix: str, project: str | None) -> list[int]:
    if not prefix:
        return []
    wanted = {"project": project, "name": storable(prefix), "most": COUNTED}
    rows = database.rows(_BY_NAME, wanted) or database.rows(
        _BY_NAME_PREFIX, {**wanted, **prefix_range(prefix)}
    )
    return [row[0] for row in rows]


def _nothing(
    database: Database, reference: Reference, project: str | None
) -> CheckpointNotFound:
    row = None
    match reference:
        case Number(number=number, machine=machine):
            if machine is None or is_own(database, machine):
                wanted = {"project": project, "number": number}
                row = database.row(_TOMBSTONE_BY_NUMBER, wanted)
        case IdPrefix(prefix=prefix):
            row = database.row(_TOMBSTONE_BY_ID, {"checkpoint_id": storable(prefix)})
        case _:
            pass
    return not_found(reference, tombstone_of(row) if row else None)
