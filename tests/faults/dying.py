"""Run something in a child process that dies by SIGKILL at a chosen line of holdfast.

The parent imports everything once and forks a child per point, so a point costs
milliseconds. A point is the first execution of one distinct source line.
"""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import holdfast

_PACKAGE = str(Path(holdfast.__file__).parent)
Point = tuple[str, int]


def points_of(work: Callable[[], object]) -> list[Point]:
    """Return each distinct line of holdfast that `work` runs, in order."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        seen: dict[Point, None] = {}
        _trace(lambda point: seen.setdefault(point, None))
        status = 1
        try:
            work()
            sys.settrace(None)
            with os.fdopen(writer, "w", encoding="utf-8") as file:
                file.writelines(f"{name}\t{line}\n" for name, line in seen)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as file:
        rows = [row.rstrip("\n").split("\t") for row in file]
    _, status = os.waitpid(child, 0)
    assert status == 0, "the work itself failed"
    return [(name, int(line)) for name, line in rows]


def dies_at(point: Point, work: Callable[[], object], *, visit: int = 1) -> bool:
    """Run `work` in a child that is killed at the nth visit of `point`.

    Say whether it got there.
    """
    child = os.fork()
    if child == 0:
        visits = 0

        def kill(here: Point) -> None:
            nonlocal visits
            visits += here == point
            if visits == visit:
                os.kill(os.getpid(), signal.SIGKILL)

        _trace(kill)
        try:
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _trace(reached: Callable[[Point], object]) -> None:
    def local(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            reached((frame.f_code.co_filename, frame.f_lineno))
        return local

    def enter(frame: FrameType, _event: str, _: Any) -> Any:
        return local if frame.f_code.co_filename.startswith(_PACKAGE) else None

    sys.settrace(enter)
