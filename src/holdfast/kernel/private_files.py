"""Files of our own: private whatever the umask, never reached through a symbolic link.

Everything is named relative to an open directory, so nobody can swap the directory
between two calls.
"""

import errno
import os
import stat

DIRECTORY_MODE = 0o700
FILE_MODE = 0o600
_PRIVATE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe is not waited for


def open_directory(path: str, *, create: bool, within: int | None = None) -> int:
    """Return a descriptor of a directory, making it with mode 0700 if asked to.

    Without `within` the path may lead through links: a person may keep their data
    wherever they like. With it, the name must be a directory itself.

    Raises:
        OSError: it is missing, not a directory, or cannot be made.
    """
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    if within is not None:
        flags |= os.O_NOFOLLOW
    try:
        return os.open(path, flags, dir_fd=within)
    except FileNotFoundError:
        if not create:
            raise
    _make_directory(path, within)
    return os.open(path, flags, dir_fd=within)


def _make_directory(path: str, within: int | None) -> None:
    above = os.path.dirname(path)
    if within is None and above and not os.path.isdir(above):
        _make_directory(above, None)  # the one above is the data directory, mostly
    try:
        os.mkdir(path, DIRECTORY_MODE, dir_fd=within)
    except FileExistsError:
        return  # another process made it first
    os.chmod(path, DIRECTORY_MODE, dir_fd=within)  # a strict umask took bits away


def open_private(name: str, flags: int, within: int) -> int:
    """Return a descriptor of a file that, if made by this call, only its owner can use.

    Raises:
        OSError: among others ELOOP, where the name is a symbolic link.
    """
    descriptor = os.open(name, flags | _PRIVATE, FILE_MODE, dir_fd=within)
    if flags & os.O_CREAT and os.fstat(descriptor).st_mode & FILE_MODE != FILE_MODE:
        os.fchmod(descriptor, FILE_MODE)  # a strict umask took bits away
    return descriptor


def read_private(name: str, within: int, limit: int = -1) -> bytes:
    """Return a file's bytes, at most `limit` of them; a pipe is not waited for.

    Raises:
        OSError: it is missing, no regular file, or unreadable.
    """
    with open(open_private(name, os.O_RDONLY, within), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", name)
        return file.read(limit)
