"""Bring a store's structure up to date: forward only, one transaction per step.

The caller holds the lock: another process may be migrating, too, so what is there is
looked at only after the transaction has begun.
"""

from collections.abc import Sequence

import apsw

from holdfast.store.chain import GENESIS
from holdfast.store.sqlite.schema.header import APPLICATION_ID
from holdfast.store.sqlite.schema.seals import teach

SCHEMA = 6  # the number of the newest script; a test holds it to the files
_FOUND_STORE = """
    INSERT INTO store (only_row, machine, position, hash, records, observations)
    VALUES (1, :machine, 0, :genesis, 0, 0)
    ON CONFLICT DO NOTHING
"""


def scripts() -> tuple[str, ...]:
    """Return the migrations in order: `0001_store.sql` is the first."""
    from importlib.resources import files  # noqa: PLC0415  # 20 ms, only to migrate

    folder = files("holdfast.store.sqlite") / "migrations"
    found = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".sql")),
        key=lambda file: file.name,
    )
    return tuple(file.read_text(encoding="utf-8") for file in found)


def migrate(
    connection: apsw.Connection, machine: str, steps: Sequence[str] | None = None
) -> None:
    """Apply each step that the store has not seen and record it with it.

    Raises:
        apsw.Error: a step failed; it left nothing behind, those before it stay.
    """
    teach(connection)
    for number, script in enumerate(scripts() if steps is None else steps, start=1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            if _version(connection) < number:
                connection.execute(script)
                connection.execute(
                    _FOUND_STORE, {"machine": machine, "genesis": GENESIS}
                )
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


def _version(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))
