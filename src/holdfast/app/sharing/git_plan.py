"""What a sync with a team's remote would do: looked up on both sides, nothing changed yet.

Nothing is kept of what was sent: the remote says what it has, the store what there is. So
a sync that was killed is only a sync that comes later.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from holdfast.app.checkpoints.drafting import redacted
from holdfast.app.checkpoints.find import find
from holdfast.app.ports import Ports
from holdfast.app.sharing.export import Sharing
from holdfast.app.sharing.share_file import SharedPage, record_line
from holdfast.app.sharing.take_in import Intake
from holdfast.app.sharing.team_refs import (
    FILE,
    PAGE,
    RefName,
    is_of_projects,
    machine_in_ref,
    parsed,
    project_in_refs,
    proof_in,
    shown,
    store_in_ref,
    tombstone,
)
from holdfast.data_directory.port import RefMark, SharedBefore
from holdfast.domain.checkpoint import Checkpoint, Tombstone
from holdfast.domain.foreign import RecordProof, machine_name
from holdfast.domain.forgetting import RETENTION
from holdfast.domain.query import Scope
from holdfast.kernel.digests import sha256
from holdfast.kernel.errors import CheckpointNotFound, RecordRefused
from holdfast.kernel.ids import Reference, label
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.reports.view import view
from holdfast.snapshot.remote_port import RefChange, TeamRemote
from holdfast.store.port import Store

REFUSED = "refused by "


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncRequest:
    """What is to be shared, and by which version: what it refused, a newer may take."""

    directory: str
    scope: Scope
    version: str
    only: Sequence[Reference] = ()  # these; none: everything of the project


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncPlan:
    """What would go, and what would come."""

    sharing: Sharing  # the records that would leave
    new: tuple[RefChange, ...] = ()  # those that are not there, and those renamed
    anew: tuple[RefChange, ...] = ()  # those that say something else now: gone first
    withdrawn: tuple[RefName, ...] = ()  # forgotten here
    pruned: tuple[RefName, ...] = ()  # superseded here
    incoming: tuple[RefName, ...] = ()
    forgotten: tuple[RefName, ...] = ()  # where they were made
    refused: tuple[str, ...] = ()  # refs whose names are none of ours
    held: tuple[str, ...] = ()  # why some stay here
    there: frozenset[str]  # every ref of the remote
    marks: Mapping[str, RefMark]  # what is known by now


class _Place(NamedTuple):
    """Where this store writes, and what stands in its project."""

    own: RefName  # of no checkpoint
    there: Mapping[str, str]
    names: tuple[RefName, ...]

    def ref(self, checkpoint_id: str) -> RefName:
        return self.own._replace(checkpoint_id=checkpoint_id)

    def is_own(self, name: RefName) -> bool:
        return name.store == self.own.store and name.machine == self.own.machine

    def is_there(self, name: RefName) -> bool:
        return name.ref in self.there


class _Kept(NamedTuple):
    """A record of this store, as it is shared."""

    checkpoint: Checkpoint
    name: RefName
    proof: RecordProof
    data: bytes
    before: str | None = None  # the commit it goes on from
    is_anew: bool = False  # what is there says something else, and goes first

    @property
    def digest(self) -> str:
        return sha256(self.data).hexdigest()


def plan_sync(
    wanted: SyncRequest, ports: Ports, remote: TeamRemote, marks: SharedBefore
) -> SyncPlan:
    """Look at both sides, and return what there is to do.

    Raises:
        RemoteFailed: the remote cannot be reached, or this project not be told in it.
        CheckpointNotFound, ReferenceAmbiguous: a reference names none, or several.
    """
    store = ports.open_store()
    project_id = Intake(wanted.directory, ports).project.project_id
    roots = ports.code.identity(wanted.directory).root_commits
    there = remote.listed()
    place, hostile = _placed(store, roots, there)
    known = {
        ref: mark
        for ref, mark in marks.refs().items()
        if ref in there or ((name := parsed(ref)) and place.is_own(name))
    }
    kept = list(_kept(store, Scope(project_id=project_id), place))
    gone = store.own_tombstones()
    chosen = _chosen(wanted, store, kept)
    leaving = [
        each
        for each in kept
        if not chosen or each.checkpoint.checkpoint_id in chosen
        if not place.is_there(each.name.gone)
    ]
    clean, held = _reviewed(_compared(leaving, place, remote, known), ports)
    # One that is damaged here is ours, too: it is mended here, not taken from there.
    own_ids = {row.checkpoint_id for row in store.retention_rows()} | set(gone)
    return SyncPlan(
        sharing=Sharing(
            machine_name(store.machine),
            tuple(each.checkpoint for each in clean),
            tuple(map(_page, clean)),
        ),
        new=tuple(_change(each) for each in clean if not each.is_anew),
        anew=tuple(_change(each) for each in clean if each.is_anew),
        withdrawn=tuple(_withdrawn(place, gone, known, pruned=False)),
        pruned=tuple(_withdrawn(place, gone, known, pruned=True)),
        incoming=tuple(_incoming(place, own_ids, known, wanted.version)),
        forgotten=tuple(_forgotten(place, known, wanted.version)),
        refused=(
            *_hostile(hostile, there, known, wanted.version),
            *_taken_back(kept, place, known, wanted.version),
        ),
        held=tuple(held),
        there=frozenset(there),
        marks=known,
    )


def _chosen(wanted: SyncRequest, store: Store, kept: Sequence[_Kept]) -> set[str]:
    """Return the ids that alone are to leave; none: there is no such limit.

    Raises:
        CheckpointNotFound: one of them is not this store's, or of another project.
    """
    own = {each.checkpoint.checkpoint_id for each in kept}
    chosen = [find(store, each, wanted.scope) for each in wanted.only]
    for checkpoint in chosen:
        if checkpoint.checkpoint_id not in own:
            raise CheckpointNotFound(
                f"{checkpoint.label} was not made here, or belongs to another project",
                hint="`holdfast list` shows the checkpoints of this project",
            )
    return {checkpoint.checkpoint_id for checkpoint in chosen}


def _placed(
    store: Store, roots: Sequence[str], there: Mapping[str, str]
) -> tuple[_Place, list[str]]:
    """Return where this store writes, and the refs there that are none of ours."""
    project = project_in_refs(roots, there)
    here = [ref for ref in sorted(there) if is_of_projects(ref, {project, *roots})]
    named = [(ref, parsed(ref)) for ref in here]
    own = RefName(
        project,
        machine_in_ref(machine_name(store.machine)),
        store_in_ref(store.redaction_key),
        "",
    )
    names = tuple(name for _, name in named if name)
    return _Place(own, there, names), [ref for ref, name in named if not name]


def _kept(store: Store, scope: Scope, place: _Place) -> Iterator[_Kept]:
    machine = machine_name(store.machine)
    for checkpoint in store.every(scope):
        if not checkpoint.machine:
            proof = store.proof(checkpoint.checkpoint_id)
            proof = replace(proof, machine=machine)
            name = place.ref(checkpoint.checkpoint_id)
            yield _Kept(checkpoint, name, proof, record_line(proof).encode())


def _compared(
    leaving: Sequence[_Kept],
    place: _Place,
    remote: TeamRemote,
    known: dict[str, RefMark],
) -> Iterator[_Kept]:
    """Yield what is not there as it is here: new, called otherwise, or saying something
    else."""
    unsure: dict[str, _Kept] = {}
    for each in leaving:
        commit = place.there.get(each.name.ref)
        if commit is None:
            yield each
        elif known.get(each.name.ref) != RefMark(commit, each.digest):
            unsure[each.name.ref] = each
    for found in remote.fetched(list(unsure), FILE):
        each = unsure[found.name]
        if found.content == each.data:
            known[found.name] = RefMark(found.commit, each.digest)
        elif found.content is not None and _is_renamed(each, found.content):
            yield each._replace(before=found.commit)
        elif found.commit:
            yield each._replace(is_anew=True)


def _is_renamed(each: _Kept, there: bytes) -> bool:
    try:
        return proof_in(each.name, there) == replace(
            each.proof, name=proof_in(each.name, there).name
        )
    except RecordRefused:
        return False


def _reviewed(leaving: Iterable[_Kept], ports: Ports) -> tuple[list[_Kept], list[str]]:
    """Return what may leave, oldest first, and why the rest may not."""
    clean, held = [], []
    for each in sorted(leaving, key=lambda one: one.checkpoint.number):
        draft = each.checkpoint.draft
        if redacted(draft, ports.redactor) == draft:
            clean.append(each)
        else:
            held.append(
                f"{label(each.checkpoint.number)} contains what today's rules recognise as"
                " a secret: remove it with `holdfast doctor --scan`"
            )
    return clean, held


def _page(each: _Kept) -> SharedPage:
    checkpoint = each.checkpoint
    page = view(checkpoint, None) + "\n"
    return SharedPage(each.proof, checkpoint.number, page)


def _change(each: _Kept) -> RefChange:
    files = {FILE: each.data, PAGE: _page(each).markdown.encode()}
    seconds = each.checkpoint.draft.created_at // 1000
    return RefChange(each.name.ref, files, each.before, seconds)


def gone_change(name: RefName) -> RefChange:
    """Return what tells others that a record was forgotten."""
    return RefChange(name.gone.ref, {FILE: tombstone(name)})


def _withdrawn(
    place: _Place,
    gone: Mapping[str, Tombstone],
    known: Mapping[str, RefMark],
    *,
    pruned: bool,
) -> Iterator[RefName]:
    """Yield what was shared and is no longer kept here: forgotten, or superseded.

    Others keep what was only superseded here.
    """
    shared = {*filter(None, map(parsed, known)), *place.names}
    for name in sorted(shared):
        if name.is_gone or not place.is_own(name) or name.checkpoint_id not in gone:
            continue
        is_done = not place.is_there(name) and (pruned or place.is_there(name.gone))
        if (gone[name.checkpoint_id].reason == RETENTION) is pruned and not is_done:
            yield name


def _incoming(
    place: _Place, own_ids: set[str], known: Mapping[str, RefMark], version: str
) -> Iterator[RefName]:
    """Yield the records of others that were not looked at yet; what lies under this
    store's own name and is not in it came from a copy of it."""
    for name in place.names:
        is_ours = place.is_own(name) and name.checkpoint_id in own_ids
        if name.is_gone or is_ours or place.is_there(name.gone):
            continue
        if not _is_seen(name.ref, place.there, known, version):
            yield name


