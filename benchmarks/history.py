"""What a log of 5,000 checkpoints costs: against `git log --graph` of as many commits.

    python -m benchmarks.history [CHECKPOINTS]

Goals: the whole graph ≤ 3 × git's; its first page ≤ 2 × a bare `holdfast list`.
Both histories have the same shape: every commit has the parents that the log draws for its
checkpoint. CPU seconds of whole processes, taken in turns; a first page is wall time from
the start to the hundredth line, since that is what somebody waits for. What a process costs
before it has done anything stands beside it: `holdfast list`, `git log -1`.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

from benchmarks.saving import a_usual_draft, in_one_transaction
from holdfast.domain.checkpoint import Draft, Trigger
from holdfast.domain.query import Scope
from holdfast.reports.lanes import LaneRow, rows_of
from holdfast.store.sqlite.store import open_store
from tests.builders import NOON, session_number

_CHECKPOINTS = 5_000
_ROUNDS = 9
_BATCH = 250
_OF_A_SESSION = 12
_ENDS: tuple[Trigger, ...] = ("clear", "exit", "clear", "rescue")
_PAGE = 100  # lines
_HOLDFAST = [sys.executable, "-m", "holdfast"]
_GIT = ["git", "log", "--graph"]


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()]
    size = sizes[0] if sizes else _CHECKPOINTS
    with tempfile.TemporaryDirectory() as scratch:
        home, packed, loose = (
            Path(scratch) / name for name in ("home", "git", "loose")
        )
        rows = _filled(home, size)
        _commit(packed, rows)
        _unpack(packed, loose)
        lanes = max(row.lane for row in rows) + 1
        merges = sum(len(row.parents) > 1 for row in rows)
        print(f"{size:,} checkpoints in {lanes} columns, {merges} merges")
        _whole(home, packed, loose)
        _first_page(home, packed)
    print(f"load average {os.getloadavg()[0]:.1f}")


def _filled(home: Path, size: int) -> list[LaneRow]:
    """Return the rows of a store with forks, clears, exits, crashes and merges."""
    kept: list[str] = []
    with open_store(str(home), create=True) as store:
        for first in range(0, size, _BATCH):
            with in_one_transaction(store):
                for serial in range(first, min(size, first + _BATCH)):
                    draft = _draft(serial, kept)
                    kept.append(store.put(draft).checkpoint.checkpoint_id)
        return list(rows_of(store.outlines(Scope()), store.parents()))


def _draft(serial: int, kept: Sequence[str]) -> Draft:
    """Return the next checkpoint; two sessions are at work at any time."""
    pair, step = divmod(serial, 2 * _OF_A_SESSION)
    session = 2 * pair + step % 2
    is_last = step >= 2 * _OF_A_SESSION - 2
    trigger: Trigger = _ENDS[session % 4] if is_last else "command"
    parent = (None, session - 2, session - 2, session - 3)[session % 4]
    usual = a_usual_draft(serial)
    is_merge = serial % 50 == 49
    return replace(
        usual,
        session_id=session_number(session),
        project_id=f"{0:016x}",
        project_root="/code/project",
        workspace="/code/project",
        trigger=trigger,
        type="before-clear" if trigger == "clear" else "manual",
        created_at=NOON + serial * 60_000,
        parent_session=session_number(parent) if parent and parent > 0 else None,
        merged_from=(kept[-7],) if is_merge else (),
        facts=replace(
            usual.facts, started_at=NOON + (session - session % 4 // 3) * 1000
        ),
    )


def _commit(place: Path, rows: Sequence[LaneRow]) -> None:
    """Make a commit for each row, with the same parents, as one pack."""
    subprocess.run(["git", "init", "-q", str(place)], check=True)
    feed = []
    for row in rows:
        title = row.outline.title.encode()
        when = f"committer a <a@b> {row.outline.created_at // 1000} +0000"
        first, *merged = [f":{parent.place + 1}" for parent in row.parents] or [""]
        feed += [
            f"commit refs/heads/lane-{row.colour}\nmark :{row.place + 1}\n{when}".encode(),
            b"data %d\n%b" % (len(title), title),
            *([f"from {first}".encode()] if first else []),
            *(f"merge {mark}".encode() for mark in merged),
        ]
    text = b"\n".join([*feed, b""])
    command = ["git", "-C", str(place), "fast-import", "--quiet", "--force"]
    subprocess.run(command, input=text, check=True)


def _unpack(packed: Path, loose: Path) -> None:
    """Make the same repository as commits leave it before git tidies up."""
    subprocess.run(["git", "init", "-q", str(loose)], check=True)
    for pack in (packed / ".git/objects/pack").glob("*.pack"):
        with pack.open("rb") as stream:
            command = ["git", "-C", str(loose), "unpack-objects", "-q"]
            subprocess.run(command, stdin=stream, check=True)
    refs = ["git", "-C", str(packed), "for-each-ref", "--format=create %(refname) %(objectname)"]  # fmt: skip
    told = subprocess.run(refs, capture_output=True, check=True).stdout
    update = ["git", "-C", str(loose), "update-ref", "--stdin"]
    subprocess.run(update, input=told, check=True)


def _whole(home: Path, packed: Path, loose: Path) -> None:
    commands = {
        "git log -1": ([*_GIT, "--all", "-1"], packed),
        "git log --graph, packed": ([*_GIT, "--all"], packed),
        "git log --graph, loose": ([*_GIT, "--all"], loose),
        "holdfast list": ([*_HOLDFAST, "list", "--all"], home),
        "holdfast log": ([*_HOLDFAST, "log", "--all"], home),
        "holdfast log --graph": ([*_HOLDFAST, "log", "--graph", "--all"], home),
    }
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(_ROUNDS):
        for name, (command, place) in commands.items():
            taken[name].append(_cpu_seconds(command, place))
    packed_git = median(taken["git log --graph, packed"])
    loose_git = median(taken["git log --graph, loose"])
    print(f"{'':26}{'CPU ms':>8}{'x packed':>10}{'x loose':>9}")
    for name, seconds in taken.items():
        middle = median(seconds)
        ratios = f"{middle / packed_git:>10.1f}{middle / loose_git:>9.1f}"
        print(f"{name:26}{middle * 1e3:>8.0f}{ratios}")
    ours = median(taken["holdfast log --graph"]) - median(taken["holdfast list"])
    gits = packed_git - median(taken["git log -1"])
    print(f"without the start of either: {ours / gits:.1f} × packed, {ours / loose_git:.1f} × loose")  # fmt: skip
    print("  goal ≤ 3")


def _first_page(home: Path, packed: Path) -> None:
    listing, paging, git = [], [], []
    for _ in range(_ROUNDS):
        listing.append(_until([*_HOLDFAST, "list", "--all"], home, None))
        paging.append(_until([*_HOLDFAST, "log", "--graph", "--all"], home, _PAGE))
        git.append(_until([*_GIT, "--all"], packed, _PAGE))
    first, bare = median(paging), median(listing)
    print(f"first page: {first * 1e3:.0f} ms; a bare list {bare * 1e3:.0f} ms: {first / bare:.1f} ×")  # fmt: skip
    print(f"  goal ≤ 2; git's first page {median(git) * 1e3:.0f} ms")


def _cpu_seconds(command: Sequence[str], place: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    quiet = subprocess.DEVNULL
    subprocess.run(
        command,
        check=True,
        stdout=quiet,
        stderr=quiet,
        cwd=_directory(command, place),
        env=_environment(place),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _until(command: Sequence[str], place: Path, lines: int | None) -> float:
    """Return the seconds until so many lines are there, or all of them."""
    started = time.perf_counter()
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(
        command,
        stdout=pipe,
        stderr=quiet,
        cwd=_directory(command, place),
        env=_environment(place),
    ) as run:
        assert run.stdout is not None
        for number, _ in enumerate(run.stdout, 1):
            if number == lines:
                break
        taken = time.perf_counter() - started
        run.stdout.read()
    return taken


def _directory(command: Sequence[str], place: Path) -> Path:
    """Git works in its repository; a store must not lie in the project of a command."""
    return place if command[0] == "git" else Path("/")


def _environment(place: Path) -> dict[str, str]:
    return {**os.environ, "HOLDFAST_HOME": str(place)}


if __name__ == "__main__":
    main()
