"""Real clients besides Claude Code, and models that follow a script."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.agents.machine import (
    ScriptedMachine,
    opencode_machine,
    pi_machine,
)
from tests.e2e.agents.model import Model, serving_model
from tests.e2e.agents.packages import CODEX, GEMINI, NpmPackage, command_of
from tests.e2e.agents.world import AgentWorld
from tests.e2e.client.clients import ClientMissing
from tests.e2e.client.stub import Stub, serving
from tests.e2e.client.world import a_project
from tests.missing import without


@pytest.fixture(scope="session")
def codex_command() -> str:
    return _command(CODEX)


@pytest.fixture
def model() -> Iterator[Model]:
    with serving_model() as model:
        yield model


@pytest.fixture
def codex_world(codex_command: str, model: Model, tmp_path: Path) -> AgentWorld:
    """A machine on which Codex CLI was used, and `holdfast install codex` ran."""
    world = _world(model, tmp_path, {"codex": codex_command})
    world.write_codex_settings()
    done = world.holdfast("install", "codex", "--no-mcp")
    assert done.returncode == 0, done
    return world


@pytest.fixture(scope="session")
def gemini_command() -> str:
    return _command(GEMINI)


@pytest.fixture
def gemini_world(gemini_command: str, model: Model, tmp_path: Path) -> AgentWorld:
    """A machine on which Gemini CLI was used, and `holdfast install gemini` ran."""
    world = _world(model, tmp_path, {"gemini": gemini_command})
    world.write_gemini_settings()
    done = world.holdfast("install", "gemini", "--no-mcp")
    assert done.returncode == 0, done
    return world


@pytest.fixture
def stub() -> Iterator[Stub]:
    with serving() as stub:
        yield stub


@pytest.fixture
def pi(stub: Stub, tmp_path: Path) -> ScriptedMachine:
    return pi_machine(stub, tmp_path)


@pytest.fixture
def opencode(stub: Stub, tmp_path: Path) -> ScriptedMachine:
    return opencode_machine(stub, tmp_path)


def _world(model: Model, place: Path, commands: dict[str, str]) -> AgentWorld:
    home = place / "user"
    home.mkdir()
    return AgentWorld(
        model=model,
        home=home,
        project=a_project(place / "project"),
        data=place / "data",
        commands=commands,
    )


def _command(wanted: NpmPackage) -> str:
    try:
        return command_of(wanted)
    except ClientMissing as missing:
        without(f"no {wanted.package} to test with: {missing}")
