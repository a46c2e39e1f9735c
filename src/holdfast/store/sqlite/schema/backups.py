"""A copy of the store from before its structure changes: `backups/schema-3.db`.

Beside it lies the head of that moment, `schema-3.head`: who goes back takes both. Made by whoever migrates, who holds the lock. No copy, no migration: then the store stays
as it is, and saves wait.
"""

import os

import apsw

from holdfast.domain.forgetting import Order
from holdfast.kernel.directories import open_directory
from holdfast.kernel.errors import StoreNotFound
from holdfast.kernel.files import (
    HALF,
    flush,
    put_in_place,
    read_beginning,
    remove_quietly,
    replace_file,
    write_beside,
)
from holdfast.store.sqlite import head_file

FOLDER = "backups"
_KEPT = 2
_PREFIX, _SUFFIX, _HEAD = "schema-", ".db", ".head"


def back_up(connection: apsw.Connection, home: str, version: int) -> None:
    """Copy the store as it is; only the copies of the last two versions stay.

    Raises:
        OSError, apsw.Error: there is no whole copy, and no half one either.
    """
    directory = open_directory(os.path.join(home, FOLDER), create=True)
    name = f"{_PREFIX}{version}{_SUFFIX}"
    half = f".{name}{HALF}"
    try:
        # Made by us first: the engine would let everyone read it.
        write_beside(half, b"", directory, durable=False)
        connection.execute("VACUUM INTO ?", (os.path.join(home, FOLDER, half),))
        flush(half, directory)
        _keep_head(home, version, directory)
        put_in_place(half, name, directory)
        for old in _names(directory)[:-_KEPT]:
            remove_quietly(old, directory)
            remove_quietly(old.removesuffix(_SUFFIX) + _HEAD, directory)
    finally:
        remove_quietly(half, directory)
        os.close(directory)


def no_backup(home: str, reason: str) -> StoreNotFound:
    """Return why an older store is not opened: without a copy it is not changed."""
    folder = os.path.join(home, FOLDER)
    return StoreNotFound(
        f"the store of an older holdfast cannot be brought up to date:"
        f" no copy of it can be made in `{folder}`: {reason}",
        hint=f"make room, and check that `{folder}` is a directory of yours;"
        " nothing was changed, and saves wait",
    )


def _keep_head(home: str, version: int, directory: int) -> None:
    """Keep the head file as it is; without one, none: the copy has to say it alone."""
    name = f"{_PREFIX}{version}{_HEAD}"
    remove_quietly(name, directory)  # one of an earlier copy
    source = open_directory(home, create=False)
    try:
        data = read_beginning(head_file.NAME, head_file.SIZE + 1, source)
    except FileNotFoundError:
        return
    finally:
        os.close(source)
    replace_file(name, data, directory)


class Backups:
    """The copies in a data directory, for whoever forgets or looks after them."""

    def __init__(self, home: str) -> None:
        self._path = os.path.join(home, FOLDER)

    def names(self) -> tuple[str, ...]:
        """Return the copies, the oldest version first."""
        try:
            directory = open_directory(self._path, create=False)
        except OSError:
            return ()
        try:
            return tuple(_names(directory))
        finally:
            os.close(directory)

    def forget(self, order: Order) -> tuple[str, ...]:
        """Remove every copy: an older form of the store cannot be edited safely."""
        del order
        return self.drop()

    def drop(self) -> tuple[str, ...]:
        """Remove every copy, a half one, too; return what had to stay, and why."""
        try:
            directory = open_directory(self._path, create=False)
        except OSError:
            return ()
        try:
            for name in filter(_is_ours, os.listdir(directory)):
                os.unlink(name, dir_fd=directory)
            os.fsync(directory)
        except OSError as problem:
            return (f"`{self._path}`: {problem.strerror}",)
        finally:
            os.close(directory)
        return ()


def _names(directory: int) -> list[str]:
    found = [name for name in os.listdir(directory) if _version(name) is not None]
    return sorted(found, key=lambda name: _version(name) or 0)


def _is_ours(name: str) -> bool:
    """Say whether a file is a copy of ours, or a half one with the engine's log."""
    whole = name.removesuffix("-journal").removesuffix(HALF).removeprefix(".")
    is_half = name in {f".{whole}{HALF}", f".{whole}{HALF}-journal"}
    if name.endswith(_HEAD):
        return _version(f"{name.removesuffix(_HEAD)}{_SUFFIX}") is not None
    return (is_half or name == whole) and _version(whole) is not None


def _version(name: str) -> int | None:
    middle = name.removeprefix(_PREFIX).removesuffix(_SUFFIX)
    is_ours = name == f"{_PREFIX}{middle}{_SUFFIX}" and middle.isdecimal()
    return int(middle) if is_ours else None
