"""What forgetting and scanning work with: the orders, and everything beside the store."""

from holdfast.app.forget import Forgetting
from holdfast.app.scan import Scanning
from holdfast.bootstrap import Desk
from holdfast.machine.plain_files import HomeFiles
from holdfast.machine.traces import SessionTraces
from holdfast.snapshot.restoring_notes import RestoreNotes
from holdfast.storage.orders import DirectoryOrders
from holdfast.storage.quarantine import Quarantine
from holdfast.storage.requests import DirectoryRequests
from holdfast.storage.spool import DirectorySpool
from holdfast.storage.sqlite.backups import Backups


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
