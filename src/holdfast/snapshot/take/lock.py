"""Waiting for our turn: shared by those who write, alone for whoever tidies up."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from holdfast.kernel.locks import Lock


@contextmanager
def held(path: str, *, alone: bool, until: float) -> Iterator[int]:
    """Hold a lock for the length of a `with`; the kernel frees it if we die.

    Yields the file system's own time, in nanoseconds. `until` is monotonic.

    Raises:
        TimeoutError: somebody else held it until then.
        OSError: the lock file cannot be opened.
    """
    lock = Lock(path, None, until - monotonic())
    with lock.held(shared=not alone) as descriptor:
        os.utime(descriptor)
        yield os.fstat(descriptor).st_mtime_ns
