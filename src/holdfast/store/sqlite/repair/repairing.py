"""Repair a store: keep every record that is as it was kept, move the rest aside.

1. A file whose structure is broken is copied to the quarantine, and a new one is made of
   every row that can be read.
2. The chain is repaired in one transaction: a damaged hash is set right, a damaged record
   goes to the quarantine and leaves a tombstone.
3. Columns, counters, seals and the index are made again from the records.
4. Only when the chain verifies and nothing is missing, the head file follows it. A new
   file that has less than the head vouches for is a failure, and stays one until
   the broken copy is removed.

Nothing is changed in a store that is whole. Writers wait for the lock, or spool.
"""

import os
from collections.abc import Collection, Generator, Iterator, Sequence

import apsw

from holdfast.kernel.directories import open_directory
from holdfast.kernel.errors import StoreDamaged, StoreNotFound
from holdfast.kernel.files import flush, read_beginning, replace_file
from holdfast.kernel.locks import Lock
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite import head_file
from holdfast.store.sqlite.database import LOCK, Database
from holdfast.store.sqlite.errors import busy
from holdfast.store.sqlite.repair.checking import EVERYTHING, check
from holdfast.store.sqlite.repair.repairing_records import repair_records
from holdfast.store.sqlite.repair.repairing_rows import repair_rows
from holdfast.store.sqlite.repair.salvage import (
    TABLES,
    make_private,
    records_of,
    salvaged,
)
from holdfast.store.sqlite.schema.migrate import (
    APPLICATION_ID,
    FOUND,
    HEADER_BYTES,
    changed,
    header,
)
from holdfast.store.sqlite.schema.opening import (
    FILE,
    PATIENCE,
    open_database,
    refuse_newer,
)
from holdfast.store.sqlite.search import indexing

_FILES = (FILE, f"{FILE}-wal", head_file.NAME)
_NEW = f".{FILE}.new"


def repair(home: str, now_ms: int, patience: float = PATIENCE) -> Iterator[str]:
    """Yield what was done, one sentence each; nothing for a store that is whole.

    Raises:
        StoreNewer: a newer holdfast made it; it is left alone.
        StoreDamaged: after all that was done, entries that it had are missing.
        StoreBusy, StoreNotFound, OSError: it cannot be repaired now.
    """
    home = os.path.realpath(home)
    quarantine = Quarantine(home)
    if not os.path.exists(f"{home}/{FILE}") and not quarantine.unfinished():
        return
    missing = yield from _rebuilt_if_broken(home, quarantine, patience)
    yield from _repaired(home, quarantine, now_ms, patience)
    if missing:
        raise _poorer(missing, quarantine.unfinished())


def _poorer(missing: int, folders: Sequence[str]) -> StoreDamaged:
    places = ", ".join(f"`{folder}`" for folder in folders)
    return StoreDamaged(
        f"{missing:,} of the entries the store had are not found again;"
        f" the broken file is kept in {places}",
        hint="put a backup of it in place, or give them up: remove that folder"
        " and repair again",
    )


def _repaired(
    home: str, quarantine: Quarantine, now_ms: int, patience: float
) -> Iterator[str]:
    database = open_database(home, create=True, patience=patience)
    try:
        if not _failing(database):
            return
        with database.writing():
            said = [*repair_records(database, quarantine, now_ms)]
            said += repair_rows(database, quarantine)
        yield from said
        if _failing(database, {"index", "structure"}):
            count = indexing.reindex(database, anew=True)
            yield f"the search index was made again from {count:,} records"
        if not quarantine.unfinished():
            yield from _with_head(database)
    finally:
        database.close()


