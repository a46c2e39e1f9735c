"""The outbox: what must still be sent to other systems, derived from the chain.

A save writes nothing here. A claim first brings in what the chain has since the target's
cursor, in the transaction in which it takes its parcels:

    record     a parcel to send
    rewrite    the parcel of its record becomes one to replace
    tombstone  the parcel of its record becomes one to remove; one never claimed just goes
"""

import json
from collections.abc import Iterable, Mapping, Sequence

from holdfast.domain.outbox import OutboxState, Parcel, ParcelDone
from holdfast.domain.text import storable
from holdfast.store.sqlite.database import Database, Row

_IS_FOLLOWED = "SELECT cursor FROM outbox_target WHERE target = :target"
_FOLLOW = """
    INSERT INTO outbox_target (target, cursor) VALUES (:target, :cursor)
    ON CONFLICT DO NOTHING
"""
_FROM_THE_START = "UPDATE outbox_target SET cursor = 0 WHERE target = :target"
_MOVE_CURSOR = "UPDATE outbox_target SET cursor = :head WHERE target = :target"
_GATHER = (
    """
    INSERT INTO outbox (target, checkpoint_id, position, action, waits)
    SELECT :target, checkpoint_id, position, 'send', 1
    FROM checkpoint WHERE position > :cursor AND number > 0
    ON CONFLICT DO NOTHING
    """,
    # Nobody ever took it out of here, so nobody has it.
    """
    DELETE FROM outbox
    WHERE target = :target AND action = 'send'
        AND waits = 1 AND attempts = 0 AND lease = 0
        AND checkpoint_id IN (
            SELECT checkpoint_id FROM tombstone WHERE position > :cursor
        )
    """,
    """
    UPDATE outbox SET
        action = 'replace', position = newest.position, waits = 1, due_at = 0
    FROM (
        SELECT checkpoint_id, max(position) AS position
        FROM rewrite WHERE position > :cursor GROUP BY checkpoint_id
    ) AS newest
    WHERE target = :target AND outbox.checkpoint_id = newest.checkpoint_id
        AND outbox.position < newest.position
    """,
    """
    UPDATE outbox SET
        action = 'remove', position = gone.position, waits = 1, due_at = 0
    FROM tombstone AS gone
    WHERE gone.position > :cursor AND target = :target
        AND outbox.checkpoint_id = gone.checkpoint_id
        AND outbox.position < gone.position
    """,
)
_CLAIM = """
    UPDATE outbox SET lease = :until
    WHERE target = :target AND checkpoint_id IN (
        SELECT checkpoint_id FROM outbox
        WHERE target = :target AND waits = 1 AND lease <= :now AND due_at <= :now
        ORDER BY position
        LIMIT :limit
    )
    RETURNING checkpoint_id, position, action, remote, attempts, (
        SELECT reason FROM tombstone AS gone
        WHERE gone.checkpoint_id = outbox.checkpoint_id
    )
"""
# Somebody was at it: that counts as an attempt, for it may have arrived.
_RELEASE = """
    UPDATE outbox SET lease = 0, attempts = attempts + 1
    WHERE target = :target AND waits = 1 AND lease > 0
"""
_MAKE_DUE = """
    UPDATE outbox SET due_at = 0 WHERE target = :target AND waits = 1 AND due_at > 0
"""
_DROP_REMOVED = """
    DELETE FROM outbox
    WHERE target = :target AND checkpoint_id = :checkpoint_id
        AND action = 'remove' AND position = :position
"""
_ACKNOWLEDGE = """
    UPDATE outbox SET
        waits = position > :position, remote = :remote, lease = 0, attempts = 0,
        due_at = 0, error = ''
    WHERE target = :target AND checkpoint_id = :checkpoint_id
"""
_IS_WELL = """
    UPDATE outbox_target SET failures = 0, due_at = 0, error = ''
    WHERE target = :target AND (failures > 0 OR due_at > 0 OR error <> '')
"""
_FAIL = """
    UPDATE outbox SET attempts = attempts + 1, lease = 0, due_at = :due_at, error = :error
    WHERE target = :target AND checkpoint_id = :checkpoint_id AND waits = 1
"""
_PAUSE = """
    UPDATE outbox_target SET failures = failures + 1, due_at = :due_at, error = :error
    WHERE target = :target
"""
# What the next claim would bring in is counted as if it had.
_STATES = """
    SELECT t.target,
        (
            SELECT count(*) FROM (
                SELECT o.checkpoint_id FROM outbox AS o
                WHERE o.target = t.target AND o.waits = 1 AND NOT (
                    o.action = 'send' AND o.attempts = 0 AND o.lease = 0
                    AND EXISTS (
                        SELECT 1 FROM tombstone AS gone
                        WHERE gone.checkpoint_id = o.checkpoint_id
                            AND gone.position > t.cursor
                    )
                )
                UNION
                SELECT c.checkpoint_id FROM checkpoint AS c
                WHERE c.position > t.cursor AND c.number > 0 AND NOT EXISTS (
                    SELECT 1 FROM outbox AS o
                    WHERE o.target = t.target AND o.checkpoint_id = c.checkpoint_id
                )
                UNION
                SELECT o.checkpoint_id FROM chain AS entry
                JOIN outbox AS o ON o.checkpoint_id = entry.checkpoint_id
                WHERE entry.position > t.cursor AND o.target = t.target
                    AND o.waits = 0 AND o.position < entry.position
            )
        ),
        (SELECT count(*) FROM outbox AS o WHERE o.target = t.target AND o.waits = 0),
        (
            SELECT count(*) FROM outbox AS o
            WHERE o.target = t.target AND o.waits = 1 AND o.error <> ''
        ),
        t.failures, t.due_at,
        coalesce(nullif(t.error, ''), (
            SELECT o.error FROM outbox AS o
            WHERE o.target = t.target AND o.waits = 1 AND o.error <> ''
            ORDER BY o.position DESC LIMIT 1
        ), '')
    FROM outbox_target AS t
    ORDER BY t.target
"""
_REMOTES = """
    SELECT checkpoint_id, target, remote FROM outbox
    WHERE checkpoint_id IN (SELECT value FROM json_each(:ids)) AND remote <> ''
"""


