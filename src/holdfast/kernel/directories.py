"""Directories: made for their owner only, and entered without following a link."""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

DIRECTORY_MODE = 0o700
_ENTER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_ENTER_ITSELF = _ENTER | os.O_NOFOLLOW
_NO_DIRECTORY = (errno.ENOTDIR, errno.ELOOP)


class InTheWay(OSError):
    """A part of the way to a directory is a link, or no directory."""

    def __init__(self, problem: OSError, blocker: str) -> None:
        super().__init__(problem.errno, "not a directory", blocker)
        self.blocker = blocker


def open_directory(path: str, *, create: bool, within: int | None = None) -> int:
    """Return a descriptor of a directory, making it for its owner only if asked to.

    Without `within` the path may lead through links: a person may keep their data
    wherever they like. With it, the name must be a directory itself.

    Raises:
        OSError: it is missing, not a directory, or cannot be made.
    """
    flags = _ENTER if within is None else _ENTER_ITSELF
    try:
        return os.open(path, flags, dir_fd=within)
    except FileNotFoundError:
        if not create:
            raise
    make_directory(path, within)
    return os.open(path, flags, dir_fd=within)


def make_directory(path: str, within: int | None = None) -> None:
    """Make a directory and those above it that are missing, each for its owner only.

    What is there already stays as it is, whoever made it.

    Raises:
        OSError: it cannot be made.
    """
    try:
        os.mkdir(path, DIRECTORY_MODE, dir_fd=within)
    except FileExistsError:
        return
    except FileNotFoundError:
        above = os.path.dirname(path)
        if within is not None or above in ("", path):
            raise
        make_directory(above)
        make_directory(path)
        return
    os.chmod(path, DIRECTORY_MODE, dir_fd=within)  # a strict umask took bits away


def make_own_directory(path: str) -> None:
    """Make a directory as `make_directory` does, and see that it is no link.

    Raises:
        OSError: it cannot be made, or a link stands in its place.
    """
    make_directory(path)
    if os.path.islink(path):
        raise OSError(errno.ELOOP, "a symbolic link is in the way", path)


@contextmanager
def directory_below(
    root: str, parts: Sequence[str], *, make: int | None = None
) -> Iterator[int]:
    """Lend a descriptor of a directory below `root`, which must be a real path.

    Each directory is opened from the one above it, so no link can lead elsewhere. Those
    that are missing are made with the mode `make`, less the umask, if it is given.

    Raises:
        InTheWay: some part of the way is a link or no directory; its path from `root`.
        OSError: it is missing, or cannot be opened or made.
    """
    here = os.open(root, _ENTER_ITSELF)
    try:
        for place, part in enumerate(parts, 1):
            try:
                below = _entered(part, here, make)
            except OSError as problem:
                if problem.errno in _NO_DIRECTORY:
                    raise InTheWay(problem, "/".join(parts[:place])) from None
                raise
            os.close(here)
            here = below
        yield here
    finally:
        os.close(here)


def _entered(part: str, within: int, make: int | None) -> int:
    if part in ("", ".", ".."):
        raise OSError(errno.EINVAL, "not the name of a directory", part)
    try:
        return os.open(part, _ENTER_ITSELF, dir_fd=within)
    except FileNotFoundError:
        if make is None:
            raise
    with suppress(FileExistsError):  # another process made it first
        os.mkdir(part, make, dir_fd=within)
    return os.open(part, _ENTER_ITSELF, dir_fd=within)


def octets_below(directory: str) -> int:
    """Return how many bytes the files below a directory hold; a link holds nothing."""
    total = 0
    for place, _, names in os.walk(directory):
        for name in names:
            with suppress(OSError):  # gone since it was listed
                status = os.lstat(f"{place}/{name}")
                total += status.st_size if stat.S_ISREG(status.st_mode) else 0
    return total
