"""What machines of a team give each other: proofs, and that something was taken back."""

from holdfast.domain.checkpoint import Checkpoint, PutResult
from holdfast.domain.foreign import RecordProof
from holdfast.domain.team import TeamNews
from holdfast.domain.text import storable
from holdfast.kernel.lazy_values import replace
from holdfast.store.postgres.database import TeamDatabase, Transaction
from holdfast.store.postgres.keeping import adopted_into
from holdfast.store.prepare_draft import cleaned

_SHARE = """
    INSERT INTO shared (
        project_id, checkpoint_id, change, machine, previous_hash, hash, name, body
    )
    SELECT
        %(project_id)s, %(checkpoint_id)s, p.kept, %(machine)s, %(previous_hash)s,
        %(hash)s, %(name)s, %(body)s
    FROM project AS p
    WHERE p.project_id = %(project_id)s
    ON CONFLICT (project_id, tenant, checkpoint_id) DO UPDATE SET
        name = excluded.name, change = excluded.change
    WHERE shared.name IS DISTINCT FROM excluded.name AND shared.body IS NOT NULL
"""
_GIVEN = """
    SELECT machine, previous_hash, body, hash, name FROM shared
    WHERE checkpoint_id = %(checkpoint_id)s AND body IS NOT NULL
"""
_AFTER = """
    SELECT
        change, checkpoint_id, machine, previous_hash, hash, name,
        CASE WHEN octet_length(body) > 20000000 THEN '' ELSE body END
    FROM shared
    WHERE project_id = %(project_id)s AND change > %(after)s
    ORDER BY change
    LIMIT %(limit)s
"""


def give(
    database: TeamDatabase, proof: RecordProof, checkpoint: Checkpoint
) -> PutResult:
    """Keep a record of another store for everybody, and what proves it, at once.

    Giving it again changes what it is called, and nothing else.
    """
    clean = replace(checkpoint, draft=cleaned(checkpoint.draft))
    values = {
        "project_id": clean.draft.project_id,
        "checkpoint_id": clean.checkpoint_id,
        "machine": proof.machine,
        "previous_hash": proof.previous_hash,
        "hash": proof.hash,
        "name": clean.foreign.name if clean.foreign else None,
        "body": proof.text,
    }

    def kept_and_proved(run: Transaction) -> PutResult:
        kept = adopted_into(run, clean)
        run.do(_SHARE, values)
        return kept

    return database.write(kept_and_proved)


def given(database: TeamDatabase, checkpoint_id: str) -> RecordProof | None:
    """Return what proves a record that a machine gave."""
    wanted = {"checkpoint_id": storable(checkpoint_id)}
    row = database.read(lambda run: run.row(_GIVEN, wanted))
    return RecordProof(*row) if row else None


def news(
    database: TeamDatabase, project_id: str, after: int, limit: int
) -> tuple[TeamNews, ...]:
    """Return what was given or taken back in a project since a change, oldest first."""
    wanted = {"project_id": storable(project_id), "after": after, "limit": limit}

    def told(run: Transaction) -> tuple[TeamNews, ...]:
        return tuple(
            TeamNews(
                change=change,
                checkpoint_id=checkpoint_id,
                machine=machine,
                proof=None
                if body is None
                else RecordProof(machine, previous, body, digest, name),
            )
            for change, checkpoint_id, machine, previous, digest, name, body in run.rows(
                _AFTER, wanted
            )
        )

    return database.read(told)
