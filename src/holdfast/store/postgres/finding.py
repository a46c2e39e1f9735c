"""Find a checkpoint of the team by what it is called, or list the newest."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import LiteralString

from holdfast.domain.checkpoint import Checkpoint, Tombstone
from holdfast.domain.foreign import RecordProof
from holdfast.domain.outline import Outline, Tally, outline_of, tally_of
from holdfast.domain.query import Scope
from holdfast.domain.text import storable
from holdfast.domain.time_order import in_order_of_time, newest_first
from holdfast.kernel.errors import CheckpointNotFound
from holdfast.kernel.ids import IdPrefix, Latest, Number, Reference, SessionPrefix
from holdfast.store.lookup_errors import (
    CANDIDATES,
    COUNTED,
    ambiguous,
    foreign_proof,
    not_found,
    removed,
    unknown,
)
from holdfast.store.postgres.database import Parameters, Row, TeamDatabase, Transaction
from holdfast.store.postgres.rows import (
    BY_ID,
    KEPT,
    TOMBSTONE,
    Place,
    at,
    at_rows,
    checkpoint_of,
    tombstone_of,
    whole_checkpoint,
)
from holdfast.store.postgres.sessions import sessions_like, sessions_of

_PLACES = "SELECT project_id, position FROM checkpoint WHERE "
_NEWEST_FIRST = " ORDER BY kept DESC, project_id DESC, position DESC"
_TOMBSTONE_BY_NUMBER = """
    SELECT checkpoint_id, number, sequence, old_hash, reason, removed_at
    FROM tombstone
    WHERE project_id = %(project)s AND number = %(number)s
"""
# Those of other stores had no number here, only a place below all numbers.
_OWN_TOMBSTONES = """
    SELECT checkpoint_id, number, sequence, old_hash, reason, removed_at
    FROM tombstone
    WHERE number > 0
    ORDER BY project_id, position
"""
_IN_SCOPE = """
    (%(project)s::text IS NULL OR project_id = %(project)s)
    AND (%(workspace)s::text IS NULL OR workspace = %(workspace)s)
    AND (%(sessions)s::text[] IS NULL OR session_id = ANY(%(sessions)s))
"""
_COUNT = f"SELECT count(*) FROM checkpoint WHERE {_IN_SCOPE}"  # noqa: S608  # our own filters
# Saved while it happened, in the order of keeping; and what tells of an earlier time.
LIVE = "number > 0 AND trigger NOT IN ('backfill', 'import')"
_LISTED = f"""
    SELECT project_id, position, created_at FROM checkpoint WHERE {_IN_SCOPE} AND
"""  # noqa: S608  # our own filters
_BY_TIME = " ORDER BY created_at DESC, kept DESC, project_id DESC, position DESC"
_LATEST = "(%(project)s::text IS NULL OR project_id = %(project)s) AND number > 0"
_BY_NUMBER = """
    number = %(number)s AND number > 0
    AND (%(project)s::text IS NULL OR project_id = %(project)s)
"""
_BY_FOREIGN_NUMBER = """
    number < 0 AND given = %(number)s AND lower(machine) = lower(%(machine)s)
    AND (%(project)s::text IS NULL OR project_id = %(project)s)
    LIMIT %(most)s
"""
_BY_EXACT_ID = "checkpoint_id = %(first)s"
_BY_ID_PREFIX = """
    checkpoint_id >= %(first)s AND checkpoint_id < %(first)s || chr(1114111)
    LIMIT %(most)s
"""
_BY_NAME = """
    name = %(first)s AND (%(project)s::text IS NULL OR project_id = %(project)s)
"""
_BY_NAME_PREFIX = """
    name >= %(first)s AND name < %(first)s || chr(1114111)
    AND (%(project)s::text IS NULL OR project_id = %(project)s)
    LIMIT %(most)s
"""
_NEWEST_OF_SESSION = """
    session_id = %(session_id)s ORDER BY sequence DESC LIMIT 1
"""
_MERGED_INTO = """
    session_id = %(session_id)s AND trigger = 'merge' ORDER BY sequence
"""
_BATCH_OF = f"""
    SELECT c.kept, c.project_id, c.position, {KEPT}
    FROM checkpoint AS c
    WHERE (c.kept, c.project_id, c.position) > (%(kept)s, %(after)s, %(position)s)
      AND (%(project)s::text IS NULL OR c.project_id = %(project)s)
      AND (%(workspace)s::text IS NULL OR c.workspace = %(workspace)s)
      AND (%(sessions)s::text[] IS NULL OR c.session_id = ANY(%(sessions)s))
    ORDER BY c.kept, c.project_id, c.position
    LIMIT %(batch)s
"""  # noqa: S608  # our own columns
_OF_IDS = f"""
    SELECT c.checkpoint_id, {KEPT} FROM checkpoint AS c
    WHERE c.checkpoint_id = ANY(%(ids)s)
