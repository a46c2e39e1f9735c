"""Sessions of agents that cannot be wired into: saved by hand, resumed anywhere."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from zstandard import ZstdCompressor

from tests.unit.agents import (
    codex_lines as codex,
    test_copilot as copilot,
    test_pi as pi,
)
from tests.unit.agents.opencode_rows import SESSION as OPENCODE, OpenCodeData

pytestmark = pytest.mark.process

_GOAL = "Fix the parser so that nested input works. Never touch the lexer."


class Machine:
    """A home and a project, and what each agent has written down there."""

    def __init__(self, root: Path) -> None:
        self.user, self.project = root / "user", root / "project"
        self.project.mkdir()
        self.user.mkdir()
        self.data = root / "data"
        self.environ = {
            "PATH": os.defpath,
            "HOME": str(self.user),
            "HOLDFAST_HOME": str(self.data),
        }

    def holdfast(self, *words: str) -> Any:
        return json.loads(self._run(*words, "--json").stdout)

    def said(self, *words: str) -> str:
        return self._run(*words).stdout

    def status(self, *words: str) -> int:
        return self._run(*words).returncode

    def hook(self, agent: str, name: str, event: dict[str, str]) -> None:
        """Let an agent's client call us at an event."""
        subprocess.run(
            [sys.executable, "-m", "holdfast", "hook", name, "--agent", agent],
            env=self.environ,
            cwd=self.project,
            input=json.dumps(event).encode(),
            check=True,
        )

    def _run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "holdfast", *words],
            env=self.environ,
            cwd=self.project,
            capture_output=True,
            text=True,
            check=False,
        )

    def opencode(self, goal: str = _GOAL) -> str:
        place = self.user / ".local" / "share" / "opencode"
        OpenCodeData(place, str(self.project)).work(goal)
        return OPENCODE

    def copilot(self, goal: str = _GOAL) -> str:
        path = copilot.write(self.user / ".copilot", copilot.typed(goal))
        text = path.read_text().replace("/code/here", str(self.project))
        path.write_text(text)
        return copilot.SESSION

    def pi(self, goal: str = _GOAL) -> str:
        path = pi.write(self.user / ".pi" / "agent", pi.user(1, None, goal))
        text = path.read_text().replace("/code/here", str(self.project))
        path.write_text(text)
        dashed = str(self.project).strip("/").replace("/", "-")
        path.parent.rename(path.parent.with_name(f"--{dashed}--"))
        return pi.SESSION


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("agent", ["opencode", "copilot", "pi"])
def test_a_session_is_saved_by_its_id_or_as_the_newest_here(
    machine: Machine, agent: str
) -> None:
    """The id is the agent's own, also where it is no UUID."""
    session = getattr(machine, agent)()

    saved = machine.holdfast("save", "--agent", agent, "--session", session)
    newest = machine.holdfast("save", "--agent", agent, "--title", "again")
    told = machine.holdfast("resume", "1")

    record = saved["checkpoint"]
    assert (record["agent"]["name"], record["session_id"]) == (agent, session)
    assert record["id"].startswith("ccp-")
    assert newest["checkpoint"]["session_id"] == session
    assert _GOAL in json.dumps(told)


def test_a_session_whose_id_is_no_uuid_is_found_again_by_it(machine: Machine) -> None:
    """Inside a checkpoint's id stands a UUID made of it, always the same."""
    session = machine.opencode()
    first = machine.holdfast("save", "--agent", "opencode", "--session", session)
    second = machine.holdfast(
        "save", "--agent", "opencode", "--session", session, "--title", "x"
    )

    listed = machine.holdfast("list", "--session", session)["checkpoints"]

    assert [one["id"] for one in listed] == [
        second["checkpoint"]["id"],
        first["checkpoint"]["id"],
    ]
    assert first["checkpoint"]["id"][:40] == second["checkpoint"]["id"][:40]
    assert machine.holdfast("show", f"session:{session}")["number"] == 2


@pytest.mark.parametrize("agent", ["opencode", "copilot", "pi"])
def test_no_secret_of_any_agents_session_is_kept(machine: Machine, agent: str) -> None:
    """Every text of a transcript passes redaction, whoever wrote it."""
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5"
    session = getattr(machine, agent)(f"{_GOAL} The token is {secret}.")

    saved = machine.holdfast("save", "--agent", agent, "--session", session)

    assert _GOAL[:30] in json.dumps(saved)
    kept = [p for p in machine.data.rglob("*") if p.is_file()]
    assert [p for p in kept if secret.encode() in p.read_bytes()] == []


def test_the_session_of_a_client_is_not_taken_for_another_agents(
    machine: Machine,
) -> None:
    """Claude Code names its own session to all that it starts."""
    machine.environ["CLAUDE_CODE_SESSION_ID"] = codex.OTHER

    session = machine.pi()
    saved = machine.holdfast("save", "--agent", "pi")

    assert saved["checkpoint"]["session_id"] == session


def test_a_fork_whose_beginning_is_gone_is_saved_and_that_is_said(
    machine: Machine,
) -> None:
    base = {"thread_id": codex.THREAD, "end_byte_offset": 900}
    forked = codex.meta(codex.OTHER, history_base=base, cwd=str(machine.project))
    rollouts = codex.Rollouts(machine.user / ".codex")
    rollouts.write(forked, codex.typed(_GOAL), name=codex.name_of(codex.OTHER))

    saved = machine.holdfast("save", "--agent", "codex", "--session", codex.OTHER)

    assert saved["status"] == "PARTIAL"
    assert "continues is gone" in json.dumps(saved)
    assert _GOAL in json.dumps(saved["checkpoint"]["content"]["requests"])