def _forgotten(
    place: _Place, known: Mapping[str, RefMark], version: str
) -> Iterator[RefName]:
    for name in place.names:
        is_theirs = name.is_gone and not place.is_own(name)
        if is_theirs and not _is_seen(name.ref, place.there, known, version):
            yield name


def _hostile(
    refs: Sequence[str],
    there: Mapping[str, str],
    known: dict[str, RefMark],
    version: str,
) -> Iterator[str]:
    """Yield what to say of refs whose names are none of ours, once."""
    for ref in refs:
        if not _is_seen(ref, there, known, version):
            known[ref] = RefMark(there[ref], REFUSED + version)
            yield f"`{shown(ref)}`: no ref of holdfast has this name"


def _taken_back(
    kept: Sequence[_Kept],
    place: _Place,
    known: dict[str, RefMark],
    version: str,
) -> Iterator[str]:
    """Yield what to say, once, of records that are here, and were forgotten there under
    this store's own name: whoever may push can do that, and a backup knows nothing of it."""
    for each in kept:
        ref = each.name.gone.ref
        if place.is_there(each.name.gone) and not _is_seen(
            ref, place.there, known, version
        ):
            known[ref] = RefMark(place.there[ref], REFUSED + version)
            yield (
                f"{label(each.checkpoint.number)} was removed from the remote in your"
                " name, but not in this store: it stays here, others lose it; check who may push"
            )


def _is_seen(
    ref: str, there: Mapping[str, str], known: Mapping[str, RefMark], version: str
) -> bool:
    mark = known.get(ref)
    if mark is None or mark.commit != there[ref]:
        return False
    return not mark.digest.startswith(REFUSED) or mark.digest == REFUSED + version