"""  # noqa: S608  # our own columns
_BATCH = 200


def get(database: TeamDatabase, checkpoint_id: str) -> Checkpoint:
    """Return a checkpoint by its exact id, its hash verified."""
    return database.read(lambda run: got(run, checkpoint_id))


def got(run: Transaction, checkpoint_id: str) -> Checkpoint:
    wanted = {"checkpoint_id": storable(checkpoint_id)}
    row = run.row(BY_ID, wanted)
    if row is not None:
        return checkpoint_of(row)
    gone = run.row(TOMBSTONE, wanted)
    raise removed(tombstone_of(gone)) if gone else unknown(checkpoint_id)


def proof(database: TeamDatabase, checkpoint_id: str, machine: str) -> RecordProof:
    """Return a record of this store as it was hashed."""

    def proved(run: Transaction) -> RecordProof:
        kept = got(run, checkpoint_id)
        if kept.foreign is not None:
            raise foreign_proof(kept)
        wanted = {"checkpoint_id": storable(checkpoint_id)}
        text, digest, previous, name, _ = run.one(BY_ID, wanted)
        return RecordProof(machine, previous, text, digest, name)

    return database.read(proved)


def own_tombstones(database: TeamDatabase) -> dict[str, Tombstone]:
    """Return what stays of each record that this store made and removed."""
    rows = database.read(lambda run: run.rows(_OWN_TOMBSTONES))
    return {gone.checkpoint_id: gone for gone in map(tombstone_of, rows)}


def find(
    database: TeamDatabase, reference: Reference, scope: Scope, own: str
) -> Checkpoint:
    """Return the one checkpoint a reference names; `own` is this store's name."""

    def found(run: Transaction) -> Checkpoint:
        project = _told(scope.project_id)
        places = _named_places(run, reference, project, own)
        if len(places) == 1:
            return _one_at(run, places[0])
        if not places or isinstance(reference, Latest):
            raise _nothing(run, reference, project, own)
        candidates = tuple(at(run, _newest(run, places)[:CANDIDATES]))
        raise ambiguous(reference, len(places), candidates)

    return database.read(found)


def listed(
    database: TeamDatabase,
    scope: Scope,
    limit: int | None,
    *,
    of: tuple[str | None, str | None] = (None, None),
    live: bool = False,
) -> tuple[Checkpoint, ...]:
    """Return the newest checkpoints; `of` is a session, and a lineage."""

    def found(run: Transaction) -> tuple[Checkpoint, ...]:
        wanted = {**_scoped(run, scope, of), "limit": limit}
        most = " LIMIT %(limit)s"
        kept = run.rows(_LISTED + LIVE + _NEWEST_FIRST + most, wanted)
        past = (
            run.rows(f"{_LISTED} NOT ({LIVE}) {_BY_TIME} {most}", wanted)
            if not live
            else ()
        )
        told = islice(newest_first(kept, past, _made), limit)
        return tuple(at(run, [(project, position) for project, position, _ in told]))

    return database.read(found)


def count(
    database: TeamDatabase, scope: Scope, of: tuple[str | None, str | None]
) -> int:
    """Return how many checkpoints there are."""
    return database.read(lambda run: int(run.one(_COUNT, _scoped(run, scope, of))[0]))


def merged_into(database: TeamDatabase, session_id: str) -> tuple[Checkpoint, ...]:
    """Return the checkpoints of a session that merged others into it, oldest first."""
    wanted = {"session_id": storable(session_id)}
    return database.read(
        lambda run: tuple(at(run, _places(run, _PLACES + _MERGED_INTO, wanted)))
    )


def every(database: TeamDatabase, scope: Scope) -> Iterator[Checkpoint]:
    """Yield every whole checkpoint of a scope; the store may be larger than memory."""
    for _, checkpoint in _each(database, scope, (None, None)):
        if checkpoint is not None:
            yield checkpoint


def tallies(database: TeamDatabase, scope: Scope) -> Iterator[Tally]:
    """Yield the numbers of checkpoints that this store made, oldest first."""
    for row, checkpoint in _each(database, scope, (None, None)):
        if checkpoint is not None and checkpoint.foreign is None:
            yield tally_of(checkpoint, len(row[0].encode()))


def outlines(
    database: TeamDatabase, scope: Scope, of: tuple[str | None, str | None]
) -> Iterator[Outline]:
    """Yield checkpoints in outline, oldest first."""
    kept = (checkpoint for _, checkpoint in _each(database, scope, of))
    yield from in_order_of_time(outline_of(each) for each in kept if each)


def damaged(database: TeamDatabase, checkpoint_ids: Sequence[str]) -> frozenset[str]:
    """Return which of these do not match their hash."""
    wanted = {"ids": [storable(each) for each in checkpoint_ids]}
    rows = database.read(lambda run: run.rows(_OF_IDS, wanted))
    return frozenset(
        checkpoint_id
        for checkpoint_id, *row in rows
        if not whole_checkpoint(tuple(row))
    )


