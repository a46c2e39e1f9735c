"""What a snapshot costs: first, repeated and with few changes, on 5,000 and 50,000 files.

Goal: a repeated snapshot with few changes ≤ 1.5 × `git status`. Floors, taken in the same
run: `git status` of the same worktree in the same state, and a bare lstat of every file.
CPU time, ours and that of every git we start; the wall clock stands beside it.
"""

import os
import random
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

from holdfast.domain.code import SnapshotBounds
from holdfast.snapshot.take.snapshots import GitSnapshots

_SIZES = (5_000, 50_000)
_PER_DIRECTORY = 50
_ROUNDS = 15
_EDITS = 5
_LIMITS = SnapshotBounds(max_total_bytes=10_000_000_000)
_GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
Cost = tuple[float, float]  # seconds of CPU, of the wall clock


def main() -> None:
    for size in _SIZES:
        with tempfile.TemporaryDirectory() as scratch:
            _measure(Path(scratch).resolve(), size)
    print(f"load average {os.getloadavg()[0]:.1f}")


def _measure(scratch: Path, size: int) -> None:
    project = scratch / "project"
    paths = _fill(project, size)
    environ = {"PATH": os.environ["PATH"], "HOME": str(scratch / "home")}
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        _run(project, environ, *words)
    snapshots = GitSnapshots(str(scratch / "ours"), environ)
    total = sum(path.stat().st_size for path in paths)
    print(f"\n{size:,} files, {total / 1e6:.0f} MB")
    first = _cost(partial(_take, snapshots, project))
    print(f"{'first snapshot':34}{first[0]:8.2f} s CPU {first[1]:8.2f} s")
    costs: dict[str, list[Cost]] = {}
    for number in range(_ROUNDS):
        for name, cost in _round(snapshots, project, environ, paths, number):
            costs.setdefault(name, []).append(cost)
    _print(costs)


def _round(
    snapshots: GitSnapshots,
    project: Path,
    environ: dict[str, str],
    paths: list[Path],
    number: int,
) -> Iterator[tuple[str, Cost]]:
    take = partial(_take, snapshots, project)
    status = partial(_run, project, environ, "status", "--porcelain")
    tree = take()
    yield "lstat of every file", _cost(lambda: [os.lstat(path) for path in paths])
    yield "git status", _cost(status)
    yield "snapshot, nothing new", _cost(take)
    for path in random.sample(paths, _EDITS):
        path.write_text(f"edited in round {number}\n{path.read_text()}")
    yield f"git status, {_EDITS} edits", _cost(status)
    yield f"snapshot, {_EDITS} edits", _cost(take)
    since = partial(snapshots.since, tree, str(project), _LIMITS)
    yield f"changes since, {_EDITS} edits", _cost(since)


def _take(snapshots: GitSnapshots, project: Path) -> str:
    tree = snapshots.take(str(project), _LIMITS).tree
    assert tree is not None
    return tree


def _print(costs: dict[str, list[Cost]]) -> None:
    medians = {
        name: (median(c for c, _ in all_), median(w for _, w in all_))
        for name, all_ in costs.items()
    }
    floor, edited = medians["git status"], medians[f"git status, {_EDITS} edits"]
    print(f"{'median of ' + str(_ROUNDS):34}{'ms CPU':>10}{'ms':>10}{'× status':>10}")
    for name, (cpu, wall) in medians.items():
        against = edited if "edits" in name else floor
        ratio = cpu / against[0]
        print(f"{name:34}{cpu * 1000:10.1f}{wall * 1000:10.1f}{ratio:10.2f}")


def _cost(work: Callable[[], object]) -> Cost:
    cpu, wall = _cpu(), time.perf_counter()
    work()
    return _cpu() - cpu, time.perf_counter() - wall


def _cpu() -> float:
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _run(project: Path, environ: dict[str, str], *words: str) -> None:
    subprocess.run(
        [*_GIT, *words],
        cwd=project,
        env=environ,
        stdout=subprocess.DEVNULL,
        check=True,
    )


def _fill(project: Path, size: int) -> list[Path]:
    """Make files of code-like text; the same in each run."""
    words = [f"name_{number} = call({number})" for number in range(3000)]
    paths = []
    for number in range(size):
        folder = project / f"part{number // 2000}" / f"room{number // _PER_DIRECTORY}"
        if number % _PER_DIRECTORY == 0:
            folder.mkdir(parents=True)
        start = number * 7 % 2800
        lines = words[start : start + 10 + number * 31 % 190]
        path = folder / f"module{number}.py"
        path.write_text("\n".join(lines))
        paths.append(path)
    return paths


if __name__ == "__main__":
    main()
