"""A hook of one project may carry out what the end of a session in another asked for."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holdfast.app.care.switches import switch_off
from holdfast.app.hooks.end import carry_out
from holdfast.app.hooks.event import Hands
from holdfast.bootstrap import Desk
from holdfast.bootstrap.hooks import hands_at
from holdfast.domain.client import EndRequest
from holdfast.domain.query import Scope
from tests.e2e.hooks.conftest import World, write_session

ASKED = "add refresh tokens; never use sleep in tests"


@contextmanager
def _hands_in(directory: Path, world: World) -> Iterator[Hands]:
    desk = Desk(environ=world.environ(), project=str(directory), tolerant=True)
    try:
        yield hands_at(desk, os.getpid(), is_headless=False)
    finally:
        desk.close()


def _turn_off(directory: Path, world: World) -> None:
    with _hands_in(directory, world) as hands:
        store = hands.tools.open_store()
        project = store.project(hands.tools.code.signs(str(directory)))
        switch_off("project", project.project_id, None, hands.tools)


@pytest.mark.parametrize(
    ("off", "saved"),
    [
        pytest.param("other", 1, id="the hook's own project is off"),
        pytest.param("project", 0, id="the ended session's project is off"),
        pytest.param(None, 1, id="nothing is off"),
    ],
)
def test_the_switch_of_the_ended_sessions_project_counts(
    world: World, sessions: list[str], off: str | None, saved: int
) -> None:
    """Off here must not throw away what was asked for there, nor on here save it."""
    ended, other = sessions[0], world.root / "other"
    other.mkdir()
    write_session(world, ended, ASKED)
    request = EndRequest(
        key="end-1",
        session_id=ended,
        transcript=str(world.transcript(ended)),
        directory=str(world.project),
        type="auto",
        trigger="exit",
    )
    if off:
        _turn_off(world.root / off, world)

    with _hands_in(other, world) as hands:
        is_settled = carry_out(request, hands)
        kept = hands.tools.open_store().list(Scope(), session=ended, limit=5)

    assert is_settled
    assert len(kept) == saved
