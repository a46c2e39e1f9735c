"""The guard asks for nothing that cannot be done, however much time has passed."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from holdfast.app.hooks.event import HookEvent
from holdfast.app.hooks.guard import guard_clear
from holdfast.bootstrap import Container
from holdfast.bootstrap.hooks import hook_context
from holdfast.kernel.clock import SystemClock
from tests.builders import SESSION
from tests.e2e.hooks.conftest import World, write_session

ASKED = "add refresh tokens"
FIVE_MINUTES = 300_000


@dataclass(frozen=True)
class Later:
    """A clock that is ahead."""

    by_ms: int

    def now_ms(self) -> int:
        return SystemClock().now_ms() + self.by_ms


def outcome(world: World, later: int) -> str:
    """Type `/clear` some time from now."""
    environ = world.environ(
        HOLDFAST_REQUIRE_CHECKPOINT="true", HOLDFAST_ALLOW_FORCE="false"
    )
    container = Container(
        environ=environ, project=str(world.project), clock=Later(later), tolerant=True
    )
    event = HookEvent(
        name="UserPromptSubmit",
        session_id=SESSION,
        prompt="/clear",
        directory=str(world.project),
        transcript=str(world.transcript(SESSION)),
    )
    try:
        verdict = guard_clear(
            event, hook_context(container, os.getppid(), is_headless=False)
        )
    finally:
        container.close()
    return verdict.outcome if verdict else "none"


@pytest.fixture
def saved(tmp_path: Path) -> World:
    """A session with a checkpoint of everything in it."""
    world = World(tmp_path)
    write_session(world, SESSION, ASKED)
    world.cli("save", "--session", SESSION)
    return world


@pytest.mark.process
def test_an_old_checkpoint_of_everything_is_enough(saved: World) -> None:
    """Saving again would make no record, so the guard could never be satisfied."""
    assert outcome(saved, FIVE_MINUTES * 10) == "pass"


@pytest.mark.process
def test_new_work_needs_a_checkpoint_of_the_last_five_minutes(saved: World) -> None:
    """What came after the last save is what a clear would lose."""
    write_session(saved, SESSION, ASKED, "and the docs")

    assert outcome(saved, 0) == "pass"
    assert outcome(saved, FIVE_MINUTES + 60_000) == "block"
