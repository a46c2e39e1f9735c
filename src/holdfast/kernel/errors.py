"""Every outcome that is not success: what happened, what to do next, and the exit status.

A `HoldfastError` is expected and tells the user something useful; anything else that
reaches a surface is a bug and exits 70.
"""

import errno
from typing import ClassVar

DONE = 0
FAILED = 1
WRONG_USAGE = 2
PARTS_MISSING = 3
CHECK_SAYS_NO = 4
NO_STORE = 10
STORE_BUSY = 11
NOT_FOUND = 12
INTEGRITY_FAILED = 13
BUG = 70
INTERRUPTED = 130


class HoldfastError(Exception):
    """A command failed for a reason that it can name."""

    code: ClassVar[str] = "HOLD_001"
    exit_status: ClassVar[int] = FAILED

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class SessionUnknown(HoldfastError):
    """The session id is missing or malformed; it is never guessed."""

    code = "SESS_001"


class SessionDamaged(HoldfastError):
    """What was kept of a session cannot be read; it is rebuilt from the transcript."""

    code = "SESS_002"


class SaveFailed(HoldfastError):
    """The checkpoint could not be made; nothing was stored and nothing was lost."""

    code = "CKPT_001"


class IdCollision(HoldfastError):
    """Two checkpoints were given the same id; saving again makes a new one."""

    code = "CKPT_002"


class MetadataUnwritable(HoldfastError):
    """Session metadata could not be written."""

    code = "META_001"


class StoreNotFound(HoldfastError):
    """There is no store where one was expected, or it cannot be opened."""

    code = "STOR_001"
    exit_status = NO_STORE

    def __init__(
        self, message: str, *, hint: str = "", was_never_made: bool = False
    ) -> None:
        super().__init__(message, hint=hint)
        self.was_never_made = was_never_made


class StoreBusy(HoldfastError):
    """Another process held the store for too long."""

    code = "STOR_002"
    exit_status = STORE_BUSY


class StoreNewer(HoldfastError):
    """The store was written by a newer holdfast; this one leaves it alone."""

    code = "STOR_003"
    exit_status = NO_STORE


class StoreDamaged(HoldfastError):
    """The store, or a record in it, does not match its own hash or structure."""

    code = "STOR_004"
    exit_status = INTEGRITY_FAILED


class SnapshotLost(HoldfastError):
    """The code of a checkpoint is missing in part or does not match its hash."""

    code = "SNAP_001"
    exit_status = INTEGRITY_FAILED


class SnapshotMissing(HoldfastError):
    """This checkpoint was saved without its code, or the code was removed since."""

    code = "SNAP_002"


class RestoreRefused(HoldfastError):
    """A restore would not be safe now; nothing was written."""

    code = "REST_001"
    exit_status = CHECK_SAYS_NO


class RestoreStopped(HoldfastError):
    """A restore stopped early; no file is half written, and `undo` takes it back."""

    code = "REST_002"


class RestoreInterrupted(RestoreStopped):
    """A restore was interrupted; no file is half written, `undo` takes it back."""

    code = "REST_004"
    exit_status = INTERRUPTED


class NothingToUndo(HoldfastError):
    """There is no restore in this worktree to undo."""

    code = "REST_003"


class BackfillInterrupted(HoldfastError):
    """A backfill was interrupted; what it saved stays, and the next run continues."""

    code = "PAST_001"
    exit_status = INTERRUPTED


class ArchiveDamaged(HoldfastError):
    """The archived transcript of a session is damaged or cannot be read."""

    code = "PAST_002"
    exit_status = INTEGRITY_FAILED


class NativeRefused(HoldfastError):
    """The session cannot be opened in its client this way; nothing there was changed."""

    code = "OPEN_001"


class BisectFailed(HoldfastError):
    """The command could not be run, or its result does not tell good from bad."""

    code = "BISE_001"


class MergeRefused(HoldfastError):
    """These checkpoints cannot be merged this way; nothing was written."""

    code = "MERG_001"


class BlameFailed(HoldfastError):
    """There is no such text file here, or no such line in it."""

    code = "BLAM_001"


class FileNotShown(BlameFailed):
    """The web page asked for a file that a snapshot would not include."""

    code = "BLAM_002"
    exit_status = NOT_FOUND


