"""What hooks cost a session and remember of it, promised by every engine."""

from holdfast.domain.client import HookCost, Pressure
from holdfast.store.port import Store
from tests.builders import (
    OTHER_SESSION,
    SESSION,
)


def test_costs_add_up(store: Store) -> None:
    """What a session cost is shown, so it has to be counted."""
    store.add_cost(SESSION, HookCost(1, 40, 0, 1000))
    store.add_cost(SESSION, HookCost(1, 50, 900, 20))

    assert store.hook_cost(SESSION) == HookCost(2, 90, 900, 1020)
    assert store.hook_cost(OTHER_SESSION) == HookCost()


def test_every_account_can_be_read_at_once(store: Store) -> None:
    """What holdfast cost is one sum over all sessions."""
    store.add_cost(SESSION, HookCost(1, 40, 0, 1000))
    store.add_cost(OTHER_SESSION, HookCost(2, 50, 900, 20))
    store.keep_pressure("only pressure", Pressure(window=500))

    assert dict(store.hook_costs()) == {
        SESSION: HookCost(1, 40, 0, 1000),
        OTHER_SESSION: HookCost(2, 50, 900, 20),
    }


def test_pressure_is_remembered_beside_the_cost(store: Store) -> None:
    """A crossing is saved once, however many processes look."""
    store.add_cost(SESSION, HookCost(1, 40, 0, 1000))

    store.keep_pressure(SESSION, Pressure(crossed=True, nudged_at=200, window=500))

    assert store.pressure(SESSION) == Pressure(crossed=True, nudged_at=200, window=500)
    assert store.pressure(OTHER_SESSION) == Pressure()
    assert store.hook_cost(SESSION).milliseconds == 40


def test_pressure_that_is_kept_replaces_what_was(store: Store) -> None:
    """Falling below the threshold arms it again."""
    store.keep_pressure(SESSION, Pressure(crossed=True, nudged_at=200))

    store.keep_pressure(SESSION, Pressure(window=500))

    assert store.pressure(SESSION) == Pressure(window=500)
