"""Machines that are cut off from each other: both work on, and both agree afterwards.

By a git remote and by a database: test_sync_git, test_sync_team. With wires that are pulled
out: test_cut_off_network. Here by files, with clocks that are a day wrong.
"""

import time
from pathlib import Path

import pytest

from tests.e2e.fellows import Fellows, fellows, team_server
from tests.e2e.team import Machine, Team, team

__all__ = ["fellows", "team", "team_server"]
_DAY_NS = 86_400 * 10**9


def _with_clock(machine: Machine, days: int, patch: pytest.MonkeyPatch) -> None:
    now = time.time_ns
    patch.setattr(time, "time_ns", lambda: now() + days * _DAY_NS)
    machine.saves(f"{machine.name} {days:+} days")


def _hands_over(sender: Machine, receiver: Machine, root: Path) -> None:
    """Carry all that a machine made itself to another one, as a file."""
    rows = sender("list", "--all", "--limit", "100", "--json").json["checkpoints"]
    own = [row["id"] for row in rows if not row.get("machine")]
    path = root / f"{sender.name}-{time.monotonic_ns()}.zip"
    assert sender("export", *own, "-o", str(path), "--yes").status == 0
    assert receiver("import", str(path)).status == 0


def test_by_files_both_agree_though_clocks_are_a_day_wrong(
    team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same twice, a renamed one, one that was forgotten, and clocks that are wrong."""
    laptop, desk = team.laptop, team.desk
    first = laptop.saves("parser", "--name", "quotes")
    _hands_over(laptop, desk, tmp_path)
    unwanted = laptop.saves("a mistake")
    _hands_over(laptop, desk, tmp_path)
    for machine, days in ((laptop, 1), (desk, -1)):
        with monkeypatch.context() as patch:
            _with_clock(machine, days, patch)
    renamed = laptop.saves("parser again", "--name", "quotes", "--force")
    desk("forget", unwanted, "--yes")
    laptop("forget", unwanted, "--yes")

    for _ in range(2):
        _hands_over(laptop, desk, tmp_path)
        _hands_over(desk, laptop, tmp_path)

    assert laptop.knows() == desk.knows()
    assert len(laptop.knows()) == 4
    assert desk.knows()[renamed] == ("parser again", "quotes")
    assert desk.knows()[first] == ("parser", None)
    assert unwanted not in desk.knows()


def test_by_the_team_a_clock_that_is_a_day_wrong_changes_nothing(
    fellows: Fellows, monkeypatch: pytest.MonkeyPatch
) -> None:
    for machine, days in ((fellows.laptop, 1), (fellows.desk, -1), (fellows.laptop, 0)):
        with monkeypatch.context() as patch:
            _with_clock(machine, days, patch)

    fellows.converge()

    assert fellows.laptop.knows() == fellows.desk.knows()
    assert len(fellows.kept()) == 3
