"""How long a hook has been at it, from where its client began to wait."""

import os
import time


def running_for() -> float:
    """Return for how many seconds this process has been running, its start included."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read(4096).rpartition(b")")[2].split()[19])
        now = time.clock_gettime(time.CLOCK_BOOTTIME)
        return max(0.0, now - ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError, AttributeError):
        return time.process_time()  # near enough where nothing was waited for
