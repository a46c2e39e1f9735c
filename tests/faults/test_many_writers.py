"""Many processes save at once, and some of them are killed: nothing is lost or doubled."""

import os
import selectors
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import pytest

from holdfast.domain.query import Scope
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import PROJECT, SESSION
from tests.faults.figures import figure

ROOT = Path(__file__).parents[2]
HERE = Scope(project_id=PROJECT)


class Ack(NamedTuple):
    """What a writer was told when its save was acknowledged."""

    key: str
    number: int
    sequence: int
    checkpoint_id: str


def ack(line: str) -> Ack:
    key, number, sequence, checkpoint_id, _ = line.split()
    return Ack(key, int(number), int(sequence), checkpoint_id)


class Waits(NamedTuple):
    """How long saves took in ms, for people; no test depends on it."""

    p50: int
    p99: int
    most: int

    @classmethod
    def of(cls, told: Iterable[list[str]]) -> "Waits":
        took = sorted(
            round(float(line.split()[-1]) * 1000) for lines in told for line in lines
        ) or [0]
        return cls(took[len(took) // 2], took[len(took) * 99 // 100], took[-1])


Writers = list["subprocess.Popen[str]"]


@contextmanager
def writers(
    home: Path, count: int, saves: int, label: str = "w", kind: str = "writer"
) -> Iterator[Writers]:
    """Start writers that are all ready, then let them begin at once."""
    with ExitStack() as stack:
        started = []
        for number in range(count):
            command = [sys.executable, "-m", f"tests.faults.{kind}"]
            arguments = [str(home), f"{label}{number}", str(saves)]
            process = subprocess.Popen(
                [*command, *arguments],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            started.append(stack.enter_context(process))
            stack.callback(process.kill)
        for process in started:
            assert output(process).readline() == "ready\n"
        for process in started:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        yield started


def output(process: "subprocess.Popen[str]") -> IO[str]:
    assert process.stdout is not None
    return process.stdout


def every(store: SqliteStore) -> list[Ack]:
    kept = store.list(HERE, limit=100_000)
    return [Ack(c.draft.key, c.number, c.sequence, c.checkpoint_id) for c in kept]


def assert_whole(home: Path, acknowledged: list[Ack]) -> int:
    """Check that the store has each acknowledged save, once, and no gap; say how many."""
    with open_store(str(home), create=False) as store:
        kept = every(store)
        count = len(kept)
        record = store.session(SESSION)
        findings = {finding.name: finding for finding in store.check()}

    assert set(acknowledged) <= set(kept)
    assert [a.number for a in kept] == list(range(count, 0, -1))
    assert [a.sequence for a in kept] == list(range(count, 0, -1))
    assert len({a.key for a in kept}) == count
    assert record is not None
    assert record.checkpoints == tuple(a.checkpoint_id for a in reversed(kept))
    assert {f.name for f in findings.values() if f.state != "ok"} == set()
    return count


def saved_at_once(
    home: Path, count: int, beside: Callable[[], dict[str, object]] = dict
) -> None:
    """Let so many writers save 50 times each into one session; all must be there."""
    with writers(home, count, saves=50) as processes:
        told = [output(process).read().splitlines() for process in processes]
        statuses = [process.wait() for process in processes]

    acknowledged = [ack(line) for lines in told for line in lines]
    errors = {"errors": max(count * 50 - len(acknowledged), count - statuses.count(0))}
    waits = Waits.of(told)._asdict()
    what = f"saves of {count} writers"
    figure("L1", what, count * 50, errors, statuses, **waits, **beside())
    assert assert_whole(home, acknowledged) == count * 50


def test_every_save_of_many_writers_is_kept_once(tmp_path: Path) -> None:
    """Numbers and sequences without gap or repeat."""
    saved_at_once(tmp_path / "home", 16)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_save_of_32_writers_is_kept_once(tmp_path: Path) -> None:
    """As the goal has it; what the machine itself takes is measured beside it."""

    def floor() -> dict[str, object]:
        with writers(tmp_path / "bare", 32, saves=50, kind="bare_writer") as bare:
            waits = Waits.of(output(process).read().splitlines() for process in bare)
        told = f"p50 {waits.p50}, p99 {waits.p99}, most {waits.most}"
        load = round(os.getloadavg()[0], 1)
        return {"load": load, "floor": f"(one bare row each) {told}"}

    saved_at_once(tmp_path / "home", 32, floor)


def killed_in_the_middle(processes: Writers, after: int) -> list[Ack]:
    """Kill all writers after so many acknowledgements; return every one they gave."""
    lines: list[str] = []
    with selectors.DefaultSelector() as selector:
        for process in processes:
            selector.register(output(process), selectors.EVENT_READ)
        while len(lines) < after:
            for key, _ in selector.select():
                lines.append(key.fileobj.readline())  # type: ignore[union-attr]  # a text file
    for process in processes:
        process.kill()
    for process in processes:
        lines += output(process).read().splitlines(keepends=True)
    return [ack(line) for line in lines if line.endswith("\n")]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("rounds", "saves"),
    [
        pytest.param(4, 60, id="a few rounds"),
        pytest.param(40, 300, id="many rounds", marks=pytest.mark.slow),
    ],
)
def test_no_acknowledged_save_is_lost_when_writers_are_killed(
    tmp_path: Path, rounds: int, saves: int
) -> None:
    """SIGKILL at any moment: what was acknowledged is there, what was not is whole."""
    home = tmp_path / "home"
    acknowledged: list[Ack] = []

    for number in range(rounds):
        with writers(home, count=8, saves=0, label=f"r{number}w") as processes:
            acknowledged += killed_in_the_middle(processes, after=saves)
        assert_whole(home, acknowledged)

    assert len(acknowledged) >= rounds * saves
    assert sorted(p.name for p in home.iterdir() if p.name.endswith(".tmp")) == []