def test_a_compressed_session_that_ends_early_is_saved_and_that_is_said(
    machine: Machine,
) -> None:
    lines = [codex.meta(cwd=str(machine.project)), codex.typed(_GOAL)]
    filler = [codex.said(os.urandom(400).hex()) for _ in range(400)]
    rollouts = codex.Rollouts(machine.user / ".codex")
    path = rollouts.path(f"{codex.name_of()}.zst")
    packed = ZstdCompressor().compress(codex.raw(*lines, *filler))
    path.write_bytes(packed[: len(packed) * 3 // 4])

    saved = machine.holdfast("save", "--agent", "codex", "--session", codex.THREAD)

    assert saved["status"] == "PARTIAL"
    assert "ends early" in json.dumps(saved)
    assert _GOAL in json.dumps(saved["checkpoint"]["content"]["requests"])


def test_what_cannot_be_wired_into_is_said(machine: Machine) -> None:
    done = machine.holdfast("install", "copilot")

    assert done["type"] == "error"
    assert "cannot be installed into" in done["message"]


@pytest.mark.parametrize("agent", ["opencode", "copilot"])
@pytest.mark.parametrize("how", ["--fork", "--before-compact"])
def test_a_session_in_a_form_that_is_not_written_is_not_begun_anew(
    machine: Machine, agent: str, how: str
) -> None:
    """It goes on in that agent, as it is; a new one is given the brief."""
    getattr(machine, agent)()
    machine.holdfast("save", "--agent", agent)

    refused = machine.holdfast("open", "1", how)

    assert refused["code"] == "OPEN_001"
    assert "whose format holdfast cannot write" in refused["message"]
    assert "`holdfast resume 1` prints its brief" in refused["hint"]


_GOES_ON = {
    "opencode": ("opencode", "--session"),
    "copilot": ("copilot", "--resume"),
    "pi": ("pi", "--session"),
}


@pytest.mark.parametrize("agent", [*_GOES_ON])
def test_a_session_of_another_agent_goes_on_there(machine: Machine, agent: str) -> None:
    """In the directory it began in, from which its client finds it."""
    session = getattr(machine, agent)()
    machine.holdfast("save", "--agent", agent)

    told = machine.holdfast("open", "1")
    native = machine.holdfast("open", "1", "--native")

    assert told["command"] == [*_GOES_ON[agent], session]
    assert (told["directory"], told["written"]) == (str(machine.project), None)
    assert native == told


@pytest.mark.parametrize(("agent", "files"), [("pi", "*.jsonl"), ("copilot", "*")])
def test_a_session_that_another_agent_has_no_more_begins_with_its_brief(
    machine: Machine, agent: str, files: str
) -> None:
    getattr(machine, agent)()
    machine.holdfast("save", "--agent", agent)
    for path in (machine.user / f".{agent}").rglob(files):
        if path.is_file():
            path.unlink()

    told = machine.holdfast("open", "1")
    refused = machine.holdfast("open", "1", "--native")

    assert told["command"][0] == "claude"
    assert _GOAL in told["brief"]
    assert "is gone" in refused["message"]
    assert refused["hint"] == "`holdfast open 1` starts with its brief"


def test_a_session_whose_directory_moved_is_not_begun_elsewhere(
    machine: Machine,
) -> None:
    """Its client would not find it there."""
    machine.copilot()
    saved = machine.holdfast("save", "--agent", "copilot")["checkpoint"]["id"]
    machine.project = machine.project.rename(machine.project.with_name("moved"))

    refused = machine.holdfast("open", saved, "--native")

    assert "which does not exist" in refused["message"]


def test_doctor_says_how_much_of_each_agents_lines_was_understood(
    machine: Machine,
) -> None:
    """By agent and version: what is not understood is the first sign of a new format."""
    for agent in ("opencode", "copilot", "pi"):
        getattr(machine, agent)()
    path = next((machine.user / ".pi").rglob("*.jsonl"))
    path.write_text(path.read_text() + '{"type":"brand_new"}\n{"type":"brand_new"}\n')

    checks = machine.holdfast("doctor")["checks"]

    told = {check["name"]: check for check in checks}
    assert "all of" in told["copilot"]["message"]
    assert "1.0.102" in told["copilot"]["message"]
    assert "1.18.33" in told["opencode"]["message"]
    assert told["pi"]["state"] == "warn"
    assert "2 of 4 lines" in told["pi"]["message"]
    assert "brand_new" in told["pi"]["message"]
    assert "codex" not in told


def test_a_conversation_that_is_not_shared_is_said_and_its_checkpoint_is(
    machine: Machine,
) -> None:
    """Only those with Claude Code are: nobody is sent to look for another's on disk."""
    session = machine.pi()
    machine.holdfast("save", "--agent", "pi", "--session", session)

    told = machine.holdfast("export", "1", "--transcript", "-o", "it.zip", "--yes")

    assert "is pi's: only those of claude-code can be shared" in str(told["missing"])
    assert told["transcripts"] == []
    assert (machine.project / "it.zip").exists()
