"""Take in what another program kept.

Everything was read before the first is kept. Each record is known by the program's name
and its id there, so twice is once; what was forgotten here stays forgotten.
"""

from collections.abc import Sequence

from holdfast.app.ports import Ports
from holdfast.app.sharing.neighbour_checkpoint import (
    checkpoint_of,
    is_about,
    said_digest,
    session_of,
)
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import Project
from holdfast.domain.query import Scope
from holdfast.kernel.errors import (
    CheckpointNotFound,
    RecordRefused,
    ReferenceAmbiguous,
    StoreDamaged,
)
from holdfast.kernel.ids import NamePrefix, checkpoint_place
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.neighbours.record import NeighbourRecord, Reading, Unread
from holdfast.store.port import Store

_MINUTE_MS = 60_000
_OURS = "named checkpoints of holdfast are here already"


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """What came of it; in a preview, what would."""

    kind: str
    new: tuple[Checkpoint, ...] = ()
    known: tuple[str, ...] = ()  # ids that were here before
    changed: tuple[str, ...] = ()  # of those, that say something else there now
    forgotten: tuple[str, ...] = ()  # ids that were removed here and stay so
    refused: tuple[str, ...] = ()
    elsewhere: int = 0  # records of other projects
    unread: tuple[Unread, ...] = ()
    notice: str = ""


def bring_in(
    reading: Reading,
    directory: str,
    ports: Ports,
    *,
    everything: bool = False,
    keeps: bool = True,
) -> BroughtIn:
    """Keep what a program kept of the project of a directory.

    With `everything` also what it kept of others; without `keeps` nothing is written.
    """
    store = ports.open_store()
    identity = ports.code.identity(directory)
    look = store.project if keeps else store.known_project
    project = look(identity, lambda c: ports.code.has_commit(identity.workspace, c))
    project = project or Project(project_id="", root=identity.path)
    places = (identity.path, identity.workspace, project.root, *project.paths)
    about = [one for one in reading.records if everything or is_about(one, places)]
    taking = _Taking(reading.kind, project, ports, keeps=keeps)
    own = list[NeighbourRecord]()
    for record in about:
        if _is_ours(record, project, store):
            own.append(record)
        else:
            taking.take(record)
    unread = (*reading.unread, *(Unread(o.name, _OURS, is_left=True) for o in own))
    return replace(
        taking.result(),
        elsewhere=len(reading.records) - len(about),
        unread=tuple(
            replace(each, where=ports.redactor.text(each.where)) for each in unread
        ),
        notice=reading.notice,
    )


class _Taking:
    """One import: what is known so far, and what came."""

    def __init__(
        self, kind: str, project: Project, ports: Ports, *, keeps: bool
    ) -> None:
        self._kind, self._project, self._ports = kind, project, ports
        self._store, self._keeps = ports.open_store(), keeps
        self._numbers = _Numbers(kind, project, self._store)
        self._new = list[Checkpoint]()
        self._known, self._changed = list[str](), list[str]()
        self._forgotten, self._refused = list[str](), list[str]()

    def result(self) -> BroughtIn:
        return BroughtIn(
            self._kind,
            tuple(self._new),
            tuple(self._known),
            tuple(self._changed),
            tuple(self._forgotten),
            tuple(self._refused),
        )

    def take(self, record: NeighbourRecord) -> None:
        """Keep a record that is not here yet."""
        known = self._here(record)
        if known is not None:
            self._known.append(known)
            if self._says_other(known, record):
                self._changed.append(known)
            return
        made = checkpoint_of(
            record,
            self._kind,
            self._project,
            self._ports.redactor,
            self._store.redaction_key,
        )
        made = replace(made, number=self._numbers.next(made.number))
        try:
            kept = self._store.adopt(made).checkpoint if self._keeps else made
        except CheckpointNotFound:
            self._forgotten.append(made.checkpoint_id)
        except RecordRefused as why:
            self._refused.append(why.message)
        else:
            self._numbers.taken(kept.number)
            self._new.append(kept)

    def _here(self, record: NeighbourRecord) -> str | None:
        """Return the id under which a record is here, if it is."""
        session = session_of(record, self._kind, self._ports.redactor)
        kept = self._store.session(session)
        ids = kept.checkpoints if kept else ()
        versions = (one for one in ids if checkpoint_place(one)[0] == record.version)
        return next(versions, None)

    def _says_other(self, known: str, record: NeighbourRecord) -> bool:
        try:
            foreign = self._store.get(known).foreign
        except (CheckpointNotFound, StoreDamaged):
            return False
        now = said_digest(record, self._store.redaction_key)
        return foreign is not None and foreign.hash != now


class _Numbers:
    """Which numbers a program has in a project: its own where they are free, else the
    next one."""

    def __init__(self, kind: str, project: Project, store: Store) -> None:
        outlines = store.outlines(Scope(project_id=project.project_id))
        self._taken = {one.number for one in outlines if one.machine == kind}
        self._highest = max(self._taken, default=0)

    def next(self, wanted: int) -> int:
        is_free = wanted > 0 and wanted not in self._taken
        return wanted if is_free else self._highest + 1

    def taken(self, number: int) -> None:
        self._taken.add(number)
        self._highest = max(self._highest, number)


def _is_ours(record: NeighbourRecord, project: Project, store: Store) -> bool:
    """Say whether a named file is one that holdfast wrote: a checkpoint of that name was
    made here in the same minute."""
    if not record.name:
        return False
    try:
        found = store.find(
            NamePrefix(record.name), Scope(project_id=project.project_id)
        )
    except (CheckpointNotFound, ReferenceAmbiguous, StoreDamaged):
        return False
    minutes = {at // _MINUTE_MS for at in (found.draft.created_at, record.created_at)}
    return found.name == record.name and not found.machine and len(minutes) == 1


def left_and_unread(
    unread: Sequence[Unread],
) -> tuple[dict[str, int], dict[str, list[str]]]:
    """Return how many were left where they are, and what could not be read, by reason."""
    left, failed = dict[str, int](), dict[str, list[str]]()
    for each in unread:
        if each.is_left:
            left[each.why] = left.get(each.why, 0) + 1
        else:
            failed.setdefault(each.why, []).append(each.where)
    return left, failed
