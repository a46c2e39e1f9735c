"""The protocol's own inspector from npm, installed once into a cache beside the clients'."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.mcp.world import World

# The newest that runs on Node 20; later ones ask for 22.
VERSION = "0.15.0"
_PACKAGE = "@modelcontextprotocol/inspector"
_HOLDFAST = str(Path(sys.executable).parent / "holdfast")
_PATIENCE = 300.0  # seconds for a download of 150 MB


class InspectorMissing(Exception):
    """The inspector cannot be had on this machine; the message says why."""


@dataclass(frozen=True, slots=True)
class Inspector:
    command: str

    def ask(self, world: World, method: str, *words: str) -> Any:
        """Return the JSON the inspector prints of one request to our server."""
        call = [
            *(self.command, "--cli", _HOLDFAST, "mcp", "--tools", "all"),
            *("--method", method, *words),
        ]
        done = subprocess.run(
            call,
            env={**world.environ, "PATH": os.environ["PATH"]},
            cwd=world.project,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def installed() -> Inspector:
    """Return the inspector, installing it first if it is not there.

    Raises:
        InspectorMissing: there is no npm, or it could not install.
    """
    place = _cache() / f"inspector-{VERSION}"
    command = place / "node_modules" / ".bin" / "mcp-inspector"
    place.mkdir(parents=True, exist_ok=True)
    with (place / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / ".ready").exists():
            _install(place)
            (place / ".ready").touch()
    return Inspector(str(command))


def _cache() -> Path:
    given = os.environ.get("HOLDFAST_CLIENT_CACHE")
    return (
        Path(given)
        if given
        else Path(tempfile.gettempdir()) / f"holdfast-clients-{os.getuid()}"
    )


def _install(place: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise InspectorMissing("npm is not installed")
    wanted = f"{_PACKAGE}@{VERSION}"
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [npm, "install", "--no-audit", "--no-fund", "--prefix", str(place), wanted],
            env={**os.environ, "HOME": home},
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE,
        )
    if done.returncode:
        raise InspectorMissing(f"npm failed: {done.stderr.strip()[-200:]}")
