"""What a row found in a damaged file has to show before it is taken into the new one."""

import json

import apsw

from holdfast.domain.record import checkpoint_from
from holdfast.store.chain import GENESIS, link
from holdfast.store.sqlite.write.rows import columns_of

Values = dict[str, object]
_HASHES = """
    SELECT entry.hash, before.hash
    FROM chain AS entry LEFT JOIN chain AS before ON before.position = entry.position - 1
    WHERE entry.position = :position
"""
_REWRITTEN = """
    SELECT new_hash, old_hash FROM rewrite
    WHERE record = :position ORDER BY position DESC LIMIT 1
"""
_GRAVE = "SELECT 1 FROM tombstone WHERE checkpoint_id = :checkpoint_id"
_HAS_REWRITES = "SELECT 1 FROM sqlite_schema WHERE name = 'rewrite'"


def proved_record(row: Values, connection: apsw.Connection) -> Values | None:
    """Return a row of `checkpoint` with the columns its body says, if that is proved.

    The body is what the hash covers: a changed column beside it must not cost it.
    """
    body, position = row.get("body"), {"position": row.get("position")}
    if not isinstance(body, str):
        return None
    questions = [_HASHES]
    if connection.execute(_HAS_REWRITES).fetchall():
        questions.append(_REWRITTEN)
    for question in questions:
        for digest, previous in connection.execute(question, position):
            if link(str(previous or GENESIS), body) == digest:
                return row | _said(body)
    return None


def _said(body: str) -> Values:
    kept = checkpoint_from(
        json.loads(body), content_hash="", name=None, next_checkpoint=None
    )
    return dict(columns_of(kept))


def is_removed(table: str, row: Values, connection: apsw.Connection) -> bool:
    """Say whether a record was removed after the copy was made: it stays removed."""
    name = {"checkpoint_id": row.get("checkpoint_id")}
    return table == "checkpoint" and bool(connection.execute(_GRAVE, name).fetchall())