def _with_head(database: Database) -> Iterator[str]:
    """Let the head file follow a chain that verifies, and say what that gives up."""
    # The head alone is a quick look; the rest reads every record, and can wait for it.
    if not _failing(database, {"head"}) or _failing(database) != {"head"}:
        return
    before = head_file.read(database.directory)
    now = database.head()
    with database.writing():
        replace_file(head_file.NAME, head_file.encode(now), database.directory)
    lost = before.records - now.records if before else 0
    gone = f"; {lost:,} records that it knew of are gone" if lost > 0 else ""
    yield f"the head file follows the chain again{gone}"


def _failing(database: Database, names: Collection[str] = EVERYTHING) -> set[str]:
    return {each.name for each in check(database, names) if each.state == "fail"}


def _rebuilt_if_broken(
    home: str, quarantine: Quarantine, patience: float
) -> Generator[str, None, int]:
    """Make the file anew if its structure is broken, or if that was begun before.

    Return how many entries are missing that the broken file is known to have had.
    """
    directory = open_directory(home, create=False)
    try:
        with Lock(LOCK, directory, patience).held():
            begun = quarantine.unfinished()
            is_there = os.path.exists(f"{home}/{FILE}")
            if (
                is_there
                and _is_sound(home)
                and (not begun or quarantine.missing(begun))
            ):
                missing = quarantine.missing(begun)
                return (yield from _tried_again(home, begun, missing, quarantine))
            folders = [*begun]
            if is_there:
                folders.insert(0, quarantine.keep_store(home, _FILES))
            found = salvaged(folders, make_private(f"{home}/{_NEW}"), quarantine)
            _put_in_place(home, directory)
            quarantine.finish(folders, found.missing)
            yield (
                f"the store's file was broken: kept in `{folders[0]}`,"
                f" and made again from {found.rows:,} rows that can be read"
            )
            return found.missing
    except TimeoutError:
        raise busy(f"{home}/{FILE}") from None
    finally:
        os.close(directory)


def _tried_again(
    home: str, begun: Sequence[str], missing: int, quarantine: Quarantine
) -> Generator[str, None, int]:
    """Look once more for what is missing of broken copies; return what still is.

    The store in use is sound: it stays unless there is more to be had.
    """
    if not begun:
        return 0
    new = make_private(f"{home}/{_NEW}")
    gained = salvaged((home, *begun), new, quarantine).records - records_of(home)
    if gained <= 0:
        os.unlink(new)
        return missing
    directory = open_directory(home, create=False)
    try:
        _put_in_place(home, directory)
    finally:
        os.close(directory)
    missing = max(missing - gained, 0)
    quarantine.finish(begun, missing)
    yield f"{gained:,} records more were found in broken copies"
    return missing


def _put_in_place(home: str, directory: int) -> None:
    new = f"{home}/{_NEW}"
    for ending in ("-wal", "-shm"):
        if os.path.exists(f"{home}/{FILE}{ending}"):
            os.unlink(f"{home}/{FILE}{ending}")
    flush(new)
    os.rename(new, f"{home}/{FILE}")
    os.fsync(directory)


def _is_sound(home: str) -> bool:
    """Say whether the file's structure is whole; the caller holds the lock.

    Raises:
        StoreNewer
    """
    path = f"{home}/{FILE}"
    try:
        start = read_beginning(path, HEADER_BYTES, follow_links=True)
    except OSError as error:
        raise StoreNotFound(f"`{path}` cannot be read: {error.strerror}") from None
    found = header(start)
    if found is not None:
        refuse_newer(found.version, path)
    if found is None or found.application_id != APPLICATION_ID or not found.version:
        return False
    try:
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            said = connection.execute("PRAGMA integrity_check(3)").fetchall()
            if changed(connection.execute(FOUND), found.version):
                return False
            _read_all(connection)
        finally:
            connection.close()
    except (apsw.Error, UnicodeDecodeError):
        return False
    return said == [("ok",)]


def _read_all(connection: apsw.Connection) -> None:
    """Text that is no text any more stops every reader."""
    there = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    for table in there.intersection(TABLES):
        for _ in connection.execute(f"SELECT * FROM {table}"):  # noqa: S608  # our own names
            continue
