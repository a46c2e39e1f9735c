"""The store's key for stable placeholders.

It lies beside the database, not in it: a copy of the database that someone gives away
must not carry what its placeholders could be guessed with.
"""

import os

from holdfast.kernel.files import replace_file
from holdfast.kernel.private_files import read_private
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.trouble import unusable

NAME = "redaction.key"
SIZE = 32


def redaction_key(database: Database) -> bytes:
    """Return the key, making it if it was lost: later placeholders differ, no more.

    Raises:
        StoreBusy, StoreNotFound: it was lost and cannot be made.
    """
    key = _read(database.directory)
    if key is not None:
        return key
    with database.writing():
        try:
            return read_or_make(database.directory)
        except OSError as error:
            reason = error.strerror or str(error)
            raise unusable(database.path, reason) from error


def read_or_make(directory: int) -> bytes:
    """Return the key of a directory whose lock the caller holds."""
    key = _read(directory)
    if key is None:
        key = os.urandom(SIZE)
        replace_file(NAME, key, directory)
    return key


def _read(directory: int) -> bytes | None:
    try:
        key = read_private(NAME, directory, SIZE + 1)
    except OSError:
        return None
    return key if len(key) == SIZE else None
