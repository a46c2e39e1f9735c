"""`kill -9` at every line of `restore` and `undo` that something was written before.

Every file is its old or its new self, nothing half written is left once the next
command ran, and `undo` gives back exactly what was there.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISDIR

import pytest

from holdfast.app.code import restore, save_before_restore
from holdfast.kernel import directories
from holdfast.snapshot.git import worktree_files
from holdfast.snapshot.restore import file_writer, notes, restoring
from holdfast.surfaces.cli.main import run
from tests.e2e.conftest import SAMPLE, Ran
from tests.e2e.repository import commit_all, git, worktree_of
from tests.faults.dying import Point, dies_at, moments_of, points_in, points_of
from tests.faults.figures import Trials, figure

_IN_CI = 24  # points, spread evenly; `make faults` takes them all
_OURS = (restore, save_before_restore, restoring, notes, file_writer, worktree_files)
State = dict[str, tuple[int, bytes]]


class World:
    """A repository that differs from its checkpoint in every way, made anew each time."""

    def __init__(self, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = directory / "home"
        self.project = directory / "project"
        self._good = directory / "good"
        self._capsys = capsys
        self.project.mkdir()
        git(self.project, "init", "-q", "-b", "main", ".")
        self._then()
        commit_all(self.project)
        words = ("save", "--transcript", str(SAMPLE), "--title", "then")
        assert self(*words).status == 0
        self._now()
        self.before = worktree_of(self.project)
        for name in ("home", "project"):
            shutil.copytree(directory / name, self._good / name, symlinks=True)

    def _then(self) -> None:
        for name in ("changed", "moved/a", "moved/b", "was_dir/x", "deleted/deep/x"):
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"then {name}\n")
        (self.project / "was_file").write_text("then\n")
        (self.project / "link").symlink_to("changed")
        (self.project / "run").write_text("#!/bin/sh\n")
        (self.project / "run").chmod(0o755)

    def _now(self) -> None:
        (self.project / "changed").write_text("now\n")
        (self.project / "changed").chmod(0o600)
        (self.project / "moved/b").rename(self.project / "moved/c")
        shutil.rmtree(self.project / "was_dir")
        (self.project / "was_dir").write_text("now a file\n")
        (self.project / "was_file").unlink()
        (self.project / "was_file").mkdir()
        (self.project / "was_file/x").write_text("now in a directory\n")
        shutil.rmtree(self.project / "deleted")
        (self.project / "link").unlink()
        (self.project / "link").symlink_to("run")
        (self.project / "run").chmod(0o644)
        (self.project / "empty").mkdir()

    def renew(self) -> None:
        for name in ("home", "project"):
            place = self._good.parent / name
            shutil.rmtree(place)
            shutil.copytree(self._good / name, place, symlinks=True)

    def restore(self) -> Ran:
        return self("restore", "1", "--exact")

    def undo(self) -> Ran:
        return self("undo")

    def __call__(self, *words: str) -> Ran:
        self._capsys.readouterr()
        status = run([*words, "--json", "--project", str(self.project)])
        return Ran(status, *self._capsys.readouterr())


@pytest.fixture
def world(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> World:
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    return World(tmp_path, capsys)


@pytest.fixture
def after(world: World) -> State:
    """What a restore that nobody kills makes of it."""
    assert world.restore().status == 0  # imports everything, so that children need not
    state = worktree_of(world.project)
    assert world.undo().status == 0
    assert worktree_of(world.project) == world.before
    world.renew()
    return state


def _is_old_or_new(state: State, old: State, new: State) -> None:
    """A file that becomes a directory, or the other way round, may be neither yet."""
    for path in {*old, *new, *state}:
        here, then, now = state.get(path), old.get(path), new.get(path)
        if Path(path).name.startswith(".holdfast-") or (here and S_ISDIR(here[0])):
            continue  # the one being written, or a directory made on the way
        changes_kind = then and now and S_ISDIR(then[0]) != S_ISDIR(now[0])
        assert here in (then, now) or (here is None and changes_kind), path


def _undo_works(world: World, point: object) -> None:
    undone = world.undo()

    nothing = undone.status == 1 and json.loads(undone.out)["code"] == "REST_003"
    assert undone.status == 0 or nothing, (point, undone)
    assert worktree_of(world.project) == world.before, point


def _points(world: World) -> Iterator[Point]:
    found = points_of(world.restore)
    world.renew()
    assert len(found) > 300
    yield from found


def _survives(world: World, after: State, point: Point, visit: int = 1) -> None:
    world.renew()

    died = dies_at(point, world.restore, visit=visit)

    assert died or visit > 1, point  # not every line is visited again
    _is_old_or_new(worktree_of(world.project), world.before, after)
    _undo_works(world, point)


def test_a_restore_killed_at_a_sample_of_its_lines_can_be_undone(
    world: World, after: State
) -> None:
    """The sample of every run; the whole is `make faults`."""
    points = points_in(_OURS, [*_points(world)])

    for place, point in enumerate(points[:: max(1, len(points) // _IN_CI)]):
        _survives(world, after, point, visit=1 + place % 3)


def test_an_undo_killed_half_way_is_undone_again(world: World, after: State) -> None:
    """The note stays until all of it is done, so the second try begins anew."""
    world.restore()
    points = points_in([file_writer], points_of(world.undo))

    deaths = 0
    for point in points[:: max(1, len(points) // 6)]:
        world.renew()
        world.restore()
        deaths += dies_at(point, world.undo, visit=2)
        _is_old_or_new(worktree_of(world.project), world.before, after)
        _undo_works(world, point)

    assert deaths > 0


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_restore_killed_at_any_moment_can_be_undone(
    world: World, after: State
) -> None:
    """After each write that bringing back makes, at the next line it runs.

    Those of the save that goes before are those of `test_killed_save`.
    """
    found, lines = moments_of(world.restore)
    ours = {module.__file__ for module in (*_OURS, directories)}
    moments = [moment for moment in found if moment.point[0] in ours]

    trials = Trials()
    for moment in moments:
        with trials.one():
            _survives(world, after, *moment)

    what, why = "`restore` of every kind of change", "\n".join(trials.failed)
    figure("F2", what, len(moments), trials.lost(), why, of_lines=lines)
