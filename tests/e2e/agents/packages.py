"""Other agents' command lines from npm, each installed once into the clients' cache."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.client.clients import ClientMissing, cache, run

_DONE = ".installed"


@dataclass(frozen=True, slots=True)
class NpmPackage:
    """One version of a client: the package, and what its command is called."""

    package: str
    version: str
    binary: str


CODEX = NpmPackage("@openai/codex", "0.166.0", "codex")
GEMINI = NpmPackage("@google/gemini-cli", "0.61.0", "gemini")
# The last that runs on the node that the others need.
PI = NpmPackage("@earendil-works/pi-coding-agent", "0.74.2", "pi")
# The program itself: the package in front of it only looks for it.
OPENCODE = NpmPackage("opencode-linux-x64", "1.18.34", "opencode")


def command_of(wanted: NpmPackage) -> str:
    """Return the path of a client's command, installing it first if it is not there.

    Raises:
        ClientMissing: there is no npm, or it could not install.
    """
    place = cache() / f"{wanted.binary}-{wanted.version}"
    place.mkdir(parents=True, exist_ok=True)
    bare = place / "node_modules" / wanted.package / "bin" / wanted.binary
    linked = place / "node_modules" / ".bin" / wanted.binary
    with (place / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / _DONE).exists():
            _install(wanted, place)
            _check(wanted, linked if linked.exists() else bare)
            (place / _DONE).touch()
    return str(linked if linked.exists() else bare)


def _install(wanted: NpmPackage, place: Path) -> None:
    npm = shutil.which("npm")
    if not npm:
        raise ClientMissing("npm is not installed")
    name = f"{wanted.package}@{wanted.version}"
    options = ("--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(place))
    run(npm, "install", *options, name)


def _check(wanted: NpmPackage, command: Path) -> None:
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [command, "--version"],
            env={"HOME": home, "PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=False,
        )
    if wanted.version not in done.stdout + done.stderr:
        raise ClientMissing(f"npm installed {done.stdout!r}, not {wanted.version}")
