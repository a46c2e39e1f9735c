"""What a backfill costs: all of the measuring data, against a plain parse of its lines.

Goals: with redaction at least 0.35 of the rate of `json.loads` line by line, per core; at
most 150 MB in any process; a second run below 2 % of the first. Parse and backfill take
turns in one run, and CPU time of all processes is what counts.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

_SHARED = Path(__file__).parents[1] / ".." / "shared" / "data" / "transcripts"
_ROUNDS = 3
_MB = 1_000_000


def main() -> None:
    paths = sorted(_SHARED.glob("*/*.jsonl"))
    if not paths:
        print("no measuring data beside the repository")
        return
    size = sum(path.stat().st_size for path in paths) / _MB
    parsing = min(_parsed(paths) for _ in range(_ROUNDS))
    print(f"{len(paths)} transcripts, {size:.0f} MB")
    print(f"  plain json.loads       {size / parsing:8.1f} MB/s of CPU")
    for _ in range(_ROUNDS):
        with tempfile.TemporaryDirectory() as home:
            first, wall, peak = _backfilled(home)
            second, again, _ = _backfilled(home)
        print(
            f"  backfill               {size / first:8.1f} MB/s of CPU,"
            f" {parsing / first:.3f} of a parse; {size / wall:.1f} MB/s by the clock;"
            f" peak {peak:.0f} MB per process;"
            f" again {second / first:.1%} of the CPU, {again / wall:.1%} of the time"
        )
    print(f"load average {os.getloadavg()[0]:.1f}")


def _parsed(paths: list[Path]) -> float:
    began = time.process_time()
    for path in paths:
        with path.open("rb") as file:
            for line in file:
                with suppress(ValueError):
                    json.loads(line)
    return time.process_time() - began


def _backfilled(home: str) -> tuple[float, float, float]:
    """Return CPU seconds of all its processes, seconds, and MB of the largest one."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    call = [sys.executable, "-m", "holdfast", "backfill", str(_SHARED), "--json"]
    project = Path(home) / "project"
    project.mkdir(exist_ok=True)
    subprocess.run(
        [*call, "--project", str(project)],
        env={**os.environ, "HOLDFAST_HOME": f"{home}/data"},
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return cpu, wall, after.ru_maxrss / 1000
