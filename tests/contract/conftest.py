"""Stores, agents and repositories for the contract tests, each test on each of them."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from holdfast.store.port import Store
from holdfast.store.sqlite.store import open_store as open_sqlite_store
from tests.contract.agents import AGENTS, Machine
from tests.memory_store.store import MemoryStore
from tests.unit.snapshot.world import World

MACHINE = "desk"


@pytest.fixture(params=["sqlite", "memory"])
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
        if request.param == "memory":
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
