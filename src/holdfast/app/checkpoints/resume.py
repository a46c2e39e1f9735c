"""Give the next session what it must know. Reading never consumes, and touches no file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.find import find
from holdfast.brief.brief import brief, subject_of_checkpoint
from holdfast.brief.fit import fit
from holdfast.brief.marks import with_doubts, with_drift
from holdfast.domain.code import BranchMoved, Drift
from holdfast.domain.query import Scope
from holdfast.kernel.errors import CheckpointNotFound
from holdfast.kernel.ids import Latest, Reference
from holdfast.kernel.lazy_values import dataclass, replace

if TYPE_CHECKING:
    from holdfast.app.ports import Ports
    from holdfast.domain.checkpoint import Checkpoint, Receipt
    from holdfast.store.port import Finding

_VERIFYING = ("test", "check")  # kinds of commands whose success says the code is good


@dataclass(frozen=True, slots=True)
class Resumed:
    checkpoint: Checkpoint
    brief: str
    receipt: Receipt
    tokens: int
    drift: Drift

    @property
    def moved(self) -> BranchMoved | None:
        return self.drift.branch


def resume(
    reference: Reference | None,
    scope: Scope,
    ports: Ports,
    *,
    budget: int,
) -> Resumed:
    """Return the brief of a checkpoint; without a reference, this workspace's latest.

    Raises:
        CheckpointNotFound, ReferenceAmbiguous
    """
    store = ports.open_store()
    found = find(store, reference, scope) if reference else latest_here(store, scope)
    return resume_checkpoint(found, scope, ports, budget=budget)


def resume_checkpoint(
    checkpoint: Checkpoint, scope: Scope, ports: Ports, *, budget: int
) -> Resumed:
    """Return the brief of a checkpoint that was found already."""
    drift = _drift(checkpoint, scope, ports)
    subject = subject_of_checkpoint(
        checkpoint,
        branch_now=drift.branch.now if drift.branch else None,
        drift=drift,
    )
    told = brief(
        with_drift(with_doubts(subject)),
        budget=budget,
        now_ms=ports.clock.now_ms(),
        fit=fit,
    )
    return Resumed(checkpoint, told.text, told.receipt, told.tokens, drift)


def latest_here(store: Finding, scope: Scope) -> Checkpoint:
    """Resuming stays inside the workspace: a worktree next door is not offered."""
    here = store.list(scope, limit=1)
    if here:
        return here[0]
    elsewhere = store.list(Scope(project_id=scope.project_id), limit=1)
    if scope.project_id and elsewhere:
        where = elsewhere[0].draft.workspace
        raise CheckpointNotFound(
            f"no checkpoint was made in this worktree; the project's newest is of `{where}`",
            hint="take it with `holdfast resume latest`",
        )
    return store.find(Latest(), Scope(project_id=scope.project_id))


def _drift(checkpoint: Checkpoint, scope: Scope, ports: Ports) -> Drift:
    """Return what changed since; results of commands are as old as the code they ran.

    Without a project only the branch is looked at: a hook has its own quick look at files.
    """
    if not scope.workspace:
        return Drift()
    if scope.project_id is None:
        return Drift(branch=_moved(checkpoint, scope.workspace, ports))
    if checkpoint.draft.project_id != scope.project_id:
        return Drift()
    from holdfast.app.checkpoints.drift import drift_of  # noqa: PLC0415  # the same
    from holdfast.facts.commands.kinds import kind_of  # noqa: PLC0415  # not for a hook

    drift = drift_of(checkpoint, scope.workspace, ports)
    if not drift.is_unverified:
        return drift
    passed = (c.command for c in checkpoint.draft.content.commands if c.exit == 0)
    unverified = tuple(command for command in passed if kind_of(command) in _VERIFYING)
    return replace(drift, unverified=unverified)


def _moved(checkpoint: Checkpoint, workspace: str, ports: Ports) -> BranchMoved | None:
    then, now = checkpoint.draft.code.branch, ports.code.head(workspace).branch
    return BranchMoved(then, now) if then and now and now != then else None
