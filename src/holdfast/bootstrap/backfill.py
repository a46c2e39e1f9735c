"""Wire a backfill: who reads transcripts, in which processes, and what they are given.

Workers are forked before the store is opened, so that no connection is shared. Each reads
from a pipe of its own and ends when that closes: a run that is killed leaves nobody.
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
from holdfast.bootstrap.agents import AGENTS, every_past, refuse_unknown
from holdfast.bootstrap.projects import off_places
from holdfast.data_directory.read_transcripts import ReadMark, ReadTranscripts
from holdfast.kernel.digests import sha256
from holdfast.kernel.errors import HoldfastError, SaveFailed
from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from holdfast.agents.past_port import PastSessions
    from holdfast.agents.port import Transcripts
    from holdfast.app.past.backfill import Backfilled, BackfillMeans
    from holdfast.bootstrap import Container
    from holdfast.redaction.redactor import Redactor

_MOST_WORKERS = 2
_LESS_URGENT = 10

Work = Callable[[PastWork, bytes], PastDrafts]


def run_backfill(
    container: Container,
    agent: str | None,
    directory: str | None,
    tell: Callable[[Backfilled], None],
) -> Backfilled:
    """Do it for an agent, or for every one, at low priority, with as many processes as
    there are cores, at most two.

    Raises:
        UsageWrong: this version does not know the agent.
        HoldfastError: the store failed; what was put stays.
    """
    from holdfast.app.past.backfill import Backfilled, backfill

    # A directory is of one agent.
    chosen = _chosen(container, agent or (AGENTS[0] if directory else None))
    done = Backfilled()
    pool: InlinePool | ForkedPool
    work = _work(container)
    pool = ForkedPool(work, _MOST_WORKERS) if _cores() > 1 else InlinePool(work)
    try:
        pool.key = container.store(create=True).redaction_key
        means = [_means(container, name, past) for name, past in chosen.items()]
        backfill(directory, means, pool, done, tell)
    finally:
        pool.close()
    return done


def _chosen(container: Container, agent: str | None) -> dict[str, PastSessions]:
    """Return the sessions on disk by agent: of one, or of all."""
    if agent is None:
        return dict(every_past(container.places, container.environ))
    refuse_unknown(agent)
    return {agent: container.agent(agent).past()}


def past_waiting(container: Container, agent: str) -> int:
    """Return how many sessions of an agent lie on disk that no run has read."""
    from holdfast.app.past.backfill import waiting

    return waiting(container.agent(agent).past(), _ledger(container))


def past_on_disk(container: Container) -> int:
    """Return how many sessions of any agent no run has read; opens no store but one that
    is there already."""
    if os.path.exists(container.home):
        return sum(past_waiting(container, name) for name in AGENTS)
    pasts = every_past(container.places, container.environ)
    return sum(1 for _, past in pasts for _one in past.every())


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _work(container: Container) -> Work:
    redactors: dict[bytes, Redactor] = {}
    readers: dict[tuple[str, bytes], Transcripts] = {}

    def redactor_for(key: bytes) -> Redactor:
        from holdfast.redaction.redactor import Redactor

        own = container.config.redaction
        return Redactor(key, rules=own.rules, allow=own.allow)

    def work(given: PastWork, key: bytes) -> PastDrafts:
        # One for all that a process reads: what they know already is not looked at again.
        redactor = redactors.get(key) or redactor_for(key)
        redactors[key] = redactor
        agent = given.start.agent
        if (agent, key) not in readers:
            reader = container.agent(agent).transcripts(redactor.text, bulk=True)
            readers[agent, key] = reader
        try:
            return past_drafts(given, readers[agent, key], redactor)
        except HoldfastError as problem:
            return PastDrafts(problem=problem.message)
        except Exception as bug:  # noqa: BLE001  # one transcript costs no other
            return PastDrafts(problem=f"it is not understood ({type(bug).__name__})")

    return work


def _means(container: Container, agent: str, past: PastSessions) -> BackfillMeans:
    from holdfast.app.past.backfill import BackfillMeans

    return BackfillMeans(
        ports=container.ports(agent=agent, create=True),
        past=past,
        ledger=_ledger(container),
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


class _Worker(NamedTuple):
    """A process, by the ends of the two pipes to it."""

    pid: int
    work: Connection
    done: Connection

    def close(self) -> None:
        self.work.close()
        self.done.close()


class ForkedPool:
    """Reads in processes of its own (`Pool`)."""

    def __init__(self, work: Work, count: int) -> None:
        self.key = b""
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, tuple[_Worker, int, PastWork]] = {}
        for _ in range(count):
            self._begin(work)

    def has_room(self) -> bool:
        return bool(self._idle)

    def give(self, place: int, work: PastWork) -> None:
        worker = self._idle.pop(0)
        self._busy[worker.done] = (worker, place, work)
        with suppress(OSError):  # one that is gone is noticed when it does not answer
            key = self.key.hex().encode()
            worker.work.send_bytes(key + b"\n" + work_json(work).encode())

    def take(self) -> tuple[int, PastDrafts]:
        from multiprocessing.connection import wait

        ready = wait(list(self._busy))
        heard = next(one for one in self._busy if one in ready)
        worker, place, work = self._busy[heard]
        try:
            came = done_from(heard.recv_bytes().decode())
        except (EOFError, OSError):
            raise SaveFailed(
                f"reading `{work.transcript}` ended in the middle",
                hint="nothing is lost; `holdfast backfill` continues there",
            ) from None
        del self._busy[heard]
        self._idle.append(worker)
        return place, came

    def close(self) -> None:
        """Let the workers go: one in the middle of a long transcript is not waited for."""
        workers = (*self._idle, *(worker for worker, _, _ in self._busy.values()))
        for worker in workers:
            worker.close()
            with suppress(OSError):
                os.kill(worker.pid, signal.SIGTERM)
                os.waitpid(worker.pid, 0)
        self._idle.clear()
        self._busy.clear()

    def _begin(self, work: Work) -> None:
        from multiprocessing import Pipe

        their_work, our_work = Pipe(duplex=False)
        our_done, their_done = Pipe(duplex=False)
        pid = os.fork()
        if pid:
            their_work.close()
            their_done.close()
            self._idle.append(_Worker(pid, our_work, our_done))
            return
        for other in (*self._idle, _Worker(0, our_work, our_done)):
            other.close()  # else it would live on by a pipe that nobody else has
        _be_patient()
        _serve(their_work, their_done, work)


def _serve(given: Connection, done: Connection, work: Work) -> None:
    """Do what the parent sends until it is gone; never return."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it, too
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        while True:
            key, _, text = given.recv_bytes().partition(b"\n")
            came = work(work_from(text.decode()), bytes.fromhex(key.decode()))
            done.send_bytes(done_json(came).encode())
    except (EOFError, OSError):
        os._exit(0)
    finally:
        os._exit(1)


def _be_patient() -> None:
    with suppress(OSError):
        os.nice(max(0, _LESS_URGENT - os.nice(0)))
