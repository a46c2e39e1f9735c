"""What mirrors cost: a save with two of them against none, and a long queue drained.

Goals: a save with two mirrors, whether they answer or not, takes what it takes without,
within noise; 10,000 queued checkpoints reach the real claude-mem, killed on the way, each
once.
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from benchmarks.saving import a_usual_draft, in_one_transaction
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.peers import Peer, PeerMissing, claude_mem, memora

_ROUNDS = 20
_QUEUED = int(os.environ.get("HOLDFAST_QUEUED", "10000"))
_BATCH = 250
_KILLED_AFTER = 0.3  # of the queue
_SAMPLE = (
    Path(__file__).parents[1]
    / "tests" / "fixtures" / "transcripts" / "full-session-part1.jsonl"
)  # fmt: skip
_NOBODY = "http://127.0.0.1:9/mcp"


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        try:
            with claude_mem(place) as mem, memora(place) as graph:
                _saving(place, mem, graph)
                _draining(place, mem)
        except PeerMissing as missing:
            print(f"nothing to send to: {missing}")
    print(f"load average {os.getloadavg()[0]:.1f}")


def _saving(place: Path, mem: Peer, graph: Peer) -> None:
    """Interleaved in one run; what is measured is the process that a user waits for."""
    up = [
        {"kind": "claude-mem", "url": mem.url},
        {"kind": "memora", "url": f"{graph.url}/mcp"},
    ]
    down = [{"kind": each["kind"], "url": _NOBODY} for each in up]
    cases = {"none": [], "two that answer": up, "two that are down": down}
    worlds = {
        name: _World(place / f"world-{n}", mirrors)
        for n, (name, mirrors) in enumerate(cases.items())
    }
    walls: dict[str, list[float]] = {name: [] for name in worlds}
    cpus: dict[str, list[float]] = {name: [] for name in worlds}
    for number in range(_ROUNDS + 1):
        for name, world in worlds.items():
            with _quiet(world):
                wall, cpu = world.saves(f"Round {number}")
            if number:  # the first one makes the store
                walls[name].append(wall)
                cpus[name].append(cpu)
    for name in worlds:
        wall, cpu = median(walls[name]) * 1000, median(cpus[name]) * 1000
        ratio = median(walls[name]) / median(walls["none"])
        own = median(cpus[name]) / median(cpus["none"])
        print(
            f"save, mirrors: {name:18} {wall:6.0f} ms ({ratio:.2f} ×),"
            f" CPU {cpu:5.0f} ms ({own:.2f} ×)"
        )


class _World:
    """A user with a store and settings of their own."""

    def __init__(self, root: Path, mirrors: list[dict[str, str]]) -> None:
        self.root = root
        self.home = root / "data"
        self.project = root / "project"
        self.project.mkdir(parents=True)
        settings = root / "config" / "holdfast" / "config.json"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps({"mirrors": mirrors}))
        self.environ = {
            **os.environ,
            "HOME": str(root),
            "HOLDFAST_HOME": str(self.home),
            "XDG_CONFIG_HOME": str(root / "config"),
            "CLAUDE_CONFIG_DIR": str(root / "claude"),
        }

    def command(self, *words: str) -> list[str]:
        return [
            sys.executable,
            "-P",
            "-m",
            "holdfast",
            *words,
            "--project",
            str(self.project),
        ]

    def saves(self, title: str) -> tuple[float, float]:
        """Return seconds waited, and of CPU, for one save."""
        words = self.command("save", "--transcript", str(_SAMPLE), "--title", title)
        before = time.perf_counter()
        nothing = subprocess.DEVNULL
        done = subprocess.Popen(words, env=self.environ, stdout=nothing, stderr=nothing)
        _, status, used = os.wait4(done.pid, 0)
        wall = time.perf_counter() - before
        done.returncode = os.waitstatus_to_exitcode(status)
        assert done.returncode == 0, done.returncode
        return wall, used.ru_utime + used.ru_stime


@contextmanager
def _quiet(world: _World) -> Iterator[None]:
    """Let what the save started end before the next one is measured."""
    yield
    subprocess.run(
        world.command("sync", "--due"),
        env=world.environ,
        capture_output=True,
        check=False,
    )


def _draining(place: Path, mem: Peer) -> None:
    world = _World(place / "queue", [{"kind": "claude-mem", "url": mem.url}])
    with open_store(str(world.home), create=True) as store:
        _fill(store)
    sync = world.command("sync", "claude-mem", "--all", "--json")
    before = time.perf_counter()
    first = subprocess.Popen(sync, env=world.environ, stdout=subprocess.DEVNULL)
    _until(lambda: _done(world) >= _QUEUED * _KILLED_AFTER or first.poll() is not None)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    done = _done(world)
    killed = time.perf_counter()
    second = subprocess.run(sync, env=world.environ, capture_output=True, check=False)
    ended = time.perf_counter()
    told = json.loads(second.stdout)
    rows = _rows(mem)
    print(
        f"{_QUEUED:,} queued: killed after {killed - before:.0f} s with {done:,} there,"
        f" the rest in {ended - killed:.0f} s; sent {told['sent']:,},"
        f" waiting {told['waiting']}, in claude-mem {rows[0]:,} checkpoints,"
        f" {rows[1]:,} of them twice"
    )


def _fill(store: SqliteStore) -> None:
    for start in range(0, _QUEUED, _BATCH):
        with in_one_transaction(store):
            for serial in range(start, min(start + _BATCH, _QUEUED)):
                store.put(a_usual_draft(serial))


def _done(world: _World) -> int:
    with open_store(str(world.home), create=False) as store:
        return sum(state.done for state in store.outbox.states())


def _rows(mem: Peer) -> tuple[int, int]:
    """Return how many checkpoints of the queue it has, and how many more than once."""
    path = mem.home / ".claude-mem" / "claude-mem.db"
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        counts = base.execute(
            "SELECT count(*) FROM observations WHERE title LIKE 'CHECKPOINT-%'"
            " AND project LIKE 'project-%' GROUP BY memory_session_id"
        ).fetchall()
    finally:
        base.close()
    return len(counts), sum(count > 1 for (count,) in counts)


def _until(is_so: Callable[[], bool]) -> None:
    polling = threading.Event()
    while not is_so():
        polling.wait(0.5)


if __name__ == "__main__":
    main()
