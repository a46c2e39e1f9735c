"""Rows and values of the team's store: the only mapping between a checkpoint and columns."""

import json
from collections.abc import Iterable, Iterator, Sequence

from holdfast.domain.checkpoint import Checkpoint, Tombstone
from holdfast.domain.record import checkpoint_from
from holdfast.domain.text import storable
from holdfast.kernel.errors import StoreDamaged
from holdfast.kernel.lazy_values import replace
from holdfast.store.chain import link
from holdfast.store.postgres.database import Parameters, Row, Transaction

# A project, and a place in its chain.
Place = tuple[str, int]

KEPT = """
    c.body, c.hash, c.previous_hash, coalesce(c.name, c.called), (
        SELECT later.checkpoint_id
        FROM checkpoint AS later
        WHERE later.project_id = c.project_id
          AND later.session_id = c.session_id
          AND later.sequence > c.sequence
        ORDER BY later.sequence
        LIMIT 1
    )
"""
BY_ID = f"SELECT {KEPT} FROM checkpoint AS c WHERE c.checkpoint_id = %(checkpoint_id)s"  # noqa: S608  # our own columns
TOMBSTONE = """
    SELECT checkpoint_id, number, sequence, old_hash, reason, removed_at
    FROM tombstone
    WHERE checkpoint_id = %(checkpoint_id)s
"""
_AT = f"""
    SELECT {KEPT}
    FROM unnest(%(projects)s::text[], %(positions)s::bigint[])
        WITH ORDINALITY AS wanted (project_id, position, turn)
    JOIN checkpoint AS c
      ON c.project_id = wanted.project_id AND c.position = wanted.position
    ORDER BY wanted.turn
"""  # noqa: S608  # our own columns
_BATCH = 200


def checkpoint_of(row: Row) -> Checkpoint:
    """Return the checkpoint of a row `body, hash, previous_hash, name, next_checkpoint`.

    Raises:
        StoreDamaged: the record does not match its hash.
    """
    checkpoint = whole_checkpoint(row)
    if checkpoint is None:
        raise StoreDamaged(
            "a record of the team does not match its hash; it was changed after it was"
            " kept",
            hint="run `holdfast doctor` to see what is wrong",
        )
    return checkpoint


def whole_checkpoint(row: Row) -> Checkpoint | None:
    """Return the checkpoint of such a row, or None if it does not match its hash."""
    text, digest, previous, name, following = row
    if link(previous, text) != digest:
        return None
    found = checkpoint_from(
        json.loads(text), content_hash=digest, name=name, next_checkpoint=following
    )
    if found.foreign is None:
        return found
    return replace(found, name=None, foreign=replace(found.foreign, name=name))


def tombstone_of(row: Row) -> Tombstone:
    """Return the tombstone of a row of its columns, in the order of the value's fields."""
    checkpoint_id, number, sequence, old_hash, reason, removed_at = row
    return Tombstone(
        checkpoint_id=checkpoint_id,
        number=number,
        sequence=sequence,
        old_hash=old_hash,
        reason=reason,
        removed_at=removed_at,
    )


def columns_of(checkpoint: Checkpoint) -> Parameters:
    """Return the columns that repeat the body so that it can be looked up."""
    draft, foreign = checkpoint.draft, checkpoint.foreign
    return {
        "checkpoint_id": checkpoint.checkpoint_id,
        "session_id": draft.session_id,
        "sequence": checkpoint.sequence,
        "project_id": draft.project_id,
        "number": foreign.place if foreign else checkpoint.number,
        "machine": foreign.machine if foreign else None,
        "given": checkpoint.number,
        "called": foreign.name if foreign else None,
        "workspace": draft.workspace,
        "key": draft.key,
        "state_key": draft.state_key,
        "type": draft.type,
        "trigger": draft.trigger,
        "created_at": draft.created_at,
    }


def at(run: Transaction, places: Iterable[Place]) -> Iterator[Checkpoint]:
    """Yield the checkpoints at these places, in their order.

    One that does not match its hash is left out: `get` and `check` tell about it, and
    the others must stay within reach.
    """
    wanted = list(places)
    for start in range(0, len(wanted), _BATCH):
        for row in at_rows(run, wanted[start : start + _BATCH]):
            checkpoint = whole_checkpoint(row)
            if checkpoint is not None:
                yield checkpoint


def at_rows(run: Transaction, places: Sequence[Place]) -> list[Row]:
    values = {
        "projects": [storable(project) for project, _ in places],
        "positions": [position for _, position in places],
    }
    return run.rows(_AT, values)
