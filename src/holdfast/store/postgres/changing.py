"""What may change of a kept record of the team: its name, and whether it is there."""

from collections.abc import Iterator, Sequence
from functools import partial

from holdfast.domain.checkpoint import Tombstone
from holdfast.domain.query import HealthResult
from holdfast.domain.text import storable
from holdfast.store.chain import GENESIS, link, tombstone_text
from holdfast.store.lookup_errors import name_taken, unknown
from holdfast.store.postgres import indexing
from holdfast.store.postgres.database import Row, TeamDatabase, Transaction
from holdfast.store.postgres.keeping import (
    LOCK,
    MOVE_HEAD,
    ProjectHead,
    owner_of,
    set_name,
)
from holdfast.store.postgres.rows import TOMBSTONE, tombstone_of
from holdfast.store.retention import RetentionRow

_PLACE_OF = """
    SELECT project_id, position, number, sequence, hash, name FROM checkpoint
    WHERE checkpoint_id = %(checkpoint_id)s
"""
_CONSUME = """
    UPDATE checkpoint SET consumed = true
    WHERE project_id = %(project_id)s AND position = %(position)s
      AND name IS NOT NULL
"""
_DELETE = """
    DELETE FROM checkpoint
    WHERE project_id = %(project_id)s AND position = %(position)s
"""
_BURY = """
    INSERT INTO tombstone (
        project_id, position, record, checkpoint_id, number, sequence, old_hash, hash,
        reason, removed_at
    )
    VALUES (
        %(project_id)s, %(position)s, %(record)s, %(checkpoint_id)s, %(number)s,
        %(sequence)s, %(old_hash)s, %(hash)s, %(reason)s, %(removed_at)s
    )
"""
_TAKE_BACK = """
    UPDATE shared SET body = NULL, name = NULL, change = %(kept)s
    WHERE project_id = %(project_id)s AND checkpoint_id = %(checkpoint_id)s
      AND body IS NOT NULL
"""
_RETENTION = """
    SELECT checkpoint_id, session_id, sequence, type, trigger, created_at, name,
        body::json -> 'code' ->> 'tree'
    FROM checkpoint
    ORDER BY kept, project_id, position
"""
_PROJECTS = "SELECT project_id, position, hash FROM project ORDER BY project_id"
# Each entry of a project's chain: a record, one that is gone, or a tombstone.
_CHAIN = """
    SELECT position, hash, body, previous_hash FROM checkpoint
    WHERE project_id = %(project)s
    UNION ALL
    SELECT record, old_hash, NULL, NULL FROM tombstone
    WHERE project_id = %(project)s
    UNION ALL
    SELECT position, hash, NULL, NULL FROM tombstone
    WHERE project_id = %(project)s
    ORDER BY position
"""


def rename(database: TeamDatabase, checkpoint_id: str, name: str | None) -> None:
    """Give a checkpoint a name, or take it away."""

    def renamed(run: Transaction) -> None:
        project, position, *_ = _place_of(run, checkpoint_id)
        run.one(LOCK, {"project_id": project})
        wanted = None if name is None else storable(name)
        owner = owner_of(run, project, wanted) if wanted is not None else None
        if owner is not None and owner[0] != position:
            if not owner[1]:
                raise name_taken(wanted or "", owner[2])
            set_name(run, project, owner[0], None)
        if owner is None or owner[0] != position:
            set_name(run, project, position, wanted)

    database.write(renamed)


def consume(database: TeamDatabase, checkpoint_id: str) -> None:
    """Let the next save that wants the name have it."""

    def consumed(run: Transaction) -> None:
        project, position, *_ = _place_of(run, checkpoint_id)
        run.do(_CONSUME, {"project_id": project, "position": position})

    database.write(consumed)


def remove(
    database: TeamDatabase,
    checkpoint_ids: Sequence[str],
    reason: str,
    removed_at: int | None = None,
) -> tuple[Tombstone, ...]:
    """Remove what is there, and return the tombstone of each that is gone.

    Each in a transaction of its own: no lock of a project waits for another's.
    """
    buried: dict[str, Tombstone] = {}
    for checkpoint_id in dict.fromkeys(map(storable, checkpoint_ids)):
        gone = database.write(
            partial(_bury, checkpoint_id, storable(reason), removed_at)
        )
        if gone is not None:
            buried[checkpoint_id] = gone
    return tuple(buried.values())


