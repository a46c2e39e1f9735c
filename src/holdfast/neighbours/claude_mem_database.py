"""claude-mem's database, opened so that nothing of it changes.

It is read in place while nobody writes, or beside its writer by the log that is there.
Where SQLite would have to write for that, a copy is read instead. The file may have been
made by anybody: only tables are read, and each look has an end.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import quote

import apsw
from apsw import Connection

from holdfast.domain.text import beginning, visible
from holdfast.kernel.errors import FileRefused
from holdfast.kernel.files import copy_file
from holdfast.neighbours.claude_mem import (
    KIND,
    KNOWN_VERSION,
    NEEDED,
    WANTED,
    Row,
    records,
)
from holdfast.neighbours.place import SourcePlace, unreadable
from holdfast.neighbours.record import Reading, reading_of

_FILE = "claude-mem.db"
_MAGIC = b"SQLite format 3\x00"
_MOST_VALUE = 20_000_000  # bytes of one field
_MOST_TEXT = 300_000_000  # of all that is read
_ROW = 200  # what a row counts for itself
_MOST_COPIED = 4_000_000_000  # bytes
_STEPS, _MOST_LOOKS = 100_000, 5_000  # instructions between two looks, and of those
_TABLES = "SELECT name, sql FROM sqlite_schema WHERE type = 'table'"
_COLUMNS = "SELECT name FROM pragma_table_info(?)"
_VERSION = "SELECT max(version) FROM schema_versions"
_SHOWN = 40


def recognises(place: SourcePlace) -> bool:
    """Say whether it is a database, or the directory that has claude-mem's."""
    if place.is_directory:
        return place.has(_FILE)
    return place.beginning().startswith(_MAGIC)


def read(place: SourcePlace) -> Reading:
    """Return all that claude-mem kept.

    Raises:
        FileRefused: it is no database of claude-mem's, or not one that is understood.
    """
    path = os.path.join(place.path, _FILE) if place.is_directory else place.path
    if place.is_directory and os.path.islink(path):
        raise _not_understood(
            f"`{_FILE}` there is a symbolic link; name the file itself"
        )
    if not SourcePlace(path).beginning().startswith(_MAGIC):
        raise _not_understood("it is not an SQLite database")

    try:
        with _opened(path) as database:
            return _read(database, path)
    except apsw.Error as problem:
        raise _not_understood(f"SQLite says: {problem}") from None


def _read(database: Connection, path: str) -> Reading:
    columns = _columns(database)
    room = _Room()
    sessions = list(map(room.counted, _rows(database, columns, "sdk_sessions")))

    def rows_of(table: str, column: str, session: str) -> Sequence[Row]:
        rows = _rows(database, columns, table, column, session)
        return list(map(room.counted, rows))

    return reading_of(KIND, records(sessions, rows_of, path), _notice(database))


def _columns(database: Connection) -> dict[str, tuple[str, ...]]:
    """Return which of the wanted columns there are.

    Raises:
        FileRefused: one that is needed is missing.
    """
    tables = {
        name for name, sql in database.execute(_TABLES) if not _is_virtual(sql or "")
    }
    found = dict[str, tuple[str, ...]]()
    for table, wanted in WANTED.items():
        if table not in tables:
            raise _not_understood(f"it has no table `{table}`")
        there = {name for (name,) in database.execute(_COLUMNS, (table,))}
        for column in NEEDED[table]:
            if column not in there:
                raise _not_understood(f"`{table}` has no column `{column}`")
        found[table] = tuple(column for column in wanted if column in there)
    return found


def _is_virtual(sql: str) -> bool:
    return "VIRTUAL" in sql[:_SHOWN].upper()


