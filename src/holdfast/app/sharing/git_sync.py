"""Share checkpoints through a team's remote: take in what others made, then send ours.

    tombstones of others → their records → ours, new and renamed → what was forgotten here

Each step can be the last: what it did is seen on both sides by the next sync. What others
made is taken in one by one, so that nobody's forged record keeps the rest away.
"""

from collections.abc import Callable, Sequence

from holdfast.app.checkpoints.find import if_kept
from holdfast.app.ports import Ports
from holdfast.app.sharing.git_plan import REFUSED, SyncPlan, SyncRequest, gone_change
from holdfast.app.sharing.take_in import Intake
from holdfast.app.sharing.team_refs import (
    FILE,
    RefName,
    check_tombstone,
    machine_in_ref,
    proof_in,
    shown,
)
from holdfast.data_directory.port import RefMark, SharedBefore
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.foreign import RecordProof
from holdfast.kernel.digests import sha256
from holdfast.kernel.errors import CheckpointNotFound, RecordRefused
from holdfast.kernel.lazy_values import dataclass
from holdfast.snapshot.remote_port import FetchedRef, RefChange, TeamRemote
from holdfast.store.port import Store

_AT_ONCE = 100
Forget = Callable[[Sequence[str]], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class GitSynced:
    """What came of it."""

    sent: int = 0
    waiting: int = 0  # checkpoints that did not go
    received: tuple[Checkpoint, ...] = ()
    removed: tuple[str, ...] = ()  # forgotten where they were made, and now here
    refused: tuple[str, ...] = ()  # why some of the remote's were left out
    told: tuple[str, ...] = ()  # why some of ours are not there as they should be


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncMeans:
    """What a sync works with beside the usual ports."""

    remote: TeamRemote
    marks: SharedBefore
    forget: Forget


def sync_git(
    plan: SyncPlan, wanted: SyncRequest, ports: Ports, means: SyncMeans
) -> GitSynced:
    """Carry a plan out.

    Raises:
        RemoteFailed: the remote went away; what was done stays.
    """
    means.marks.agree()
    going = _Sync(plan, wanted, ports, means)
    going.forget_theirs()
    going.take_in()
    going.send()
    return going.synced()


class _Sync:
    """A sync on its way: what is known of the remote, and what came of it so far."""

    def __init__(
        self, plan: SyncPlan, wanted: SyncRequest, ports: Ports, means: SyncMeans
    ) -> None:
        self._plan = plan
        self._refusal = REFUSED + wanted.version
        self._means = means
        self._store: Store = ports.open_store()
        self._intake = Intake(wanted.directory, ports)
        self._known = dict(plan.marks)
        self._received: list[Checkpoint] = []
        self._removed: list[str] = []
        self._refused = list(plan.refused)
        self._sent = 0

    def synced(self) -> GitSynced:
        refusals = self._means.remote.refusals
        not_gone = [
            f"`{shown(ref)}` stays as it was: {refusals[ref]}" for ref in refusals
        ]
        records = (*self._plan.new, *self._plan.anew)
        return GitSynced(
            sent=self._sent,
            waiting=len(self._plan.held) + len(records) - self._sent,
            received=tuple(self._received),
            removed=tuple(self._removed),
            refused=tuple(self._refused),
            told=(*self._plan.held, *not_gone),
        )

    def forget_theirs(self) -> None:
        """Forget what was forgotten where it was made: theirs, and nothing of ours."""
        doomed: list[str] = []
        for name, found in self._fetched(self._plan.forgotten):
            try:
                check_tombstone(name, _content(found))
            except RecordRefused as why:
                self._refuse(name, found, why)
                continue
            kept = self._intake.taken_in(name.checkpoint_id)
            machine = machine_in_ref(self._intake.machine(name.machine))
            if kept and machine_in_ref(kept.machine or "") == machine:
                doomed.append(name.checkpoint_id)
            self._known[name.ref] = RefMark(found.commit, "")
        if doomed:
            self._means.forget(doomed)
            self._removed += doomed
        self._note()

    def take_in(self) -> None:
        names = self._plan.incoming
        for start in range(0, len(names), _AT_ONCE):
            for name, found in self._fetched(names[start : start + _AT_ONCE]):
                try:
                    self._take(proof_in(name, _content(found)))
                except RecordRefused as why:
                    self._refuse(name, found, why)
                else:
                    self._known[name.ref] = RefMark(found.commit, "")
            self._note()

    def _take(self, proof: RecordProof) -> None:
        checkpoint = self._intake.proved(proof)
        try:
            kept = self._intake.keep(checkpoint)
        except CheckpointNotFound:
            return  # forgotten here, and stays so
        except RecordRefused:
            here = if_kept(checkpoint.checkpoint_id, self._store)
            if not (here and here.foreign and here.foreign.hash == proof.previous_hash):
                raise
            return  # rewritten where it was made; what came first stays
        if kept.outcome == "saved":
            self._received.append(kept.checkpoint)

    def send(self) -> None:
        plan, withdrawn = self._plan, self._plan.withdrawn
        self._sent += self._changed([*plan.new])
        self._changed([gone_change(name) for name in withdrawn])
        refusals = self._means.remote.refusals
        gone = [n.ref for n in withdrawn if n.gone.ref not in refusals]
        away = [*gone, *(n.ref for n in plan.pruned), *(c.name for c in plan.anew)]
        self._changed([RefChange(ref, None) for ref in away if ref in plan.there])
        self._sent += self._changed([c for c in plan.anew if c.name not in refusals])

    def _changed(self, changes: Sequence[RefChange]) -> int:
        """Have the remote change; return how many refs are what they should be."""
        made = self._means.remote.sent(changes) if changes else {}
        for change in changes:
            if change.name in made and change.files is None:
                self._known.pop(change.name, None)
            elif change.name in made and change.files is not None:
                digest = sha256(change.files[FILE]).hexdigest()
                self._known[change.name] = RefMark(made[change.name], digest)
        self._note()
        return len(made)

    def _fetched(self, names: Sequence[RefName]) -> "list[tuple[RefName, FetchedRef]]":
        by_ref = {name.ref: name for name in names}
        found = self._means.remote.fetched(list(by_ref), FILE)
        return [(by_ref[one.name], one) for one in found]

    def _refuse(self, name: RefName, found: FetchedRef, why: RecordRefused) -> None:
        """Leave it out, and say so once."""
        self._refused.append(f"`{shown(name.ref)}`: {why.message}")
        if found.commit:
            self._known[name.ref] = RefMark(found.commit, self._refusal)

    def _note(self) -> None:
        self._means.marks.keep(self._known)


def _content(found: FetchedRef) -> bytes:
    if found.content is None:
        raise RecordRefused(found.refused)
    return found.content