def retention_rows(database: TeamDatabase) -> Iterator[RetentionRow]:
    """Yield what retention needs to know of every checkpoint."""
    for row in database.read(lambda run: run.rows(_RETENTION)):
        checkpoint_id, session_id, sequence, kind, trigger, created_at, *rest = row
        yield RetentionRow(
            checkpoint_id=checkpoint_id,
            session_id=session_id,
            sequence=sequence,
            type=kind,
            trigger=trigger,
            created_at=created_at,
            named=rest[0] is not None,
            tree=rest[1],
        )


def check(database: TeamDatabase) -> Iterator[HealthResult]:
    """Walk over the chain of each project."""
    projects = database.read(lambda run: run.rows(_PROJECTS))
    problems: list[str] = []
    records = 0
    for project, head, digest in projects:
        rows = database.read(partial(_chain, project))
        records += sum(row[2] is not None for row in rows)
        problems += _problems(rows, head, digest)
    told = "; ".join(problems[:3]) or "every chain whole"
    message = f"{records:,} checkpoints in {len(projects):,} projects, {told}"
    yield HealthResult("team chain", "fail" if problems else "ok", message)


def _problems(rows: Sequence[Row], head: int, digest: str) -> Iterator[str]:
    before = GENESIS
    for expected, (position, own, body, previous) in enumerate(rows, 1):
        if position != expected:
            yield f"entry {expected} of a chain is missing"
            return
        if body is not None and (previous != before or link(before, body) != own):
            yield f"entry {position} of a chain does not match its hash"
        before = own
    if (len(rows), before) != (head, digest):
        yield "the newest entries of a chain are missing"


def _place_of(run: Transaction, checkpoint_id: str) -> tuple[str, int, int, int, str]:
    row = run.row(_PLACE_OF, {"checkpoint_id": storable(checkpoint_id)})
    if row is None:
        raise unknown(checkpoint_id)
    project, position, number, sequence, digest, _ = row
    return project, position, number, sequence, digest


def _chain(project: str, run: Transaction) -> list[Row]:
    return run.rows(_CHAIN, {"project": project})


def _bury(
    checkpoint_id: str, reason: str, removed_at: int | None, run: Transaction
) -> Tombstone | None:
    found = run.row(_PLACE_OF, {"checkpoint_id": checkpoint_id})
    if found is not None:
        head = ProjectHead(*run.one(LOCK, {"project_id": found[0]}))
        # Somebody else may have been quicker while this waited for the lock.
        found = run.row(_PLACE_OF, {"checkpoint_id": checkpoint_id})
        if found is not None:
            project, record, number, sequence, old_hash, _ = found
            gone = Tombstone(
                checkpoint_id=checkpoint_id,
                number=number,
                sequence=sequence,
                old_hash=old_hash,
                reason=reason,
                removed_at=removed_at,
            )
            _append_tombstone(run, gone, project, record, head)
            return gone
    row = run.row(TOMBSTONE, {"checkpoint_id": checkpoint_id})
    return tombstone_of(row) if row else None


def _append_tombstone(
    run: Transaction, gone: Tombstone, project: str, record: int, head: ProjectHead
) -> None:
    digest = link(head.hash, tombstone_text(gone, project))
    values = {
        "project_id": project,
        "position": head.position + 1,
        "record": record,
        "checkpoint_id": gone.checkpoint_id,
        "sequence": gone.sequence,
        "old_hash": gone.old_hash,
        "hash": digest,
        "reason": gone.reason,
        "removed_at": gone.removed_at,
        "observations": head.observations,
        "kept": head.kept,
    }
    indexing.remove(run, project, record)
    run.do(_DELETE, {"project_id": project, "position": record})
    run.do(_BURY, {**values, "number": gone.number})
    run.do(_TAKE_BACK, values)
    run.do(MOVE_HEAD, {**values, "number": head.number})
