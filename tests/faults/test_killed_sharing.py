"""`kill -9` while a file is exported or taken in: the next try ends as if nothing had been.

A file is there whole or not at all. What was taken in is whole, and once, with the code and
the conversation that came with it.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.team import Machine, Team, team
from tests.faults.dying import dies_at, moments_of
from tests.faults.sweeping import spread

__all__ = ["team"]
pytestmark = pytest.mark.process
_IN_CI = 10  # moments, spread evenly
_SESSION = "11111111-2057-406a-a109-afcedef1cb97"

several = pytest.mark.parametrize(
    "most",
    [
        _IN_CI,
        pytest.param(
            100_000, marks=[pytest.mark.slow, pytest.mark.timeout(7200)], id="all"
        ),
    ],
)


class Sharing:
    """A laptop whose work is shared as a file, and a desk that takes it in."""

    def __init__(self, team: Team, root: Path) -> None:
        self.laptop, self.desk, self._root = team.laptop, team.desk, root
        self.file = root / "shared.zip"
        (self.laptop.project / "new.py").write_text("y = 1\n")
        self.ids = [self.laptop.saves("parser"), self.laptop.saves("lexer")]
        transcripts = root / "claude" / "projects" / "-laptop"
        transcripts.mkdir(parents=True)
        said = self.laptop.home.parent / f"{_SESSION}.jsonl"
        shutil.copy(said, transcripts / said.name)
        self.mine = self.desk.saves("mine")

    def exports(self) -> int:
        words = ("-o", str(self.file), "--yes", "--code", "--transcript", "--json")
        return self.laptop("export", *self.ids, *words).status

    def takes_in(self) -> int:
        return self.desk("import", str(self.file), "--json").status

    def keep(self, *machines: Machine) -> None:
        """Make what machines have now what `renew` brings back."""
        self._kept = machines
        for machine in machines:
            shutil.copytree(machine.home, self._good(machine))

    def renew(self) -> None:
        for machine in self._kept:
            shutil.rmtree(machine.home)
            shutil.copytree(self._good(machine), machine.home)

    def at_desk(self) -> Any:
        """Return what the desk knows of the laptop's work, looked at in each way."""
        desk = self.desk
        checks = desk("doctor", "--json").json["checks"]
        assert not [c for c in checks if c["state"] == "fail"], checks
        code = desk("diff", "1@laptop", "--json").json["files"]
        told = desk("show", "1@laptop", "--json").json
        archived = desk("session", f"{_SESSION}@laptop", "--json").json
        return desk.knows(), code, told, archived["chain"]

    def _good(self, machine: Machine) -> Path:
        return self._root / "good" / machine.name


@pytest.fixture
def sharing(team: Team, tmp_path: Path) -> Sharing:
    return Sharing(team, tmp_path)


def _as_victim(work: Callable[[], int]) -> Callable[[], None]:
    def live() -> None:
        assert work() == 0

    return live


@several
@pytest.mark.timeout(600)
def test_an_export_that_is_killed_leaves_a_whole_file_or_none(
    sharing: Sharing, most: int
) -> None:
    assert sharing.exports() == 0
    whole = sharing.file.read_bytes()
    sharing.file.unlink()
    moments, _ = moments_of(_as_victim(sharing.exports))
    sharing.file.unlink()

    for moment in spread(moments, most):
        dies_at(moment.point, sharing.exports, visit=moment.visit)
        if sharing.file.exists():
            assert sharing.file.read_bytes() == whole, moment
            sharing.file.unlink()
        assert sharing.exports() == 0, moment
        assert sharing.file.read_bytes() == whole, moment
        sharing.file.unlink()
        left = [p.name for p in sharing.file.parent.iterdir() if "holdfast" in p.name]
        assert left == [], moment


@several
@pytest.mark.timeout(600)
def test_an_import_that_is_killed_is_ended_by_the_next(
    sharing: Sharing, most: int
) -> None:
    assert sharing.exports() == 0
    sharing.keep(sharing.desk)
    assert sharing.takes_in() == 0
    expected = sharing.at_desk()
    sharing.renew()
    moments, _ = moments_of(_as_victim(sharing.takes_in))

    assert set(expected[0]) == {sharing.mine, *sharing.ids}
    assert [file["path"] for file in expected[1]] == ["new.py"]
    for moment in spread(moments, most):
        sharing.renew()
        dies_at(moment.point, sharing.takes_in, visit=moment.visit)
        half = sharing.desk.knows()
        assert sharing.mine in half, moment
        assert sharing.takes_in() == 0, moment
        assert sharing.at_desk() == expected, moment
        assert sharing.desk("import", str(sharing.file), "--json").json["new"] == []
        # The journal's half is written over by whoever rewrites that part of it next.
        left = [
            path
            for path in sharing.desk.home.rglob("*")
            if path.suffix in {".tmp", ".half"} and path.parent.name != "journal"
        ]
        assert left == [], moment
