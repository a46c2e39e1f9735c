"""Directories of ours in the data directory: for their owner only, and never a link."""

import errno
import os

_OWNER_ONLY = 0o700


def private_directory(path: str) -> None:
    """Make a directory and those above it that are missing, each for its owner only.

    Raises:
        OSError: it cannot be made, or a link stands in its place.
    """
    try:
        os.mkdir(path, _OWNER_ONLY)
    except FileExistsError:
        if os.path.islink(path):
            raise OSError(errno.ELOOP, "a symbolic link is in the way", path) from None
    except FileNotFoundError:
        _make_above(os.path.dirname(path))
        os.mkdir(path, _OWNER_ONLY)


def _make_above(path: str) -> None:
    if os.path.isdir(path):
        return  # where people keep their data is their affair: a link is fine
    _make_above(os.path.dirname(path))
    try:
        os.mkdir(path, _OWNER_ONLY)
    except FileExistsError:
        return  # another process made it first
