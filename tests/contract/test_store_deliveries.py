"""What sessions were offered and told, promised by every engine."""

from collections.abc import Callable
from dataclasses import replace

from holdfast.domain.client import Delivery
from holdfast.store.port import Store
from tests.builders import (
    OTHER_SESSION,
    SESSION,
    WORKSPACE,
    a_draft,
)

CHECKPOINT = f"ccp-{SESSION}-01-1768737600000"


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


def test_what_reached_a_model_is_told_oldest_first(store: Store) -> None:
    """An offer that nobody took cost nothing."""
    store.offer(an_offer())
    store.offer(replace(an_offer(), session_id=SESSION))
    store.deliver(SESSION, "brief", tokens=900)
    store.deliver(OTHER_SESSION, "nothing")
    store.offer(replace(an_offer("clear"), session_id=SESSION))

    told = [(d.session_id, d.delivered, d.tokens) for d in store.deliveries()]
    assert told == [(OTHER_SESSION, "nothing", 0), (SESSION, "brief", 900)]


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


def test_another_process_finds_the_offer(open_store: Callable[..., Store]) -> None:
    """Each hook is a process of its own."""
    open_store("one").offer(an_offer())

    assert open_store("one").offered(OTHER_SESSION) == an_offer()


def test_a_session_and_a_workspace_have_offers_of_their_own(store: Store) -> None:
    """A window next door must not be told what this one was offered."""
    store.offer(an_offer())

    assert store.offered(SESSION) is None
    assert store.newest_offer("/elsewhere") is None


def test_who_was_told_of_a_checkpoint_is_known(store: Store) -> None:
    """What waits for their next prompt may quote it."""
    kept = store.put(a_draft()).checkpoint.checkpoint_id
    store.offer(replace(an_offer(), checkpoint_id=kept))
    store.offer(replace(an_offer(), session_id=SESSION, checkpoint_id="ccp-another"))

    assert store.told_of([kept]) == (OTHER_SESSION,)
    assert store.told_of([]) == ()
