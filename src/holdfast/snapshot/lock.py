"""Waiting for our turn: shared by those who write, alone for whoever tidies up."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

_PAUSE = 0.005


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
    try:
        _take(descriptor, fcntl.LOCK_EX if alone else fcntl.LOCK_SH, until)
        os.utime(descriptor)
        yield os.fstat(descriptor).st_mtime_ns
    finally:
        os.close(descriptor)


def _take(descriptor: int, how: int, until: float) -> None:
    never = threading.Event()
    while True:
        try:
            fcntl.flock(descriptor, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() >= until:
                raise TimeoutError from None
            never.wait(_PAUSE)
        else:
            return
