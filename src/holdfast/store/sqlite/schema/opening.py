"""Open a store's file, or refuse it with a reason; make it if it is to be made.

Readers make nothing. A file that is newer, damaged or not ours is left as it is.
"""

import os
import stat

import apsw

from holdfast.kernel.directories import open_directory
from holdfast.kernel.errors import StoreNotFound
from holdfast.kernel.files import create_file, read_beginning, replace_file
from holdfast.kernel.locks import Lock
from holdfast.store.chain import ChainHead
from holdfast.store.sqlite import head_file
from holdfast.store.sqlite.database import LOCK, Database
from holdfast.store.sqlite.errors import (
    busy,
    damaged,
    emptied,
    explained,
    newer,
    unusable,
)
from holdfast.store.sqlite.schema.migrate import (
    APPLICATION_ID,
    BLANK,
    HEADER_BYTES,
    SCHEMA,
    Header,
    header,
    migrate,
)
from holdfast.store.sqlite.schema.seals import teach

FILE = "holdfast.db"
OLDEST_SQLITE = (3, 51, 3)  # older ones can damage a store that many processes write to
PATIENCE = 10.0
_READ_WRITE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOFOLLOW
_FROZEN = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_NOFOLLOW | apsw.SQLITE_OPEN_URI
_SETTINGS = """
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA trusted_schema = OFF;
"""

# Beside the database, not in it: a copy of the database that someone gives away must not
# carry what its placeholders could be guessed with.
_KEY = "redaction.key"
_KEY_BYTES = 32


def open_database(
    home: str, *, create: bool, machine: str | None = None, patience: float = PATIENCE
) -> Database:
    """Return the open store of a directory.

    Raises:
        StoreNotFound: there is none (and `create` is not set), or it cannot be used.
        StoreNewer: a newer holdfast made it; not one byte was changed.
        StoreDamaged: it is not a store, or not a whole one.
        StoreBusy: another process is making or changing it for too long.
    """
    _refuse_old_engine(apsw.sqlite_lib_version())
    real = os.path.realpath(home)
    path = os.path.join(real, FILE)
    directory = _directory(real, create=create)
    try:
        found = _look(directory, path, create=create)
        if found.version < SCHEMA or (create and not found.is_wal):
            maker = (machine or os.uname().nodename) if create else None
            _make(directory, path, maker, patience)
        connection = _connected(directory, path, patience)
    except BaseException:
        os.close(directory)
        raise
    return Database(connection, path, directory, patience)


def has_remains(home: str) -> bool:
    """Say whether something tells of records that a store here had."""
    try:
        directory = open_directory(home, create=False)
    except OSError:
        return False
    try:
        return _has_remains(directory, os.path.join(home, FILE))
    finally:
        os.close(directory)


def _has_remains(directory: int, path: str) -> bool:
    from holdfast.store.journal import Journal  # noqa: PLC0415  # rare

    kept = head_file.read(directory)
    if kept is not None and kept.position:
        return True
    return not Journal(os.path.dirname(path)).is_empty() or bool(_log_bytes(directory))


def _log_bytes(directory: int) -> int:
    try:
        return os.stat(f"{FILE}-wal", dir_fd=directory).st_size
    except OSError:
        return 0


def refuse_newer(version: int, path: str) -> None:
    """Leave alone what a newer holdfast made.

    Raises:
        StoreNewer
    """
    if version > SCHEMA:
        raise newer(path, version, SCHEMA)


def redaction_key(database: Database) -> bytes:
    """Return the key, making it if it was lost: later placeholders differ, no more.

    Raises:
        StoreBusy, StoreNotFound: it was lost and cannot be made.
    """
    key = _read_key(database.directory)
    if key is not None:
        return key
    with database.writing():
        try:
            return _read_or_make_key(database.directory)
        except OSError as error:
            reason = error.strerror or str(error)
            raise unusable(database.path, reason) from error


def _refuse_old_engine(version: str) -> None:
    if tuple(int(part) for part in version.split(".")[:3]) < OLDEST_SQLITE:
        needed = ".".join(str(part) for part in OLDEST_SQLITE)
        raise StoreNotFound(
            f"SQLite {version} is too old to be used safely;"
            f" {needed} or newer is needed",
            hint="upgrade it with `pip install --upgrade apsw`",
        )


def _directory(path: str, *, create: bool) -> int:
    try:
        return open_directory(path, create=create)
    except FileNotFoundError:
        raise _no_store(path) from None
    except NotADirectoryError:
        raise StoreNotFound(
            f"`{path}` is not a directory",
            hint="move that file away, or set `HOLDFAST_HOME` to a directory",
        ) from None
    except OSError as error:
        raise unusable(path, error.strerror or str(error)) from error


def _no_store(path: str) -> StoreNotFound:
    return StoreNotFound(
        f"there is no store at `{path}` yet",
        hint="a `/clear` or the end of a session makes one, and so does `holdfast save`",
        was_never_made=True,
    )


