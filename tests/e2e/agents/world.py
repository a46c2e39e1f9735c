"""A user's machine with other agents on it: a home, a project, a model, and holdfast."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.e2e.agents.model import Model
from tests.e2e.client.driver import wait_until
from tests.e2e.client.terminal import Terminal, in_terminal

_PATIENCE = 100  # seconds: two cores may be busy with other clients
_CODEX = """\
model = "gpt-6-sol"
model_provider = "stub"
check_for_update_on_startup = false

[features]
daemon_auto_start = false

[model_providers.stub]
name = "stub"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "STUB_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[projects."{project}"]
trust_level = "trusted"
"""
_GEMINI = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "privacy": {"usageStatisticsEnabled": False},
}
_GEMINI_OPTIONS = ("--yolo", "--skip-trust", "--model", "gemini-2.5-pro")
_BYPASS = (
    "--dangerously-bypass-hook-trust",
    "--dangerously-bypass-approvals-and-sandbox",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentWorld:
    """`commands` are the clients that are installed here, by their names."""

    model: Model
    home: Path
    project: Path
    data: Path
    commands: Mapping[str, str]
    extra: Mapping[str, str] = field(default_factory=dict)

    @property
    def environ(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join((*_node(), os.defpath)),
            "LANG": "C.UTF-8",
            "STUB_KEY": "fake",
            "GEMINI_API_KEY": "fake",
            "GOOGLE_GEMINI_BASE_URL": self.model.url,
            "HOLDFAST_HOME": str(self.data),
            "HOLDFAST_HEADLESS": "full",
            **self.extra,
        }

    def holdfast(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run our own command line."""
        return self._run([sys.executable, "-m", "holdfast", *words])

    def answer(self, *words: str) -> Any:
        done = self.holdfast(*words, "--json")
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    @property
    def checkpoints(self) -> list[Any]:
        """Every checkpoint of the project, oldest first, once ends are carried out."""
        requests = self.data / "requests"
        wait_until(lambda: not any(requests.glob("*.json")), "the save of an end")
        found = self.answer("list", "--limit", "100")
        return list(reversed(found.get("checkpoints", [])))

    def shown(self, number: int) -> Any:
        return self.answer("show", str(number))

    def write_codex_settings(self) -> None:
        place = self.home / ".codex"
        place.mkdir()
        text = _CODEX.format(url=self.model.url, project=self.project)
        (place / "config.toml").write_text(text)

    def codex(
        self, *words: str, trusted: bool = True
    ) -> "subprocess.CompletedProcess[str]":
        """Run Codex CLI once, to its end."""
        options = _BYPASS if trusted else _BYPASS[1:]
        done = self._run([self.commands["codex"], "exec", *options, *words])
        assert done.returncode == 0, done.stderr
        return done

    def sit_down_at_codex(
        self, *, trusting: bool = True
    ) -> AbstractContextManager[Terminal]:
        """Start Codex CLI in a terminal: somebody is there."""
        environ = {**self.environ, "HOLDFAST_HEADLESS": "capture"}
        command = [self.commands["codex"], *(_BYPASS if trusting else ())]
        return in_own_terminal(command, environ, self.project)

    def write_gemini_settings(self) -> None:
        place = self.home / ".gemini"
        place.mkdir()
        (place / "settings.json").write_text(json.dumps(_GEMINI, indent=2))

    def gemini(self, prompt: str, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run Gemini CLI once, to its end."""
        options = (*_GEMINI_OPTIONS, *words, "--prompt", prompt)
        done = self._run([self.commands["gemini"], *options])
        assert done.returncode == 0, done.stderr
        return done

    def sit_down_at_gemini(self) -> AbstractContextManager[Terminal]:
        """Start Gemini CLI in a terminal: somebody is there."""
        environ = {**self.environ, "HOLDFAST_HEADLESS": "capture"}
        command = [self.commands["gemini"], *_GEMINI_OPTIONS]
        return in_own_terminal(command, environ, self.project)

    def open_again(self, reference: str) -> AbstractContextManager[Terminal]:
        """Run `holdfast open` in a terminal: it becomes the client."""
        command = [sys.executable, "-m", "holdfast", "open", reference]
        places = (*map(os.path.dirname, self.commands.values()), self.environ["PATH"])
        environ = {**self.environ, "PATH": os.pathsep.join(places)}
        return in_own_terminal(command, environ, self.home)

    def _run(self, command: list[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command,
            env=self.environ,
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=_PATIENCE,
            check=False,
        )


@contextmanager
def in_own_terminal(
    command: list[str], environ: Mapping[str, str], directory: Path
) -> Iterator[Terminal]:
    """Run a client in a terminal; what it started goes with it: npm's command is only a
    wrapper of the client itself."""
    with in_terminal(command, environ, directory) as terminal:
        try:
            yield terminal
        finally:
            with suppress(ProcessLookupError):
                os.killpg(terminal.process.pid, signal.SIGKILL)


def _node() -> tuple[str, ...]:
    """Return where node is: both clients are started by it."""
    found = shutil.which("node")
    return (str(Path(found).parent),) if found else ()
