"""A file where nothing is yet, put there whole or not at all.

half, beside it ──written, flushed──► its name, if nothing has it
"""

import errno
import os

from holdfast.kernel.files import (
    clear_of_the_dead,
    create_file,
    flush,
    half_of,
    remove_quietly,
)

# What a file system says on which a file has one name only, as on many sticks.
_HAS_NO_LINKS = frozenset([errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK])


def half_beside(path: str) -> str:
    """Return the name, beside a file, of a half that only this process writes; what lies
    there was left by a process that is gone."""
    half = half_of(path, f".{os.getpid()}")
    remove_quietly(half)
    return half


def put_where_nothing_is(half: str, path: str) -> None:
    """Give a written file its name, if nothing has it yet.

    Raises:
        FileExistsError: something has it, and stays as it is; the half is gone.
        OSError: it was not put in place and is gone, or the disk cannot say that it is.
    """
    try:
        os.link(half, path, follow_symlinks=False)
    finally:
        remove_quietly(half)
    flush(os.path.dirname(path) or ".")


def create_whole(path: str, data: bytes) -> None:
    """Write a file where nothing is yet: whole, or not at all.

    What processes that are gone left half written beside it is cleared away. Where a file
    has one name only, or a directory shows nobody what is in it, it is written in its place.

    Raises:
        FileExistsError: something is there, and stays as it is.
        OSError: it cannot be written, and no part of it stays behind.
    """
    try:
        clear_of_the_dead(os.path.dirname(path))
    except PermissionError:  # a letter box
        create_file(path, data, durable=True)
        return
    half = half_beside(path)
    create_file(half, data, durable=True)
    try:
        put_where_nothing_is(half, path)
    except OSError as problem:
        if problem.errno not in _HAS_NO_LINKS:
            raise
        create_file(path, data, durable=True)
