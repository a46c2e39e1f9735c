"""A sync that is killed at any step: what was done is seen, and the next one ends the same.

Each git that a sync starts and each write of the store is a step; a sync dies before it,
and right after it.
"""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from holdfast.kernel import programs
from holdfast.snapshot.git import team_remote
from holdfast.store.sqlite.database import Database
from tests.e2e.repository import git
from tests.e2e.team import Machine, Team, team
from tests.faults.families import forked, wait_for_all
from tests.faults.sweeping import spread

__all__ = ["team"]
pytestmark = pytest.mark.process
_IN_CI = 6  # steps, spread evenly


class _Steps:
    """Counts what changes something, and is killed at one of them."""

    def __init__(self, at: int, *, after: bool) -> None:
        self._at = at
        self._after = after
        self.seen = 0

    @contextmanager
    def step(self) -> Iterator[None]:
        self.seen += 1
        dies = self.seen == self._at
        if dies and not self._after:
            os.kill(os.getpid(), signal.SIGKILL)
        yield
        if dies:
            os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def _stepping(at: int = 0, *, after: bool = False) -> Iterator[_Steps]:
    steps = _Steps(at, after=after)
    run, writing = programs.run_program, Database.writing

    def run_program(*words: Any, **more: Any) -> Any:
        with steps.step():
            return run(*words, **more)

    @contextmanager
    def database_writing(database: Database) -> Iterator[None]:
        with steps.step(), writing(database):
            yield

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(programs, "run_program", run_program)
        patch.setattr(Database, "writing", database_writing)
        yield steps


class _Scene:
    """A team in which everything has to be done at once, put back for each victim."""

    def __init__(self, team: Team, root: Path) -> None:
        self.team, self._root = team, root
        self._good = root / "good"
        laptop, desk = team.laptop, team.desk
        forgotten = laptop.saves("forgotten")
        laptop.saves("renamed", "--name", "x")
        desk.saves("theirs forgotten")
        gone = next(iter(desk.knows()))
        team.converge()
        laptop("forget", forgotten, "--yes")
        desk("forget", gone, "--yes")
        laptop.saves("new", "--name", "x", "--force")
        desk.saves("theirs new")
        desk.syncs()
        self._good.mkdir()
        for place in self._places():
            shutil.copytree(place, self._good / place.relative_to(root))

    def _places(self) -> tuple[Path, ...]:
        return (self.team.bare, self.team.laptop.home, self.team.desk.home)

    def renew(self) -> None:
        for place in self._places():
            shutil.rmtree(place)
            shutil.copytree(self._good / place.relative_to(self._root), place)

    def outcome(self) -> Any:
        """Return what both know, and what the remote holds."""
        team = self.team
        for machine in (team.laptop, team.desk, team.laptop):
            machine.syncs()
        trees = {
            ref: git(team.bare, "rev-parse", f"{ref}^{{tree}}") for ref in team.refs()
        }
        assert team.laptop.knows() == team.desk.knows()
        for machine in (team.laptop, team.desk):
            checks = machine("doctor", "--json").json["checks"]
            assert not [c for c in checks if c["state"] == "fail"], checks
        return team.laptop.knows(), trees


def _steps_of(machine: Machine) -> int:
    with _stepping() as steps:
        machine.syncs()
    return steps.seen


def _dies(machine: Machine, at: int, *, after: bool) -> bool:
    def live() -> None:
        with _stepping(at, after=after):
            machine("sync", "git", "--json")
        os._exit(0)

    status = wait_for_all(forked(live))
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _sweep(scene: _Scene, after: bool, most: int) -> None:  # noqa: FBT001  # a parameter of the tests
    laptop = scene.team.laptop
    many = _steps_of(laptop)
    expected = scene.outcome()
    assert many > 15
    assert len(expected[0]) == 3
    for at in spread(range(1, many + 1), most):
        scene.renew()
        assert _dies(laptop, at, after=after), at
        assert scene.outcome() == expected, at
    assert not list((laptop.home / "share").glob("drafts/*"))


moments = pytest.mark.parametrize("after", [False, True], ids=["before", "after"])


@moments
@pytest.mark.timeout(600)
def test_killed_at_some_steps_it_ends_the_same(
    team: Team, tmp_path: Path, *, after: bool
) -> None:
    """The sample of every run; the whole is `make faults`."""
    _sweep(_Scene(team, tmp_path), after, _IN_CI)


@moments
@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_killed_at_each_step_it_ends_the_same(
    team: Team, tmp_path: Path, *, after: bool
) -> None:
    _sweep(_Scene(team, tmp_path), after, 1000)


def test_a_hurried_remote_costs_a_sentence(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A git that takes too long is ended; what it was to do waits."""
    team.laptop.saves("parser")
    monkeypatch.setattr(team_remote, "_SECONDS", 0.0)

    ran = team.laptop("sync", "git", "--yes", "--json")

    assert ran.status == 3
    assert "it took too long" in ran.json["message"]
    assert team.refs() == {}
