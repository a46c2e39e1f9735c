"""Seals: a checksum in each row that no hash covers, set by triggers of the store itself.

The chain proves records and tombstones. Sessions, projects, names, deliveries and the
rest stand outside it: there, a seal that does not match shows a changed byte.
"""

from binascii import crc32
from collections.abc import Iterator, Mapping

import apsw

from holdfast.store.sqlite.database import Database, Row

FUNCTION = "row_seal"
# What each seal covers; the triggers of `0006_seals.sql` and later say the same.
SEALED: Mapping[str, tuple[str, ...]] = {
    "store": (
        "machine", "observations",
    ),
    "checkpoint": (
        "position", "name", "consumed",
    ),
    "session": (
        "born", "session_id", "agent", "agent_version", "project_id", "workspace",
        "working_directory", "hostname", "transcript", "parent_session", "root_session",
        "started_at", "ended_at", "cleared", "message_count", "touched", "sequence",
    ),
    "project": (
        "project_id", "root", "remote", "number",
    ),
    "project_alias": (
        "kind", "value", "project_id",
    ),
    "client": (
        "pid", "started", "session_id", "transcript", "workspace", "directory",
        "source", "headless", "seen_at", "noted",
    ),
    "delivery": (
        "position", "session_id", "boundary", "workspace", "source", "checkpoint_id",
        "what", "rule", "tokens", "offered_at", "delivered", "sign",
    ),
    "switch": (
        "kind", "value", "until",
    ),
    "hook_session": (
        "session_id", "events", "milliseconds", "tokens", "octets", "crossed",
        "nudged_at", "context_window",
    ),
    "outbox_target": (
        "target", "cursor", "failures", "due_at", "error",
    ),
    "outbox": (
        "target", "checkpoint_id", "position", "action", "waits", "lease", "attempts",
        "due_at", "error", "remote",
    ),
}  # fmt: skip


def seal(*values: object) -> int:
    """Return the checksum of a row's values, the same under every interpreter."""
    return crc32(b"".join(map(_encoded, values)))


def _encoded(value: object) -> bytes:
    """Return a value as bytes that no other value, of whatever type, has."""
    if value is None:
        return b"n"
    if isinstance(value, str):
        text = value.encode("utf-8", "surrogatepass")
        return b"t%d:%b" % (len(text), text)
    if isinstance(value, int):
        return b"i%d;" % value
    if isinstance(value, float):
        return b"f%b;" % value.hex().encode()
    data = bytes(value) if isinstance(value, bytes | memoryview) else b""
    return b"b%d:%b" % (len(data), data)


def teach(connection: apsw.Connection) -> None:
    """Let a connection seal rows; without it, it cannot write any."""
    connection.create_scalar_function(
        FUNCTION, seal, -1, deterministic=True, flags=apsw.SQLITE_INNOCUOUS
    )


def broken(database: Database, table: str) -> Iterator[Row]:
    """Yield the sealed columns of each row whose seal does not match."""
    columns = ", ".join(SEALED[table])
    wrong = f"seal IS NOT {FUNCTION}({columns})"
    yield from database.rows(f"SELECT {columns} FROM {table} WHERE {wrong}")  # noqa: S608  # our own names


def seal_anew(database: Database, table: str) -> None:
    """Seal every row as it is, in the caller's transaction."""
    columns = ", ".join(SEALED[table])
    database.rows(f"UPDATE {table} SET seal = {FUNCTION}({columns})")  # noqa: S608  # our own names
