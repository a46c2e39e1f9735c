"""The queue of writers: one lock file in a directory of ours."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.kernel import locks
from holdfast.kernel.private_files import open_private


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
        with locks.held(descriptor, self._patience):
            yield
