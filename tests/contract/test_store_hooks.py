"""What hooks keep beside checkpoints, promised by every engine."""

from collections.abc import Callable

import pytest

from holdfast.domain.client import Client, Delivery, HookCost, Pressure, Switch
from holdfast.domain.query import Scope
from holdfast.store.port import Store
from tests.builders import (
    OTHER_SESSION,
    PROJECT,
    SESSION,
    WORKSPACE,
    a_draft,
    session_number,
)

CHECKPOINT = f"ccp-{SESSION}-01-1768737600000"


def a_client(
    pid: int = 4242, session_id: str = SESSION, started: str = "b-1"
) -> Client:
    return Client(
        pid=pid,
        started=started,
        session_id=session_id,
        workspace=WORKSPACE,
        source="startup",
    )


def an_offer(source: str = "startup", boundary: str = "") -> Delivery:
    return Delivery(
        session_id=OTHER_SESSION,
        source=source,
        boundary=boundary,
        rule="unfinished",
        what="card",
        workspace=WORKSPACE,
        checkpoint_id=CHECKPOINT,
        tokens=60,
    )


def test_noting_a_client_returns_the_session_it_was_in(store: Store) -> None:
    """`/clear` changes the session of a client: so the two are linked."""
    assert store.note_client(a_client()) is None

    before = store.note_client(a_client(session_id=OTHER_SESSION))

    assert before == a_client()
    assert store.client(4242, "b-1") == a_client(session_id=OTHER_SESSION)


def test_a_process_id_used_again_is_another_client(store: Store) -> None:
    """Process ids come round; the start time does not."""
    store.note_client(a_client())

    assert store.note_client(a_client(started="b-2", session_id=OTHER_SESSION)) is None
    assert store.client(4242, "b-1") == a_client()
    assert store.client(4242, "b-3") is None


def test_clients_are_listed_by_workspace_the_last_noted_first(store: Store) -> None:
    """Four windows of one project are four clients."""
    store.note_client(a_client(1))
    store.note_client(a_client(2))
    store.note_client(a_client(1))

    assert [client.pid for client in store.clients(WORKSPACE)] == [1, 2]
    assert [client.pid for client in store.clients()] == [1, 2]
    assert store.clients("/elsewhere") == ()


def test_an_ended_client_is_forgotten(store: Store) -> None:
    """What is left without an end is a crash."""
    store.note_client(a_client())

    store.end_client(4242, "b-1")
    store.end_client(4242, "b-1")

    assert store.clients() == ()


def test_an_offer_is_delivered_once(store: Store) -> None:
    """The same text twice in a context is noise."""
    store.offer(an_offer())

    first = store.deliver(OTHER_SESSION, "brief", tokens=900, sign="phrase")
    again = store.deliver(OTHER_SESSION, "brief", tokens=900)

    told = store.offered(OTHER_SESSION)
    assert (first, again) == (True, False)
    assert told is not None
    assert (told.delivered, told.tokens, told.sign) == ("brief", 900, "phrase")
    assert store.receivers(CHECKPOINT) == (OTHER_SESSION,)


def test_a_start_that_fires_twice_makes_one_offer(store: Store) -> None:
    """The client may start a session twice at nearly the same moment."""
    store.offer(an_offer())
    store.offer(an_offer())

    assert store.deliver(OTHER_SESSION, "card")
    store.offer(an_offer())

    told = store.offered(OTHER_SESSION)
    assert told is not None
    assert told.delivered == "card"


def test_an_offer_that_nobody_received_has_no_receiver(store: Store) -> None:
    """Starts without a prompt happen: nothing is consumed there."""
    store.offer(an_offer())

    assert store.receivers(CHECKPOINT) == ()
    assert not store.deliver(SESSION, "card")


def test_a_compaction_is_a_delivery_of_its_own(store: Store) -> None:
    """One session can be compacted many times."""
    store.offer(an_offer())
    store.deliver(OTHER_SESSION, "card")

    store.offer(an_offer(source="compact", boundary="b1"))

    assert store.deliver(OTHER_SESSION, "lost")
    store.offer(an_offer(source="compact", boundary="b2"))
    newest = store.newest_offer(WORKSPACE)
    assert newest is not None
    assert (newest.boundary, newest.delivered) == ("b2", None)


def test_costs_add_up(store: Store) -> None:
    """What a session cost is shown, so it has to be counted."""
    store.add_cost(SESSION, HookCost(1, 40, 0, 1000))
    store.add_cost(SESSION, HookCost(1, 50, 900, 20))

    assert store.hook_cost(SESSION) == HookCost(2, 90, 900, 1020)
    assert store.hook_cost(OTHER_SESSION) == HookCost()


def test_pressure_is_remembered_beside_the_cost(store: Store) -> None:
    """A crossing is saved once, however many processes look."""
    store.add_cost(SESSION, HookCost(1, 40, 0, 1000))

    store.keep_pressure(SESSION, Pressure(crossed=True, nudged_at=200, window=500))

    assert store.pressure(SESSION) == Pressure(crossed=True, nudged_at=200, window=500)
    assert store.pressure(OTHER_SESSION) == Pressure()
    assert store.hook_cost(SESSION).milliseconds == 40


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


def test_hooks_find_what_another_process_kept(open_store: Callable[..., Store]) -> None:
    """Each hook is a process of its own."""
    open_store("one").note_client(a_client())
    open_store("one").offer(an_offer())

    later = open_store("one")

    assert later.client(4242, "b-1") == a_client()
    assert later.offered(OTHER_SESSION) == an_offer()


@pytest.mark.parametrize(
    "switch",
    [
        pytest.param(Switch("all"), id="everything"),
        pytest.param(Switch("project", PROJECT), id="its project"),
        pytest.param(Switch("session", session_number(1)), id="its session"),
        pytest.param(Switch("session", session_number(1), 501), id="for a while"),
    ],
)
def test_a_save_by_itself_is_not_put_where_it_is_off(
    store: Store, switch: Switch
) -> None:
    """Whoever turns it off, or forgets a session, must not find it recorded after."""
    store.switch_off(switch)

    kept = store.put_unless_off(a_draft(session_id=session_number(1)), 500)

    assert kept is None
    assert store.list(Scope()) == ()


@pytest.mark.parametrize(
    "switch",
    [
        pytest.param(Switch("project", "another"), id="another project"),
        pytest.param(Switch("session", session_number(2)), id="another session"),
        pytest.param(Switch("all", "", 500), id="only until now"),
    ],
)
def test_a_save_by_itself_is_put_where_something_else_is_off(
    store: Store, switch: Switch
) -> None:
    """One session that is off costs no other one a thing."""
    store.switch_off(switch)

    kept = store.put_unless_off(a_draft(session_id=session_number(1)), 500)

    assert kept is not None
    assert kept.outcome == "saved"
