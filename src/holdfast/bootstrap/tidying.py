"""Retention by itself: once a day, by a process that nobody waits for."""

import os

from holdfast.app.forgetting.prune import RetentionLimits, prune
from holdfast.bootstrap import Container
from holdfast.data_directory.daily import claim_daily_run

_GB = 1_000_000_000


def retention_limits(container: Container) -> RetentionLimits:
    """Return how much the settings let stay."""
    limits = container.config.checkpoint
    return RetentionLimits(
        max_auto=limits.max_auto_summaries,
        after_days=limits.cleanup_after_days,
        code_bytes=container.config.snapshot.keep_gb * _GB,
    )


def prune_daily(container: Container) -> None:
    """Prune if nobody did today."""
    if os.path.isdir(container.home) and claim_daily_run(
        f"{container.home}/pruned", container.clock.now_ms()
    ):
        prune(container.ports(), retention_limits(container), only_if_needed=True)
