"""What forgetting and scanning work with: the orders, and everything beside the store."""

from holdfast.app.forgetting.forget import ForgetMeans
from holdfast.app.forgetting.scan import ScanMeans
from holdfast.bootstrap import Container
from holdfast.data_directory.orders import DirectoryOrders
from holdfast.data_directory.plain_files import HomeFiles
from holdfast.data_directory.requests import DirectoryRequests
from holdfast.data_directory.spool import DirectorySpool
from holdfast.data_directory.traces import SessionTraces
from holdfast.snapshot.restore.notes import RestoreNotes
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite.schema.backups import Backups


def scan_means(container: Container) -> ScanMeans:
    """Return what is needed to look again at everything that is kept at this container."""
    return ScanMeans(
        files=HomeFiles(container.home),
        copies=Backups(container.home),
        restores=RestoreNotes(f"{container.home}/restores"),
        budget=container.budget(None),
    )


def forget_means(container: Container) -> ForgetMeans:
    """Return what is needed to forget something at this container."""
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
        ),
        aside=Quarantine(home),
        budget=container.budget(None),
    )
