"""A store that is opened by old and new processes at once: nobody writes what he cannot."""

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from holdfast.kernel.errors import StoreDamaged, StoreNewer
from holdfast.store.sqlite.errors import explained
from holdfast.store.sqlite.schema.migrate import SCHEMA
from holdfast.store.sqlite.store import SqliteStore
from tests.builders import a_draft

Opened = Callable[..., SqliteStore]


def test_a_process_does_not_write_into_a_store_that_was_upgraded_meanwhile(
    opened: Opened, edited: Callable[[str], None]
) -> None:
    """It does not know what the new structure asks for: its save waits in the spool."""
    store = opened()
    store.put(a_draft(key="one"))
    edited("PRAGMA user_version = 9999")

    with pytest.raises(StoreNewer, match="version 9999"):
        store.put(a_draft(key="two"))

    edited(f"PRAGMA user_version = {SCHEMA}")
    assert store.put(a_draft(key="two")).checkpoint.number == 2


def test_a_function_that_is_not_known_is_told_as_a_structure_that_is_not() -> None:
    """Triggers of a newer store call what this process has not."""
    connection = apsw.Connection(":memory:")

    with pytest.raises(apsw.SQLError) as error:
        connection.execute("SELECT unheard_of(1)")

    assert isinstance(explained(error.value, "holdfast.db"), StoreDamaged)


def test_a_log_that_a_reader_still_needs_is_told(home: Path, opened: Opened) -> None:
    """What was taken out of the store may still be read there."""
    store = opened()
    store.put(a_draft(key="one"))
    reader = apsw.Connection(str(home / "holdfast.db"))
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM chain").fetchall()
    store.put(a_draft(key="two"))

    while_read = store.wipe_log()
    reader.close()

    assert not while_read
    assert store.wipe_log()
