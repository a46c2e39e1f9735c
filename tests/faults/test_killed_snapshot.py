"""`kill -9` at every line of taking a snapshot that something was written before.

What was acknowledged stays whole, and the next snapshot is right.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.domain.code import SnapshotBounds
from tests.faults.dying import Point, dies_at, moments_of, points_of
from tests.faults.figures import Trials, figure
from tests.unit.snapshot.world import World, on_disk

_UNREACHED = 5
_IN_CI = 40  # points, spread evenly; `make faults` takes them all


class Scene:
    """A repository with one snapshot and edits since, made anew for each point."""

    def __init__(self, root: Path) -> None:
        self.world = World(root)
        self.place = self.world.repository("project")
        self.world.commit(self.place, "a.txt", "committed\n")
        for number in range(70):
            (self.place / f"{number}.txt").write_text(f"{number}\n")
        self.first = self.world.take(self.place)
        self.expected = on_disk(self.place)
        for number in range(66):  # enough to bring the index up to date
            (self.place / f"{number}.txt").write_text(f"{number} edited\n")
        (self.place / "new.txt").write_text("new\n")
        self.scratch = root / "scratch"
        self._good = root / "good"
        shutil.copytree(self.scratch, self._good)

    def renew(self) -> None:
        shutil.rmtree(self.scratch)
        shutil.copytree(self._good, self.scratch)

    def take(self) -> None:
        self.world.snapshots().take(str(self.place), SnapshotBounds())


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path.resolve())


def _points(scene: Scene) -> Iterator[Point]:
    scene.take()
    scene.renew()
    found = points_of(scene.take)
    scene.renew()
    assert len(found) > 250
    yield from found


def _survives(scene: Scene, point: Point, visit: int = 1) -> bool:
    """Check what a kill leaves; say whether the line was reached.

    Which of two lines is run depends on how long ago a file was changed.
    """
    scene.renew()

    died = dies_at(point, scene.take, visit=visit)
    after = scene.world.take(scene.place)

    assert scene.world.kept(scene.first) == scene.expected, point
    assert scene.world.kept(after) == on_disk(scene.place), point
    trees = scene.world.snapshots().held()
    assert scene.world.snapshots().damage(trees) == {}, point
    return died


def test_a_snapshot_killed_at_a_sample_of_its_lines_loses_nothing(scene: Scene) -> None:
    """The sample of every run; the whole is `make faults`."""
    points = list(_points(scene))

    died = [_survives(scene, p) for p in points[:: max(1, len(points) // _IN_CI)]]

    assert died.count(False) <= _UNREACHED


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_snapshot_killed_at_any_moment_loses_nothing(scene: Scene) -> None:
    """After each write that a snapshot makes, at the next line it runs."""
    scene.take()
    scene.renew()
    moments, lines = moments_of(scene.take)

    died, trials = list[bool](), Trials()
    for moment in moments:
        with trials.one():
            died.append(_survives(scene, *moment))

    tried, why = len(trials.failed) + sum(died), "\n".join(trials.failed)
    figure("F2", "a snapshot of 70 files", tried, trials.lost(), why, of_lines=lines)
    assert died.count(False) <= _UNREACHED
