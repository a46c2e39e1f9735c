"""Stores for the contract tests: each test runs once on each engine."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from holdfast.store.port import Store
from holdfast.store.sqlite.store import open_store as open_sqlite_store
from tests.memory_store.store import MemoryStore

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
