"""`kill -9` at every line of `save` that something was written before.

Nothing acknowledged is lost, nothing is half visible, and a retry with the same key
makes exactly one checkpoint.
"""

import shutil
from pathlib import Path

import pytest

from holdfast.surfaces.cli.main import run
from tests.e2e.conftest import SAMPLE, Ran
from tests.faults.dying import Point, dies_at, moments_of, points_of
from tests.faults.figures import Trials, figure
from tests.faults.sweeping import spread

_IN_CI = 60  # points, spread evenly; `make faults` takes them all


class World:
    """A project with one acknowledged checkpoint, made anew for each point."""

    def __init__(self, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = directory / "home"
        self._project = directory / "project"
        self._good = directory / "good"
        self._project.mkdir()
        self._capsys = capsys
        self.save("first")
        shutil.copytree(self.home, self._good)

    def renew(self) -> None:
        shutil.rmtree(self.home)
        shutil.copytree(self._good, self.home)

    def save(self, title: str) -> Ran:
        return self(
            "save", "--transcript", str(SAMPLE), "--title", title, "--key", title
        )

    def __call__(self, *words: str) -> Ran:
        self._capsys.readouterr()
        status = run([*words, "--json", "--project", str(self._project)])
        return Ran(status, *self._capsys.readouterr())


@pytest.fixture
def world(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> World:
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    return World(tmp_path, capsys)


def _survives(world: World, point: Point, visit: int = 1) -> bool:
    """Check what a kill leaves; say whether the moment came."""
    world.renew()

    died = dies_at(point, lambda: world.save("second"), visit=visit)
    visible = world("list")
    retried = world.save("second")
    after = world("list").json["checkpoints"]

    assert visible.status == 0, (point, visible)
    before = [c["content"]["title"] for c in visible.json["checkpoints"]]
    assert before in (["first"], ["second", "first"]), point
    assert (retried.status, retried.json["type"]) == (0, "saved"), (point, retried)
    assert [c["content"]["title"] for c in after] == ["second", "first"], point
    assert [c["number"] for c in after] == [2, 1], point
    assert world("doctor").status == 0, point
    return died


def _warm(world: World) -> None:
    world.save("warm")  # imports everything, so that children need not
    world.renew()


def test_a_save_killed_at_a_sample_of_its_lines_loses_nothing(world: World) -> None:
    """The sample of every run; the whole is `make faults`."""
    _warm(world)
    points = points_of(lambda: world.save("second"))
    assert len(points) > 300

    # A line that waits for a program is run only if the program is not quicker.
    died = [_survives(world, point) for point in spread(points, _IN_CI)]
    assert died.count(False) <= 1 + len(died) // 50


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_save_killed_at_any_moment_loses_nothing(world: World) -> None:
    """After each write that a save makes, at the next line it runs."""
    _warm(world)
    moments, lines = moments_of(lambda: world.save("second"))

    died, trials = list[bool](), Trials()
    for moment in moments:
        with trials.one():
            died.append(_survives(world, *moment))

    tried, why = len(trials.failed) + sum(died), "\n".join(trials.failed)
    figure("F2", "`save` without code", tried, trials.lost(), why, of_lines=lines)
    assert died.count(False) <= 1 + len(moments) // 50
