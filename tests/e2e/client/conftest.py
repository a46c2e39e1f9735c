"""The real client, a model that follows a script, and holdfast installed as a user has it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.client.clients import VERSIONS, Client, ClientMissing, installed
from tests.e2e.client.stub import Stub, serving
from tests.e2e.client.world import World, a_project
from tests.missing import without


@pytest.fixture(scope="session", params=VERSIONS)
def client(request: pytest.FixtureRequest) -> Client:
    try:
        return installed(request.param)
    except ClientMissing as missing:
        reason = f"no Claude Code {request.param} to test with: {missing}"
        without(reason)


@pytest.fixture
def stub() -> Iterator[Stub]:
    with serving() as stub:
        yield stub


@pytest.fixture
def bare_world(client: Client, stub: Stub, tmp_path: Path) -> World:
    """A machine on which nobody has installed holdfast into the client."""
    home = tmp_path / "user"
    home.mkdir()
    return World(
        client=client,
        stub=stub,
        home=home,
        project=a_project(tmp_path / "bare-project"),
        data=tmp_path / "bare-data",
    )


@pytest.fixture(scope="session")
def wired_home(client: Client, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which `holdfast install claude --no-mcp` ran, once per version."""
    return _wired(client, tmp_path_factory, "--no-mcp")


@pytest.fixture(scope="session")
def served_home(client: Client, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with the MCP server, which takes a second of CPU at each start."""
    return _wired(client, tmp_path_factory)


@pytest.fixture
def world(client: Client, stub: Stub, wired_home: Path, tmp_path: Path) -> World:
    """A machine after installing; project and data are the test's own."""
    return _world(client, stub, wired_home, tmp_path)


@pytest.fixture
def served_world(
    client: Client, stub: Stub, served_home: Path, tmp_path: Path
) -> World:
    """The same with the MCP server."""
    return _world(client, stub, served_home, tmp_path)


def _wired(client: Client, factory: pytest.TempPathFactory, *options: str) -> Path:
    place = factory.mktemp(f"client-{client.version}")
    home = place / "user"
    home.mkdir()
    world = World(
        client=client,
        stub=Stub(),
        home=home,
        project=a_project(place / "project"),
        data=home / "holdfast",
    )
    done = world.holdfast("install", "claude", *options)
    assert done.returncode == 0, done
    return home


def _world(client: Client, stub: Stub, home: Path, place: Path) -> World:
    return World(
        client=client,
        stub=stub,
        home=home,
        project=a_project(place / "project"),
        data=place / "data",
    )
