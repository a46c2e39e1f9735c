"""The wheel as people install it: in a virtual environment, by pipx, by `uv tool`.

Each is wired into the client and its hook is started as the client would.
"""

import json
import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.missing import without

_ROOT = Path(__file__).parents[2]
_CONSTRAINTS = str(_ROOT / "constraints.txt")
_EVENT = {
    "hook_event_name": "SessionStart",
    "session_id": "7670db3a-0000-4000-8000-000000000001",
    "transcript_path": "/nowhere/none.jsonl",
    "source": "startup",
}
pytestmark = pytest.mark.timeout(300)  # downloads


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the wheel, and pipx and uv in a virtual environment."""
    place = tmp_path_factory.mktemp("workshop")
    venv.create(place / "tools", with_pip=True)
    pip = [str(place / "tools" / "bin" / "python"), "-m", "pip", "-q"]
    _fetch(*pip, "install", "pipx", "uv", home=place)
    _fetch(*pip, "wheel", "--no-deps", "-w", str(place), str(_ROOT), home=place)
    return place


def _in_venv(workshop: Path, home: Path) -> Path:
    venv.create(home / "venv")
    uv = str(
        workshop / "tools" / "bin" / "uv"
    )  # as pip does it, in a tenth of the time
    options = ("--python", str(home / "venv"), "--constraints", _CONSTRAINTS)
    _fetch(uv, "pip", "install", *options, str(_wheel(workshop)), home=home)
    return home / "venv" / "bin" / "holdfast"


def _by_pipx(workshop: Path, home: Path) -> Path:
    pipx = str(workshop / "tools" / "bin" / "pipx")
    options = ("--python", sys.executable, "--pip-args", f"-c {_CONSTRAINTS}")
    _fetch(pipx, "install", *options, str(_wheel(workshop)), home=home)
    return home / ".local" / "bin" / "holdfast"


def _by_uv(workshop: Path, home: Path) -> Path:
    uv = str(workshop / "tools" / "bin" / "uv")
    options = ("--python", sys.executable, "--constraints", _CONSTRAINTS)
    _fetch(uv, "tool", "install", *options, str(_wheel(workshop)), home=home)
    return home / ".local" / "bin" / "holdfast"


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(_in_venv, id="a virtual environment"),
        pytest.param(_by_pipx, id="pipx"),
        pytest.param(_by_uv, id="uv tool"),
    ],
)
def test_it_can_be_wired_in_however_it_was_installed(
    way: Callable[[Path, Path], Path], workshop: Path, tmp_path: Path
) -> None:
    """The client starts it by absolute path, whatever is on the PATH that day."""
    home, project = tmp_path / "user", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    holdfast = way(workshop, home)
    environ = {"HOME": str(home), "PATH": os.defpath}

    wired = _run(environ, str(holdfast), "install", "claude", "--no-mcp", "--json")
    launcher = home / ".local/share/holdfast/claude-code/holdfast/hooks/launch"
    event = json.dumps({**_EVENT, "cwd": str(project)})
    hook = _run(environ, str(launcher), "SessionStart", said=event)
    undone = _run(environ, str(holdfast), "uninstall", "claude")

    assert wired.returncode == 0, wired
    assert all(c["state"] == "ok" for c in json.loads(wired.stdout)["checks"])
    assert (hook.returncode, hook.stdout, hook.stderr) == (0, "", "")
    assert undone.returncode == 0, undone
    assert not (home / ".claude").exists()


def _wheel(workshop: Path) -> Path:
    (found,) = workshop.glob("holdfast-*.whl")
    return found


def _fetch(*command: str, home: Path) -> None:
    """Run what downloads; without a registry there is nothing to test with."""
    environ = {**os.environ, "HOME": str(home), "UV_SYSTEM_CERTS": "1"}
    for variable in ("PIPX_HOME", "PIPX_BIN_DIR", "XDG_DATA_HOME", "UV_TOOL_DIR"):
        environ.pop(variable, None)
    done = _run(environ, *command)
    if done.returncode == 0:
        return
    said = (done.stderr or done.stdout).strip().splitlines()[-1:]
    reason = f"`{Path(command[0]).name}` could not install: {''.join(said)}"
    without(reason)


def _run(
    environ: dict[str, str], *command: str, said: str = ""
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command,
        env=environ,
        input=said,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=280,
        check=False,
    )
