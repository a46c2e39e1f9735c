"""Retention by itself: once a day, by a process that nobody waits for."""

import os

from holdfast.app.forgetting.prune import Keeping, prune
from holdfast.bootstrap import Desk
from holdfast.data_directory.daily import is_due

_GB = 1_000_000_000


def keeping_of(desk: Desk) -> Keeping:
    """Return how much the settings let stay."""
    limits = desk.config.checkpoint
    return Keeping(
        max_auto=limits.max_auto_summaries,
        after_days=limits.cleanup_after_days,
        code_bytes=desk.config.snapshot.keep_gb * _GB,
    )


def tidy_daily(desk: Desk) -> None:
    """Prune if nobody did today."""
    if os.path.isdir(desk.home) and is_due(f"{desk.home}/pruned", desk.clock.now_ms()):
        prune(desk.tools(), keeping_of(desk), only_if_needed=True)
