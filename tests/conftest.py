"""What every test has: no way to the real home directory, and a world of its own."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
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


NOBODY = 65534


@pytest.fixture
def unprivileged() -> Callable[[], AbstractContextManager[Path]]:
    """A way to be a user whom file modes bind, with a directory of their own."""
    return _as_nobody if os.geteuid() == 0 else _as_oneself


@contextmanager
def _as_nobody() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as directory:
        os.chown(directory, NOBODY, NOBODY)
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
        try:
            yield Path(directory)
        finally:
            os.seteuid(0)
            os.setegid(0)


@contextmanager
def _as_oneself() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as directory:
        yield Path(directory)
