"""What the engine's errors mean to a person, and what to do about them."""

import apsw

from holdfast.kernel.errors import (
    HoldfastError,
    StoreBusy,
    StoreDamaged,
    StoreNewer,
    StoreNotFound,
)

_BUSY = (apsw.BusyError, apsw.LockedError)
_DAMAGED = (
    apsw.CorruptError,
    apsw.NotADBError,
    apsw.FormatError,
    apsw.ConstraintError,
    apsw.MismatchError,
)
_UNUSABLE = (
    apsw.CantOpenError,
    apsw.PermissionsError,
    apsw.ReadOnlyError,
    apsw.FullError,
    apsw.IOError,
    apsw.NoLFSError,
    apsw.AuthError,
)
REPAIR = "`holdfast doctor --repair` brings back what can be found"
_MISSING_STRUCTURE = (
    "no such table",
    "no such column",
    "has no column",
    "no such view",
    "no such function",
    # how the index's own definition reads when a bit of it flipped
    "no such module",
    "no such tokenizer",
    "no such fts5 table",
    "fts5vocab: unknown",
    "vtable constructor failed",
    "unrecognized option",
    "unrecognized column option",
    "reserved fts5 column name",
    "parse error in",
    "malformed ",
    "multiple ",
)


def explained(error: apsw.Error, path: str) -> HoldfastError | None:
    """Return the outcome an engine's error stands for, or None if it is our own bug."""
    if isinstance(error, _BUSY):
        return busy(path)
    if isinstance(error, _DAMAGED) or _misses_structure(error):
        return damaged(f"the store `{path}` is damaged: {error}")
    if isinstance(error, _UNUSABLE):
        return unusable(path, str(error))
    return None


def busy(path: str) -> StoreBusy:
    return StoreBusy(
        f"another process has been writing to `{path}` for too long",
        hint="try again; if that does not help, look for a holdfast process that hangs",
    )


def damaged(message: str) -> StoreDamaged:
    return StoreDamaged(message, hint="run `holdfast doctor` to see what is wrong")


def poorer(path: str, entries: int) -> StoreDamaged:
    many = (
        "the newest entry is" if entries == 1 else f"the {entries:,} newest entries are"
    )
    return StoreDamaged(f"the store `{path}` is damaged: {many} gone", hint=REPAIR)


def emptied(path: str) -> StoreDamaged:
    return StoreDamaged(
        f"the store's file `{path}` is gone or empty, but the files beside it show that"
        " it had records",
        hint=REPAIR,
    )


def newer(path: str, version: int, known: int) -> StoreNewer:
    return StoreNewer(
        f"the store `{path}` was made by a newer holdfast"
        f" (version {version}, this one knows {known}) and was left alone",
        hint="upgrade this holdfast the way it was installed",
    )


def unusable(path: str, reason: str) -> StoreNotFound:
    return StoreNotFound(
        f"the store `{path}` cannot be used: {reason}",
        hint="check free space and permissions, or set `HOLDFAST_HOME`"
        " to another directory",
    )


def _misses_structure(error: apsw.Error) -> bool:
    return isinstance(error, apsw.SQLError) and any(
        words in str(error) for words in _MISSING_STRUCTURE
    )
