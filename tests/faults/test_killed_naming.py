"""`kill -9` at every line that reaches for a named checkpoint's file: what a person wrote
is in the file or in the store at every moment, and a retry finishes the work."""

import re
import shutil
from pathlib import Path

import pytest

from holdfast.app.notes import named_files
from holdfast.kernel import files, shared_files
from holdfast.surfaces.cli.main import run
from tests.e2e.conftest import SAMPLE, Ran
from tests.faults.dying import dies_at, some_points_in

_MODULES = (files, shared_files, named_files)


class World:
    """A project whose named checkpoint somebody edited, made anew for each point."""

    def __init__(self, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self._project = directory / "project"
        self._places = [directory / "home", directory / "claude"]
        self._good = directory / "good"
        slug = re.sub("[^a-zA-Z0-9]", "-", str(self._project))
        self.memory = directory / "claude" / "projects" / slug / "memory"
        self.file = self.memory / "checkpoint-api.md"
        self._project.mkdir()
        self.memory.mkdir(parents=True)
        assert self("save", *self.named("one")).status == 0
        with self.file.open("a", encoding="utf-8") as file:
            file.write("\n## Own\nmarmalade\n")
        for place in self._places:
            shutil.copytree(place, self._good / place.name)

    def renew(self) -> None:
        for place in self._places:
            shutil.rmtree(place)
            shutil.copytree(self._good / place.name, place)

    def named(self, title: str) -> list[str]:
        key = ["--key", title, "--title", title]
        return ["--transcript", str(SAMPLE), "--name", "api", "--force", *key]

    def kept(self) -> int:
        return len(self("search", "marmalade").json["checkpoints"])

    def index(self) -> str:
        return (self.memory / "MEMORY.md").read_text(encoding="utf-8")

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


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "words", [["resume", "api", "--consume"], ["cleanup", "api"]], ids=" ".join
)
def test_a_killed_removal_loses_nothing_a_person_wrote(
    world: World, words: list[str]
) -> None:
    """Kept before it goes, and kept once however often it is tried."""
    for point in some_points_in(_MODULES, lambda: world(*words), world.renew):
        world.renew()
        died = dies_at(point, lambda: world(*words))
        text = world.file.read_text(encoding="utf-8") if world.file.exists() else ""

        assert died, point
        assert "marmalade" in text or world.kept() == 1, point
        world(*words)
        assert not world.file.exists(), point
        assert "**api**" not in world.index(), point
        assert world.kept() == 1, point


@pytest.mark.timeout(120)
def test_a_killed_overwriting_loses_nothing_a_person_wrote(world: World) -> None:
    """The old file or the new one, never half; a retry with the same key ends whole."""
    words = ["save", *world.named("two")]

    for point in some_points_in(_MODULES, lambda: world(*words), world.renew):
        world.renew()
        died = dies_at(point, lambda: world(*words))
        text = world.file.read_text(encoding="utf-8")
        retried = world(*words)

        assert died, point
        assert "marmalade" in text or world.kept() == 1, point
        assert text.startswith("# Checkpoint: api\n"), point
        assert retried.status == 0, (point, retried)
        assert "\ntwo. " in world.file.read_text(encoding="utf-8"), point
        assert world.kept() == 1, point
