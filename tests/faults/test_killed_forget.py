"""`kill -9` while something is forgotten: a retry leaves no byte, and nothing else goes."""

import shutil
from pathlib import Path

import pytest

from holdfast.app.forgetting import forget
from holdfast.data_directory import plain_files, requests, spool
from holdfast.snapshot.take import kept_trees
from holdfast.store.sqlite import database
from holdfast.store.sqlite.write import forgetting
from tests.e2e.conftest import Cli
from tests.e2e.test_forget import cleaned_up, on_disk, told
from tests.e2e.work import Work
from tests.faults.dying import dies_at, points_of, some_points_in

# Where things go; the lines that only decide or print change nothing.
_MODULES = (
    forget,
    requests,
    forgetting,
    database,
    kept_trees,
    plain_files,
    spool,
)


class World:
    """A store with something to forget and something to keep, made anew each time."""

    def __init__(self, cli: Cli) -> None:
        self.cli, self._good = cli, cli.home.parent / "good"
        work = Work(cli)
        cli.save("--title", "stays")
        self.doomed = told(work)["id"]
        cleaned_up(work)
        shutil.copytree(cli.home, self._good)

    def renew(self) -> None:
        shutil.rmtree(self.cli.home)
        shutil.copytree(self._good, self.cli.home)

    def forget(self) -> int:
        return self.cli("forget", self.doomed, "--json").status

    def titles(self) -> list[str]:
        listed = self.cli("list", "--all", "--json").json["checkpoints"]
        return [record["content"]["title"] for record in listed]


@pytest.fixture
def world(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> World:
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    (tmp_path / "project").mkdir()
    return World(Cli(tmp_path / "home", tmp_path / "project", capsys))


@pytest.mark.timeout(170)
def test_a_killed_forgetting_is_finished_by_a_retry(world: World) -> None:
    """After the retry no byte is left, whatever was gone before the kill."""
    for point in some_points_in(_MODULES, world.forget, world.renew):
        world.renew()
        died = dies_at(point, world.forget)
        status = world.forget()

        assert died, point
        assert status == 0 or (status == 12 and not on_disk(world.cli.home)), point
        assert on_disk(world.cli.home) == set(), point
        assert world.titles() == ["stays"], point
        assert not list((world.cli.home / "forgetting").glob("*.json")), point


def test_an_order_outlives_the_process_that_wrote_it(world: World) -> None:
    """Between the first removal and the last byte, the disk says what is left to do."""
    points = points_of(world.forget)
    removes = {line for _, _, line in forgetting.remove.__code__.co_lines()}
    first = forgetting.remove.__code__.co_firstlineno  # run when it is defined
    point = next(
        p for p in points if p[0] == forgetting.__file__ and p[1] in removes - {first}
    )
    world.renew()

    assert dies_at(point, world.forget)

    waiting = list((Path(world.cli.home) / "forgetting").glob("*.json"))
    assert len(waiting) == 1
    assert world.doomed in waiting[0].read_text(encoding="ascii")
    assert not any(word in waiting[0].read_text() for word in ("quixot", "wozzle"))
