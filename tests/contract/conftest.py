"""Stores, agents and repositories for the contract tests, each test on each of them."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import cast

import pytest

from holdfast.store.port import Store
from holdfast.store.postgres.store import PostgresStore, open_team_store
from holdfast.store.sqlite.store import open_store as open_sqlite_store
from tests.contract.agents import AGENTS, Machine
from tests.memory_store.store import MemoryStore
from tests.postgres_server import Server, team_server
from tests.unit.snapshot.world import World

__all__ = ["team_server"]
MACHINE = "desk"


# What a team's store promises, too: the tests of these roles run on it.
TEAM_ROLES = ("checkpoints", "foreign_records", "finding", "sessions", "projects")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test of a role on each engine that has the role."""
    if "open_store" not in metafunc.fixturenames:
        return
    role = metafunc.module.__name__.rpartition("test_store_")[2]
    engines = ["sqlite", "memory"]
    is_local = metafunc.definition.get_closest_marker("local") is not None
    if role.startswith(TEAM_ROLES) and not is_local:
        engines.append("postgres")
    metafunc.parametrize("open_store", engines, indirect=True)


@pytest.fixture
def open_store(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Callable[..., Store]]:
    """A factory: each call returns a new, empty store, or that of `name` once more."""
    fresh = (f"store-{number}" for number in count())
    opened: list[Store] = []
    in_memory: dict[str, MemoryStore] = {}

    def open_one(name: str | None = None) -> Store:
        name = name or next(fresh)
        store: Store
        if request.param == "postgres":
            server = request.getfixturevalue("team_server")
            tenant = f"{request.node.nodeid}-{name}"
            store = cast(
                "Store",  # the roles that these tests ask for
                open_team_store(server.dsn, create=False, tenant=tenant, name=MACHINE),
            )
        elif request.param == "memory":
            store = in_memory.setdefault(name, MemoryStore(MACHINE))
        else:
            store = open_sqlite_store(
                str(tmp_path / name), create=True, machine=MACHINE
            )
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def open_team(
    request: pytest.FixtureRequest, team_server: Server
) -> Iterator[Callable[..., PostgresStore]]:
    """A factory: each call opens the team's store, of a tenant of this test's own."""
    opened: list[PostgresStore] = []

    def open_one(tenant: str = "", dsn: str = "") -> PostgresStore:
        own = f"{request.node.nodeid}-{tenant}"
        store = open_team_store(
            dsn or team_server.dsn, create=False, tenant=own, name=MACHINE
        )
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def team(open_team: Callable[..., PostgresStore]) -> PostgresStore:
    return open_team()


@pytest.fixture
def store(open_store: Callable[..., Store]) -> Store:
    return open_store()


@pytest.fixture(params=AGENTS)
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    """A machine with one agent on it: each test runs once for each agent."""
    root = tmp_path / "machine"
    root.mkdir()
    made: Machine = request.param(root)
    return made


@pytest.fixture
def world(tmp_path: Path) -> World:
    root = tmp_path.resolve() / "world"
    root.mkdir()
    return World(root)
