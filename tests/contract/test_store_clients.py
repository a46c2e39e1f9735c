"""Which session a running client is in, promised by every engine."""

from collections.abc import Callable

from holdfast.domain.client import Client
from holdfast.store.port import Store
from tests.builders import (
    OTHER_SESSION,
    SESSION,
    WORKSPACE,
)


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


def test_another_process_finds_the_client(open_store: Callable[..., Store]) -> None:
    """Each hook is a process of its own."""
    open_store("one").note_client(a_client())

    assert open_store("one").client(4242, "b-1") == a_client()
