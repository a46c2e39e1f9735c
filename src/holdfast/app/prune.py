"""Retention: remove automatic checkpoints that nobody will miss."""

from holdfast.app.tools import Tools
from holdfast.domain.checkpoint import Tombstone
from holdfast.policy.retention import to_remove


def prune(
    tools: Tools, *, max_auto: int, after_days: int, dry_run: bool = False
) -> tuple[str, ...]:
    """Remove what policy/retention.py names; return the ids, removed or only named."""
    store = tools.open_store()
    doomed = to_remove(
        store.retention_rows(),
        max_auto=max_auto,
        after_days=after_days,
        now_ms=tools.clock.now_ms(),
    )
    if dry_run:
        return doomed
    buried: tuple[Tombstone, ...] = store.remove(doomed, "retention")
    return tuple(tombstone.checkpoint_id for tombstone in buried)
