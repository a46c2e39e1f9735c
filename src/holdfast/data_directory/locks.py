"""Locks that somebody holds right now: the kernel frees those of the dead by itself."""

import fcntl
import os
from collections.abc import Iterator

from holdfast.data_directory.own import own_folders
from holdfast.domain.query import HealthResult

_NAME = "locks"
_TABLE = "/proc/locks"


def check_locks(home: str) -> HealthResult:
    """Say who holds a lock; a hanging process keeps everybody waiting."""
    held = [(path, _holder(path)) for path in _locks(home) if _is_held(path)]
    if not held:
        return HealthResult(_NAME, "ok", "none is held")
    path, pid = held[0]
    who = f"process {pid}" if pid else "another process"
    return HealthResult(
        _NAME,
        "warn",
        f"`{os.path.relpath(path, home)}` is held by {who}",
        "it is free again when that process ends; look whether it hangs",
    )


def _locks(home: str) -> Iterator[str]:
    for folder in own_folders(home):
        yield from sorted(own.path for own in folder.files if own.path.endswith("lock"))


def _is_held(path: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def _holder(path: str) -> int | None:
    """Return the process the kernel names as holder, where it keeps a table."""
    try:
        inode = f":{os.stat(path).st_ino} "
        with open(_TABLE, encoding="ascii") as file:
            lines = [line.split() for line in file if inode in line]
        return int(lines[0][4]) if lines else None
    except (OSError, ValueError, IndexError):
        return None
