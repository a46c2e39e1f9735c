"""Forgetting: what a store lets go of for good, and what it must keep."""

from holdfast.domain.client import Client, Delivery, HookCost
from holdfast.domain.fold import Cursor, KeptFold
from holdfast.domain.query import Query, Scope
from holdfast.domain.session import SessionState
from holdfast.store.port import Store
from tests.builders import (
    OTHER_PROJECT,
    OTHER_SESSION,
    PROJECT,
    SESSION,
    WORKSPACE,
    a_draft,
    a_session,
    identity,
)


def _fold(session_id: str) -> KeptFold:
    return KeptFold("/transcript", Cursor(), SessionState(session_id=session_id))


def _offer(session_id: str, checkpoint_id: str) -> Delivery:
    return Delivery(
        session_id=session_id,
        what="card",
        rule="test",
        workspace=WORKSPACE,
        source="startup",
        checkpoint_id=checkpoint_id,
        boundary="",
        tokens=1,
        offered_at=1,
    )


def test_every_checkpoint_comes_oldest_first(store: Store) -> None:
    """Copies come after what they were made from."""
    here = [store.put(a_draft()).checkpoint for _ in range(3)]
    abroad = store.put(a_draft(project_id=OTHER_PROJECT)).checkpoint

    every = [c.checkpoint_id for c in store.every(Scope())]
    own = [c.checkpoint_id for c in store.every(Scope(project_id=PROJECT))]

    assert own == [c.checkpoint_id for c in here]
    assert every == [*own, abroad.checkpoint_id]


def test_a_tombstone_says_when_it_was_made(store: Store) -> None:
    """Another machine that hears of it later must know which came first."""
    kept = store.put(a_draft()).checkpoint

    (tombstone,) = store.remove([kept.checkpoint_id], "forgotten", 1_768_737_600_000)

    assert tombstone.removed_at == 1_768_737_600_000
    assert {finding.state for finding in store.check()} == {"ok"}


def test_who_was_told_of_a_checkpoint_is_known(store: Store) -> None:
    """What waits for their next prompt may quote it."""
    kept = store.put(a_draft()).checkpoint.checkpoint_id
    store.offer(_offer(OTHER_SESSION, kept))
    store.offer(_offer(SESSION, "ccp-another"))

    assert store.told_of([kept]) == (OTHER_SESSION,)
    assert store.told_of([]) == ()


def test_folds_go_one_by_one(store: Store) -> None:
    """Others stay: making one again reads a whole transcript."""
    for session_id in (SESSION, OTHER_SESSION):
        store.keep_fold(session_id, _fold(session_id))

    store.drop_folds([SESSION, "nobody"])

    assert store.fold(SESSION) is None
    assert store.fold(OTHER_SESSION) == _fold(OTHER_SESSION)


def test_a_blank_session_keeps_its_family(store: Store) -> None:
    """A child of what was forgotten still finds its root."""
    store.note_session(a_session(SESSION, transcript="/t", message_count=7))
    store.note_session(a_session(OTHER_SESSION, parent_session=SESSION))
    store.keep_fold(SESSION, _fold(SESSION))
    store.add_cost(SESSION, HookCost(1, 2, 3, 4))
    client = Client(
        pid=7, started="x", session_id=SESSION, transcript="/t", workspace=WORKSPACE,
        directory=WORKSPACE, source="", headless=False, seen_at=1,
    )  # fmt: skip
    store.note_client(client)
    store.offer(_offer(SESSION, "ccp-one"))

    for _ in range(2):
        store.blank_sessions([SESSION])

    blank = store.session(SESSION)
    assert blank is not None
    assert (blank.working_directory, blank.transcript, blank.hostname) == ("", "", "")
    assert blank.message_count == 0
    assert [r.session_id for r in store.lineage(OTHER_SESSION)] == [
        SESSION,
        OTHER_SESSION,
    ]
    assert store.fold(SESSION) is None
    assert store.hook_cost(SESSION) == HookCost()
    assert store.clients() == ()
    assert store.offered(SESSION) is None


def test_a_blank_project_is_recognised_by_nothing(store: Store) -> None:
    """A save in the same directory begins a new one, with numbers of its own."""
    old = store.project(identity(remote="example.com/a/b")).project_id
    store.note_session(a_session(SESSION, project_id=old))
    store.offer(_offer(OTHER_SESSION, "ccp-one"))
    store.ask_fresh(WORKSPACE)

    store.blank_project(old)

    assert store.known_project(identity(remote="example.com/a/b")) is None
    assert store.project(identity()).project_id != old
    assert store.newest_offer(WORKSPACE) is None
    assert not store.is_fresh(WORKSPACE)
    blank = store.session(SESSION)
    assert blank is not None
    assert blank.workspace == ""


def test_wiping_changes_nothing_that_can_be_read(store: Store) -> None:
    """It is about bytes, not about records."""
    kept = [store.put(a_draft(f"Zebra {n}")).checkpoint for n in range(4)]
    store.remove([kept[1].checkpoint_id], "test")

    store.wipe()

    assert [c.draft.content.title for c in store.every(Scope())] == [
        "Zebra 0",
        "Zebra 2",
        "Zebra 3",
    ]
    assert len(store.search(Query(words=("zebra",)), Scope(), 10)) == 3
    assert {finding.state for finding in store.check()} == {"ok"}
    assert store.put(a_draft("Zebra 4")).checkpoint.number == 5
