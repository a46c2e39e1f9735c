"""Rows and values: the only mapping between a checkpoint and its columns."""

import json

from holdfast.domain.checkpoint import Checkpoint, Draft, Tombstone
from holdfast.domain.record import checkpoint_from
from holdfast.store.chain import GENESIS, link
from holdfast.store.sqlite.database import Parameters, Row
from holdfast.store.sqlite.errors import damaged


def checkpoint_of(row: Row) -> Checkpoint:
    """Return the checkpoint of a row `body, hash, previous_hash, name, next_checkpoint`.

    Raises:
        StoreDamaged: the record does not match its hash.
    """
    checkpoint = whole_checkpoint(row)
    if checkpoint is None:
        raise damaged(
            "a record does not match its hash; it was changed after it was kept"
        )
    return checkpoint


def whole_checkpoint(row: Row) -> Checkpoint | None:
    """Return the checkpoint of such a row, or None if it does not match its hash."""
    text, digest, previous, name, following = row
    # A flipped bit can change a type, too.
    if not isinstance(text, str) or link(str(previous or GENESIS), text) != digest:
        return None
    return checkpoint_from(
        json.loads(text), content_hash=digest, name=name, next_checkpoint=following
    )


def place_of(checkpoint: Checkpoint) -> int:
    """Return a record's number; one of another store has none here, but a place."""
    return checkpoint.foreign.place if checkpoint.foreign else checkpoint.number


def columns_of(checkpoint: Checkpoint) -> Parameters:
    """Return the columns that repeat the body so that it can be looked up."""
    draft = checkpoint.draft
    return {
        "checkpoint_id": checkpoint.checkpoint_id,
        "session_id": draft.session_id,
        "sequence": checkpoint.sequence,
        "project_id": draft.project_id,
        "number": place_of(checkpoint),
        **draft_columns(draft),
    }


def draft_columns(draft: Draft) -> Parameters:
    return {
        "workspace": draft.workspace,
        "key": draft.key,
        "state_key": draft.state_key,
        "type": draft.type,
        "trigger": draft.trigger,
        "created_at": draft.created_at,
    }


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
