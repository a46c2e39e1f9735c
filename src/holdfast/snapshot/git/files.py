"""Reading files that a stranger arranged: regular ones only, and only so much.

A FIFO, a device or an endless file where git expects a small one must cost nothing.
"""

import errno
import os
import stat
from _thread import get_ident  # importing threading would cost each look a millisecond

from holdfast.kernel.files import replace_file, write_all

SMALL = 1 << 16
LARGE = 1 << 26
_CHUNK = 1 << 20
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


def read(path: str, limit: int = SMALL) -> bytes | None:
    """Return a regular file's bytes, or None if it cannot be read or is too large."""
    try:
        descriptor = os.open(path, _READ)
    except (OSError, ValueError):
        return None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
            return None
        return b"".join(iter(lambda: os.read(descriptor, _CHUNK), b""))
    except OSError:
        return None
    finally:
        os.close(descriptor)


def read_text(path: str, limit: int = SMALL) -> str | None:
    raw = read(path, limit)
    return None if raw is None else raw.decode("utf-8", "surrogateescape")


def write(path: str, content: bytes) -> None:
    """Make a new file, readable by its owner only.

    Raises:
        OSError: it exists, or cannot be written.
    """
    descriptor = os.open(path, _CREATE, 0o600)
    try:
        write_all(descriptor, content)
    finally:
        os.close(descriptor)


def replace(path: str, content: bytes, *, durable: bool = False) -> None:
    """Write a file whole or not at all, in the place of the one that is there.

    `durable` waits for the disk.

    Raises:
        OSError: it cannot be written; the old one is still there.
    """
    # git does not take a name that ends so for a ref
    draft = f"{path}.{os.getpid()}-{get_ident()}.lock"
    replace_file(path, content, half=draft, durable=durable)


def copy(source: str, target: str) -> None:
    """Copy a regular file with its time; where there is none, there is no copy.

    git compares an index's time with its entries' to find edits made in the same
    tick, so a copy with a time of its own would hide them.

    Raises:
        OSError: the source cannot be read, or the target not be written.
    """
    try:
        before = os.stat(source)
    except FileNotFoundError:
        return
    content = read(source, limit=LARGE * 8)
    if content is None:
        raise OSError(errno.EIO, "cannot be read", source)
    write(target, content)
    os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
