"""`kill -9` while transcripts are archived or brought back: the next try ends well."""

import shutil
from pathlib import Path

import pytest

from holdfast.data_directory.archive import TranscriptArchive
from holdfast.surfaces.cli.main import run
from tests.builders import session_number
from tests.e2e.conftest import Cli
from tests.faults.dying import dies_at, moments_of
from tests.faults.sweeping import spread
from tests.past import PastDisk, asked, edited

_IN_CI = 25  # moments, spread evenly


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    home, project = tmp_path / "home", tmp_path / "project"
    project.mkdir()
    monkeypatch.setenv("HOLDFAST_HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    disk = PastDisk(tmp_path / "claude", str(project))
    for number in (1, 2, 3):
        disk.write(number, asked(f"fix part {number}"), edited(f"src/{number}.py"))
    return Cli(home, project, capsys)


def _renew(cli: Cli, *names: str) -> None:
    for name in names:
        place, good = cli.home.parent / name, cli.home.parent / "good" / name
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(good, place)


def _keep(cli: Cli, *names: str) -> None:
    for name in names:
        place, good = cli.home.parent / name, cli.home.parent / "good" / name
        shutil.rmtree(good, ignore_errors=True)
        shutil.copytree(place, good)


def test_what_is_listed_is_whole_and_the_next_run_keeps_the_rest(cli: Cli) -> None:
    """The list of a session is written behind its pieces."""
    cli("backfill")
    _keep(cli, "home")
    originals = {
        path.stem: path.read_bytes()
        for path in (cli.home.parent / "claude").rglob("*.jsonl")
    }

    def work() -> None:
        run(["archive", "--json", "--project", str(cli.project)])

    work()
    _renew(cli, "home")
    moments, _ = moments_of(work)
    for moment in spread(moments, _IN_CI):
        _renew(cli, "home")
        dies_at(moment.point, work, visit=moment.visit)
        archive = TranscriptArchive(str(cli.home))
        for session in archive.ids():
            kept = archive.session(session)
            assert kept is not None
            assert archive.lines(kept.files[0]) == originals[session], moment
        cli("archive")
        assert set(archive.ids()) == set(originals), moment


def test_a_session_that_was_half_brought_back_is_brought_back_again(cli: Cli) -> None:
    """Its transcript is there whole or not at all."""
    cli("backfill")
    cli("archive")
    (path,) = (cli.home.parent / "claude").rglob(f"{session_number(1)}.jsonl")
    original = path.read_bytes()
    path.unlink()
    _keep(cli, "home", "claude")

    def work() -> None:
        where = f"session:{session_number(1)}"
        run(["open", where, "--native", "--json", "--project", str(cli.project)])

    work()
    _renew(cli, "home", "claude")
    moments, _ = moments_of(work)
    for moment in spread(moments, _IN_CI):
        _renew(cli, "home", "claude")
        dies_at(moment.point, work, visit=moment.visit)
        assert not path.exists() or path.read_bytes() == original, moment
        work()
        assert path.read_bytes() == original, moment
