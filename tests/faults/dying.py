"""Run something in a child process that dies by SIGKILL at a chosen line of holdfast.

The parent imports everything once and forks a child per point, so a point costs
milliseconds. A point is the first execution of one distinct source line; a moment is the
first line that runs after something was written, whichever visit of it that is. Lines
between two writes leave the same disk behind: one of them stands for all.
"""

import os
import pickle
import signal
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, NamedTuple, TypeVar

import holdfast
from tests.faults.families import forked, wait_for_all

_PACKAGE = str(Path(holdfast.__file__).parent)
# What changes the disk beside writes; a git that is started may, too.
_STEPS = frozenset(
    [
        *("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink"),
        *("os.truncate", "os.chmod", "os.utime", "subprocess.Popen", "os.posix_spawn"),
    ]
)
_MAKES = os.O_CREAT | os.O_TRUNC
_WAITING = "/kernel/programs.py"
_SOME = 40  # points, spread evenly
Point = tuple[str, int]
Told = TypeVar("Told")


def points_of(work: Callable[[], object]) -> list[Point]:
    """Return each distinct line of holdfast that `work` runs, in order."""
    return _told_by_child(lambda: _lines(work))


def points_in(modules: Sequence[ModuleType], points: Sequence[Point]) -> list[Point]:
    """Return the points that lie in these modules; each of them must have some."""
    files = {module.__file__ or "" for module in modules}
    assert files <= {file for file, _ in points}, "a module that did nothing"
    return [point for point in points if point[0] in files]


def some_points_in(
    modules: Sequence[ModuleType],
    work: Callable[[], object],
    renew: Callable[[], object],
) -> Sequence[Point]:
    """Return some of the lines that `work` runs in these modules, first to last."""
    work()  # imports everything, so that children need not
    renew()
    points = points_in(modules, points_of(work))
    assert len(points) > _SOME
    return points[:: len(points) // _SOME]


def _lines(work: Callable[[], object]) -> list[Point]:
    seen: dict[Point, None] = {}
    _trace(lambda point: seen.setdefault(point, None))
    work()
    sys.settrace(None)
    # Who waits for a program runs one line or another, as that is quick or slow.
    return [point for point in seen if not point[0].endswith(_WAITING)]


def _told_by_child(tell: Callable[[], Told]) -> Told:
    """Return what a function returns in a child of its own."""
    reader, writer = os.pipe()

    def live() -> None:
        os.close(reader)
        said = pickle.dumps(tell())
        with os.fdopen(writer, "wb") as file:
            file.write(said)
        os._exit(0)

    child = forked(live)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        said = file.read()
    assert wait_for_all(child) == 0, "the work itself failed"
    told: Told = pickle.loads(said)  # noqa: S301  # from our own child
    return told


class Moment(NamedTuple):
    """Something was written since the moment before."""

    point: Point
    visit: int


def moments_of(work: Callable[[], object]) -> tuple[list[Moment], int]:
    """Return each moment of `work`, and how many distinct lines it runs."""
    return _told_by_child(lambda: _moments(work))


def _moments(work: Callable[[], object]) -> tuple[list[Moment], int]:
    visits, found, seen = Counter[Point](), list[Moment](), set[tuple[int, int]]()
    steps = 0

    def step(event: str, about: tuple[Any, ...]) -> None:
        nonlocal steps
        steps += event in _STEPS or (event == "open" and bool(about[2] & _MAKES))

    def reached(point: Point) -> None:
        visits[point] += 1
        now = (steps, _writes(counters))
        if now not in seen:
            seen.add(now)
            found.append(Moment(point, visits[point]))

    sys.addaudithook(step)
    counters = os.open("/proc/self/io", os.O_RDONLY)
    _trace(reached)
    work()
    sys.settrace(None)
    return found, len(visits)


def _writes(counters: int) -> int:
    """Return how many writes this process made, those of the engine included."""
    said = os.pread(counters, 4096, 0)
    return int(said.partition(b"syscw: ")[2].split(b"\n", 1)[0])


def dies_at(point: Point, work: Callable[[], object], *, visit: int = 1) -> bool:
    """Run `work` in a child that is killed at the nth visit of `point`.

    Say whether it got there.
    """

    def live() -> None:
        visits = 0

        def kill(here: Point) -> None:
            nonlocal visits
            visits += here == point
            if visits == visit:
                os.kill(os.getpid(), signal.SIGKILL)

        _trace(kill, point[0])
        try:
            work()
        finally:
            os._exit(0)

    status = wait_for_all(forked(live))
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _trace(reached: Callable[[Point], object], within: str = _PACKAGE) -> None:
    """Tell of each line in files whose path begins so; the others run at full speed."""

    def local(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            reached((frame.f_code.co_filename, frame.f_lineno))
        return local

    def enter(frame: FrameType, _event: str, _: Any) -> Any:
        return local if frame.f_code.co_filename.startswith(within) else None

    sys.settrace(enter)
