"""Transactions on the team's database: as a role that owns nothing, for one tenant only.

Whoever writes says what to do as a function, because it may be done again: an engine may
refuse a transaction for others' sake, and a server may go away in the middle of one.
"""

import contextlib
import logging
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from random import random
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg import errors as engine
from psycopg_pool import ConnectionPool, PoolTimeout

from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.store.postgres.errors import explained, unreachable

Row = tuple[Any, ...]
Parameters = Mapping[str, Any]
Connection = psycopg.Connection[Row]
Result = TypeVar("Result")
APPLICATION_ROLE = "holdfast_app"
SCHEMA_NAME = "holdfast"
_BEGIN = f"""
    SELECT
        set_config('role', '{APPLICATION_ROLE}', true),
        set_config('search_path', '{SCHEMA_NAME}', true),
        set_config('holdfast.tenant', %(tenant)s, true),
        set_config('synchronous_commit', %(commit)s, true)
"""
_SETTLE = "SELECT pg_logical_emit_message(true, 'holdfast', '')"
# For others' sake: the same work, done again, is expected to succeed.
_AGAIN = (
    engine.SerializationFailure,
    engine.DeadlockDetected,
    engine.UniqueViolation,
    engine.LockNotAvailable,
)
# The server went away, or is not there yet.
_GONE = (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout)
_POOL_SECONDS = 2.0
_FIRST_WAIT = 0.01
_LONGEST_WAIT = 0.5


# What went wrong is told by us, once, and without an address.
for _name in ("psycopg", "psycopg.pool"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


class Limits(NamedTuple):
    """How many connections, and how long to wait: for one, and for all of it."""

    connections: int = 4
    connect: float = 5.0
    patience: float = 30.0
    statement_ms: int = 30_000


class Transaction:
    """Statements of one transaction, and their answers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def do(self, statement: LiteralString, values: Parameters) -> None:
        """Send what has no answer; nobody waits for it, and a failure is told later."""
        self._connection.execute(statement, values)

    def rows(self, statement: LiteralString, values: Parameters = {}) -> list[Row]:  # noqa: B006  # never changed
        return self._connection.execute(statement, values).fetchall()

    def row(self, statement: LiteralString, values: Parameters = {}) -> Row | None:  # noqa: B006  # never changed
        found = self.rows(statement, values)
        return found[0] if found else None

    def one(self, statement: LiteralString, values: Parameters = {}) -> Row:  # noqa: B006  # never changed
        (found,) = self.rows(statement, values)
        return found

    def together(
        self, statements: Sequence[tuple[LiteralString, Parameters]]
    ) -> list[list[Row]]:
        """Ask several things in one journey to the server."""
        cursors = [self._connection.execute(*each) for each in statements]
        return [each.fetchall() for each in cursors]


class _Impatient(psycopg.Connection[Row]):
    """A connection that is given up when the server does not answer for too long.

    The server's own limit does not help who is cut off from it, or asks one that stands
    still: what was sent is then waited for until the system gives up, many minutes later.
    """

    longest = 30.0  # seconds

    def wait(
        self, gen: Generator[Any, Any, Result], *words: Any, **more: Any
    ) -> Result:
        return super().wait(self._until_silent(gen), *words, **more)

    def _until_silent(
        self, gen: Generator[Any, Any, Result]
    ) -> Generator[Any, Any, Result]:
        end = time.monotonic() + self.longest
        try:
            wanted = next(gen)
            while True:
                told = yield wanted
                if told:
                    end = time.monotonic() + self.longest
                elif time.monotonic() > end:
                    self.close()
                    raise psycopg.OperationalError("the server does not answer")
                wanted = gen.send(told)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]  # what the generator gives


class TeamDatabase:
    """A pool of connections, and whose rows are looked at."""

    def __init__(
        self, dsn: str, tenant: str, limits: Limits, *, has_one_log: bool = False
    ) -> None:
        self.tenant = tenant
        self._has_one_log = has_one_log
        self._limits = limits
        self._pool = ConnectionPool(
            dsn,
            connection_class=_Impatient,
            configure=self._bounded,
            kwargs={
                "autocommit": True,  # a transaction is begun where one is wanted
                "application_name": "holdfast",
                "connect_timeout": max(2, int(limits.connect)),
                "options": f"-c statement_timeout={limits.statement_ms}",
            },
            min_size=0,
            max_size=limits.connections,
            # The pool waits longer after each failure; we know when to ask again.
            timeout=min(limits.connect, _POOL_SECONDS),
            reconnect_timeout=_POOL_SECONDS / 2,
            num_workers=1,
            open=True,
        )

    def read(self, work: Callable[[Transaction], Result]) -> Result:
        """Do what only reads, at one moment of the store."""
        return self._until_done(work, "REPEATABLE READ READ ONLY", "on")

    def write(
        self,
        work: Callable[[Transaction], Result],
        *,
        serializable: bool = False,
        lazily: bool = False,
        again: bool = True,
    ) -> Result:
        """Do work in one transaction, again where others stood in its way.

        `lazily`: locks do not wait for the disk. The commit goes into the log, and a
        message after it, whose commit waits until the log is on disk up to there; many
        of those share one flush. The log is written in order, so what is on disk is
        there with all it stands on. Where the log is not one, it is done without.
        Without `again`, work of which nobody knows whether it was done is not repeated.
        """
        level = "SERIALIZABLE" if serializable else "READ COMMITTED"
        is_lazy = lazily and self._has_one_log
        return self._until_done(work, level, "off" if is_lazy else "on", again=again)

    def close(self) -> None:
        self._pool.close()

    def _bounded(self, connection: _Impatient) -> None:
        connection.longest = self._limits.statement_ms / 1000

    def _until_done(
        self,
        work: Callable[[Transaction], Result],
        level: str,
        commit: str,
        *,
        again: bool = True,
    ) -> Result:
        end = time.monotonic() + self._limits.patience
        tries = 0
        while True:
            try:
                return self._once(work, level, commit)
            except (*_AGAIN, *_GONE) as problem:
                may_repeat = again or isinstance(problem, _AGAIN)
                if not may_repeat or not _waited(tries, end):
                    raise unreachable(problem) from None
            except psycopg.Error as problem:
                raise explained(problem) from None
            tries += 1

    def _once(
        self, work: Callable[[Transaction], Result], level: str, commit: str
    ) -> Result:
        began = {"tenant": self.tenant, "commit": commit}
        with self._pool.connection() as connection:
            try:
                with connection.pipeline():
                    connection.execute(f"BEGIN ISOLATION LEVEL {level}".encode())
                    connection.execute(_BEGIN, began)
                    result = work(Transaction(connection))
                    connection.execute("COMMIT")
                    if commit == "off":
                        connection.execute(_SETTLE)
            except psycopg.Error:
                # What was sent after the failure was not heard, so the driver's idea of
                # prepared statements is wrong: another connection knows better.
                connection.close()
                raise
            except BaseException:
                with contextlib.suppress(psycopg.Error):
                    connection.execute("ROLLBACK")
                raise
            return result


def _waited(tries: int, end: float) -> bool:
    """Wait a little longer each time; False once there is no time left."""
    wait = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** min(tries, 10)) * (0.5 + random())  # noqa: S311  # no secret
    if time.monotonic() + wait > end:
        return False
    time.sleep(wait)  # noqa: TID251  # nobody tells when a server is back
    return True
