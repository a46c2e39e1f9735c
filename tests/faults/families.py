"""A child and whatever it started: the world is looked at when all of them are gone.

A git that outlives the process that started it goes on for a moment, as it does for a
user; so does what a hook leaves behind. Nobody can say what is on the disk before that
moment is over. While a family lives, its orphans are ours; no others ever are.
"""

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

_ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER, which no module names


def forked(live: Callable[[], object]) -> int:
    """Start a child with a family of its own; `live` must not return."""
    _adopt_orphans(yes=True)
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgid(0, 0)
            live()
        finally:
            os._exit(99)
    with suppress(OSError):  # it was quicker
        os.setpgid(pid, pid)
    return pid


def wait_for_all(pid: int) -> int:
    """Wait for a child and all it started; return the child's own wait status."""
    try:
        _, status = os.waitpid(pid, 0)
        while orphan := next(_orphans(), None):
            os.waitpid(orphan, 0)
    finally:
        _adopt_orphans(yes=False)
    return status


def _adopt_orphans(*, yes: bool) -> None:
    if sys.platform != "linux":
        pytest.skip(
            "only Linux gives a dead process's children to one of its ancestors"
        )
    ctypes.CDLL(None, use_errno=True).prctl(_ADOPT_ORPHANS, int(yes), 0, 0, 0)


def _orphans() -> Iterator[int]:
    """Yield the children that were not started here: those are in our own group."""
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text(encoding="ascii").split():
            if os.getpgid(int(child)) != os.getpgrp():
                yield int(child)