def _rows(
    database: Connection,
    columns: dict[str, tuple[str, ...]],
    table: str,
    column: str = "",
    session: str = "",
) -> Iterator[Row]:
    # Names are those of this program's tables above; what varies is bound.
    names = columns[table]
    where = f' WHERE "{column}" = ?' if column else ""
    order = "created_at_epoch, rowid" if column else "id"
    told = ", ".join(f'"{name}"' for name in names)
    query = f'SELECT {told} FROM "{table}"{where} ORDER BY {order}'  # noqa: S608  # see above
    rows = database.execute(query, (session,) if column else ())
    return (dict(zip(names, row, strict=True)) for row in rows)


def _notice(database: Connection) -> str:

    with suppress(apsw.Error):
        version = database.execute(_VERSION).get
        if isinstance(version, int) and version > KNOWN_VERSION:
            return (
                f"its schema is version {version}, and {KNOWN_VERSION} is the newest that"
                " is known here; what it keeps in new places is not taken in"
            )
    return ""


class _Room:
    """How much may still be taken in."""

    def __init__(self) -> None:
        self._left = _MOST_TEXT

    def counted(self, row: Row) -> Row:
        texts = (value for value in row.values() if isinstance(value, str | bytes))
        self._left -= _ROW + sum(map(len, texts))
        if self._left < 0:
            raise FileRefused(
                f"it holds more than {_MOST_TEXT:,} characters",
                hint="nothing was imported; import a copy with fewer sessions in it",
            )
        return row


@contextmanager
def _opened(path: str) -> Iterator[Connection]:
    """Yield a connection through which nothing of the file can be changed.

    Raises:
        FileRefused: it cannot be opened.
    """
    with ExitStack() as until_closed:
        try:
            database = _in_place(path) or _of_copy(path, until_closed)
        except OSError as problem:
            raise unreadable(path, problem) from None
        until_closed.callback(database.close)
        yield database


def _in_place(path: str) -> Connection | None:
    """Return a connection to the file itself; None if SQLite would have to put its log in
    order first, which is not done where it lies."""

    log = f"{path}-wal"
    has_log = os.path.exists(log) and os.path.getsize(log) > 0
    how = "mode=ro&readonly_shm=1" if has_log else "mode=ro&immutable=1"
    try:
        return _connected(f"file:{quote(path)}?{how}", apsw.SQLITE_OPEN_READONLY)
    except (apsw.CantOpenError, apsw.BusyError, apsw.ReadOnlyError):
        return None


def _of_copy(path: str, until_closed: ExitStack) -> Connection:
    """Return a connection to a copy that is gone afterwards.

    Raises:
        FileRefused: that cannot be read, either.
        OSError: it cannot be copied.
    """

    directory = until_closed.enter_context(tempfile.TemporaryDirectory())
    copy = os.path.join(directory, _FILE)
    copy_file(path, copy, limit=_MOST_COPIED)
    with suppress(FileNotFoundError):
        copy_file(f"{path}-wal", f"{copy}-wal", limit=_MOST_COPIED)
    try:
        return _connected(f"file:{quote(copy)}", apsw.SQLITE_OPEN_READWRITE)
    except apsw.Error as problem:
        raise _not_understood(f"SQLite says: {problem}") from None


def _connected(address: str, how: int) -> Connection:

    database = apsw.Connection(address, flags=apsw.SQLITE_OPEN_URI | how)
    try:
        database.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        database.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        database.limit(apsw.SQLITE_LIMIT_LENGTH, _MOST_VALUE)
        database.set_progress_handler(_Looks(), _STEPS)
        database.execute("PRAGMA query_only = ON")
        database.execute("SELECT count(*) FROM sqlite_schema").get  # noqa: B018  # opens it
    except apsw.Error:
        database.close()
        raise
    return database


class _Looks:
    """Says after how many instructions a file has had its time."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self) -> bool:
        self._count += 1
        return self._count > _MOST_LOOKS


def _not_understood(why: str) -> FileRefused:
    return FileRefused(
        f"that is not a claude-mem database that this version can read: {_shown(why)}",
        hint="give `claude-mem.db`, or the directory it is in",
    )


def _shown(text: str) -> str:
    return beginning(visible(text), 4 * _SHOWN)
