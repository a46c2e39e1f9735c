"""Make checkpoints of the sessions that lie on disk: every transcript, once.

    directory → what is new → first and last lines → who came from whom
        → read, redacted, folded, drafted   (workers, two at a time)
        → put, in one order                 (one writer)

Sessions are put in the order they ended, whoever's they are, and a draft's key is made of
its session and its time. So a run that was killed anywhere and begun again keeps what one run would have
kept. What was saved while it happened is not saved again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from holdfast.app.checkpoints.passing_on import forked_at
from holdfast.app.checkpoints.session import left_open
from holdfast.app.checkpoints.which_session import bare_record
from holdfast.app.past.past_drafts import PastDrafts, PastWork
from holdfast.domain.query import Scope
from holdfast.facts.statements.kept_notes import with_earlier_notes
from holdfast.kernel.errors import SaveFailed
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass, field, replace
from holdfast.session.fold import begin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from holdfast.agents.past_port import (
        PastParent,
        PastSession,
        PastSessions,
        PastTranscript,
    )
    from holdfast.app.ports import Ports
    from holdfast.domain.checkpoint import Checkpoint, Draft
    from holdfast.domain.code import Project, ProjectIdentity
    from holdfast.domain.session import Inherited
    from holdfast.store.port import Store

_MOST_AHEAD = 16  # transcripts that are read before the first of them is written


class ReadLedger(Protocol):
    """What an earlier run has read already."""

    def stamp(self, path: str) -> str | None: ...

    def upto(self, path: str) -> int: ...

    def note(self, path: str, stamp: str, upto: int) -> None: ...


class Pool(Protocol):
    """Who reads transcripts: in this process, or in others."""

    def has_room(self) -> bool: ...

    def give(self, place: int, work: PastWork) -> None: ...

    def take(self) -> tuple[int, PastDrafts]:
        """Return what is done next, in whatever order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BackfillMeans:
    """What a backfill of one agent's sessions works with."""

    ports: Ports
    past: PastSessions
    ledger: ReadLedger
    is_off: Callable[[str], bool]  # nothing is to be read of this directory
    is_at_work: Callable[[str], bool]  # this session goes on: it is saved at its end
    budget: int


class _Planned(NamedTuple):
    """A session to be read."""

    session: PastSession
    means: BackfillMeans


@dataclass(slots=True)
class Backfilled:
    """What was done so far; the surface shows it while it grows."""

    transcripts: int = 0  # to be read in this run
    bytes_all: int = 0
    bytes_done: int = 0
    sessions: set[str] = field(default_factory=set)  # that got a checkpoint
    projects: set[str] = field(default_factory=set)
    checkpoints: int = 0
    known: int = 0  # transcripts that were read before
    at_work: int = 0
    unread: list[tuple[str, str]] = field(default_factory=list)  # path, why
    partly: list[tuple[str, str]] = field(default_factory=list)  # path, what is missing


def backfill(
    directory: str | None,
    agents: Sequence[BackfillMeans],
    pool: Pool,
    done: Backfilled,
    tell: Callable[[Backfilled], None] = lambda _done: None,
) -> None:
    """Keep every session of some agents whose transcript lies there, or below a
    directory; add what was done to `done`.

    Raises:
        StoreBusy, StoreNewer, StoreDamaged, StoreNotFound: what was put stays, and
            another run goes on there.
    """
    order: list[_Planned] = []
    parents: dict[str, PastParent] = {}
    for means in agents:
        try:
            found = list(means.past.every(directory))
        except SaveFailed as problem:  # the next run tries again
            done.unread.append((means.ports.transcripts.agent, problem.message))
            continue
        new = {one.path for one in found if means.ledger.stamp(one.path) != one.stamp}
        done.known += len(found) - len(new)
        if new:
            wanted, known = _planned(found, new, means, done)
            order += (_Planned(session, means) for session in wanted)
            parents.update(known)
    if order:
        order.sort(key=lambda one: (one.session.last_at, one.session.session_id))
        tell(done)
        _Writing(order, parents, pool, done, tell).run()


def waiting(past: PastSessions, ledger: ReadLedger) -> int:
    """Return how many transcripts a backfill would read."""
    return sum(1 for one in past.every() if ledger.stamp(one.path) != one.stamp)


def _planned(
    found: Iterable[PastTranscript],
    new: set[str],
    means: BackfillMeans,
    done: Backfilled,
) -> tuple[list[PastSession], Mapping[str, PastParent]]:
    """Return what is to be read, and who came from whom among all that lies there."""
    newest: dict[str, PastSession] = {}
    for transcript in found:
        session = means.past.glance(transcript)
        if session is None:
            if transcript.path in new:
                done.unread.append((transcript.path, "it names no session"))
                means.ledger.note(transcript.path, transcript.stamp, 0)
            continue
        before = newest.setdefault(session.session_id, session)
        older, newer = sorted((before, session), key=lambda one: one.freshness)
        newest[session.session_id] = newer
        if older is not newer:  # a copy of it: it is not asked for again
            means.ledger.note(older.transcript.path, older.transcript.stamp, 0)
    order = [s for s in newest.values() if _is_wanted(s, new, means, done)]
    done.transcripts += len(order)
    done.bytes_all += sum(s.transcript.size for s in order)
    return order, means.past.parents(tuple(newest.values()))


def _is_wanted(
    session: PastSession, new: set[str], means: BackfillMeans, done: Backfilled
) -> bool:
    if session.transcript.path not in new:
        return False
    if session.directory and means.is_off(session.directory):
        return False
    if means.is_at_work(session.session_id):
        done.at_work += 1
        return False
    return True


