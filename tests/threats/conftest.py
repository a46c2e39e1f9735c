"""Worlds in which somebody means harm."""

from pathlib import Path

import pytest

from tests.e2e.conftest import Cli
from tests.unit.snapshot.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    root = tmp_path.resolve() / "world"
    root.mkdir()
    return World(root)


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    """The command line in a project of its own, with a data directory beside it."""
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    return Cli(tmp_path / "home", project, capsys)
