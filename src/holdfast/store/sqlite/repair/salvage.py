"""Read what can be read of a damaged store's file, row by row, into a new one.

The search index and folds are left behind: both can be made again. Whether a row says
what it said when it was kept is not decided here; `repairing` does that afterwards. Where
fewer rows come than the head vouches for, the pages themselves are searched.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import apsw

from holdfast.kernel.directories import open_directory
from holdfast.kernel.files import HALF, open_ours, read_file, write_beside
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.store.chain import ChainHead
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite import head_file
from holdfast.store.sqlite.repair.log_frames import overlaid, read_log
from holdfast.store.sqlite.repair.salvage_rows import (
    Values,
    hidden_rows,
    is_removed,
    proved_record,
)
from holdfast.store.sqlite.schema.migrate import (
    APPLICATION_ID,
    SCHEMA,
    definitions,
    migrate,
    scripts,
)
from holdfast.store.sqlite.write.projects import FOUND_AGAIN

# Each table with the columns that order it; what proves a record comes before it.
TABLES = {
    "chain": ("position",),
    "tombstone": ("position",),
    "rewrite": ("position",),
    "checkpoint": ("position",),
    "session": ("born",),
    "delivery": ("position",),
    "store": ("only_row",),
    "project": ("project_id",),
    "project_alias": ("kind", "value", "project_id"),
    "client": ("pid", "started"),
    "switch": ("kind", "value"),
    "hook_session": ("session_id",),
    "outbox_target": ("target",),
    "outbox": ("target", "checkpoint_id"),
}
_NUMBERED = ("chain", "checkpoint", "tombstone", "rewrite", "session", "delivery")
_MOST_PROBED = 200_000
# The first bytes of every store we make: whatever they were, these are right.
_START = b"SQLite format 3\x00\x10\x00\x02\x02\x00\x40\x20\x20"
_ENCODING = (56, b"\x00\x00\x00\x01")
_MARK = (68, APPLICATION_ID.to_bytes(4, "big"))
_PAGES, _PAGE_BYTES = 28, 4096
_MOST_MISSING = 20  # times what is there; more is no page count but damage

_LAST = """
    SELECT max(position) FROM (
        SELECT position FROM chain UNION ALL SELECT position FROM checkpoint
        UNION ALL SELECT position FROM tombstone
    )
"""
_KNOWN = ("SELECT max(position) FROM store", "SELECT max(records) FROM store")
_RECORDS = "SELECT count(*) FROM checkpoint"
# An entry that an earlier repair could only say is lost: another copy tells what it was.
_MAKE_ROOM = """
    DELETE FROM chain
    WHERE position = :position AND checkpoint_id = 'lost-' || position
