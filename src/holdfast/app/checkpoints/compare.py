"""Compare two checkpoints, or one with the code as it is now: items and files."""

from holdfast.app.checkpoints.find import find
from holdfast.app.ports import Caller, Ports
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import FileChange
from holdfast.facts.comparing import ItemChanges, compare as compare_items
from holdfast.kernel.ids import Reference, label
from holdfast.kernel.lazy_values import dataclass

NOW = "now"  # in place of a newer checkpoint: the code as it is


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    older: Checkpoint
    newer: Checkpoint | None  # None: the code as it is now
    items: ItemChanges
    files: tuple[FileChange, ...] = ()
    reason: str = ""  # why the code could not be compared

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
    items = compare_items(first.draft.content, second.draft.content)
    bare = [c for c in (first, second) if c.draft.code.tree is None]
    if bare:
        return Comparison(
            older=first, newer=second, items=items, reason=_without(bare[0])
        )
    files = ports.snapshots.changes(
        first.draft.code.tree or "", second.draft.code.tree or ""
    )
    return Comparison(older=first, newer=second, items=items, files=files)


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
    )


def _without(checkpoint: Checkpoint) -> str:
    return f"{label(checkpoint.number)} was made without its code"