def _look(directory: int, path: str, *, create: bool) -> Header:
    """Return what the file says of itself before any engine touches it."""
    found = _found(directory, path)
    # Looked for first, and then again for the file: somebody may be making the store.
    if found == BLANK and _has_remains(directory, path):
        found = _found(directory, path)
        if found == BLANK:
            raise emptied(path)
    if found == BLANK and not create:
        raise _no_store(path)
    refuse_newer(found.version, path)
    return found


def _found(directory: int, path: str) -> Header:
    try:
        kind = os.stat(FILE, dir_fd=directory, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return BLANK
    if not stat.S_ISREG(kind):
        raise StoreNotFound(
            f"`{path}` is a link or a directory, not a file",
            hint="put the store's file there, or set `HOLDFAST_HOME` to another directory",
        )
    try:
        found = header(read_beginning(FILE, HEADER_BYTES, directory))
    except OSError as error:
        raise unusable(path, error.strerror or str(error)) from error
    if found is None or not (found.is_blank or found.application_id == APPLICATION_ID):
        raise damaged(f"`{path}` is not a holdfast store")
    return found


def _make(directory: int, path: str, machine: str | None, patience: float) -> None:
    """Make what is missing of a store. Cut short anywhere, the next call goes on.

    Without `machine` an old store is brought up to date, but none is made.
    """
    try:
        with Lock(LOCK, directory, patience).held():
            _make_file(directory)
            connection = _connect(path, _READ_WRITE, patience)
            try:
                _prepare(connection, directory, path, machine)
            finally:
                connection.close()
    except TimeoutError:
        raise busy(path) from None
    except OSError as error:
        raise unusable(path, error.strerror or str(error)) from error
    except apsw.Error as error:
        raise explained(error, path) or error from error


def _make_file(directory: int) -> None:
    """The engine would make it readable for everyone; -wal and -shm follow its mode."""
    try:
        create_file(FILE, b"", directory)
    except FileExistsError:
        return
    os.fsync(directory)


def _prepare(
    connection: apsw.Connection, directory: int, path: str, machine: str | None
) -> None:
    version = connection.pragma("user_version")
    refuse_newer(version, path)
    if version == 0:
        if connection.execute("SELECT 1 FROM sqlite_schema").fetchall():
            raise damaged(f"`{path}` is not a holdfast store")
        if machine is None:
            raise _no_store(path)
        _make_companions(directory)
    if connection.pragma("journal_mode", "wal") != "wal":
        raise unusable(path, "its file system cannot keep a write-ahead log")
    if 0 < version < SCHEMA:
        _back_up(connection, os.path.dirname(path), version)
    migrate(connection, machine or "")
    # Only then does the file's own header say so, which the next opening reads first.
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _back_up(connection: apsw.Connection, home: str, version: int) -> None:
    from holdfast.store.sqlite.schema.backups import back_up, no_backup  # noqa: PLC0415  # rare

    try:
        back_up(connection, home, version)
    except OSError as error:
        raise no_backup(home, error.strerror or str(error)) from error
    except (apsw.CantOpenError, apsw.FullError, apsw.IOError) as error:
        raise no_backup(home, str(error)) from error


def _make_companions(directory: int) -> None:
    _read_or_make_key(directory)
    if head_file.read(directory) is None:
        replace_file(head_file.NAME, head_file.encode(ChainHead()), directory)


def _connected(directory: int, path: str, patience: float) -> apsw.Connection:
    """Return a connection that has read the store once.

    A store in a directory that cannot be written is read as it is, provided that
    nothing waits in its log.
    """
    try:
        try:
            return _tried(path, path, _READ_WRITE, patience)
        except (apsw.ReadOnlyError, apsw.CantOpenError):
            _refuse_waiting_log(directory, path)
            return _tried(_frozen_name(path), path, _FROZEN, patience)
    except apsw.Error as error:
        raise explained(error, path) or error from error


def _tried(name: str, path: str, flags: int, patience: float) -> apsw.Connection:
    connection = _connect(name, flags, patience)
    try:
        refuse_newer(connection.pragma("user_version"), path)
    except BaseException:
        connection.close()
        raise
    return connection


def _refuse_waiting_log(directory: int, path: str) -> None:
    if _log_bytes(directory):
        raise StoreNotFound(
            f"the store `{path}` has changes in its log that cannot be read"
            " from a read-only directory",
            hint="make the directory writable, or copy it somewhere else",
        )


def _frozen_name(path: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415  # rare path, and it costs 5 ms

    return f"file:{quote(path)}?immutable=1"


def _connect(name: str, flags: int, patience: float) -> apsw.Connection:
    connection = apsw.Connection(name, flags=flags)
    connection.set_busy_timeout(int(patience * 1000))
    # Closing would merge the log into the file: two more syncs for every hook.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.execute(_SETTINGS)
    teach(connection)
    return connection


def _read_or_make_key(directory: int) -> bytes:
    """Return the key of a directory whose lock the caller holds."""
    key = _read_key(directory)
    if key is None:
        key = os.urandom(_KEY_BYTES)
        replace_file(_KEY, key, directory)
    return key


def _read_key(directory: int) -> bytes | None:
    try:
        key = read_beginning(_KEY, _KEY_BYTES + 1, directory)
    except OSError:
        return None
    return key if len(key) == _KEY_BYTES else None
