"""Waiting for our turn: shared by those who write, alone for whoever tidies up."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from holdfast.kernel import locks


@contextmanager
def held(path: str, *, alone: bool, until: float) -> Iterator[int]:
    """Hold a lock for the length of a `with`; the kernel frees it if we die.

    Yields the file system's own time, in nanoseconds. `until` is monotonic.

    Raises:
        TimeoutError: somebody else held it until then.
        OSError: the lock file cannot be opened.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    descriptor = os.open(path, flags, 0o600)
    with locks.held(descriptor, until - monotonic(), shared=not alone):
        os.utime(descriptor)
        yield os.fstat(descriptor).st_mtime_ns
