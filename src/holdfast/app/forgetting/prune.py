"""Retention: remove old automatic checkpoints, then code that no checkpoint names."""

from holdfast.app.ports import Ports
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.lazy_values import dataclass
from holdfast.store.port import Checkpoints
from holdfast.store.retention import REASON, RetentionRow, to_remove, trees_by_worth

# A save holds its tree first and puts its record then; no save takes a day.
_UNDER_WAY_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionLimits:
    """How much may stay."""

    max_auto: int
    after_days: int
    code_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What went, or would go."""

    checkpoints: tuple[str, ...] = ()
    trees: int = 0
    code_bytes: int = 0  # that all code takes now
    reason: str = ""  # why no code went


def prune(
    ports: Ports,
    keeping: RetentionLimits,
    *,
    dry_run: bool = False,
    only_if_needed: bool = False,
) -> Pruned:
    """Remove what store/retention.py names, and the code that no record needs then.

    With `only_if_needed`, code is looked at only if a record went or it takes too much.
    """
    store = ports.open_store()
    doomed = to_remove(
        store.retention_rows(),
        max_auto=keeping.max_auto,
        after_days=keeping.after_days,
        now_ms=ports.clock.now_ms(),
    )
    if dry_run:
        return Pruned(checkpoints=doomed, code_bytes=ports.snapshots.size())
    buried = store.remove(doomed, REASON, ports.clock.now_ms())
    gone = tuple(tombstone.checkpoint_id for tombstone in buried)
    if only_if_needed and not gone and ports.snapshots.size() <= keeping.code_bytes:
        return Pruned()
    try:
        trees = _let_code_go(store, ports, keeping.code_bytes)
    except HoldfastError as trouble:
        return Pruned(checkpoints=gone, reason=trouble.message)
    return Pruned(
        checkpoints=gone,
        trees=trees,
        code_bytes=ports.snapshots.size(),
        reason="saves wait in the spool" if ports.spool.waiting() else "",
    )


def _let_code_go(store: Checkpoints, ports: Ports, most: int) -> int:
    if ports.spool.waiting():
        return 0  # what waits there names trees, too
    snapshots = ports.snapshots
    rows = tuple(store.retention_rows())
    named = {row.tree for row in rows if row.tree}
    gone = snapshots.hold_only(named, spare_seconds=_UNDER_WAY_SECONDS)
    kept = named & set(snapshots.held())
    excess = snapshots.size_of(kept) - most
    if excess <= 0:
        return gone
    kept = _within(kept, rows, ports, excess)
    return gone + snapshots.hold_only(kept, spare_seconds=_UNDER_WAY_SECONDS)


def _within(
    kept: set[str], rows: tuple[RetentionRow, ...], ports: Ports, excess: int
) -> set[str]:
    """Return what to keep so that `excess` bytes go: automatic trees, oldest first."""
    for tree in trees_by_worth(rows):
        if excess <= 0:
            break
        if tree in kept:
            kept.remove(tree)
            excess -= ports.snapshots.size_of({tree}, beside=kept)
    return kept
