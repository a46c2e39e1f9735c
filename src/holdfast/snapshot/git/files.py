"""Files of a repository and of our own git directories, as git would have them.

A stranger may have arranged them: read are regular ones only, and only so much. Links are
followed, as git does.
"""

import os
from _thread import get_ident  # importing threading would cost each look a millisecond
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic

from holdfast.kernel.digests import sha1, sha256
from holdfast.kernel.files import copy_file, read_or_none, replace_file
from holdfast.kernel.locks import Lock

SMALL = 1 << 16
LARGE = 1 << 26
_SHA256_DIGITS = 64


def read(path: str, limit: int = SMALL) -> bytes | None:
    """Return a regular file's bytes, or None if it cannot be read or is too large."""
    return read_or_none(path, limit=limit, follow_links=True)


def read_text(path: str, limit: int = SMALL) -> str | None:
    raw = read(path, limit)
    return None if raw is None else raw.decode("utf-8", "surrogateescape")


def replace(path: str, content: bytes, *, durable: bool = False) -> None:
    """Write a file whole or not at all, in the place of the one that is there.

    `durable` waits for the disk: only a tree that is acknowledged needs it, all else is
    made again from the worktree.

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
        copy_file(source, target, limit=LARGE * 8, with_time=True)
    except FileNotFoundError:
        if os.path.exists(source):
            raise


def blob_id(content: bytes, like: str = "") -> str:
    """Return the name git gives a content, in the same hash as another name."""
    return blob_id_of((content,), len(content), like)


def quick_blob_id(content: bytes) -> str:
    """Return the same seven times as fast, for who reads many; dear to import, and no
    hook does."""
    from hashlib import sha1  # noqa: PLC0415  # the reason is told above

    digest = sha1(b"blob %d\0" % len(content), usedforsecurity=False)
    digest.update(content)
    return digest.hexdigest()


def blob_id_of(pieces: Iterable[bytes], size: int, like: str = "") -> str:
    """Return the name of a content that comes in pieces.

    A file that grows meanwhile gets a name that is nobody's.
    """
    make = sha256 if len(like) == _SHA256_DIGITS else sha1
    digest = make(b"blob %d\0" % size, usedforsecurity=False)
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


@contextmanager
def locked(path: str, *, alone: bool, until: float) -> Iterator[int]:
    """Hold a lock for the length of a `with`: shared by who writes, alone for who tidies.

    Yields the file system's own time, in nanoseconds. `until` is monotonic.

    Raises:
        TimeoutError: somebody else held it until then.
        OSError: the lock file cannot be opened.
    """
    lock = Lock(path, None, until - monotonic())
    with lock.held(shared=not alone) as descriptor:
        os.utime(descriptor)
        yield os.fstat(descriptor).st_mtime_ns
