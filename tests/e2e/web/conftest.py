"""A server as `holdfast serve` starts it, and a real Chromium that opens its page."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import identity
from tests.missing import without

_PATIENCE = 60_000  # milliseconds: two busy cores, and a browser
_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  # no disk waits for thousands of saves
expect.set_options(timeout=_PATIENCE)


class Served:
    """A project with a store of its own, and who shows it."""

    def __init__(self, root: Path) -> None:
        self.home, self.project = root / "home", root / "tokens"
        self.project.mkdir()
        with self.store() as store:
            self.project_id = store.project(identity(str(self.project))).project_id
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(root / "user"),
            "HOLDFAST_HOME": str(self.home),
        }

    def store(self) -> SqliteStore:
        return open_store(str(self.home), create=True)

    def command(self, *words: str) -> list[str]:
        at = ("--project", str(self.project))
        return [sys.executable, "-m", "holdfast", *words, *at]

    def run(self, *words: str) -> str:
        done = subprocess.run(
            self.command(*words), env=self.environ, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        return done.stdout

    def save(self, *words: str, transcript: Path) -> Any:
        """Save a session as its agent left it; return the answer."""
        given = ("--transcript", str(transcript), "--json")
        return json.loads(self.run("save", *given, *words))

    @contextmanager
    def serving(self, port: int = 0) -> Iterator[str]:
        """Start the server, and yield the address that opens it once."""
        words = self.command("serve", "--port", str(port), "--no-browser", "--json")
        pipe = subprocess.PIPE
        with subprocess.Popen(
            words, env=self.environ, stdout=pipe, stderr=pipe
        ) as server:
            assert server.stdout
            try:
                yield json.loads(server.stdout.readline())["address"]
            finally:
                server.terminate()
                _, said = server.communicate(timeout=60)
            assert (server.returncode, said) == (0, b"")


@pytest.fixture
def served() -> Iterator[Served]:
    with tempfile.TemporaryDirectory(dir=_MEMORY) as root:
        yield Served(Path(root))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for a file of tests: while it is open, no other loop may run."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        without("chromium is not installed")
    words = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=[*words, "--disable-dev-shm-usage"],
            timeout=_PATIENCE,
        )  # fmt: skip
        yield browser
        browser.close()


class Trouble(AssertionError):
    """A page said something in its console, or threw."""


@pytest.fixture
def new_page(chromium: Browser) -> Iterator[Callable[[], Page]]:
    """Pages of a browser that knows nothing; none of them may complain."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(_PATIENCE)
    said: list[str] = []

    def opened() -> Page:
        page = context.new_page()
        page.on("pageerror", lambda problem: said.append(str(problem)))
        page.on(
            "console",
            lambda message: (
                said.append(message.text)
                if message.type in ("error", "warning")
                and not message.text.startswith("Failed to load resource")
                else None
            ),  # a server that ended while the page is open, or a 404 in a test
        )
        return page

    yield opened
    context.close()
    if said:
        raise Trouble(said)


@pytest.fixture
def page(new_page: Callable[[], Page]) -> Page:
    return new_page()
