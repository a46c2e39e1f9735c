"""A hook of one project may carry out what the end of a session in another asked for."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holdfast.app.administration.switches import switch_off
from holdfast.app.hooks.end import carry_out
from holdfast.app.hooks.event import HookContext
from holdfast.bootstrap import Container
from holdfast.bootstrap.hooks import hook_context
from holdfast.domain.client import EndRequest
from holdfast.domain.query import Scope
from tests.e2e.hooks.conftest import World, write_session

ASKED = "add refresh tokens; never use sleep in tests"


@contextmanager
def _hands_in(directory: Path, world: World) -> Iterator[HookContext]:
    container = Container(
        environ=world.environ(), project=str(directory), tolerant=True
    )
    try:
        yield hook_context(container, os.getpid(), is_headless=False)
    finally:
        container.close()


def _turn_off(directory: Path, world: World) -> None:
    with _hands_in(directory, world) as context:
        store = context.ports.open_store()
        project = store.project(context.ports.code.identity(str(directory)))
        switch_off("project", project.project_id, None, context.ports)


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

    with _hands_in(other, world) as context:
        try_carry_out = carry_out(request, context)
        kept = context.ports.open_store().list(Scope(), session=ended, limit=5)

    assert try_carry_out
    assert len(kept) == saved
