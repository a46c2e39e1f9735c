"""Pruning, scanning and forgetting: how much may stay, and everything beside the store.

A hook prunes once a day, in a process of its own, and pays for nothing else here.
"""

import os
from typing import TYPE_CHECKING

from holdfast.app.forgetting.prune import RetentionLimits, prune
from holdfast.bootstrap import Container
from holdfast.data_directory.markers import claim_daily_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.app.forgetting.forget import ForgetMeans
    from holdfast.app.forgetting.scan import ScanMeans
    from holdfast.data_directory.port import UnreadableHolder

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


def scan_means(container: Container) -> "ScanMeans":
    """Return what is needed to look again at everything that is kept."""
    from holdfast.app.forgetting.scan import ScanMeans
    from holdfast.bootstrap.archive import clean_archived
    from holdfast.data_directory.plain_files import HomeFiles
    from holdfast.snapshot.restore.notes import RestoreNotes
    from holdfast.store.sqlite.schema.backups import Backups

    return ScanMeans(
        files=HomeFiles(container.home),
        copies=Backups(container.home),
        restores=RestoreNotes(f"{container.home}/restores"),
        clean_archive=lambda: clean_archived(container),
        budget=container.budget(None),
    )


class _Aside:
    """Several that can only say where some text may stand (`UnreadableHolder`)."""

    def __init__(self, holders: "Sequence[UnreadableHolder]") -> None:
        self._holders = holders

    def saying(self, text: str) -> tuple[str, ...]:
        return tuple(told for one in self._holders for told in one.saying(text))


def forget_means(container: Container, *, is_syncing: bool = False) -> "ForgetMeans":
    """Return what is needed to forget something; what a sync has on its way goes with
    that sync."""
    from holdfast.app.forgetting.forget import ForgetMeans
    from holdfast.data_directory.archive import TranscriptArchive
    from holdfast.data_directory.plain_files import SessionTraces
    from holdfast.data_directory.requests import DirectoryOrders, DirectoryRequests
    from holdfast.data_directory.share_marks import ShareDirectory
    from holdfast.data_directory.spool import DirectorySpool
    from holdfast.snapshot.restore.notes import RestoreNotes
    from holdfast.store.quarantine import Quarantine
    from holdfast.store.sqlite.schema.backups import Backups

    home = container.home
    return ForgetMeans(
        orders=DirectoryOrders(f"{home}/forgetting"),
        shelves=(
            DirectorySpool(f"{home}/spool"),
            DirectoryRequests(f"{container.places.home}/requests"),
            RestoreNotes(f"{home}/restores"),
            SessionTraces(container.places.home),
            Backups(home),
            Quarantine(home),
            TranscriptArchive(home),
            *(() if is_syncing else (ShareDirectory(home),)),
        ),
        aside=_Aside((Quarantine(home), TranscriptArchive(home))),
        budget=container.budget(None),
    )
