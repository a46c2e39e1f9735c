"""What sessions were told, and what hooks cost them."""

import json
from collections.abc import Sequence

from holdfast.domain.client import Delivery, Given, HookCost, Pressure
from holdfast.domain.text import storable
from holdfast.store.sqlite.database import Database, Row

_COLUMNS = (
    "session_id, what, rule, workspace, source, checkpoint_id, boundary, tokens,"
    " offered_at, delivered, sign"
)
_NEWEST = f"""
    SELECT {_COLUMNS}, position FROM delivery
    WHERE session_id = :session_id ORDER BY position DESC LIMIT 1
"""  # noqa: S608  # our own column names
_NEWEST_IN = f"""
    SELECT {_COLUMNS}, position FROM delivery
    WHERE workspace = :workspace ORDER BY position DESC LIMIT 1
"""  # noqa: S608  # our own column names
_WITHDRAW = """
    DELETE FROM delivery
    WHERE session_id = :session_id AND boundary = :boundary AND source = :source
        AND delivered IS NULL
"""
_OFFER = f"""
    INSERT INTO delivery ({_COLUMNS})
    VALUES (
        :session_id, :what, :rule, :workspace, :source, :checkpoint_id, :boundary,
        :tokens, :offered_at, NULL, :sign
    )
"""  # noqa: S608  # our own column names
_IS_DELIVERED = """
    SELECT 1 FROM delivery
    WHERE session_id = :session_id AND boundary = :boundary AND source = :source
        AND delivered IS NOT NULL
"""
_DELIVER = """
    UPDATE delivery SET delivered = :what, tokens = :tokens, sign = :sign
    WHERE position = :position
"""
_DELIVERED = f"""
    SELECT {_COLUMNS}, position FROM delivery
    WHERE delivered IS NOT NULL ORDER BY position
"""  # noqa: S608  # our own column names
_RECEIVERS = """
    SELECT session_id FROM delivery
    WHERE checkpoint_id = :checkpoint_id AND delivered = 'brief'
    ORDER BY position
"""
_ADD_COST = """
    INSERT INTO hook_session (session_id, events, milliseconds, tokens, octets)
    VALUES (:session_id, :events, :milliseconds, :tokens, :octets)
    ON CONFLICT (session_id) DO UPDATE SET
        events = events + excluded.events,
        milliseconds = milliseconds + excluded.milliseconds,
        tokens = tokens + excluded.tokens,
        octets = octets + excluded.octets
"""
_COST = """
    SELECT events, milliseconds, tokens, octets FROM hook_session
    WHERE session_id = :session_id
"""
_COSTS = """
    SELECT session_id, events, milliseconds, tokens, octets FROM hook_session
    WHERE events > 0
"""
_PRESSURE = """
    SELECT crossed, nudged_at, context_window FROM hook_session
    WHERE session_id = :session_id
"""
_KEEP_PRESSURE = """
    INSERT INTO hook_session (session_id, crossed, nudged_at, context_window)
    VALUES (:session_id, :crossed, :nudged_at, :window)
    ON CONFLICT (session_id) DO UPDATE SET
        crossed = excluded.crossed,
        nudged_at = excluded.nudged_at,
        context_window = excluded.context_window
"""
_TOLD_OF = """
    SELECT DISTINCT session_id FROM delivery
    WHERE checkpoint_id IN (SELECT value FROM json_each(:ids))
    ORDER BY session_id
"""


def offer(database: Database, delivery: Delivery) -> None:
    values = {
        "session_id": storable(delivery.session_id),
        "what": delivery.what,
        "rule": storable(delivery.rule),
        "workspace": storable(delivery.workspace),
        "source": storable(delivery.source),
        "checkpoint_id": storable(delivery.checkpoint_id),
        "boundary": storable(delivery.boundary),
        "tokens": delivery.tokens,
        "offered_at": delivery.offered_at,
        "sign": storable(delivery.sign),
    }
    with database.writing(durable=False):
        if database.row(_IS_DELIVERED, values) is None:
            database.rows(_WITHDRAW, values)
            database.rows(_OFFER, values)


def offered(database: Database, session_id: str) -> Delivery | None:
    found = database.row(_NEWEST, {"session_id": storable(session_id)})
    return _delivery(found) if found else None


def newest_offer(database: Database, workspace: str) -> Delivery | None:
    found = database.row(_NEWEST_IN, {"workspace": storable(workspace)})
    return _delivery(found) if found else None


def deliver(
    database: Database, session_id: str, what: Given, tokens: int, sign: str
) -> bool:
    with database.writing(durable=False):
        newest = database.row(_NEWEST, {"session_id": storable(session_id)})
        if newest is None or _delivery(newest).delivered is not None:
            return False
        told = {"what": what, "tokens": tokens, "sign": sign, "position": newest[-1]}
        database.rows(_DELIVER, told)
    return True


def delivered(database: Database) -> tuple[Delivery, ...]:
    return tuple(map(_delivery, database.rows(_DELIVERED)))


def receivers(database: Database, checkpoint_id: str) -> tuple[str, ...]:
    rows = database.rows(_RECEIVERS, {"checkpoint_id": storable(checkpoint_id)})
    return tuple(row[0] for row in rows)


def add_cost(database: Database, session_id: str, cost: HookCost) -> None:
    values = {
        "session_id": storable(session_id),
        "events": cost.events,
        "milliseconds": cost.milliseconds,
        "tokens": cost.tokens,
        "octets": cost.octets,
    }
    with database.writing(durable=False):
        database.rows(_ADD_COST, values)


def hook_cost(database: Database, session_id: str) -> HookCost:
    found = database.row(_COST, {"session_id": storable(session_id)})
    return HookCost(*found) if found else HookCost()


def hook_costs(database: Database) -> dict[str, HookCost]:
    return {session: HookCost(*cost) for session, *cost in database.rows(_COSTS)}


def pressure(database: Database, session_id: str) -> Pressure:
    found = database.row(_PRESSURE, {"session_id": storable(session_id)})
    return Pressure(bool(found[0]), found[1], found[2]) if found else Pressure()


def keep_pressure(database: Database, session_id: str, kept: Pressure) -> None:
    values = {
        "session_id": storable(session_id),
        "crossed": int(kept.crossed),
        "nudged_at": kept.nudged_at,
        "window": kept.window,
    }
    with database.writing(durable=False):
        database.rows(_KEEP_PRESSURE, values)


def told_of(database: Database, checkpoint_ids: Sequence[str]) -> tuple[str, ...]:
    """Return the sessions that were offered one of these."""
    rows = database.rows(
        _TOLD_OF, {"ids": json.dumps([storable(each) for each in checkpoint_ids])}
    )
    return tuple(row[0] for row in rows)


def _delivery(row: Row) -> Delivery:
    session, what, rule, workspace, source, checkpoint, boundary, *rest = row
    tokens, at, delivered, sign, _ = rest
    return Delivery(
        session_id=session,
        what=what,
        rule=rule,
        workspace=workspace,
        source=source,
        checkpoint_id=checkpoint,
        boundary=boundary,
        tokens=tokens,
        offered_at=at,
        delivered=delivered,
        sign=sign,
    )
