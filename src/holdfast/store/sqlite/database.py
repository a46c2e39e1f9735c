"""One open store file: its connection, the queue of its writers, and its head.

A read sees one moment of the store and waits for nobody. A write holds the lock, is one
transaction, and moves the head file when it is committed.
"""

import os
from _thread import RLock  # what `threading` has, without its import
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import apsw

from holdfast.kernel.errors import (
    HoldfastError,
    StoreBusy,
    StoreDamaged,
    StoreNotFound,
)
from holdfast.kernel.locks import Lock
from holdfast.store.chain import GENESIS, ChainHead
from holdfast.store.sqlite import head_file
from holdfast.store.sqlite.errors import (
    busy,
    damaged,
    explained,
    newer,
    poorer,
    unusable,
)

if TYPE_CHECKING:
    from holdfast.store.sqlite.journaling import ChainJournal

Row = tuple[Any, ...]
Parameters = Mapping[str, Any]
LOCK = "store.lock"
_NOTHING: Parameters = {}
_BATCH = 500
_HASH_AT = "SELECT hash FROM chain WHERE position = :position"
_VERSION = "PRAGMA user_version"
_OTHERS = "PRAGMA data_version"  # counts what other connections committed
_HEAD = "SELECT position, hash, records FROM store"


class Database:
    def __init__(
        self, connection: apsw.Connection, path: str, directory: int, patience: float
    ) -> None:
        self.path = path
        self.home = os.path.dirname(path)
        self.directory = directory
        self._connection = connection
        self._patience = patience
        self._lock = Lock(LOCK, directory, patience)
        self._guard = RLock()  # a connection serves one thread at a time
        self._new_head: ChainHead | None = None
        self._changed: set[int] = set()
        self._is_loss_settled = False
        self._synchronous = ""  # not set yet
        self._is_closed = False
        self._file = os.stat(path).st_ino
        self._version: int = self.one(_VERSION)[0]

    def rows(self, statement: str, parameters: Parameters = _NOTHING) -> list[Row]:
        """Return every row of a statement.

        Raises:
            StoreBusy, StoreDamaged, StoreNotFound
        """
        with self._guard:
            try:
                return self._connection.execute(statement, parameters).fetchall()
            except apsw.Error as error:
                raise explained(error, self.path) or error from error
            except UnicodeDecodeError as error:
                message = f"the store `{self.path}` is damaged: {error.reason}"
                raise damaged(message) from error

    def many(self, statement: str, parameters: Sequence[Parameters]) -> None:
        """Run a statement once for each set of parameters.

        Raises:
            StoreBusy, StoreDamaged, StoreNotFound
        """
        with self._guard:
            try:
                self._connection.executemany(statement, parameters).fetchall()
            except apsw.Error as error:
                raise explained(error, self.path) or error from error

    def row(self, statement: str, parameters: Parameters = _NOTHING) -> Row | None:
        """Return the first row of a statement, if there is one."""
        found = self.rows(statement, parameters)
        return found[0] if found else None

    def one(self, statement: str, parameters: Parameters = _NOTHING) -> Row:
        """Return the row that must be there.

        Raises:
            StoreDamaged: it is not.
        """
        found = self.row(statement, parameters)
        if found is None:
            raise damaged(f"the store `{self.path}` is damaged: a row is missing")
        return found

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See one moment of the store in every read of a `with`."""
        with self._guard:
            if self._connection.in_transaction:
                yield
                return
            self.rows("BEGIN")
            try:
                yield
            finally:
                self._end_transaction()

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[None]:
        """Make a `with` one transaction: all of it is kept, or nothing.

        When it ends, it survives a power cut; without `durable`, the end of a process.

        Raises:
            StoreNewer: its structure was changed since it was opened.
            StoreDamaged: entries are gone that the head file knows of.
            StoreBusy, StoreNotFound
        """
        with self._guard, self._queue():
            self._begin("FULL" if durable else "NORMAL")
            try:
                self._refuse_migrated()
                self._refuse_poorer()
                yield
                self.rows("COMMIT")
            finally:
                self._end_transaction()
            self._keep_witnesses()

    def moment(self) -> str:
        """Return a mark that changes with the file: others' commits, and our own."""
        with self._guard:
            return f"{self.one(_OTHERS)[0]}-{self._connection.total_changes()}"

    def head(self) -> ChainHead:
        position, digest, records = self.one(_HEAD)
        return ChainHead(position, digest, records)

    def move_head(self, head: ChainHead) -> None:
        """Keep this head outside the database, too, once the transaction is committed."""
        self._new_head = head

    def note_changed(self, position: int) -> None:
        """Let the journal, too, say what a record is once the transaction is committed."""
        self._changed.add(position)

    def allow_loss(self) -> None:
        """Let somebody write who knows that entries are gone: a repair."""
        self._is_loss_settled = True

    def journal(self) -> "ChainJournal":
        """Return what follows the chain beside the database."""
        from holdfast.store.sqlite.journaling import ChainJournal  # noqa: PLC0415  # only to save

        return ChainJournal(self.home, self.rows)

    def follow(self) -> None:
        """See that the journal has every entry, on the disk.

        Raises:
            StoreBusy, StoreDamaged, StoreNotFound: it has not.
        """
        with self._guard, self._queue():
            self._refuse_poorer()
            try:
                self.journal().follow_wholly()
            except OSError as error:
                raise unusable(self.path, error.strerror or str(error)) from error

    def wipe_log(self) -> bool:
        """Fold the log into the database and leave nothing in it.

        False if a reader still needs it, or the journal could not follow.

        Raises:
            StoreDamaged: entries are gone that the head file knows of, and the log may
                still have them.
        """
        with self._guard:
            try:
                self.follow()
                self._connection.set_busy_timeout(200)
                return not self.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0][0]
            except (StoreBusy, StoreNotFound):
                return False
            finally:
                self._connection.set_busy_timeout(int(self._patience * 1000))

    def write_anew(self) -> None:
        """Write the whole file again, without its free pages, and empty the log.

        Raises:
            StoreBusy: a reader still needs the old pages.
        """
        self.follow()
        with self._guard, self._queue():
            self.rows("VACUUM")
            if self.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0][0]:
                raise busy(self.path)

    def close(self) -> None:
        with self._guard:
            if not self._is_closed:
                self._is_closed = True
                self._connection.close()
                os.close(self.directory)

    @contextmanager
    def _queue(self) -> Iterator[None]:
        with ExitStack() as stack:
            try:
                stack.enter_context(self._lock.held())
            except TimeoutError:
                raise busy(self.path) from None
            except OSError as error:
                raise unusable(self.path, error.strerror or str(error)) from error
            self._refuse_replaced()
            yield

    def _refuse_replaced(self) -> None:
        """A repair puts another file in place: what is written to the old one is lost."""
        try:
            now = os.stat(self.path).st_ino
        except OSError:
            now = 0
        if now != self._file:
            raise busy(self.path)

    def _refuse_migrated(self) -> None:
        """A newer holdfast may have changed the structure since this was opened."""
        version = self.one(_VERSION)[0]
        if version > self._version:
            raise newer(self.path, version, self._version)

    def _refuse_poorer(self) -> None:
        """What is written after a damaged frame of the log goes over intact ones."""
        if self._is_loss_settled:
            return
        kept = head_file.read(self.directory)
        lost = kept.position - self.head().position if kept else 0
        if lost > 0:
            raise poorer(self.path, lost)
        self._is_loss_settled = True  # one look is enough

    def _keep_witnesses(self) -> None:
        """Keep the head and the newest entries outside the database, too.

        The commit stands: what fails here, the next one makes up for.
        """
        if self._new_head is not None:
            head_file.move(self.directory, self._new_head, self._is_in_chain)
        if self._new_head is None and not self._changed:
            return
        try:
            self.journal().follow(self._changed)
        except (OSError, HoldfastError, ValueError, TypeError):
            return  # a damaged line or row, too, must not cost what is committed

    def _begin(self, synchronous: str) -> None:
        if synchronous != self._synchronous:
            self.rows(f"PRAGMA synchronous = {synchronous}")
            self._synchronous = synchronous
        self.rows("BEGIN IMMEDIATE")
        self._new_head = None
        self._changed.clear()

    def _end_transaction(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _is_in_chain(self, head: ChainHead) -> bool:
        if head.position == 0:
            return head.hash == GENESIS
        try:
            found = self.row(_HASH_AT, {"position": head.position})
        except StoreDamaged:
            return False
        return found == (head.hash,)


def batches(database: Database, statement: str) -> Iterator[Row]:
    """Yield every row of a statement that asks `position > :after … LIMIT :batch`.

    The store may be larger than memory.
    """
    after = 0
    while rows := database.rows(statement, {"after": after, "batch": _BATCH}):
        yield from rows
        after = rows[-1][0]