def several(
    database: TeamDatabase, checkpoint_ids: Sequence[str]
) -> dict[str, Checkpoint]:
    """Return those of these that are there and match their hash."""
    wanted = {"ids": [storable(each) for each in checkpoint_ids]}
    rows = database.read(lambda run: run.rows(_OF_IDS, wanted))
    found = {name: whole_checkpoint(tuple(row)) for name, *row in rows}
    return {name: whole for name, whole in found.items() if whole is not None}


def _each(
    database: TeamDatabase, scope: Scope, of: tuple[str | None, str | None]
) -> Iterator[tuple[Row, Checkpoint | None]]:
    """Yield each row of a scope with its checkpoint, or None where that is damaged."""
    wanted: dict[str, object] = {"kept": -1, "after": "", "position": 0}
    wanted.update(database.read(lambda run: _scoped(run, scope, of)))
    while rows := database.read(
        lambda run: run.rows(_BATCH_OF, {**wanted, "batch": _BATCH})
    ):
        for *_, text, digest, previous, name, following in rows:
            row = (text, digest, previous, name, following)
            yield row, whole_checkpoint(row)
        kept, after, position, *_ = rows[-1]
        wanted.update(kept=kept, after=after, position=position)


def _scoped(
    run: Transaction, scope: Scope, of: tuple[str | None, str | None]
) -> dict[str, object]:
    session, lineage = of
    sessions = sessions_of(run, session=session, lineage=lineage)
    return {
        "project": _told(scope.project_id),
        "workspace": _told(scope.workspace),
        "sessions": None if sessions is None else list(sessions),
    }


def _made(row: Row) -> int:
    return int(row[2])


def _told(text: str | None) -> str | None:
    return None if text is None else storable(text)


def _places(
    run: Transaction, statement: LiteralString, values: Parameters
) -> list[Place]:
    return [(project, position) for project, position in run.rows(statement, values)]


def _newest(run: Transaction, places: Sequence[Place]) -> list[Place]:
    wanted = {
        "projects": [project for project, _ in places],
        "positions": [position for _, position in places],
    }
    these = (
        "(project_id, position) IN (SELECT * FROM"
        " unnest(%(projects)s::text[], %(positions)s::bigint[]))"
    )
    return _places(run, _PLACES + these + _NEWEST_FIRST, wanted)


def _one_at(run: Transaction, place: Place) -> Checkpoint:
    (row,) = at_rows(run, (place,))
    return checkpoint_of(row)


def _named_places(
    run: Transaction, reference: Reference, project: str | None, own: str
) -> list[Place]:
    match reference:
        case Latest(back=back):
            statement = _PLACES + _LATEST + _NEWEST_FIRST
            wanted = {"project": project, "back": back}
            return _places(run, statement + " LIMIT 1 OFFSET %(back)s", wanted)
        case Number():
            return _numbered(run, reference, project, own)
        case IdPrefix(prefix=prefix):
            wanted = {"first": storable(prefix), "most": COUNTED}
            exact = _places(run, _PLACES + _BY_EXACT_ID, wanted)
            return exact or _places(run, _PLACES + _BY_ID_PREFIX, wanted)
        case SessionPrefix(prefix=prefix):
            return [
                place
                for session_id in sessions_like(run, prefix)
                for place in _places(
                    run, _PLACES + _NEWEST_OF_SESSION, {"session_id": session_id}
                )
            ]
        case _:
            return _named(run, reference.prefix, project)


def _numbered(
    run: Transaction, reference: Number, project: str | None, own: str
) -> list[Place]:
    machine = reference.machine
    wanted = {
        "project": project,
        "number": reference.number,
        "machine": machine,
        "most": COUNTED,
    }
    found = _places(run, _PLACES + _BY_FOREIGN_NUMBER, wanted) if machine else []
    if _is_own(machine, own):
        found += _places(run, _PLACES + _BY_NUMBER, wanted)
    return found


def _is_own(machine: str | None, own: str) -> bool:
    return machine is None or machine.casefold() == own.casefold()


def _named(run: Transaction, prefix: str, project: str | None) -> list[Place]:
    if not prefix:
        return []
    wanted = {"project": project, "first": storable(prefix), "most": COUNTED}
    return _places(run, _PLACES + _BY_NAME, wanted) or _places(
        run, _PLACES + _BY_NAME_PREFIX, wanted
    )


def _nothing(
    run: Transaction, reference: Reference, project: str | None, own: str
) -> CheckpointNotFound:
    row = None
    match reference:
        case Number(number=number, machine=machine):
            if _is_own(machine, own):
                wanted = {"project": project, "number": number}
                row = run.row(_TOMBSTONE_BY_NUMBER, wanted)
        case IdPrefix(prefix=prefix):
            row = run.row(TOMBSTONE, {"checkpoint_id": storable(prefix)})
        case _:
            pass
    return not_found(reference, tombstone_of(row) if row else None)
