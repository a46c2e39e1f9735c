"""`kill -9` during a backfill: the next run makes of it what one run would have made."""

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from holdfast.surfaces.cli.main import run
from tests.e2e.client.driver import wait_until
from tests.e2e.conftest import Cli
from tests.faults.dying import dies_at, moments_of
from tests.faults.sweeping import spread
from tests.past import BEGAN, DAY, HOUR, PastDisk, asked, cleared, compacted, edited
from tests.unit.agents import codex_lines as codex, gemini_lines as gemini

_IN_CI = 30  # moments, spread evenly
_SEEDS = range(4)


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    """A machine on which a store has been made already: its key is the same for all."""
    home, project = tmp_path / "home", tmp_path / "project"
    project.mkdir()
    monkeypatch.setenv("HOLDFAST_HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    cli = Cli(home, project, capsys)
    cli.save("--title", "before")
    shutil.copytree(home, tmp_path / "good")
    return cli


def _lay(cli: Cli, sessions: int) -> None:
    """A week of work: clears, a compaction, a fork, another project."""
    disk = PastDisk(cli.home.parent / "claude", str(cli.project))
    for day in range(sessions // 3):
        first, at = 1 + 3 * day, BEGAN + day * DAY
        disk.write(
            first,
            asked(f"never sleep in test {day}"),
            edited(f"src/part_{day}.py"),
            compacted("So far."),
            asked(f"now part {day} again"),
            at=at,
        )
        lines = disk.write(
            first + 1, cleared(), asked(f"now rotate {day}"), at=at + HOUR
        )
        disk.write(first + 2, asked("another way"), copied=lines, at=at + 2 * HOUR)
    disk.write(90, asked("fix the lexer"), directory="/gone/else")
    _lay_others(cli)


def _lay_others(cli: Cli) -> None:
    """A session with Codex CLI, a fork that only points to it, and one with Gemini CLI."""
    user, here = cli.home.parent / "user", str(cli.project)
    rollouts = codex.Rollouts(user / ".codex")
    origin = rollouts.write(
        codex.meta(cwd=here), codex.typed("Fix the reader."), codex.said("It is fixed.")
    )
    base = {"thread_id": codex.THREAD, "end_byte_offset": origin.stat().st_size}
    about = codex.meta(
        codex.OTHER,
        cwd=here,
        history_base=base,
        forked_from_id=codex.THREAD,
        timestamp="2026-11-18T11:59:59.000Z",
    )
    forked = [about, codex.typed("And the writer."), codex.said("That, too.")]
    later = [{**line, "timestamp": "2026-11-18T12:00:00.000Z"} for line in forked]
    rollouts.write(*later, name=codex.name_of(codex.OTHER, moment="12-00-00"))
    chats = gemini.Chats(user / ".gemini", here)
    chats.write(gemini.typed("Never touch the lexer."), gemini.said("I will not."))


def _renew(cli: Cli) -> None:
    shutil.rmtree(cli.home)
    shutil.copytree(cli.home.parent / "good", cli.home)


def _kept(cli: Cli) -> list[Any]:
    """Every record, but for the random id of a new project and what is made of it."""
    records = cli("list", "--all", "--json", "--limit", "1000").json["checkpoints"]
    for record in records:
        record["project"].pop("id")
        record.pop("hash", None)
    sessions = [
        cli("session", record["session_id"], "--json").json["session"]
        for record in records
    ]
    for session in sessions:
        session.pop("project_id", None)
    return [records, sessions]


@contextmanager
def _on_one_core() -> Iterator[None]:
    """There the reading is done by the process that writes."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def test_killed_at_any_moment_the_next_run_finishes_it(cli: Cli) -> None:
    """Compared record by record with a run that nobody disturbed."""
    _lay(cli, 6)

    def work() -> None:
        run(["backfill", "--json", "--project", str(cli.project)])

    with _on_one_core():
        work()
        whole = _kept(cli)
        _renew(cli)
        moments, _ = moments_of(work)
        for moment in spread(moments, _IN_CI):
            _renew(cli)
            dies_at(moment.point, work, visit=moment.visit)
            cli("backfill")
            assert _kept(cli) == whole, moment
    assert len(whole[0]) == 13
    assert {one["agent"]["name"] for one in whole[0]} >= {"codex", "gemini"}


@pytest.mark.parametrize("seed", _SEEDS)
def test_killed_with_its_workers_again_and_again_it_ends_the_same(
    cli: Cli, seed: int
) -> None:
    """A real process, after a number of sessions that the seed says."""
    _lay(cli, 30)
    cli("backfill")
    whole = _kept(cli)
    _renew(cli)
    chance = random.Random(seed)  # noqa: S311  # the same each time
    call = [sys.executable, "-m", "holdfast", "--project", str(cli.project), "backfill"]
    ledger = cli.home / "backfill.jsonl"
    for _ in range(3):
        wanted = _lines(ledger) + chance.randrange(1, 8)
        running = subprocess.Popen(call, stdout=subprocess.DEVNULL)
        wait_until(
            lambda: _lines(ledger) >= wanted or running.poll() is not None,  # noqa: B023  # asked here
            "some sessions",
        )
        running.send_signal(signal.SIGKILL)
        running.wait()

    cli("backfill")

    assert _kept(cli) == whole


def _lines(ledger: Path) -> int:
    return ledger.read_bytes().count(b"\n") if ledger.exists() else 0


def test_two_runs_at_once_keep_each_session_once(cli: Cli) -> None:
    """Somebody forgot the other window: the keys are the same."""
    _lay(cli, 30)
    cli("backfill")
    whole = _moments(cli)
    _renew(cli)
    call = [sys.executable, "-m", "holdfast", "--project", str(cli.project), "backfill"]

    both = [subprocess.Popen(call, stdout=subprocess.DEVNULL) for _ in range(2)]

    assert [running.wait() for running in both] == [0, 0]
    assert _moments(cli) == whole
    assert cli("doctor", "--json").json["checks"][1]["state"] == "ok"


def _moments(cli: Cli) -> list[tuple[str, str]]:
    records = cli("list", "--all", "--json", "--limit", "1000").json["checkpoints"]
    return sorted(
        (record["session_id"], record["created_at"])
        for record in records
        if record["content"]["title"] != "before"
    )
