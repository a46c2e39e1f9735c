"""What a save costs: against one flush, as the store grows, and among many writers.

Goals: a durable save ≤ 4 flushes of an append of the same size; save and list at 100,000
checkpoints ≤ 1.5 × at 10; 32 writers p99 ≤ 300 ms, slowest ≤ 1 s, no error.
The 100,000 are saved through the same code, without waiting for the disk.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median, quantiles

from holdfast.domain.checkpoint import CommandRef, Draft, FileRef, Item, ToolRef
from holdfast.domain.query import Scope
from holdfast.domain.record import draft_record
from holdfast.kernel.digests import canonical
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import NOON, a_draft, session_number

_ROUNDS = 200
_SIZES = (10, 1_000, 100_000)
_WRITERS, _SAVES = 32, 50
_BATCH = 250
_PROJECTS = 20
_WORDS = [
    "parser",
    "quotes",
    "nested",
    "token",
    "refresh",
    "middleware",
    "session",
    "table",
    "index",
    "rotate",
    "limit",
    "request",
    "error",
    "retry",
    "branch",
    "merge",
    "commit",
    "review",
    "deploy",
    "cache",
    "queue",
    "worker",
    "schema",
    "migrate",
    "column",
    "render",
    "brief",
    "receipt",
    "budget",
    "ตรวจสอบ",
    "บันทึก",
    "検索",
    "索引",
    "저장",
    "세션",
    "恢复",
]


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1] == "--writer":
        _write(sys.argv[2], sys.argv[3])
        return
    with tempfile.TemporaryDirectory() as scratch:
        _against_a_flush(Path(scratch))
        _among_many(Path(scratch))
        _as_it_grows(Path(scratch))  # last: the disk is busy long after two gigabytes
    print(f"load average {os.getloadavg()[0]:.1f}")


def a_usual_draft(serial: int) -> Draft:
    """Return a draft of usual size: about 8 KB of JSON, 20 files, a dozen commands."""

    def words(start: int, count: int) -> str:
        return " ".join(_WORDS[(start * 7 + n * 3) % len(_WORDS)] for n in range(count))

    session, project = serial // 20, serial // 20 % _PROJECTS
    return a_draft(
        words(serial, 7),
        session_id=session_number(session),
        project_id=f"{project:016x}",
        workspace=f"/code/project-{project}",
        project_root=f"/code/project-{project}",
        summary=words(serial + 1, 60),
        requests=tuple(Item(words(serial + n, 20), "user") for n in range(6)),
        instructions=tuple(Item(words(serial + n, 10), "user") for n in range(3)),
        decisions=tuple(Item(words(serial + n, 12), "agent") for n in range(3)),
        errors=tuple(Item(words(serial + n, 12), "tool") for n in range(2)),
        files=tuple(
            FileRef(
                f"/code/project-{project}/src/part/module_{(serial + n) % 97}.py",
                "read",
            )
            for n in range(20)
        ),
        commands=tuple(
            CommandRef(f"pytest -k {words(serial + n, 2)}", 0, words(serial + n, 6))
            for n in range(12)
        ),
        tools=tuple(ToolRef(tool, 3, NOON, NOON) for tool in ("Read", "Edit", "Bash")),
        tags=("checkpoint", f"session-{session_number(session)}", "session-20260118"),
    )


def _against_a_flush(scratch: Path) -> None:
    """Interleaved in one run: the disk's mood is the same for both."""
    size = len(canonical(draft_record(a_usual_draft(0))).encode())
    line = b"x" * size
    appending: list[float] = []
    saving: list[float] = []
    path = scratch / "append"
    with path.open("wb", buffering=0) as file, _store(scratch / "flush") as store:
        for number in range(_ROUNDS):
            draft = a_usual_draft(number)
            appending.append(_seconds(partial(_append, file.fileno(), line)))
            saving.append(_seconds(partial(store.put, draft)))
    ratio = median(saving) / median(appending)
    print(f"one save of {size:,} bytes, {_ROUNDS} rounds interleaved")
    print(f"  append + fdatasync   median {median(appending) * 1e3:7.2f} ms")
    print(f"  durable save         median {median(saving) * 1e3:7.2f} ms")
    print(f"  save / flush         {ratio:14.2f}   goal ≤ 4")


