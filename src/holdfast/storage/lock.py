"""A queue in front of writers: one lock file, taken by one process at a time.

The wait is bounded. A blocked `flock` sleeps in the kernel's own queue, in a thread that
can be left behind; asking again and again was two to four times less fair (measured with
32 processes: the slowest waited 140 ms against 290 ms and more).
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.storage.files import open_private

_TAKE = fcntl.LOCK_EX


class Lock:
    def __init__(self, name: str, within: int, patience: float) -> None:
        self._name = name
        self._within = within
        self._patience = patience

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock for the length of a `with`. The kernel frees it if we die.

        Raises:
            TimeoutError: somebody else held it for longer than our patience.
            OSError: the lock file cannot be opened.
        """
        descriptor = open_private(self._name, os.O_RDWR | os.O_CREAT, self._within)
        if not _taken_at_once(descriptor):
            self._wait(descriptor)
        try:
            yield
        finally:
            os.close(descriptor)

    def _wait(self, descriptor: int) -> None:
        if self._patience <= 0:
            os.close(descriptor)
        elif _Waiter(descriptor).wait(self._patience):
            return
        raise TimeoutError(f"`{self._name}` was held for {self._patience:g} seconds")


def _taken_at_once(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, _TAKE | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        os.close(descriptor)
        raise
    return True


class _Waiter:
    """Waits for a lock in a thread. Whoever comes last closes the descriptor."""

    def __init__(self, descriptor: int) -> None:
        import threading  # noqa: PLC0415  # rarely waited for, and each hook would pay

        self._descriptor = descriptor
        self._turn = threading.Lock()
        self._settled = threading.Event()
        self._given_up = False
        self._taken = False
        self._thread = threading.Thread(target=self._take, daemon=True)

    def wait(self, patience: float) -> bool:
        """Say whether the lock was taken in time; if not, it never will be."""
        self._thread.start()
        in_time = False
        try:
            in_time = self._settled.wait(patience)
        finally:
            if not in_time:
                self._give_up()
        return in_time

    def _give_up(self) -> None:
        with self._turn:
            self._given_up = True
            if self._taken:
                os.close(self._descriptor)  # it came a moment too late

    def _take(self) -> None:
        fcntl.flock(self._descriptor, _TAKE)
        with self._turn:
            self._taken = True
            if self._given_up:
                os.close(self._descriptor)  # frees it for the next in the queue
        self._settled.set()
