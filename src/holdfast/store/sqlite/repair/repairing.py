"""Repair a store: keep every record that is as it was kept, move the rest aside.

1. A file whose structure is broken, or that has less than its log and its head know of, is
   copied to the quarantine with both, and a new one is made of every row that can be read.
2. The chain is repaired in one transaction: what the journal proves is brought back, a
   damaged hash is set right, a damaged record goes to the quarantine and leaves a
   tombstone. The place of what is gone stays taken: numbers go on from the head.
3. Columns, counters, seals and the index are made again from the records.
4. When the chain verifies, the head file and the journal follow it. A store that has less
   than the head vouches for is a failure that names what is gone, and stays one until
   the quarantine is removed.

Nothing is changed in a store that is whole. Writers wait for the lock, or spool.
"""

import os
from collections.abc import Collection, Generator, Iterator, Sequence

import apsw

from holdfast.kernel.directories import open_directory
from holdfast.kernel.errors import StoreDamaged, StoreNotFound
from holdfast.kernel.files import flush, read_beginning, read_or_none, replace_file
from holdfast.kernel.locks import Lock
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite import head_file
from holdfast.store.sqlite.database import LOCK, Database
from holdfast.store.sqlite.errors import busy
from holdfast.store.sqlite.repair.checking import MENDED, check
from holdfast.store.sqlite.repair.from_journal import bring_back
from holdfast.store.sqlite.repair.log_frames import read_log
from holdfast.store.sqlite.repair.losses import GIVE_UP, LostRecord, lost, told_lost
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
    has_remains,
    open_database,
    refuse_newer,
)
from holdfast.store.sqlite.search import indexing

_FILES = (FILE, f"{FILE}-wal", head_file.NAME)
_NEW = f".{FILE}.new"
_OF_RECORDS = {"chain", "head"}  # what is wrong there may cost a record


def repair(home: str, now_ms: int, patience: float = PATIENCE) -> Iterator[str]:
    """Yield what was done, one sentence each; nothing for a store that is whole.

    Raises:
        StoreNewer: a newer holdfast made it; it is left alone.
        StoreDamaged: after all that was done, records that it had are gone.
        StoreBusy, StoreNotFound, OSError: it cannot be repaired now.
    """
    home = os.path.realpath(home)
    quarantine = Quarantine(home)
    is_there = os.path.exists(f"{home}/{FILE}") or has_remains(home)
    if not is_there and not quarantine.unfinished():
        return
    yield from _rebuilt_if_broken(home, quarantine, patience)
    gone = yield from _repaired(home, quarantine, now_ms, patience)
    quarantine.finish(quarantine.unfinished(), len(gone))
    if gone:
        raise StoreDamaged(told_lost(gone, home), hint=GIVE_UP)


def _repaired(
    home: str, quarantine: Quarantine, now_ms: int, patience: float
) -> Generator[str, None, Sequence[LostRecord]]:
    """Set right what the file says; return which records are gone."""
    database = open_database(home, create=True, patience=patience)
    database.allow_loss()
    try:
        failing = _failing(database)
        if failing or database.journal().compared().different:
            with database.writing():
                if failing & _OF_RECORDS and not quarantine.unfinished():
                    quarantine.keep_store(home, _FILES)
                said = [*bring_back(database, quarantine)]
                said += repair_records(database, quarantine, now_ms)
                said += repair_rows(database, quarantine)
            yield from said
        if _failing(database, {"index", "structure"}):
            count = indexing.reindex(database, anew=True)
            yield f"the search index was made again from {count:,} records"
        yield from _with_head(database)
        yield from _with_journal(database)
        return lost(database)
    finally:
        database.close()


def _with_head(database: Database) -> Iterator[str]:
    """Let the head file follow a chain that verifies."""
    # The head alone is a quick look; the rest reads every record, and can wait for it.
    if not _failing(database, {"head"}) or _failing(database) != {"head"}:
        return
    with database.writing():
        now = head_file.encode(database.head())
        replace_file(head_file.NAME, now, database.directory)
    yield "the head file follows the chain again"


def _with_journal(database: Database) -> Iterator[str]:
    """Let the journal say again what the database does."""
    found = database.journal().compared()
    if found.unreadable or found.different:
        with database.writing():
            database.journal().write_anew()
        yield "the journal was written again from the records"
    elif found.behind:
        database.follow()


def _failing(database: Database, names: Collection[str] = MENDED) -> set[str]:
    return {each.name for each in check(database, names) if each.state == "fail"}


def _rebuilt_if_broken(
    home: str, quarantine: Quarantine, patience: float
) -> Iterator[str]:
    """Make the file anew if its structure is broken, or if that was begun before."""
    directory = open_directory(home, create=False)
    try:
        with Lock(LOCK, directory, patience).held():
            begun = quarantine.unfinished()
            is_sound = os.path.exists(f"{home}/{FILE}") and _is_sound(home)
            if is_sound and (not begun or quarantine.missing(begun)):
                yield from _tried_again(home, begun, quarantine)
                return
            folders = [*begun]
            if not begun or os.path.exists(f"{home}/{FILE}"):
                folders.insert(0, quarantine.keep_store(home, _FILES))
            found = salvaged(folders, make_private(f"{home}/{_NEW}"), quarantine)
            _put_in_place(home, directory)
            yield (
                f"the store's file was broken: kept in `{folders[0]}`,"
                f" and made again from {found.rows:,} rows that can be read"
            )
    except TimeoutError:
        raise busy(f"{home}/{FILE}") from None
    finally:
        os.close(directory)


def _tried_again(
    home: str, begun: Sequence[str], quarantine: Quarantine
) -> Iterator[str]:
    """Look once more for what is missing of broken copies.

    The store in use is sound: it stays unless there is more to be had.
    """
    if not begun:
        return
    new = make_private(f"{home}/{_NEW}")
    gained = salvaged((home, *begun), new, quarantine).records - records_of(home)
    if gained <= 0:
        os.unlink(new)
        return
    directory = open_directory(home, create=False)
    try:
        _put_in_place(home, directory)
    finally:
        os.close(directory)
    yield f"{gained:,} records more were found in broken copies"


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
            is_level = _is_level(connection, home)
        finally:
            connection.close()
    except (apsw.Error, UnicodeDecodeError):
        return False
    return said == [("ok",)] and is_level


def _is_level(connection: apsw.Connection, home: str) -> bool:
    """Say whether the engine sees all that the log and the head file know of."""
    log = read_or_none(f"{home}/{FILE}-wal") or b""
    if read_log(log).hidden_commits:
        return False
    kept = head_file.decode(read_or_none(f"{home}/{head_file.NAME}") or b"")
    ((position,),) = connection.execute("SELECT max(position) FROM store").fetchall()
    return kept is None or not isinstance(position, int) or kept.position <= position


def _read_all(connection: apsw.Connection) -> None:
    """Text that is no text any more stops every reader."""
    there = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    for table in there.intersection(TABLES):
        for _ in connection.execute(f"SELECT * FROM {table}"):  # noqa: S608  # our own names
            continue
