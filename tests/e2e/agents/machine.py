"""A machine on which the real pi or the real OpenCode works, and a model that it asks."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.agents.packages import OPENCODE, PI, NpmPackage, command_of
from tests.e2e.agents.world import in_own_terminal
from tests.e2e.client.clients import ClientMissing
from tests.e2e.client.driver import wait_until
from tests.e2e.client.stub import Stub
from tests.e2e.client.terminal import Terminal
from tests.e2e.client.world import a_project
from tests.missing import without

_PATIENCE = 300  # seconds: two cores may be busy with other clients
_MODEL = "some-model"


@dataclass(frozen=True, slots=True)
class ScriptedMachine:
    """A home and a project on which one client works, and a model that it asks."""

    stub: Stub
    home: Path
    project: Path
    words: tuple[str, ...]  # that run the client

    @property
    def data(self) -> Path:
        return self.home / "data"

    @property
    def checkpoints(self) -> list[Any]:
        """Every checkpoint, oldest first, once ends are carried out."""
        requests = self.data / "requests"
        wait_until(lambda: not any(requests.glob("*.json")), "the save of an end")
        found = self.holdfast("list", "--limit", "100")
        return list(reversed(found.get("checkpoints", [])))

    def run(self, *words: str) -> None:
        done = self._run([*self.words, *words])
        assert done.returncode == 0, done.stderr

    def holdfast(self, *words: str) -> Any:
        done = self._run([sys.executable, "-m", "holdfast", *words, "--json"])
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    def sit_down(self) -> AbstractContextManager[Terminal]:
        """Start the client in a terminal: somebody is there."""
        command = [word for word in self.words if word not in ("run", "--print")]
        environ = {**self._environ, "HOLDFAST_HEADLESS": "capture"}
        return in_own_terminal(command, environ, self.project)

    def open_again(
        self, reference: str, *before: Path
    ) -> AbstractContextManager[Terminal]:
        """Run `holdfast open` in a terminal: it becomes the client, or what stands
        `before` it among the programs."""
        command = [sys.executable, "-m", "holdfast", "open", reference]
        client = Path(self.words[0]).parent
        places = (*map(str, (*before, client)), self._environ["PATH"])
        environ = {**self._environ, "PATH": os.pathsep.join(places)}
        return in_own_terminal(command, environ, self.home)

    @property
    def _environ(self) -> dict[str, str]:
        node = shutil.which("node")
        places = [str(Path(node).parent)] if node else []
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join((*places, os.defpath)),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "PI_OFFLINE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
            "HOLDFAST_HOME": str(self.data),
            "HOLDFAST_HEADLESS": "full",
        }

    def _run(self, command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command,
            env=self._environ,
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=_PATIENCE,
            check=False,
        )


def _command(wanted: NpmPackage) -> str:
    try:
        return command_of(wanted)
    except ClientMissing as missing:
        without(f"no {wanted.package} to test with: {missing}")


def _settings(path: Path, settings: object) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(settings))


def pi_machine(stub: Stub, tmp_path: Path) -> ScriptedMachine:
    command, home = _command(PI), tmp_path / "user"
    model = {"baseUrl": stub.url, "api": "anthropic-messages", "apiKey": "fake"}
    known = {"providers": {"stub": {**model, "models": [{"id": _MODEL}]}}}
    _settings(home / ".pi" / "agent" / "models.json", known)
    words = (command, "--model", f"stub/{_MODEL}", "--print")
    return ScriptedMachine(stub, home, a_project(tmp_path / "project"), words)


def opencode_machine(stub: Stub, tmp_path: Path) -> ScriptedMachine:
    command, home = _command(OPENCODE), tmp_path / "user"
    provider = {
        "npm": "@ai-sdk/anthropic",
        "options": {"baseURL": f"{stub.url}/v1", "apiKey": "fake"},
        "models": {_MODEL: {"name": _MODEL}},
    }
    known = {
        "autoupdate": False,
        "share": "disabled",
        "provider": {"stub": provider},
        "model": f"stub/{_MODEL}",
        "small_model": f"stub/{_MODEL}",
    }
    _settings(home / ".config" / "opencode" / "opencode.json", known)
    _as_fetched(home / ".config" / "opencode")
    return ScriptedMachine(
        stub, home, a_project(tmp_path / "project"), (command, "run")
    )


def _as_fetched(settings: Path) -> None:
    """Lay out what OpenCode fetches from npm before its first start with a plugin: where
    it cannot, each start hangs until it gives up."""
    name = "@opencode-ai/plugin"
    needs = {"dependencies": {name: OPENCODE.version}}
    (settings / "package.json").write_text(json.dumps(needs))
    kept = {"name": name, "version": OPENCODE.version}
    _settings(settings / "node_modules" / name / "package.json", kept)
