"""The time of a hook: how long its client has waited, and work that outlives it.

The client kills a slow hook, but not what left its process group.
"""

import os
import select
import time
from collections.abc import Callable

from holdfast.app.hooks.end import finish, fold_log, tidy
from holdfast.app.hooks.event import HookContext
from holdfast.kernel.kept_code import use_kept_code

_LONG = 600.0  # seconds for whoever is at it already


def running_for() -> float:
    """Return for how many seconds this process has been running, its start included."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read(4096).rpartition(b")")[2].split()[19])
        now = time.clock_gettime(time.CLOCK_BOOTTIME)
        return max(0.0, now - ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError, AttributeError):
        return time.process_time()  # near enough where nothing was waited for


def run_pending(context: HookContext, patience: float) -> bool:
    """Have what was asked for at an end carried out; say whether it ended in time.

    In a process of its own: a long transcript must not hold the client up. No store may
    be open here, for a connection does not survive the split.
    """
    return not context.requests.waiting() or run_requests(context, patience)


def run_requests(context: HookContext, patience: float) -> bool:
    """Do that where something is known to wait: the hook itself has asked for it."""
    return detached(lambda: _finish(context), patience)


def _finish(context: HookContext) -> None:
    finish(context, _LONG)
    tidy(context)
    fold_log(context)
    use_kept_code().keep()  # this process leaves without its exit functions


def detached(work: Callable[[], object], patience: float) -> bool:
    """Do the work in a process of its own; say whether it ended within `patience`."""
    reader, writer = os.pipe()
    if os.fork():
        os.close(writer)
        ended, _, _ = select.select([reader], [], [], max(0.0, patience))
        os.close(reader)
        return bool(ended)
    try:
        os.setsid()
        os.close(reader)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):  # or the client would wait for its pipes
            os.dup2(nothing, stream)
        work()
    finally:
        os._exit(0)
