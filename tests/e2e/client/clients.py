"""The real client from npm, each tested version installed once into a cache of its own.

The cache is `HOLDFAST_CLIENT_CACHE`, or a directory beside the other temporary files:
never in the repository.
"""

import fcntl
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

VERSIONS = ("2.1.197", "2.1.325")
_PACKAGE = "@anthropic-ai/claude-code"
_PATIENCE = 300.0  # seconds for a download of 250 MB


class ClientMissing(Exception):
    """The client cannot be had on this machine; the message says why."""


@dataclass(frozen=True, slots=True)
class Client:
    version: str
    command: str

    @property
    def directory(self) -> str:
        return str(Path(self.command).parent)


def installed(version: str) -> Client:
    """Return the client of a version, installing it first if it is not there.

    Raises:
        ClientMissing: there is no npm, or it could not install.
    """
    place = cache() / version
    client = Client(version, str(place / "node_modules" / ".bin" / "claude"))
    place.mkdir(parents=True, exist_ok=True)
    with (place / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _version(client) != version:
            _install(version, place)
    found = _version(client)
    if found != version:
        raise ClientMissing(f"npm installed {found!r} where {version} was asked for")
    return client


def cache() -> Path:
    given = os.environ.get("HOLDFAST_CLIENT_CACHE")
    if given:
        return Path(given)
    return Path(tempfile.gettempdir()) / f"holdfast-clients-{os.getuid()}"


def _install(version: str, place: Path) -> None:
    npm, node = shutil.which("npm"), shutil.which("node")
    if not npm or not node:
        raise ClientMissing("npm is not installed")
    wanted = f"{_PACKAGE}@{version}"
    run(npm, "install", "--no-audit", "--no-fund", "--prefix", str(place), wanted)
    # npm may leave install scripts out; this one links the native program.
    run(node, str(place / "node_modules" / _PACKAGE / "install.cjs"))


def run(*command: str) -> None:
    with tempfile.TemporaryDirectory() as home:
        environ = {**os.environ, "HOME": home}
        try:
            subprocess.run(
                command, env=environ, capture_output=True, check=True, timeout=_PATIENCE
            )
        except subprocess.CalledProcessError as problem:
            said = problem.stderr.decode(errors="replace").strip().splitlines()
            raise ClientMissing(
                f"`{command[0]}` failed: {said[-1] if said else problem}"
            ) from None


def _version(client: Client) -> str:
    if not Path(client.command).exists():
        return ""
    with tempfile.TemporaryDirectory() as home:
        environ = {"HOME": home, "PATH": os.defpath}
        done = subprocess.run(
            [client.command, "--version"],
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
    return done.stdout.partition(" ")[0].strip()
