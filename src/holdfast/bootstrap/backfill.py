"""Wire a backfill: who reads transcripts, in which processes, and what they are given.

Workers are forked before the store is opened, so that no connection is shared. Each reads
from a socket of its own and ends when that closes: a run that is killed leaves nobody.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.app.past.past_drafts import (
    PastDrafts,
    PastWork,
    done_from,
    done_json,
    past_drafts,
    work_from,
    work_json,
)
from holdfast.bootstrap.agents import AGENTS, refuse_unknown
from holdfast.bootstrap.projects import off_places
from holdfast.data_directory.read_transcripts import ReadMark, ReadTranscripts
from holdfast.kernel.digests import sha256
from holdfast.kernel.errors import HoldfastError, SaveFailed

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from holdfast.app.past.backfill import Backfilled, BackfillMeans
    from holdfast.bootstrap import Container

_MOST_WORKERS = 2
_LESS_URGENT = 10

Work = Callable[[PastWork, bytes], PastDrafts]


def run_backfill(
    container: Container,
    agent: str,
    directory: str | None,
    tell: Callable[[Backfilled], None],
) -> Backfilled:
    """Do it, at low priority, with as many processes as there are cores, at most two.

    Raises:
        UsageWrong: this version does not know the agent.
        HoldfastError: the store failed; what was put stays.
    """
    from holdfast.app.past.backfill import backfill

    refuse_unknown(agent)
    work = _work(container, agent)
    pool: InlinePool | ForkedPool
    pool = ForkedPool(work, _MOST_WORKERS) if _cores() > 1 else InlinePool(work)
    try:
        ports = container.ports(agent=agent, create=True)
        pool.key = ports.open_store().redaction_key
        return backfill(directory, _means(container, agent, pool), ports, tell)
    finally:
        pool.close()


def past_waiting(container: Container) -> int:
    """Return how many sessions of every agent lie on disk that no run has read."""
    from holdfast.app.past.backfill import waiting

    ledger = _ledger(container)
    return sum(waiting(container.agent(name).past(), ledger) for name in AGENTS)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _work(container: Container, agent: str) -> Work:
    def work(given: PastWork, key: bytes) -> PastDrafts:
        from holdfast.redaction.redactor import Redactor

        own = container.config.redaction
        redactor = Redactor(lambda: key, rules=own.rules, allow=own.allow)
        reader = container.agent(agent).transcripts(redactor.text, bulk=True)
        try:
            return past_drafts(given, reader, redactor)
        except HoldfastError as problem:
            return PastDrafts(problem=problem.message)
        except Exception as bug:  # noqa: BLE001  # one transcript costs no other
            return PastDrafts(problem=f"it could not be understood: {bug!r:.200}")

    return work


def _means(
    container: Container, agent: str, pool: InlinePool | ForkedPool
) -> BackfillMeans:
    from holdfast.app.past.backfill import BackfillMeans

    return BackfillMeans(
        past=container.agent(agent).past(),
        ledger=_ledger(container),
        pool=pool,
        is_off=off_places(container),
        is_at_work=lambda session: container.is_at_work(session, agent),
        budget=container.budget(None),
    )


def _ledger(container: Container) -> _Ledger:
    key = container.store(create=True).redaction_key
    owner = sha256(b"read by" + key).hexdigest()[:16]
    return _Ledger(ReadTranscripts(container.home, owner))


class _Ledger:
    """The ledger's lines as the verb asks for them (`ReadLedger`)."""

    def __init__(self, marks: ReadTranscripts) -> None:
        self._marks = marks

    def stamp(self, path: str) -> str | None:
        mark = self._marks.mark(path)
        return mark.stamp if mark else None

    def upto(self, path: str) -> int:
        mark = self._marks.mark(path)
        return mark.upto if mark else 0

    def note(self, path: str, stamp: str, upto: int) -> None:
        self._marks.note(path, ReadMark(stamp, upto))


class InlinePool:
    """Reads in this process (`Pool`)."""

    def __init__(self, work: Work) -> None:
        self.key = b""
        self._work = work
        self._done: list[tuple[int, PastDrafts]] = []
        _be_patient()

    def has_room(self) -> bool:
        return not self._done

    def give(self, place: int, work: PastWork) -> None:
        self._done.append((place, self._work(work, self.key)))

    def take(self) -> tuple[int, PastDrafts]:
        return self._done.pop(0)

    def close(self) -> None:
        self._done.clear()


class ForkedPool:
    """Reads in processes of its own (`Pool`)."""

    def __init__(self, work: Work, count: int) -> None:
        self.key = b""
        self._pids: list[int] = []
        self._idle: list[Connection] = []
        self._busy: dict[Connection, tuple[int, PastWork]] = {}
        for _ in range(count):
            self._begin(work)

    def has_room(self) -> bool:
        return bool(self._idle)

    def give(self, place: int, work: PastWork) -> None:
        worker = self._idle.pop(0)
        worker.send_bytes(self.key.hex().encode() + b"\n" + work_json(work).encode())
        self._busy[worker] = (place, work)

    def take(self) -> tuple[int, PastDrafts]:
        from multiprocessing.connection import wait

        ready = wait(list(self._busy))
        worker = next(one for one in self._busy if one in ready)
        place, work = self._busy.pop(worker)
        try:
            came = done_from(worker.recv_bytes().decode())
        except (EOFError, OSError):
            raise SaveFailed(
                f"reading `{work.transcript}` ended in the middle",
                hint="nothing is lost; `holdfast backfill` goes on there",
            ) from None
        self._idle.append(worker)
        return place, came

    def close(self) -> None:
        """Let the workers go: one in the middle of a long transcript is not waited for."""
        for worker in (*self._idle, *self._busy):
            worker.close()
        for pid in self._pids:
            with suppress(OSError):
                os.kill(pid, signal.SIGTERM)
                os.waitpid(pid, 0)
        self._pids.clear()

    def _begin(self, work: Work) -> None:
        from multiprocessing import Pipe

        ours, theirs = Pipe()
        pid = os.fork()
        if pid:
            theirs.close()
            self._pids.append(pid)
            self._idle.append(ours)
            return
        ours.close()
        for other in self._idle:
            other.close()
        _be_patient()
        _serve(theirs, work)


def _serve(parent: Connection, work: Work) -> None:
    """Do what the parent sends until it is gone; never return."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it, too
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        while True:
            key, _, text = parent.recv_bytes().partition(b"\n")
            done = work(work_from(text.decode()), bytes.fromhex(key.decode()))
            parent.send_bytes(done_json(done).encode())
    except (EOFError, OSError):
        os._exit(0)
    finally:
        os._exit(1)


def _be_patient() -> None:
    with suppress(OSError):
        os.nice(max(0, _LESS_URGENT - os.nice(0)))
