"""A child and whatever it started: the world is looked at when all of them are gone.

A git that outlives the process that started it goes on for a moment, as it does for a
user. Nobody can say what is on the disk before that moment is over.
"""

import ctypes
import os
from collections.abc import Callable

_ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER, which no module names


def forked(live: Callable[[], object]) -> int:
    """Start a child with a family of its own; `live` must not return."""
    ctypes.CDLL(None, use_errno=True).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgid(0, 0)
            live()
        finally:
            os._exit(99)
    return pid


def wait_for_all(pid: int) -> int:
    """Wait for a child and all it started; return the child's own wait status."""
    _, status = os.waitpid(pid, 0)
    while True:
        try:
            os.waitpid(-pid, 0)
        except ChildProcessError:
            return status
