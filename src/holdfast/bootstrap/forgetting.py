"""What forgetting and scanning work with: the orders, and everything beside the store."""

from holdfast.app.forgetting.forget import Forgetting
from holdfast.app.forgetting.scan import Scanning
from holdfast.bootstrap import Desk
from holdfast.data_directory.orders import DirectoryOrders
from holdfast.data_directory.plain_files import HomeFiles
from holdfast.data_directory.requests import DirectoryRequests
from holdfast.data_directory.spool import DirectorySpool
from holdfast.data_directory.traces import SessionTraces
from holdfast.snapshot.restore.notes import RestoreNotes
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite.schema.backups import Backups


def scanning_at(desk: Desk) -> Scanning:
    """Return what is needed to look again at everything that is kept at this desk."""
    return Scanning(
        files=HomeFiles(desk.home),
        copies=Backups(desk.home),
        restores=RestoreNotes(f"{desk.home}/restores"),
        budget=desk.budget(None),
    )


def forgetting_at(desk: Desk) -> Forgetting:
    """Return what is needed to forget something at this desk."""
    home = desk.home
    return Forgetting(
        orders=DirectoryOrders(f"{home}/forgetting"),
        shelves=(
            DirectorySpool(f"{home}/spool"),
            DirectoryRequests(f"{desk.places.home}/requests"),
            RestoreNotes(f"{home}/restores"),
            SessionTraces(desk.places.home),
            Backups(home),
            Quarantine(home),
        ),
        aside=Quarantine(home),
        budget=desk.budget(None),
    )