class _Writing:
    """One writer: gives work to the pool, and puts what comes back in one order."""

    def __init__(
        self,
        order: Sequence[_Planned],
        parents: Mapping[str, PastParent],
        pool: Pool,
        done: Backfilled,
        tell: Callable[[Backfilled], None],
    ) -> None:
        self._order = order
        self._parents = parents
        self._pool = pool
        self._done = done
        self._tell = tell
        self._store: Store = order[0].means.ports.open_store()
        self._places = {one.session.session_id: n for n, one in enumerate(order)}
        self._cleared = {p.session_id for p in parents.values() if not p.is_fork}
        self._identities: dict[str, ProjectIdentity] = {}
        self._projects: dict[ProjectIdentity, Project] = {}
        self._given = self._written = 0

    def run(self) -> None:
        came: dict[int, PastDrafts] = {}
        while self._written < len(self._order):
            while self._may_give():
                one = self._order[self._given]
                kept_until, last_at = self._kept_until(one), one.session.last_at
                if kept_until >= last_at > 0:  # saved while it happened
                    came[self._given] = PastDrafts(upto=last_at)
                else:
                    self._pool.give(self._given, self._work(one, kept_until))
                self._given += 1
            if self._written not in came:
                place, drafts = self._pool.take()
                came[place] = drafts
            while self._written in came:
                self._write(self._order[self._written], came.pop(self._written))
                self._written += 1
                self._tell(self._done)

    def _may_give(self) -> bool:
        """A session goes on with what its parent left: that must be written first."""
        if self._given >= len(self._order) or not self._pool.has_room():
            return False
        if self._given - self._written >= _MOST_AHEAD:
            return False
        parent = self._parents.get(self._order[self._given].session.session_id)
        place = self._places.get(parent.session_id, -1) if parent else -1
        return not self._written <= place < self._given

    def _work(self, one: _Planned, kept_until: int) -> PastWork:
        session, ports = one.session, one.means.ports
        return PastWork(
            start=begin(
                session.session_id, ports.transcripts.agent, self._inherited(one)
            ),
            transcript=session.transcript.path,
            identity=self._identity(one),
            after=kept_until,
            hostname=ports.hostname,
            budget=one.means.budget,
            is_headless=session.is_headless,
            unknown_time=session.last_at or ports.clock.now_ms(),
        )

    def _inherited(self, one: _Planned) -> tuple[Inherited, ...]:
        """Return what a session went on with; a fork has its lines, and needs none."""
        session = one.session
        parent = self._parents.get(session.session_id)
        if parent is None:
            return ()
        record = bare_record(session.session_id, one.means.ports)
        self._store.note_session(replace(record, parent_session=parent.session_id))
        return () if parent.is_fork else left_open(session.session_id, self._store)

    def _kept_until(self, one: _Planned) -> int:
        """Return until when a session is kept: by whoever saved it, by a run that is
        over, whatever the user has forgotten since, or by the one it was copied from."""
        session = one.session
        last = self._last_of(session.session_id)
        by_run = one.means.ledger.upto(session.transcript.path)
        parent = self._parents.get(session.session_id)
        copied = parent.shared_until if parent else 0
        return max(last.draft.created_at if last else 0, by_run, copied)

    def _last_of(self, session_id: str) -> Checkpoint | None:
        return next(iter(self._store.list(Scope(), session=session_id, limit=1)), None)

    def _identity(self, one: _Planned) -> ProjectIdentity:
        """Where it is not there any more, its path is all that is known of a project; a
        transcript that names none is by itself."""
        place = one.session.directory or one.session.transcript.path
        if place not in self._identities:
            self._identities[place] = one.means.ports.code.identity(place)
        return self._identities[place]

    def _write(self, one: _Planned, came: PastDrafts) -> None:
        session, done = one.session, self._done
        transcript = session.transcript
        done.bytes_done += transcript.size
        if came.problem:
            done.unread.append((transcript.path, came.problem))
            return
        done.partly += ((transcript.path, missing) for missing in came.missing)
        for draft in came.drafts:
            self._put(draft, one)
        last = self._last_of(session.session_id)
        if (
            last and last.draft.trigger == "backfill"
        ):  # also one of a run that was killed
            self._note_end(one)
        one.means.ledger.note(transcript.path, transcript.stamp, came.upto)

    def _put(self, draft: Draft, one: _Planned) -> None:
        placed = self._placed(draft, one)
        if last := self._last_of(draft.session_id):
            noted = with_earlier_notes(placed.content, last, is_given=False)
            placed = replace(placed, content=noted)
        now = one.means.ports.clock.now_ms()
        kept = self._store.put_unless_off(placed, now)
        if kept and kept.outcome == "saved":
            self._done.checkpoints += 1
            self._done.sessions.add(draft.session_id)
            self._done.projects.add(placed.project_id)

    def _placed(self, draft: Draft, one: _Planned) -> Draft:
        identity, code = self._identity(one), one.means.ports.code
        if identity not in self._projects:
            self._projects[identity] = self._store.project(
                identity,
                lambda commit: code.has_commit(identity.workspace, commit),
            )
        project = self._projects[identity]
        known = self._store.session(draft.session_id)
        return replace(
            draft,
            project_id=project.project_id,
            project_root=project.root,
            parent_session=known.parent_session if known else None,
            root_session=(known.root_session if known else "") or draft.session_id,
            forked_at=forked_at(draft, self._store),
        )

    def _note_end(self, one: _Planned) -> None:
        session = one.session
        record = bare_record(session.session_id, one.means.ports)
        self._store.note_session(
            replace(
                record,
                started_at=session.began_at,
                ended_at=session.last_at or None,
                cleared=session.session_id in self._cleared,
            )
        )
