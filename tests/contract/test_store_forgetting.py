"""Forgetting: what a store lets go of for good, and what it must keep."""

from holdfast.domain.client import Client, Delivery, HookCost
from holdfast.domain.query import Query, Scope
from holdfast.domain.session import Cursor, KeptFold, SessionState
from holdfast.store.port import Store
from tests.builders import (
    OTHER_SESSION,
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


def test_wiping_the_log_loses_no_record(store: Store) -> None:
    """It is done after every order, and must cost nothing that was kept."""
    kept = store.put(a_draft("Zebra")).checkpoint

    assert store.wipe_log()

    assert store.get(kept.checkpoint_id) == kept


def test_a_blank_project_gives_no_number_twice(store: Store) -> None:
    """A draft of it that waited in the spool still goes in, behind what was there."""
    project = store.project(identity()).project_id
    store.put(a_draft(project_id=project))

    store.blank_project(project)

    assert store.put(a_draft(project_id=project)).checkpoint.number == 2