class SqliteOutbox:
    """Each method does what `outbox_port.Outbox` says of it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def follow(self, target: str, *, everything: bool = False) -> None:
        named = {"target": storable(target)}
        database = self._database
        if not everything and database.row(_IS_FOLLOWED, named) is not None:
            return  # the usual case: every save asks
        with database.writing():
            database.rows(_FOLLOW, {**named, "cursor": database.head().position})
            if everything:
                database.rows(_FROM_THE_START, named)

    def claim(
        self,
        target: str,
        *,
        now_ms: int,
        lease_ms: int,
        limit: int,
    ) -> tuple[Parcel, ...]:
        wanted = {
            "target": storable(target),
            "now": now_ms,
            "until": now_ms + lease_ms,
            "limit": limit,
        }
        with self._database.writing():
            self._gather(storable(target))
            rows = self._database.rows(_CLAIM, wanted)
        return tuple(sorted(map(_parcel, rows), key=lambda parcel: parcel.position))

    def release(self, target: str, *, make_due: bool = False) -> None:
        named = {"target": storable(target)}
        with self._database.writing():
            self._database.rows(_RELEASE, named)
            if make_due:
                self._database.rows(_MAKE_DUE, named)

    def acknowledge(self, target: str, done: Sequence[ParcelDone]) -> None:
        named = {"target": storable(target)}
        with self._database.writing():
            for parcel, remote in done:
                which = {
                    **named,
                    "checkpoint_id": storable(parcel.checkpoint_id),
                    "position": parcel.position,
                }
                if parcel.action == "remove":
                    self._database.rows(_DROP_REMOVED, which)
                else:
                    known = {**which, "remote": storable(remote)}
                    self._database.rows(_ACKNOWLEDGE, known)
            self._database.rows(_IS_WELL, named)

    def fail(
        self, target: str, parcels: Sequence[Parcel], error: str, due_at: int = 0
    ) -> None:
        named = {"target": storable(target), "error": storable(error), "due_at": due_at}
        ids = (storable(parcel.checkpoint_id) for parcel in parcels)
        with self._database.writing():
            self._database.many(_FAIL, [{**named, "checkpoint_id": i} for i in ids])

    def pause(self, target: str, error: str, due_at: int) -> None:
        named = {"target": storable(target), "error": storable(error), "due_at": due_at}
        with self._database.writing():
            self._database.rows(_PAUSE, named)

    def states(self) -> tuple[OutboxState, ...]:
        return tuple(
            OutboxState(
                target=target,
                waiting=waiting,
                done=done,
                refused=refused,
                failures=failures,
                due_at=due_at,
                error=error,
            )
            for target, waiting, done, refused, failures, due_at, error in (
                self._database.rows(_STATES)
            )
        )

    def remotes(self, checkpoint_ids: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        ids = json.dumps([storable(each) for each in checkpoint_ids])
        return _by_record(self._database.rows(_REMOTES, {"ids": ids}))

    def _gather(self, target: str) -> None:
        """Bring in what the chain has since the target's cursor."""
        followed = self._database.row(_IS_FOLLOWED, {"target": target})
        head = self._database.head().position
        if followed is None or followed[0] >= head:
            return
        since = {"target": target, "cursor": followed[0]}
        for statement in _GATHER:
            self._database.rows(statement, since)
        self._database.rows(_MOVE_CURSOR, {"target": target, "head": head})


def _parcel(row: Row) -> Parcel:
    checkpoint_id, position, action, remote, attempts, reason = row
    return Parcel(
        checkpoint_id=checkpoint_id,
        position=position,
        action=action,
        remote=remote,
        attempts=attempts,
        reason=reason or "",
    )


def _by_record(rows: Iterable[Row]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for checkpoint_id, target, remote in rows:
        found.setdefault(checkpoint_id, {})[target] = remote
    return found
