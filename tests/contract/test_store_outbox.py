"""What waits for other systems, promised by every engine."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from holdfast.domain.code import Project
from holdfast.domain.outbox import OutboxState, Parcel, ParcelDone, pause_after
from holdfast.store.foreign_records import received
from holdfast.store.port import Store
from tests.builders import NOON, PROJECT, WORKSPACE, a_draft

MEMORA = "memora"
LEASE = 60_000


def kept(store: Store, title: str = "Parser accepts nested quotes") -> str:
    return store.put(a_draft(title)).checkpoint.checkpoint_id


def claimed(store: Store, now: int = NOON, limit: int = 100) -> tuple[Parcel, ...]:
    return store.outbox.claim(MEMORA, now_ms=now, lease_ms=LEASE, limit=limit)


def ids(parcels: tuple[Parcel, ...]) -> list[str]:
    return [parcel.checkpoint_id for parcel in parcels]


def state(store: Store) -> OutboxState:
    (only,) = store.outbox.states()
    return only


def send(store: Store, remote: str = "7") -> None:
    store.outbox.acknowledge(MEMORA, [ParcelDone(p, remote) for p in claimed(store)])


@pytest.fixture
def followed(store: Store) -> Store:
    store.outbox.follow(MEMORA)
    return store


def test_what_is_kept_from_now_on_waits_oldest_first(store: Store) -> None:
    """Who sets a mirror up today did not ask for two years of work to be sent."""
    kept(store)
    store.outbox.follow(MEMORA)
    store.outbox.follow(MEMORA)

    wanted = [kept(store), kept(store)]

    assert state(store) == OutboxState(target=MEMORA, waiting=2)
    found = claimed(store)
    assert ids(found) == wanted
    assert {(p.action, p.remote, p.attempts, p.reason) for p in found} == {
        ("send", "", 0, "")
    }


def test_a_target_that_nobody_follows_has_no_parcels(store: Store) -> None:
    """Nothing is written for what nobody set up."""
    kept(store)

    assert claimed(store) == ()
    assert store.outbox.states() == ()


def test_everything_is_sent_on_request_and_what_is_there_is_not_sent_again(
    store: Store,
) -> None:
    """A mirror that was set up late can have the past, too."""
    old = kept(store)
    gone = kept(store)
    store.remove([gone], "test")
    store.outbox.follow(MEMORA)
    kept(store)
    send(store)

    store.outbox.follow(MEMORA, everything=True)

    assert state(store).waiting == 1
    assert ids(claimed(store)) == [old]


def test_what_another_store_made_is_nobodys_parcel(
    open_store: Callable[..., Store],
) -> None:
    """It was shared by whoever made it, or is not ours to share."""
    there, store = open_store(), open_store()
    proof = replace(there.proof(kept(there)), machine="laptop")
    store.outbox.follow(MEMORA)

    store.adopt(received(proof, Project(project_id=PROJECT, root=WORKSPACE)))

    assert state(store) == OutboxState(target=MEMORA)
    assert claimed(store) == ()
    store.outbox.follow("claude-mem", everything=True)
    assert [each.waiting for each in store.outbox.states()] == [0, 0]


def test_targets_have_places_of_their_own(followed: Store) -> None:
    """One that is down must not keep the other from its parcels."""
    followed.outbox.follow("claude-mem")
    kept(followed)

    send(followed)

    told = [(each.target, each.waiting) for each in followed.outbox.states()]
    assert told == [("claude-mem", 1), (MEMORA, 0)]


def test_what_somebody_is_at_is_nobody_elses_until_the_lease_is_over(
    followed: Store,
) -> None:
    """Two drains at once must not send twice; one that was killed must not lose it."""
    wanted = kept(followed)

    assert ids(claimed(followed)) == [wanted]
    assert claimed(followed, NOON + LEASE - 1) == ()
    assert state(followed).waiting == 1
    assert ids(claimed(followed, NOON + LEASE)) == [wanted]


def test_a_lease_ends_when_its_holder_is_known_to_be_gone(followed: Store) -> None:
    """A drain that was killed must not keep the next one waiting; it may have sent."""
    wanted = kept(followed)
    claimed(followed)

    followed.outbox.release(MEMORA)

    (again,) = claimed(followed)
    assert (again.checkpoint_id, again.attempts) == (wanted, 1)
    followed.outbox.release(MEMORA)
    followed.remove([wanted], "forgotten", NOON)
    assert [parcel.action for parcel in claimed(followed)] == ["remove"]


def test_drains_at_once_share_the_parcels(open_store: Callable[..., Store]) -> None:
    """Each parcel goes to one of them, whatever the order."""
    first = open_store("shared")
    first.outbox.follow(MEMORA)
    wanted = [kept(first) for _ in range(12)]

    def drain(_: int) -> list[str]:
        with_own = open_store("shared")
        found: list[str] = []
        while parcels := claimed(with_own, limit=2):
            found += ids(parcels)
        return found

    with ThreadPoolExecutor(3) as pool:
        shares = list(pool.map(drain, range(3)))

    assert sorted(each for share in shares for each in share) == sorted(wanted)


def test_a_claim_takes_as_many_as_it_may(followed: Store) -> None:
    """A batch has a size."""
    wanted = [kept(followed) for _ in range(3)]

    assert ids(claimed(followed, limit=2)) == wanted[:2]
    assert ids(claimed(followed, limit=2)) == wanted[2:]


def test_what_was_acknowledged_is_known_by_its_remote_id(followed: Store) -> None:
    """A report says "Observation #8047"; a retry sends nothing."""
    sent = kept(followed)
    (parcel,) = claimed(followed)

    for _ in range(2):
        followed.outbox.acknowledge(MEMORA, [ParcelDone(parcel, "8047")])

    assert claimed(followed, NOON + LEASE) == ()
    assert (state(followed).waiting, state(followed).done) == (0, 1)
    assert followed.outbox.remotes([sent, "ccp-none"]) == {sent: {MEMORA: "8047"}}


def test_what_failed_waits_until_it_is_due_with_its_reason(followed: Store) -> None:
    """One record that is refused must not be sent at every save."""
    wanted = kept(followed)

    followed.outbox.fail(MEMORA, claimed(followed), "answered 400", NOON + 5)

    told = state(followed)
    assert (told.waiting, told.refused, told.error) == (1, 1, "answered 400")
    assert claimed(followed, NOON + 4) == ()
    followed.outbox.release(MEMORA)
    assert claimed(followed, NOON + 4) == ()
    followed.outbox.release(MEMORA, make_due=True)
    (again,) = claimed(followed)
    assert (again.checkpoint_id, again.attempts) == (wanted, 1)
    followed.outbox.acknowledge(MEMORA, [ParcelDone(again, "1")])
    assert (state(followed).refused, state(followed).error) == (0, "")


def test_a_target_that_is_down_is_paused_until_something_arrives(
    followed: Store,
) -> None:
    """Whoever asks sees why, and since how many attempts."""
    kept(followed)
    for due in (NOON + 1, NOON + 2):
        followed.outbox.pause(MEMORA, "nobody answers", due)

    told = state(followed)
    assert (told.failures, told.due_at, told.error) == (2, NOON + 2, "nobody answers")

    send(followed)
    assert state(followed) == OutboxState(target=MEMORA, done=1)


def test_what_was_removed_is_to_be_removed_there_too(followed: Store) -> None:
    """Forgetting reaches every copy; then nothing is left of it, not even its id."""
    gone = kept(followed)
    send(followed, "12")

    followed.remove([gone], "forgotten", NOON)

    assert state(followed).waiting == 1
    (parcel,) = claimed(followed)
    assert (parcel.action, parcel.remote, parcel.reason) == (
        "remove",
        "12",
        "forgotten",
    )
    followed.outbox.acknowledge(MEMORA, [ParcelDone(parcel)])
    assert followed.outbox.remotes([gone]) == {}
    assert state(followed) == OutboxState(target=MEMORA)


def test_what_was_removed_before_anybody_claimed_it_is_no_parcel(
    followed: Store,
) -> None:
    """Nobody has it: there is nothing to tell."""
    first = kept(followed)
    claimed(followed, limit=0)  # brought in, not taken
    second = kept(followed)

    followed.remove([first, second], "forgotten", NOON)

    assert state(followed).waiting == 0
    assert claimed(followed) == ()


def test_what_was_removed_while_it_was_sent_is_removed_after(followed: Store) -> None:
    """The send may have arrived; its acknowledgement must not hide the removal."""
    gone = kept(followed)
    (sending,) = claimed(followed)
    followed.remove([gone], "forgotten", NOON)
    assert claimed(followed) == ()  # somebody is at it

    followed.outbox.acknowledge(MEMORA, [ParcelDone(sending, "3")])

    (removing,) = claimed(followed)
    assert (removing.action, removing.remote) == ("remove", "3")


def test_what_was_tried_and_removed_is_to_be_removed(followed: Store) -> None:
    """Nobody knows how far the attempt came."""
    gone = kept(followed)
    followed.outbox.fail(MEMORA, claimed(followed), "no answer in time")

    followed.remove([gone], "forgotten", NOON)

    (removing,) = claimed(followed)
    assert (removing.action, removing.checkpoint_id) == ("remove", gone)


def test_what_was_rewritten_is_to_be_replaced(followed: Store) -> None:
    """What it said before is to be gone there, too."""
    draft = a_draft("Says too much")
    checkpoint = followed.put(draft).checkpoint
    send(followed, "4")
    content = replace(checkpoint.draft.content, title="Says less")

    followed.rewrite(
        checkpoint.checkpoint_id, replace(checkpoint.draft, content=content), "test"
    )

    assert state(followed).waiting == 1
    (parcel,) = claimed(followed)
    assert (parcel.action, parcel.remote) == ("replace", "4")
    followed.outbox.acknowledge(MEMORA, [ParcelDone(parcel, "5")])
    assert state(followed) == OutboxState(target=MEMORA, done=1)


def test_another_process_finds_what_waits(open_store: Callable[..., Store]) -> None:
    """A drain is a process of its own."""
    one = open_store("one")
    one.outbox.follow(MEMORA)
    wanted = kept(one)

    assert ids(claimed(open_store("one"))) == [wanted]


def test_pauses_grow_and_end() -> None:
    """A mirror that was down for a week is asked within hours of its return."""
    pauses = [pause_after(failures) for failures in range(1, 40)]

    assert pauses[:3] == [30_000, 60_000, 120_000]
    assert pauses == sorted(pauses)
    assert pauses[-1] == 6 * 3_600_000
