"""The end of a session: asked for before any work, and read once by who does it."""

from collections.abc import Callable

import pytest

from holdfast.app.hooks.end import end_request
from holdfast.domain.query import Scope
from holdfast.surfaces.hooks import detach, events
from tests.builders import OTHER_SESSION, SESSION
from tests.conversation import Conversation
from tests.fakes import Workbench


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Workbench:
    """A machine on which the process of its own is this one."""

    def here(work: Callable[[], None], patience: float) -> bool:
        del patience
        work()
        return True

    monkeypatch.setattr(detach, "detached", here)
    made, talk = Workbench(), Conversation()
    talk.asks("add refresh tokens")
    talk.says("done")
    made.writes(SESSION, talk)
    return made


def test_what_waits_is_read_once_in_one_end(bench: Workbench) -> None:
    """Each look opens and parses every file of a directory, within a second and a half."""
    events.session_end(bench.event("SessionEnd", reason="exit"), bench.context())

    assert bench.requests.looks == 1
    assert bench.requests.kept == {}
    saved = bench.store.list(Scope(), session=SESSION)
    assert [checkpoint.draft.trigger for checkpoint in saved] == ["exit"]


def test_a_start_with_nothing_waiting_splits_no_process(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(work: Callable[[], None], patience: float) -> bool:
        raise AssertionError((work, patience))

    monkeypatch.setattr(detach, "detached", never)

    events.session_start(
        bench.event("SessionStart", OTHER_SESSION, source="startup"), bench.context()
    )

    assert bench.logged == []


def test_what_another_end_left_is_carried_out_by_the_next_start(
    bench: Workbench,
) -> None:
    """A client that is killed in the middle leaves a request, never nothing."""
    request = end_request(bench.event("SessionEnd", reason="exit"), bench.context())
    assert request is not None
    bench.requests.add(request)

    events.session_start(
        bench.event("SessionStart", OTHER_SESSION, source="startup"), bench.context()
    )

    assert bench.requests.kept == {}
    assert bench.store.list(Scope(), session=SESSION)
