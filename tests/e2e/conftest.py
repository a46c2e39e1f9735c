"""The command line as a user has it: a project, a store and a sample of their own."""

import json
import os
import pty
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from holdfast.surfaces.cli.main import run

SAMPLES = Path(__file__).parents[1] / "fixtures" / "transcripts"
SAMPLE = SAMPLES / "full-session-part1.jsonl"
SESSION = "d92c4ceb-7c85-49c8-b575-b0efc7e52ba9"


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on stdout; more than one would not parse."""
        return json.loads(self.out)


class Cli:
    """Runs commands in one project with one store."""

    def __init__(
        self, home: Path, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.home = home
        self.project = project
        self.capsys = capsys

    def __call__(self, *words: str) -> Ran:
        self.capsys.readouterr()
        status = run([*words, "--project", str(self.project)])
        captured = self.capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    @contextmanager
    def parent(self, session: str | None) -> Iterator[None]:
        """What is saved meanwhile goes on from another session."""
        with pytest.MonkeyPatch.context() as patched:
            if session:
                patched.setenv("CLAUDE_SESSION_PARENT", session)
            yield

    def save(self, *words: str, transcript: Path = SAMPLE) -> Any:
        ran = self("save", "--transcript", str(transcript), "--json", *words)
        assert ran.status == 0, ran
        return ran.json


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    home, project = tmp_path / "home", tmp_path / "project"
    project.mkdir()
    monkeypatch.setenv("HOLDFAST_HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    return Cli(home, project, capsys)


def answering(cli: Cli, *words: str, answers: bytes) -> bytes:
    """Run a command on a real terminal at which somebody types; a terminal keeps what
    was typed before it is read."""
    return _on_a_terminal(cli, words, {}, answers)


def approving(cli: Cli, reference: str, answers: bytes = b"y\n") -> bytes:
    """Be a person who looks at somebody else's checkpoint and answers."""
    mine = {"HOLDFAST_HOME": str(cli.home), "CLAUDECODE": ""}
    return _on_a_terminal(cli, ("approve", reference), mine, answers)


def on_a_terminal(cli: Cli, *words: str, **environ: str) -> bytes:
    """Run a command whose stdout is a real terminal, 80 columns wide."""
    return _on_a_terminal(cli, words, environ)


def _on_a_terminal(
    cli: Cli, words: Sequence[str], environ: Mapping[str, str], typed: bytes = b""
) -> bytes:
    child, terminal = pty.fork()
    if child == 0:
        call = [sys.executable, "-m", "holdfast", *words, "--project", str(cli.project)]
        wide = {"COLUMNS": "80", "TERM": "xterm-256color"}
        os.execve(sys.executable, call, {**os.environ, **wide, **environ})  # noqa: S606  # our own command
    if typed:
        os.write(terminal, typed)
    seen = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the child is gone, and with it the terminal
            break
        if not part:
            break
        seen += part
    os.waitpid(child, 0)
    os.close(terminal)
    return seen
