"""What the user turned off, promised by every engine."""

from holdfast.domain.client import Switch
from holdfast.store.port import Store
from tests.builders import (
    WORKSPACE,
)


def test_switches_are_kept_until_they_are_taken_away(store: Store) -> None:
    """The user is in charge, in the next process too."""
    store.switch_off(Switch("project", "p1", 500))
    store.switch_off(Switch("project", "p1", 900))
    store.switch_off(Switch("all"))

    assert set(store.switches()) == {Switch("project", "p1", 900), Switch("all")}
    assert store.switch_on("project", "p1")
    assert not store.switch_on("project", "p1")
    assert store.switches() == (Switch("all"),)


def test_a_fresh_start_is_used_once(store: Store) -> None:
    """`fresh` is about the next session here, and no other."""
    store.ask_fresh(WORKSPACE)

    assert store.is_fresh(WORKSPACE)
    assert not store.is_fresh("/elsewhere")
    assert store.switches() == ()
    store.spend_fresh(WORKSPACE)
    assert not store.is_fresh(WORKSPACE)


def test_a_switch_that_ran_out_is_still_told(store: Store) -> None:
    """The caller knows the time, and says what is off."""
    store.switch_off(Switch("all", "", 1))

    assert store.switches() == (Switch("all", "", 1),)
