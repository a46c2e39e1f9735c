"""Migrations: forward only, each whole or not at all."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import apsw
import pytest

from holdfast.store.sqlite.schema.migrate import (
    APPLICATION_ID,
    SCHEMA,
    migrate,
    scripts,
)

STORE = scripts()[0]


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[apsw.Connection]:
    connection = apsw.Connection(str(tmp_path / "store.db"))
    yield connection
    connection.close()


def version(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def tables(connection: apsw.Connection) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}


def test_scripts_are_numbered_in_order_and_counted() -> None:
    """The program knows its newest version without looking at the files."""
    folder = files("holdfast.store.sqlite") / "migrations"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))

    numbers = [int(name[:4]) for name in names]
    assert numbers == sorted(set(numbers))
    assert len(scripts()) == SCHEMA


def test_a_new_store_gets_every_step_and_our_mark(connection: apsw.Connection) -> None:
    """The mark tells other programs whose file this is."""
    migrate(connection, "desk")

    assert version(connection) == SCHEMA
    assert connection.pragma("application_id") == APPLICATION_ID
    assert connection.execute("SELECT machine FROM store").fetchall() == [("desk",)]


def test_migrating_again_changes_nothing(connection: apsw.Connection) -> None:
    """Two processes may both find an old store."""
    migrate(connection, "desk")
    before = tables(connection)

    migrate(connection, "laptop")

    assert tables(connection) == before
    assert connection.execute("SELECT machine FROM store").fetchall() == [("desk",)]


def test_only_steps_that_are_new_are_applied(connection: apsw.Connection) -> None:
    """What was applied once would fail the second time."""
    migrate(connection, "desk", [STORE])

    migrate(connection, "desk", [STORE, "CREATE TABLE second (a)"])

    assert version(connection) == 2
    assert "second" in tables(connection)


def test_a_step_that_fails_leaves_nothing_behind(connection: apsw.Connection) -> None:
    """Applied and recorded in one transaction; the steps before it stay."""
    broken = "CREATE TABLE half (a); CREATE TABLE half (a)"

    with pytest.raises(apsw.SQLError):
        migrate(connection, "desk", [STORE, broken, "CREATE TABLE third (a)"])

    assert version(connection) == 1
    assert not {"half", "third"} & tables(connection)
    migrate(connection, "desk", [STORE, "CREATE TABLE half (a)"])
    assert version(connection) == 2


def test_tables_are_strict(connection: apsw.Connection) -> None:
    """A wrong type is refused at the door."""
    migrate(connection, "desk")

    loose = [
        row[1]
        for row in connection.execute("PRAGMA table_list")
        if row[2] == "table" and not row[5] and not row[1].startswith("sqlite_")
    ]

    assert loose == []
