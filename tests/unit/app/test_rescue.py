"""A start saves what crashed, but nobody waits for more than a moment."""

import shutil
from pathlib import Path

from holdfast.app.hooks.rescue import rescue
from holdfast.bootstrap import Container
from holdfast.bootstrap.hooks import hook_context
from holdfast.domain.client import Client
from holdfast.domain.query import Scope
from tests.builders import NOON, session_number

SAMPLE = (
    Path(__file__).parents[2] / "fixtures" / "transcripts" / "full-session-part1.jsonl"
)
_CRASHED = 4


class HurriedClock:
    """Each look at it costs a second."""

    def __init__(self) -> None:
        self._now = NOON

    def now_ms(self) -> int:
        self._now += 1000
        return self._now


def test_what_does_not_fit_into_a_start_is_asked_for(tmp_path: Path) -> None:
    """Many windows may have died at once; the rest is saved by a process of its own."""
    project = tmp_path / "project"
    project.mkdir()
    environ = {"HOME": str(tmp_path), "HOLDFAST_HOME": str(tmp_path / "home")}
    container = Container(environ=environ, project=str(project), clock=HurriedClock())
    context = hook_context(container, 1, is_headless=False)
    store = container.store(create=True)
    for number in range(_CRASHED):
        transcript = tmp_path / f"{session_number(number)}.jsonl"
        shutil.copyfile(SAMPLE, transcript)
        client = Client(
            pid=2**22 + number,
            started="gone",
            session_id=session_number(number),
            transcript=str(transcript),
            workspace=context.workspace,
            directory=str(project),
            source="startup",
            headless=False,
            seen_at=NOON,
        )
        store.note_client(client)

    found = rescue(context, store)

    saved = len(list(store.every(Scope())))
    assert len(found.sessions) == _CRASHED
    assert found.is_late
    assert 0 < saved < _CRASHED
    assert len(context.requests.waiting()) == _CRASHED - saved
    container.close()