"""


class Salvage(NamedTuple):
    """What a new store was made of: all its rows, and how many of them are records."""

    rows: int
    records: int


def salvaged(folders: Sequence[str], target: str, quarantine: Quarantine) -> Salvage:
    """Make a new store at `target` of what copies hold; return what it has.

    Of a row that two copies have, the first counts; what does not fit is quarantined.
    """
    with _source(folders[0]) as newest:
        version = _version(newest)
    connection = apsw.Connection(target)
    try:
        connection.pragma("journal_mode", "wal")
        migrate(connection, os.uname().nodename, scripts()[:version])
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)  # seals stay as found
        connection.execute("PRAGMA foreign_keys = OFF; DELETE FROM store; BEGIN")
        rows = _by_engine(folders[0], connection, quarantine)
        rows += sum(_by_engine(each, connection, None) for each in folders[1:])
        if _missing(folders, connection):
            rows += sum(_by_page(each, connection) for each in folders)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)
        connection.execute(FOUND_AGAIN)
        records = _number(_RECORDS, connection)
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.close()
    for ending in ("-wal", "-shm"):
        if os.path.exists(target + ending):
            os.unlink(target + ending)
    return Salvage(rows, records)


def records_of(home: str) -> int:
    """Return how many records a sound store has."""
    with _source(home) as source:
        return _number(_RECORDS, source)


def _by_engine(
    folder: str, target: apsw.Connection, quarantine: Quarantine | None
) -> int:
    rows = 0
    with _source(folder) as source:
        reach = _reach(folder)
        for table in TABLES:
            found = _rows(table, _shared(table, source, target), source, reach)
            rows += _copied(table, found, target, quarantine)
    return rows


def _by_page(folder: str, target: apsw.Connection) -> int:
    """Take what the engine did not find; what cannot be proved stays in the copy."""
    with _source(folder) as source, open(source.filename, "rb") as file:
        data = file.read()
    columns = {table: _columns(table, target) for table in TABLES}
    rows = 0
    hidden = hidden_rows(
        data, {name: known for name, known in columns.items() if known}
    )
    for table, found in hidden.items():
        for values in found:
            try:
                row = _decoded(values)
                if table == "checkpoint" and (
                    not proved_record(row, target) or is_removed(table, row, target)
                ):
                    continue
                _insert(table, row, target)
                rows += 1
            except (apsw.Error, UnicodeDecodeError):
                continue
    return rows


def _missing(folders: Sequence[str], target: apsw.Connection) -> int:
    """Return how many records or entries the heads vouch for that are not there."""
    heads = [head for head in map(_head, folders) if head is not None]
    last, records = (
        max((head.position for head in heads), default=_number(_KNOWN[0], target)),
        max((head.records for head in heads), default=_number(_KNOWN[1], target)),
    )
    lost = records - _number(_RECORDS, target)
    return max(lost, last - _number(_LAST, target), 0)


def _number(question: str, connection: apsw.Connection) -> int:
    found = connection.execute(question).fetchall()[0][0]
    return found if isinstance(found, int) else 0


@contextmanager
def _source(folder: str) -> Iterator[apsw.Connection]:
    """Lend a connection to a copy of a copy, into which its log was brought by us.

    The engine would take nothing from a log that comes after a damaged frame.
    """
    scratch = f"{folder}/.reading{HALF}"
    shutil.rmtree(scratch, ignore_errors=True)
    os.close(open_directory(scratch, create=True))
    try:
        frames = read_log(_bytes_of(f"{folder}/holdfast.db-wal")).frames
        whole = overlaid(_bytes_of(f"{folder}/holdfast.db"), frames)
        with open(f"{scratch}/holdfast.db", "wb") as file:
            file.write(whole)
        _set_start_right(f"{scratch}/holdfast.db")
        connection = apsw.Connection(f"{scratch}/holdfast.db")
        try:
            # A damaged one is read on.
            connection.execute("PRAGMA writable_schema = ON")
            _set_schema_right(connection)
            yield connection
        finally:
            connection.close()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _bytes_of(path: str) -> bytes:
    return read_file(path) if os.path.exists(path) else b""


def _set_start_right(path: str) -> None:
    descriptor = open_ours(path, os.O_RDWR | os.O_CREAT)
    try:
        os.pwrite(descriptor, _START, 0)
        for place, value in (_ENCODING, _MARK):
            os.pwrite(descriptor, value, place)
        # Of a file that was cut short the engine reads nothing; what is missing is zeros.
        pages = int.from_bytes(os.pread(descriptor, 4, _PAGES), "big")
        size = os.fstat(descriptor).st_size
        if size < pages * _PAGE_BYTES < size * _MOST_MISSING:
            os.ftruncate(descriptor, pages * _PAGE_BYTES)
    finally:
        os.close(descriptor)


def _version(connection: apsw.Connection) -> int:
    try:
        version = int(connection.pragma("user_version"))
    except apsw.Error:
        return SCHEMA
    return version if 0 < version <= SCHEMA else SCHEMA


def _set_schema_right(connection: apsw.Connection) -> None:
    """Put our own definitions in place of damaged ones, as far as names tell."""
    wanted = definitions(_version(connection))
    try:
        for name, (kind, table, sql) in wanted.items():
            connection.execute(
                "UPDATE sqlite_schema SET type = ?, tbl_name = ?, sql = ?"
                " WHERE name = ? AND (type <> ? OR tbl_name <> ? OR sql <> ?)",
                (kind, table, sql, name, kind, table, sql),
            )
        connection.execute("PRAGMA writable_schema = RESET")
        connection.execute("PRAGMA writable_schema = ON")
    except apsw.Error:
        return  # then some tables cannot be read


def _reach(folder: str) -> int:
    """Return up to which position rows may be there, whatever the file still shows."""
    head = _head(folder)
    return min(head.position + 1 if head else 0, _MOST_PROBED)


def _head(folder: str) -> ChainHead | None:
    directory = open_directory(folder, create=False)
    try:
        return head_file.read(directory)
    finally:
        os.close(directory)


def _shared(table: str, source: apsw.Connection, target: apsw.Connection) -> list[str]:
    """Return the columns that both have; none if the store was older than the table."""
    columns, known = _columns(table, target), _columns(table, source)
    return [name for name in columns if name in known] if known else columns


def _copied(
    table: str,
    rows: Iterable[Values],
    target: apsw.Connection,
    quarantine: Quarantine | None,
) -> int:
    count = 0
    for values in rows:
        try:
            row = _decoded(values)
            if table == "checkpoint":
                row = proved_record(row, target) or row
            if quarantine is None and is_removed(table, row, target):
                continue
            if quarantine is None and table == "chain":
                target.execute(_MAKE_ROOM, row)
            _insert_named(table, row, target)
            count += 1
        except (apsw.Error, UnicodeDecodeError) as problem:
            # Of a second copy, all that does not fit stays in that copy.
            if quarantine and not _is_there(table, values, target):
                quarantine.keep_row(table, values, str(problem))
    return count


def _columns(table: str, connection: apsw.Connection) -> list[str]:
    try:
        return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    except apsw.Error:
        return []


def _insert_named(table: str, values: Values, target: apsw.Connection) -> None:
    """Insert a row; a record whose name another one has comes without it."""
    try:
        _insert(table, values, target)
    except apsw.ConstraintError:
        if table != "checkpoint" or proved_record(values, target) is None:
            raise
        _insert(table, values | {"name": None, "consumed": 0}, target)


def _insert(table: str, values: Values, target: apsw.Connection) -> None:
    names = ", ".join(values)
    marks = ", ".join("?" * len(values))
    statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608  # our own names
    target.execute(statement, tuple(values.values()))


def _is_there(table: str, values: Values, target: apsw.Connection) -> bool:
    """Say whether the very same row came from another copy already."""
    try:
        decoded = _decoded(values)
    except UnicodeDecodeError:
        return False
    same = " AND ".join(f"{name} IS ?" for name in decoded)
    question = f"SELECT 1 FROM {table} WHERE {same}"  # noqa: S608  # our own names
    return bool(target.execute(question, tuple(decoded.values())).fetchall())


def _decoded(values: Values) -> Values:
    return {
        name: value.decode() if isinstance(value, bytes) else value
        for name, value in values.items()
    }


def _rows(
    table: str, columns: Sequence[str], source: apsw.Connection, reach: int
) -> Iterator[Values]:
    """Yield rows from both ends up to the damage; numbered ones one by one in between.

    Text comes as bytes: one that is no text any more must not hide its row.
    """
    if not columns:
        return
    taken = [
        f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"
        for name in columns
    ]
    question = f"SELECT {', '.join(taken)} FROM {table}"  # noqa: S608  # our own names
    keys = TABLES[table]
    places = [columns.index(key) for key in keys]
    seen: set[tuple[object, ...]] = set()
    for order in ("ASC", "DESC"):
        ordered = ", ".join(f"{key} {order}" for key in keys)
        for row in _until_damage(source, f"{question} ORDER BY {ordered}"):
            key = tuple(row[place] for place in places)
            if key not in seen:
                seen.add(key)
                yield dict(zip(columns, row, strict=True))
    for one in _between(table, seen, reach):
        for row in _until_damage(source, f"{question} WHERE {keys[0]} = {one}"):
            yield dict(zip(columns, row, strict=True))


def _between(table: str, seen: set[tuple[object, ...]], reach: int) -> Iterator[int]:
    """Yield the numbers that a numbered table may have and was not seen to have."""
    if table in _NUMBERED:
        numbers = [key[0] for key in seen if isinstance(key[0], int)]
        last = max(min(max(numbers, default=0), _MOST_PROBED), reach)
        yield from (number for number in range(1, last + 1) if (number,) not in seen)


def _until_damage(
    source: apsw.Connection, question: str
) -> Iterator[tuple[object, ...]]:
    try:
        yield from source.execute(question)
    except apsw.Error:
        return


def make_private(path: str) -> str:
    """Make an empty file that only its owner can use; the engine fills it."""
    directory = open_directory(os.path.dirname(path), create=False)
    try:
        name = os.path.basename(path)
        write_beside(name, b"", directory, durable=False)
    finally:
        os.close(directory)
    return path