class CheckpointNotFound(HoldfastError):
    """No checkpoint matches this reference."""

    code = "FIND_001"
    exit_status = NOT_FOUND


class ReferenceAmbiguous(HoldfastError):
    """Several checkpoints match this reference; the hint names them."""

    code = "FIND_002"
    exit_status = NOT_FOUND


class HandoffMissing(HoldfastError):
    """The project has no handoff file."""

    code = "FIND_003"
    exit_status = NOT_FOUND


class NameInvalid(HoldfastError):
    """A checkpoint cannot have this name."""

    code = "NAME_001"


class NameTaken(HoldfastError):
    """Another checkpoint has this name; `--force` replaces it."""

    code = "NAME_002"
    exit_status = CHECK_SAYS_NO


class ConfigInvalid(HoldfastError):
    """A configuration value has the wrong type or is out of range."""

    code = "CONF_001"


class HomeRefused(HoldfastError):
    """The data directory lies inside the project, which a repository could arrange."""

    code = "CONF_002"


class ProjectRefused(HoldfastError):
    """An agent named a directory that is not one of the user's projects."""

    code = "PROJ_001"


class ProjectForeign(HoldfastError):
    """An agent's call would write into a project other than the one it runs in."""

    code = "PROJ_002"


class RecordRefused(HoldfastError):
    """A checkpoint was changed or damaged on its way here; nothing was imported."""

    code = "SHARE_001"
    exit_status = INTEGRITY_FAILED


class NotApproved(HoldfastError):
    """The checkpoint is somebody else's, and the user has not approved it yet."""

    code = "APPR_001"
    exit_status = CHECK_SAYS_NO


class SecretsInside(HoldfastError):
    """A checkpoint to be shared seems to contain a secret; nothing was written."""

    code = "SHARE_002"


class ShareLocked(HoldfastError):
    """The shared file is encrypted, and the given key or passphrase does not open it."""

    code = "SHARE_003"


class RemoteFailed(HoldfastError):
    """The team's git remote is out of reach or not allowed; unsent checkpoints wait."""

    code = "SHARE_004"
    exit_status = PARTS_MISSING


class TeamUnreachable(HoldfastError):
    """The team's database does not answer; checkpoints are kept here and sent later."""

    code = "TEAM_001"
    exit_status = PARTS_MISSING


class TeamRefused(HoldfastError):
    """The team's database is not set up for this; nothing here was changed."""

    code = "TEAM_002"


class TokensUnreadable(HoldfastError):
    """The list of tokens for `serve` cannot be read; no token is accepted."""

    code = "TOKN_001"
    exit_status = INTEGRITY_FAILED


class TokenUnknown(HoldfastError):
    """No token has this id."""

    code = "TOKN_002"
    exit_status = NOT_FOUND


class AccessRefused(HoldfastError):
    """This token does not allow this."""

    code = "TOKN_003"
    exit_status = CHECK_SAYS_NO


class MirrorDown(HoldfastError):
    """A mirror does not answer, or is another program; unsent checkpoints wait."""

    code = "SYNC_001"
    exit_status = PARTS_MISSING


class NotesInvalid(HoldfastError):
    """A field of the notes has the wrong type; the message names it."""

    code = "NOTE_001"


class WiringFailed(HoldfastError):
    """holdfast could not be added to an agent or removed from it; no file is half written."""

    code = "WIRE_001"


class FileRefused(HoldfastError):
    """A file in the project is a symbolic link, or cannot be read or written."""

    code = "FILE_001"


class FileOutOfReach(FileRefused):
    """A file could not be read because of a passing problem: try again."""

    code = "FILE_002"


class MachineFailed(HoldfastError):
    """The system refused: a full or broken disk, no permission, too many open files."""

    code = "MACH_001"


class UsageWrong(HoldfastError):
    """The command line is not valid."""

    code = "USE_001"
    exit_status = WRONG_USAGE


class CallTooLong(UsageWrong):
    """The arguments of a tool call are longer than a megabyte; nothing was done."""

    code = "USE_002"


# What a spool can help with: the save itself is sound, the store is not.
STORE_TROUBLE = (StoreBusy, StoreNewer, StoreDamaged, StoreNotFound)
# What is no fault of a file: it may be there, and be read a moment later.
OUT_OF_REACH = (errno.EMFILE, errno.ENFILE, errno.EIO, errno.ENOMEM, errno.ENOSPC)
