"""A store on disk that a test may look into and damage."""

from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from holdfast.store.sqlite.store import SqliteStore, open_store


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def opened(home: Path) -> Iterator[Callable[..., SqliteStore]]:
    """Open the store at `home`, with less patience than a person has."""
    stores: list[SqliteStore] = []

    def open_one(*, create: bool = True, patience: float = 0.2) -> SqliteStore:
        stores.append(open_store(str(home), create=create, patience=patience))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


@pytest.fixture
def edited(home: Path) -> Callable[[str], None]:
    """Run SQL on the store's file, past everything that watches over it."""

    def edit(statements: str) -> None:
        connection = apsw.Connection(str(home / "holdfast.db"))
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        connection.execute(statements)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.close()

    return edit