def _append(descriptor: int, line: bytes) -> None:
    os.write(descriptor, line)
    os.fdatasync(descriptor)


def _as_it_grows(scratch: Path) -> None:
    stores = {size: _filled(scratch / f"size-{size}", size) for size in _SIZES}
    saving: dict[int, list[float]] = {size: [] for size in _SIZES}
    listing: dict[int, list[float]] = {size: [] for size in _SIZES}
    scope = Scope(project_id=f"{0:016x}")
    for number in range(_ROUNDS):
        for size, store in stores.items():
            draft = a_usual_draft(size + number)
            saving[size].append(_seconds(partial(store.put, draft)))
            listing[size].append(_seconds(partial(store.list, scope)))
    for store in stores.values():
        store.close()
    print(
        f"{'checkpoints':>12}{'save ms':>10}{'x first':>9}{'list ms':>10}{'x first':>9}"
    )
    for size in _SIZES:
        save, show = median(saving[size]), median(listing[size])
        by_save = save / median(saving[_SIZES[0]])
        by_list = show / median(listing[_SIZES[0]])
        print(
            f"{size:>12,}{save * 1e3:>10.2f}{by_save:>9.2f}{show * 1e3:>10.2f}{by_list:>9.2f}"
        )
    print("  goal ≤ 1.5 in both columns")


def _filled(home: Path, size: int) -> SqliteStore:
    store = open_store(str(home), create=True)
    for first in range(0, size, _BATCH):
        with in_one_transaction(store):
            for number in range(first, min(size, first + _BATCH)):
                store.put(a_usual_draft(number))
    return store


@contextmanager
def in_one_transaction(store: SqliteStore) -> Iterator[None]:
    """Let many saves share one transaction that does not wait for the disk."""
    database = store._database  # noqa: SLF001  # filling is no part of the promise
    with database.writing(durable=False):
        vars(database)["writing"] = nullcontext
        try:
            yield
        finally:
            del vars(database)["writing"]


def _among_many(scratch: Path) -> None:
    home = scratch / "many"
    _store(home).close()
    command = [sys.executable, "-m", "benchmarks.saving", "--writer", str(home)]
    writers = [
        subprocess.Popen(
            [*command, str(number)],
            cwd=Path(__file__).parents[1],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(_WRITERS)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    told = [writer.communicate()[0] for writer in writers]
    times = sorted(float(line) for text in told for line in text.split())
    failed = sum(writer.returncode != 0 for writer in writers)
    p50, p99 = times[len(times) // 2], quantiles(times, n=100)[98]
    print(
        f"{_WRITERS} writers × {_SAVES} saves: {len(times)} done, {failed} writers failed"
    )
    print(
        f"  p50 {p50 * 1e3:.0f} ms   p99 {p99 * 1e3:.0f} ms   max {times[-1] * 1e3:.0f} ms"
    )
    print("  goal p99 ≤ 300 ms, max ≤ 1,000 ms, no failure")


def _write(home: str, name: str) -> None:
    """Be one of the writers: ready, wait, save, and say how long each save took."""
    drafts = [a_usual_draft(number) for number in range(_SAVES)]
    with open_store(home, create=False) as store:
        print("ready", flush=True)
        sys.stdin.readline()
        times = []
        for number, draft in enumerate(drafts):
            own = replace(draft, key=f"{name}-{number}", state_key=f"{name}-{number}")
            times.append(_seconds(partial(store.put, own)))
    print("\n".join(str(taken) for taken in times))


def _store(home: Path) -> SqliteStore:
    return open_store(str(home), create=True)


def _seconds(call: Callable[[], object]) -> float:
    before = time.perf_counter()
    call()
    return time.perf_counter() - before


if __name__ == "__main__":
    main()
