"""What the real pi and the real OpenCode write is read to its last line, and kept.

Neither is wired into: they work as on any machine, and a backfill comes afterwards.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.agents.packages import OPENCODE, PI, NpmPackage, command_of
from tests.e2e.client.clients import ClientMissing
from tests.e2e.client.stub import Stub, call, say, serving
from tests.e2e.client.world import a_project
from tests.missing import without

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

_GOAL = "Fix the parser so that nested input works."
_LATER = "And now the lexer."
_PATIENCE = 300  # seconds: two cores may be busy with other clients
_MODEL = "some-model"


@dataclass(frozen=True, slots=True)
class Machine:
    """A home and a project on which one client works, and a model that it asks."""

    stub: Stub
    home: Path
    project: Path
    words: tuple[str, ...]  # that run the client

    def run(self, *words: str) -> None:
        done = self._run([*self.words, *words])
        assert done.returncode == 0, done.stderr

    def holdfast(self, *words: str) -> Any:
        done = self._run([sys.executable, "-m", "holdfast", *words, "--json"])
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    def _run(self, command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        node = shutil.which("node")
        places = [str(Path(node).parent)] if node else []
        return subprocess.run(
            command,
            env={
                "HOME": str(self.home),
                "PATH": os.pathsep.join((*places, os.defpath)),
                "LANG": "C.UTF-8",
                "TERM": "dumb",
                "PI_OFFLINE": "1",
                "OPENCODE_DISABLE_MODELS_FETCH": "1",
                "OPENCODE_DISABLE_AUTOUPDATE": "1",
                "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
                "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
                "HOLDFAST_HOME": str(self.home / "data"),
            },
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=_PATIENCE,
            check=False,
        )


@pytest.fixture
def stub() -> Iterator[Stub]:
    with serving() as stub:
        yield stub


def _command(wanted: NpmPackage) -> str:
    try:
        return command_of(wanted)
    except ClientMissing as missing:
        without(f"no {wanted.package} to test with: {missing}")


def _settings(path: Path, settings: object) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(settings))


@pytest.fixture
def pi(stub: Stub, tmp_path: Path) -> Machine:
    command, home = _command(PI), tmp_path / "user"
    model = {"baseUrl": stub.url, "api": "anthropic-messages", "apiKey": "fake"}
    known = {"providers": {"stub": {**model, "models": [{"id": _MODEL}]}}}
    _settings(home / ".pi" / "agent" / "models.json", known)
    words = (command, "--model", f"stub/{_MODEL}", "--print")
    return Machine(stub, home, a_project(tmp_path / "project"), words)


@pytest.fixture
def opencode(stub: Stub, tmp_path: Path) -> Machine:
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
    return Machine(stub, home, a_project(tmp_path / "project"), (command, "run"))


def _kept(machine: Machine, agent: str) -> Any:
    """Keep what lies there; return the one record of it, and what doctor says."""
    done = machine.holdfast("backfill")
    assert (done["sessions"], done["checkpoints"], done["unread"]) == (1, 1, []), done
    checks = machine.holdfast("doctor")["checks"]
    told = next(check for check in checks if check["name"] == agent)
    assert (told["state"], "all of" in told["message"]) == ("ok", True), told
    return machine.holdfast("show", "1")


def _is_whole(record: Any, agent: str) -> None:
    content = record["content"]
    asked = [item["text"] for item in content["requests"]]
    assert [text.strip('"') for text in asked] == [_GOAL, _LATER]
    assert "exit 1" in content["errors"][0]["text"]
    assert [file["path"] for file in content["files_referenced"]] == ["parser.py"]
    assert record["agent"]["name"] == agent


def test_a_session_of_the_real_pi_is_kept_whole(pi: Machine) -> None:
    """Prompts, a command that failed, an edit, and a second run that went on."""
    edit = {"oldText": "return 1", "newText": "return 2"}
    pi.stub.will(
        call("bash", command="sh run-tests"),
        call("edit", path="parser.py", edits=[edit]),
        say("The parser returns 2 now."),
    )

    pi.run(_GOAL)
    pi.run("--continue", _LATER)

    _is_whole(_kept(pi, "pi"), "pi")


def test_a_session_of_the_real_opencode_is_kept_whole(opencode: Machine) -> None:
    """The same, from rows of a database."""
    change = {"oldString": "return 1", "newString": "return 2"}
    opencode.stub.will(
        call("bash", command="sh run-tests", description="run the tests"),
        call("edit", filePath=str(opencode.project / "parser.py"), **change),
        say("The parser returns 2 now."),
    )

    opencode.run(_GOAL)
    opencode.run("--continue", _LATER)

    record = _kept(opencode, "opencode")
    _is_whole(record, "opencode")
    assert record["agent"]["version"] == OPENCODE.version
