"""Which session a client is in: what hooks kept decides, its own note helps out."""

from collections.abc import Callable

import pytest

from holdfast.app.checkpoints.which_session import current_session
from holdfast.domain.client import Client, window_of
from holdfast.domain.session import SessionRecord
from holdfast.kernel.errors import StoreBusy
from holdfast.kernel.lazy_values import replace
from holdfast.store.port import Store
from tests.builders import OTHER_SESSION, SESSION
from tests.memory_store.store import MemoryStore


class Machine:
    """One process is alive."""

    def started(self, pid: int) -> str | None:
        return "boot-100" if pid == 42 else None


def _kept() -> Store:
    store = MemoryStore()
    store.note_client(Client(pid=42, started="boot-100", session_id=SESSION))
    return store


def _resumed() -> Store:
    store = MemoryStore()
    resumed = Client(pid=42, started="boot-100", session_id=SESSION, source="resume")
    store.note_client(resumed)
    return store


def _windows(*ended: str) -> Callable[[], Store]:
    def made() -> Store:
        store = MemoryStore()
        for session in (SESSION, OTHER_SESSION):
            window = window_of("boot-100", session)
            store.note_client(Client(pid=42, started=window, session_id=session))
            record = SessionRecord(
                session_id=session,
                agent="codex",
                agent_version="",
                project_id="",
                workspace="",
                working_directory="",
                hostname="",
            )
            if session in ended:
                store.note_session(replace(record, ended_at=5))
        return store

    return made


def test_of_several_windows_the_only_open_one_is_meant() -> None:
    """Codex CLI has one process for all of them; two that are open are not told apart."""
    one = current_session(42, Machine(), _windows(OTHER_SESSION), lambda *_: None)
    none = current_session(42, Machine(), _windows(), lambda *_: None)

    assert (one, none) == (SESSION, None)


def _trouble() -> Store:
    raise StoreBusy("another process holds it")


def _note(pid: int, started: str) -> str | None:
    assert (pid, started) == (42, "boot-100")
    return OTHER_SESSION


@pytest.mark.parametrize(
    ("pid", "clients", "session"),
    [
        pytest.param(42, _kept, SESSION, id="hooks saw it"),
        pytest.param(42, _resumed, OTHER_SESSION, id="a fork that no event named yet"),
        pytest.param(42, MemoryStore, OTHER_SESSION, id="no hook ran yet"),
        pytest.param(42, _trouble, OTHER_SESSION, id="the store is in trouble"),
        pytest.param(43, _kept, None, id="the process is gone"),
    ],
)
def test_the_session_is_known_or_it_is_not(
    pid: int, clients: type[MemoryStore], session: str | None
) -> None:
    """A1: the live client's process, its id with its start time; never a guess."""
    assert current_session(pid, Machine(), clients, _note) == session


def test_a_resumed_session_without_a_note_is_what_hooks_kept() -> None:
    """Headless clients keep no note, and most that resume do not fork."""
    session = current_session(42, Machine(), _resumed, lambda *_: None)

    assert session == SESSION
