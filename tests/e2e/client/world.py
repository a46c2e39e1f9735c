"""A user's machine in a directory: a home, a project, the client, and holdfast in it."""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.e2e.client.clients import Client
from tests.e2e.client.driver import Conversation, talking, wait_until
from tests.e2e.client.stub import Stub
from tests.e2e.client.terminal import Terminal, in_terminal

_KEY = "fake"
_TOOLS = "--allowedTools=Read,Write,Edit,TaskCreate,TaskUpdate,Bash(sh run-tests)"
_OF_KILLS = ("fullscreenBootPending", "fullscreenBootStrikes", "fullscreenAutoDisabled")
_FAILING_TEST = """\
echo 'FAILED tests/test_parser.py::test_nested - AssertionError: 1 != 2'
echo '1 failed, 3 passed in 0.02s'
exit 1
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    client: Client
    stub: Stub
    home: Path
    project: Path
    data: Path
    extra: Mapping[str, str] = field(default_factory=dict)

    @property
    def environ(self) -> dict[str, str]:
        """A clean environment: what the client needs, and where our data goes."""
        return {
            "HOME": str(self.home),
            "PATH": os.defpath,
            "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": self.stub.url,
            "ANTHROPIC_API_KEY": _KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "HOLDFAST_HOME": str(self.data),
            "HOLDFAST_HEADLESS": "full",
            **self.extra,
        }

    def talk(
        self, *options: str, **environ: str
    ) -> AbstractContextManager[Conversation]:
        """Start the client in the project, in the mode that tests can speak."""
        command = [self.client.command, _TOOLS, *options]
        return talking(command, {**self.environ, **environ}, self.project)

    def sit_down(
        self, *options: str, **environ: str
    ) -> AbstractContextManager[Terminal]:
        """Start the client in a terminal: somebody is there, and has been before."""
        self._finish_onboarding()
        environ = {**self.environ, "HOLDFAST_HEADLESS": "capture", **environ}
        command = [self.client.command, _TOOLS, *options]
        return in_terminal(command, environ, self.project)

    def claude(self, *words: str, **environ: str) -> "subprocess.CompletedProcess[str]":
        """Run the client once, to its end."""
        return self._run([self.client.command, *words], environ)

    def holdfast(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run our own command line, with `claude` on the PATH."""
        path = f"{self.client.directory}{os.pathsep}{os.defpath}"
        return self._run([sys.executable, "-m", "holdfast", *words], {"PATH": path})

    def answer(self, *words: str) -> Any:
        """Run our own command line and return its JSON answer."""
        done = self.holdfast(*words, "--json")
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    @property
    def checkpoints(self) -> list[Any]:
        """Every checkpoint of the project, oldest first.

        An end is carried out by a process of its own, and nobody says when.
        """
        self.wait_for_saves()
        found = self.answer("list", "--limit", "100")
        return list(reversed(found.get("checkpoints", [])))

    def wait_for_saves(self) -> None:
        """Wait until what ends asked for is carried out."""
        wait_until(lambda: not self._is_being_saved, "the save that an end asked for")

    @contextmanager
    def nobody_saves(self) -> Iterator[None]:
        """Hold the right to carry saves out, as a process busy with a long one does."""
        place = self.data / "requests"
        place.mkdir(mode=0o700, exist_ok=True)
        with (place / "work.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @property
    def _is_being_saved(self) -> bool:
        return any((self.data / "requests").glob("*.json"))

    def transcript(self, session: str) -> Path:
        """The client's own record of a session."""
        (found,) = (self.home / ".claude" / "projects").glob(f"*/{session}.jsonl")
        return found

    def forget_kills(self) -> None:
        """Undo what the client notes of one that was killed: the home is shared."""
        path = self.home / ".claude.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        kept = {key: known[key] for key in known if key not in _OF_KILLS}
        path.write_text(json.dumps(kept))

    def _finish_onboarding(self) -> None:
        """Answer what the client asks at its first start: theme, key, trust."""
        path = self.home / ".claude.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        trusted = {"hasTrustDialogAccepted": True}
        answers = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [_KEY], "rejected": []},
            "projects": {**known.get("projects", {}), str(self.project): trusted},
        }
        path.write_text(json.dumps({**known, **answers}))

    def _run(
        self, command: list[str], environ: Mapping[str, str]
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command,
            env={**self.environ, **environ},
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )


def a_project(directory: Path) -> Path:
    """A repository with one file and a test that fails."""
    directory.mkdir(parents=True)
    (directory / "parser.py").write_text("def parse(text):\n    return 1\n")
    (directory / "run-tests").write_text(_FAILING_TEST)
    for words in (
        ("init", "-q", "-b", "main"),
        ("add", "."),
        ("commit", "-q", "-m", "A parser"),
    ):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
            cwd=directory,
            env={"PATH": os.defpath, "HOME": str(directory)},
            check=True,
        )
    return directory
