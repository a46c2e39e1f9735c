"""axe from npm, installed once into a cache beside the clients': what it finds on a page."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from playwright.sync_api import Page

VERSION = "4.14.0"
_PATIENCE = 300.0  # seconds for a download
_FOUND = """async () => (await axe.run()).violations.map(
    (each) => `${each.id}: ${each.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`)"""


class AxeMissing(Exception):
    """It cannot be had on this machine; the message says why."""


def violations(page: Page) -> list[str]:
    """Return what is hard or impossible to use on a page as it is now."""
    page.evaluate(_script().read_text(encoding="utf-8"))
    return [str(each) for each in page.evaluate(_FOUND)]


def _script() -> Path:
    given = os.environ.get("HOLDFAST_CLIENT_CACHE")
    beside = Path(tempfile.gettempdir()) / f"holdfast-clients-{os.getuid()}"
    place = (Path(given) if given else beside) / f"axe-{VERSION}"
    script = place / "node_modules" / "axe-core" / "axe.min.js"
    place.mkdir(parents=True, exist_ok=True)
    with (place / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not script.exists():
            _install(place)
    return script


def _install(place: Path) -> None:
    npm = shutil.which("npm")
    if not npm:
        raise AxeMissing("npm is not installed")
    wanted = f"axe-core@{VERSION}"
    words = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(place), wanted]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, timeout=_PATIENCE
    )
    if done.returncode:
        raise AxeMissing(f"npm could not install {wanted}: {done.stderr[-300:]}")
