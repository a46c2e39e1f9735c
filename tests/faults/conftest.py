"""A scene of its own for each test that breaks things, and the figures of a run."""

from pathlib import Path

import pytest

from tests.faults.figures import is_any_told, told
from tests.faults.scene import Scene


@pytest.fixture
def scene(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Scene:
    root = tmp_path.resolve()
    monkeypatch.setenv("HOLDFAST_HOME", str(root / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(root / "config"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(root / "claude"))
    return Scene(root, capsys)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was measured; under xdist each worker keeps its figures to itself."""
    if is_any_told():
        terminalreporter.section("figures")
        for line in told():
            terminalreporter.write_line(line)
