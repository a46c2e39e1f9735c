"""What every test has: no way to the real home directory, and a world of its own."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None)  # no test judges by the clock
settings.load_profile("house")


class HomeIsForbidden(AssertionError):
    """A test looked at the real home directory; pass `environ` or a path instead."""


@pytest.fixture(autouse=True)
def _no_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def forbidden() -> Path:
        raise HomeIsForbidden

    scratch = tmp_path / "nobody"
    monkeypatch.setattr(Path, "home", forbidden)
    monkeypatch.setenv("HOME", str(scratch))
    for name in (
        "XDG_DATA_HOME",
        "XDG_CONFIG_HOME",
        "HOLDFAST_HOME",
        "CLAUDE_CONFIG_DIR",
        "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_SESSION_ID",
        "CLAUDE_SESSION_PARENT",
        "HOLDFAST_DISABLE",
    ):
        monkeypatch.delenv(name, raising=False)
