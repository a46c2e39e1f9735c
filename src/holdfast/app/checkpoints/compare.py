"""Compare two checkpoints, or one with the code as it is now: items and files.

Two that part from one ancestor are siblings, and told side by side, too.
"""

from holdfast.app.checkpoints.code_branches import code_size
from holdfast.app.checkpoints.find import find
from holdfast.app.checkpoints.kinship import parting_of
from holdfast.app.ports import Caller, Ports
from holdfast.branches.ancestors import Ancestor
from holdfast.branches.side_by_side import BranchView, branch_view
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import FileChange
from holdfast.facts.comparing import ItemChanges, compare as compare_items
from holdfast.kernel.ids import Reference, label
from holdfast.kernel.lazy_values import dataclass, replace

NOW = "now"  # in place of a newer checkpoint: the code as it is


@dataclass(frozen=True, slots=True, kw_only=True)
class Siblings:
    """Two branches, and what they part from."""

    ancestor: Ancestor
    branches: tuple[BranchView, BranchView]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    older: Checkpoint
    newer: Checkpoint | None  # None: the code as it is now
    items: ItemChanges
    files: tuple[FileChange, ...] = ()
    reason: str = ""  # why the code could not be compared
    trees: tuple[str, str] | None = None  # of the code that was compared
    siblings: Siblings | None = None  # where neither goes on from the other

    @property
    def to(self) -> str:
        """What it was compared with: an id, or `now`."""
        return self.newer.checkpoint_id if self.newer else NOW


def compare(
    older: Reference, newer: Reference | None, caller: Caller, ports: Ports
) -> Comparison:
    """Return what changed from one to the other; without `newer`, to now.

    Raises:
        CheckpointNotFound, ReferenceAmbiguous, SnapshotLost
    """
    store, scope = ports.open_store(), caller.scope
    first = find(store, older, scope)
    if newer is None:
        return _with_now(first, caller, ports)
    second = find(store, newer, scope)
    found = Comparison(
        older=first,
        newer=second,
        items=compare_items(first.draft.content, second.draft.content),
        siblings=_siblings(first, second, ports),
    )
    bare = [c for c in (first, second) if c.draft.code.tree is None]
    if bare:
        return replace(found, reason=_without(bare[0]))
    trees = (first.draft.code.tree or "", second.draft.code.tree or "")
    return replace(found, files=ports.snapshots.changes(*trees), trees=trees)


def patch_of(found: Comparison, ports: Ports) -> bytes:
    """Return the change of the code as a patch; empty: nothing to compare.

    Raises:
        SnapshotLost
    """
    return ports.snapshots.patch(*found.trees) if found.trees else b""


def _siblings(one: Checkpoint, other: Checkpoint, ports: Ports) -> Siblings | None:
    if one.draft.project_id != other.draft.project_id:
        return None
    parting = parting_of((one, other), ports.open_store())
    if not parting.are_siblings:
        return None
    base = parting.ancestor.checkpoint
    first, second = (
        branch_view(side, base, code_size(base, side, ports.snapshots))
        for side in (one, other)
    )
    return Siblings(ancestor=parting.ancestor, branches=(first, second))


def _with_now(first: Checkpoint, caller: Caller, ports: Ports) -> Comparison:
    tree = first.draft.code.tree
    if tree is None:
        reason = _without(first)
        return Comparison(older=first, newer=None, items=ItemChanges(), reason=reason)
    since = ports.snapshots.since(tree, caller.directory, ports.limits)
    return Comparison(
        older=first,
        newer=None,
        items=ItemChanges(),
        files=since.changes,
        reason=since.reason,
        trees=(tree, since.tree) if since.tree else None,
    )


def _without(checkpoint: Checkpoint) -> str:
    return f"{label(checkpoint.number)} was made without its code"
