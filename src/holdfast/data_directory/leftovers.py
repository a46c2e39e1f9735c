"""Files that a killed process left half-written: found, and removed when it is surely gone.

Half files have names of their own and were never acknowledged. One is left alone while
its process lives, or while it is so young that somebody may be at it.
"""

import os
from collections.abc import Iterator

from holdfast.data_directory.own import Own, own_folders
from holdfast.domain.query import HealthResult

_NAME = "leftovers"
_YOUNG = 600.0  # seconds


def check_leftovers(home: str, now_ms: int) -> HealthResult:
    """Say whether killed processes left something behind."""
    found = list(_left_behind(home, now_ms))
    if not found:
        return HealthResult(_NAME, "ok", "no half-written files")
    many = "1 half-written file" if len(found) == 1 else f"{len(found):,} such files"
    return HealthResult(
        _NAME,
        "warn",
        f"killed processes left {many}: `{os.path.relpath(found[0], home)}`",
        "remove them with `holdfast doctor --repair`",
    )


def remove_leftovers(home: str, now_ms: int) -> Iterator[str]:
    """Remove what killed processes left; say how much that was."""
    count = 0
    for path in list(_left_behind(home, now_ms)):
        os.unlink(path)
        count += 1
    if count:
        many = "1 half-written file" if count == 1 else f"{count:,} half-written files"
        yield f"{many} of killed processes removed"


def _left_behind(home: str, now_ms: int) -> Iterator[str]:
    for folder in own_folders(home):
        for own in folder.files:
            if own.is_half and _is_left(own, now_ms / 1000):
                yield own.path


def _is_left(own: Own, now: float) -> bool:
    if own.writer is not None:
        return not _is_running(own.writer)
    return _age(own.path, now) > _YOUNG


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # somebody else's
    return True


def _age(path: str, now: float) -> float:
    try:
        return now - os.lstat(path).st_mtime
    except OSError:
        return 0.0
