"""Share checkpoints with a team's database: take in what others gave, send what waits.

    news of each project → kept here → outbox → given or removed there → acknowledged

Each step can be the last: what was given twice is there once, and news are asked for after
the last change that was taken in. Nobody waits for it but who asks for it.
"""

from collections.abc import Callable, Iterator, Sequence

from holdfast.app.checkpoints.drafting import redacted
from holdfast.app.checkpoints.find import if_kept
from holdfast.app.ports import Ports
from holdfast.app.sharing.take_in import Intake, project_at
from holdfast.data_directory.port import RefMark, SharedBefore
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import Project, ProjectIdentity
from holdfast.domain.foreign import RecordProof, machine_name
from holdfast.domain.forgetting import RETENTION
from holdfast.domain.outbox import Parcel, ParcelDone, pause_after
from holdfast.domain.query import Scope
from holdfast.domain.team import TeamNews
from holdfast.domain.text import beginning, visible
from holdfast.kernel.errors import CheckpointNotFound, RecordRefused, TeamUnreachable
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.store.foreign_records import received
from holdfast.store.team_port import TeamStore

TARGET = "team"
_AT_ONCE = 50
_LEASE_MS = 120_000
_HELD_MS = 24 * 3_600_000  # until what was held back is looked at again
_SEEN = "seen"  # the mark of the last change that was taken in
_SHOWN = 80
_NAMED = "name/"  # the mark of what a checkpoint was called when it was given
_REWRITTEN = "rewritten where it was made"
Forget = Callable[[Sequence[str]], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMeans:
    """What a sync with a team works with beside the usual ports."""

    open_team: Callable[[], TeamStore]
    marks_of: Callable[[str], SharedBefore]  # by a project's id here
    is_shared: Callable[[str], bool]  # by a project's directory
    forget: Forget


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSynced:
    """What came of it."""

    sent: int = 0
    waiting: int = 0
    received: tuple[Checkpoint, ...] = ()
    removed: tuple[str, ...] = ()  # forgotten where they were made, and now here
    refused: tuple[str, ...] = ()  # why some of the team's were left out
    held: tuple[str, ...] = ()  # why some of ours stay here


def sync_team(
    directory: str, ports: Ports, means: TeamMeans, *, only_due: bool = False
) -> TeamSynced:
    """Take in and send, for every project that is known here, and a directory's.

    With `only_due`, nothing is asked of a team that was down lately.

    Raises:
        TeamUnreachable, TeamRefused: what waits stays, and when to ask again is kept.
    """
    if means.is_shared(directory):
        project_at(directory, ports)
    outbox, now = ports.open_store().outbox, ports.clock.now_ms()
    outbox.follow(TARGET, everything=not only_due)
    state = next(each for each in outbox.states() if each.target == TARGET)
    if only_due and state.due_at > now:
        return TeamSynced(waiting=state.waiting)
    try:
        team = means.open_team()
        going = _TeamSync(ports, means, team)
        # One sync at a time holds the lock: whoever had a lease is gone.
        outbox.release(TARGET, make_due=not only_due)
        going.take_in()
        going.send()
        team.reindex()  # a search has two seconds, and should not spend them on it
    except TeamUnreachable as problem:
        outbox.pause(TARGET, problem.message, now + pause_after(state.failures + 1))
        raise
    return going.synced()


def team_identity(project: Project, machine: str) -> ProjectIdentity:
    """Return what a team knows a project by: its history and remote, and where it lies
    on this machine, which says nothing on another."""
    place = f"{machine}:{project.root}"
    return ProjectIdentity(
        path=place,
        workspace=place,
        is_git=bool(project.root_commits),
        root_commits=project.root_commits,
        remote=project.remote or next(iter(project.remotes), None),
    )


class _TeamSync:
    """A sync on its way."""

    def __init__(self, ports: Ports, means: TeamMeans, team: TeamStore) -> None:
        self._ports = ports
        self._means = means
        self._team = team
        self._store = ports.open_store()
        self._machine = machine_name(self._store.machine)
        self._projects = {each.project_id: each for each in self._store.projects()}
        self._team_ids: dict[str, Project] = {}
        self._sent = 0
        self._received: list[Checkpoint] = []
        self._removed: list[str] = []
        self._refused: list[str] = []
        self._held: list[str] = []

    def synced(self) -> TeamSynced:
        states = self._store.outbox.states()
        waiting = next((s.waiting for s in states if s.target == TARGET), 0)
        return TeamSynced(
            sent=self._sent,
            waiting=waiting,
            received=tuple(self._received),
            removed=tuple(self._removed),
            refused=tuple(self._refused),
            held=tuple(self._held),
        )

    def send(self) -> None:
        """Send each parcel, oldest first; each is acknowledged when the team has it."""
        outbox, clock = self._store.outbox, self._ports.clock
        while parcels := outbox.claim(
            TARGET,
            now_ms=clock.now_ms(),
            lease_ms=_LEASE_MS,
            limit=_AT_ONCE,
        ):
            for parcel in parcels:
                why = self._deliver(parcel)
                if why:
                    due = clock.now_ms() + _HELD_MS
                    outbox.fail(TARGET, [parcel], why, due)
                else:
                    outbox.acknowledge(TARGET, [ParcelDone(parcel)])
        self._send_names()

    def _deliver(self, parcel: Parcel) -> str:
        """Do what a parcel says; return why it stays, if it does."""
        kept = if_kept(parcel.checkpoint_id, self._store)
        if parcel.action != "send":
            self._take_back(parcel, kept)
            return ""
        project = self._projects.get(kept.draft.project_id) if kept else None
        if kept is None or project is None or kept.foreign is not None:
            return ""  # gone, or of another machine: theirs to give
        if not self._means.is_shared(project.root):
            return ""
        if redacted(kept.draft, self._ports.redactor) != kept.draft:
            why = f"{label(kept.number)} contains what today's rules recognise as a secret"
            self._held.append(f"{why}: remove it with `holdfast doctor --scan`")
            return why
        return self._give(kept, project)

    def _take_back(self, parcel: Parcel, kept: Checkpoint | None) -> None:
        """Have the team forget what was forgotten or rewritten here, if it was ours: what
        another machine made is not ours to take away. What was only superseded here, others
        may still want."""
        if parcel.reason == RETENTION:
            return
        is_gone = parcel.checkpoint_id in self._store.own_tombstones()
        if is_gone or (kept is not None and kept.foreign is None):
            reason = parcel.reason if is_gone else _REWRITTEN
            now = self._ports.clock.now_ms()
            self._team.remove([parcel.checkpoint_id], reason, now)

    def _give(self, kept: Checkpoint, project: Project) -> str:
        proof = replace(self._store.proof(kept.checkpoint_id), machine=self._machine)
        try:
            self._team.give(proof, self._as_theirs(proof, project))
        except CheckpointNotFound:
            return ""  # somebody removed it there; it does not come back
        except RecordRefused as why:
            self._held.append(why.message)
            return why.message
        self._sent += 1
        marks = self._means.marks_of(project.project_id)
        if kept.name:
            named = RefMark(kept.name, "")
            marks.keep({**marks.refs(), f"{_NAMED}{kept.checkpoint_id}": named})
        return ""

    def _as_theirs(self, proof: RecordProof, project: Project) -> Checkpoint:
        return received(proof, self._team_project(project))

    def _team_project(self, project: Project) -> Project:
        """Return a project as the team knows it; asked for once."""
        if project.project_id not in self._team_ids:
            identity = team_identity(project, self._machine)
            self._team_ids[project.project_id] = self._team.project(identity)
        return self._team_ids[project.project_id]

    def _send_names(self) -> None:
        """Tell what was renamed since it was given: a name is in no entry of the chain."""
        for project in self._shared():
            marks = self._means.marks_of(project.project_id)
            before = {
                name.removeprefix(_NAMED): mark.commit
                for name, mark in marks.refs().items()
                if name.startswith(_NAMED)
            }
            now = {
                each.checkpoint_id: each.name
                for each in self._store.outlines(Scope(project_id=project.project_id))
                if each.machine is None and (each.name or each.checkpoint_id in before)
            }
            for checkpoint_id, name in now.items():
                if before.get(checkpoint_id) != name:
                    self._rename(checkpoint_id, name, project, marks)

    def _rename(
        self,
        checkpoint_id: str,
        name: str | None,
        project: Project,
        marks: SharedBefore,
    ) -> None:
        proof = self._store.proof(checkpoint_id)
        proof = replace(proof, machine=self._machine, name=name)
        try:
            self._team.give(proof, self._as_theirs(proof, project))
        except (CheckpointNotFound, RecordRefused):
            return
        known = dict(marks.refs())
        known.pop(f"{_NAMED}{checkpoint_id}", None)
        told = {f"{_NAMED}{checkpoint_id}": RefMark(name, "")} if name else {}
        marks.keep({**known, **told})

    def take_in(self) -> None:
        """Keep what others gave since last time, of each project that is known here."""
        for project in self._shared():
            theirs = self._team_project(project)
            intake = Intake("", self._ports, project)
            marks = self._means.marks_of(project.project_id)
            for page in self._pages(theirs.project_id, marks):
                doomed = [n.checkpoint_id for n in page if _is_taken_back(n, intake)]
                if doomed:
                    self._means.forget(doomed)
                    self._removed += doomed
                for news in page:
                    if news.proof is not None:
                        self._take(news.proof, news.checkpoint_id, intake)

    def _pages(
        self, project_id: str, marks: SharedBefore
    ) -> Iterator[tuple[TeamNews, ...]]:
        """Yield news; what was taken in is noted before the next is asked for."""
        mark = marks.refs().get(_SEEN)
        after = int(mark.commit) if mark and mark.commit.isdecimal() else 0
        while page := self._team.news(project_id, after, _AT_ONCE):
            yield page
            if page[-1].change <= after:
                return  # no store of ours says so
            after = page[-1].change
            marks.keep({**marks.refs(), _SEEN: RefMark(str(after), "")})

    def _take(self, proof: RecordProof, checkpoint_id: str, intake: Intake) -> None:
        here = if_kept(checkpoint_id, self._store)
        if here is not None and here.foreign is None:
            return  # ours
        try:
            kept = intake.keep(intake.proved(proof, checkpoint_id))
        except CheckpointNotFound:
            return  # forgotten here, and stays so
        except RecordRefused as why:
            shown = beginning(visible(checkpoint_id), _SHOWN)
            self._refused.append(f"`{shown}`: {why.message}")
            return
        if kept.outcome == "saved":
            self._received.append(kept.checkpoint)

    def _shared(self) -> list[Project]:
        return [
            each
            for each in self._projects.values()
            if each.root and self._means.is_shared(each.root)
        ]


def _is_taken_back(news: TeamNews, intake: Intake) -> bool:
    """Say whether it was removed there, and is here as work of the machine that gave it."""
    kept = None if news.proof else intake.taken_in(news.checkpoint_id)
    return kept is not None and kept.machine == intake.machine(news.machine)
