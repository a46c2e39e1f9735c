"""A store's structure: which version a file has, and how it is brought up to date.

A file that is not ours, or newer than we are, is told by its first hundred bytes, before
anything is opened, so that not one of its bytes changes. Migration goes forward only, one
transaction per step. The caller holds the lock: another process may be migrating, too, so
what is there is looked at only after the transaction has begun.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import apsw

from holdfast.kernel.lazy_values import dataclass
from holdfast.store.chain import GENESIS
from holdfast.store.sqlite.schema.seals import teach

SCHEMA = 9  # the number of the newest script; a test holds it to the files
_FOUND_STORE = """
    INSERT INTO store (only_row, machine, position, hash, records, observations)
    VALUES (1, :machine, 0, :genesis, 0, 0)
    ON CONFLICT DO NOTHING
"""

APPLICATION_ID = 0x484F4C44  # "HOLD"
HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\x00"
_WAL = 2

FOUND = "SELECT name, type, tbl_name, sql FROM sqlite_schema"
Definition = tuple[object, ...]  # type, table, SQL


@dataclass(frozen=True, slots=True)
class Header:
    version: int
    application_id: int
    is_wal: bool

    @property
    def is_blank(self) -> bool:
        """A file whose making was cut short: nothing of ours, nothing of others."""
        return self.version == 0 and self.application_id == 0


BLANK = Header(0, 0, is_wal=False)


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


def header(data: bytes) -> Header | None:
    """Return what the bytes say, or None if they are no database's."""
    if not data:
        return BLANK
    if len(data) < HEADER_BYTES or not data.startswith(_MAGIC):
        return None
    return Header(
        version=int.from_bytes(data[60:64], "big"),
        application_id=int.from_bytes(data[68:72], "big"),
        is_wal=data[18] == data[19] == _WAL,
    )


@cache  # a repair looks several times, and our own scripts stay what they are
def definitions(version: int) -> Mapping[str, Definition]:
    """Return each table, index, view and trigger of a version, by its name."""
    model = apsw.Connection(":memory:")
    try:
        migrate(model, "", scripts()[:version])
        return {str(name): tuple(rest) for name, *rest in model.execute(FOUND)}
    finally:
        model.close()


def changed(found: Iterable[tuple[object, ...]], version: int) -> list[str]:
    """Return the names of what is missing or not as we made it; more is no matter."""
    there = {name: tuple(rest) for name, *rest in found}
    wanted = definitions(version)
    return [name for name, made in wanted.items() if there.get(name) != made]


def _version(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))
