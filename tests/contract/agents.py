"""Coding agents on a machine of their own: a second agent is one more row of `AGENTS`."""

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from holdfast.agents.claude_code.agent import ClaudeCode
from holdfast.agents.codex.agent import Codex
from holdfast.agents.gemini.agent import Gemini
from holdfast.agents.past_port import NativeSessions, PastSessions
from holdfast.agents.pi.agent import Pi
from holdfast.agents.port import ClientMemory, CodingAgent, InstallScope, Wiring
from holdfast.domain.session import Call, Turn
from tests.unit.agents import test_pi as pi_lines
from tests.unit.agents.building import SESSION, raw, user
from tests.unit.agents.codex_lines import Rollouts, meta, typed
from tests.unit.agents.gemini_lines import Chats, typed as said_by_user


class Machine(Protocol):
    """Where one agent is installed, and how its files come to say something.

    `home` is for our data, `project` is where the user works.
    """

    name: str
    home: Path
    project: Path
    can: frozenset[str]  # what not every agent has: as Claude Code has it

    @property
    def agent(self) -> CodingAgent:
        """The agent that is installed here."""
        ...

    @property
    def absent(self) -> CodingAgent:
        """The same agent where nobody ever started it."""
        ...

    @property
    def plans(self) -> Path:
        """Where it keeps plans of its own."""
        ...

    def settings(self, scope: InstallScope) -> Path:
        """The file that an install of a scope changes."""
        ...

    def write_settings(self, scope: InstallScope) -> str:
        """Write settings as a person laid them out, and return the text."""
        ...

    def write_transcript(self, prompt: str) -> Path:
        """Write the transcript of a session with one prompt."""
        ...

    def break_wiring(self) -> None:
        """Make what an install wrote answer no more."""
        ...

    def accept_hooks(self, scope: InstallScope) -> None:
        """Let the user accept what an install wrote, where the client asks for that."""
        ...

    def turn_memory_off(self) -> None:
        """Let the user want no automatic memory."""
        ...

    def deny(self, name: str) -> None:
        """Let the user forbid a file of the project."""
        ...

    def begin(self, pid: int, started: str) -> str:
        """Let a process be in a session, and return the session."""
        ...

    def drop_first_lines(self) -> CodingAgent:
        """Return the agent started so that it may not show what is said first."""
        ...

    def old_turn(self) -> tuple[Turn, Turn]:
        """Return a turn in an older form, and the same as it is kept today."""
        ...


class ClaudeCodeMachine:
    """Claude Code without its `claude` command."""

    name = "claude-code"
    can = frozenset(["remember", "note", "deny", "lose", "allow", "past", "native"])

    def __init__(self, root: Path) -> None:
        self.home, self.project = root / "home", root / "project"
        self.project.mkdir()
        self._root = root
        self._directory = root / ".claude"
        self._directory.mkdir()
        self._environ = {"PATH": os.defpath, "HOME": str(root)}

    @property
    def agent(self) -> CodingAgent:
        return ClaudeCode(str(self._directory), self._environ)

    @property
    def absent(self) -> CodingAgent:
        return ClaudeCode(str(self._root / "nowhere"), self._environ)

    @property
    def plans(self) -> Path:
        return self._directory / "plans"

    def settings(self, scope: InstallScope) -> Path:
        own = self.project / ".claude" if scope == "project" else self._directory
        return own / "settings.json"

    def write_settings(self, scope: InstallScope) -> str:
        text = (
            '{\n\t"model":   "x",  "hooks": {},\n\t"enabledPlugins": {"a@b": false}\n}'
        )
        path = self.settings(scope)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return text

    def write_transcript(self, prompt: str) -> Path:
        path = self._directory / "projects" / "-code-here" / f"{SESSION}.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(raw(user(prompt)))
        return path

    def accept_hooks(self, scope: InstallScope) -> None:
        """It asks nobody."""

    def break_wiring(self) -> None:
        launcher = self.home / "claude-code" / "holdfast" / "hooks" / "launch"
        launcher.write_text("#!/bin/sh\nexit 0\n")

    def turn_memory_off(self) -> None:
        self._say(autoMemoryEnabled=False)

    def deny(self, name: str) -> None:
        self._say(permissions={"deny": [f"Read(./{name})"]})

    def begin(self, pid: int, started: str) -> str:
        note = {"pid": pid, "sessionId": SESSION, "procStart": started}
        path = self._directory / "sessions" / f"{pid}.json"
        path.parent.mkdir()
        path.write_text(json.dumps(note))
        return SESSION

    def drop_first_lines(self) -> CodingAgent:
        started = {
            "AI_AGENT": "claude-code_2-1-325_harness",
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDE_CODE_NO_FLICKER": "0",
        }
        return ClaudeCode(str(self._directory), {**self._environ, **started})

    def old_turn(self) -> tuple[Turn, Turn]:
        old = Turn(calls=(Call("c1", "Bash", "ls", "u1", 5, "other"),))
        new = Turn(calls=(Call("c1", "Bash", "ls", "u1", 5, "run"),))
        return old, new

    def _say(self, **settings: object) -> None:
        self.settings("user").write_text(json.dumps(settings))


class PlainMachine:
    """What the machines of agents without a memory and rules of their own share."""

    can: frozenset[str] = frozenset()
    name = ""
    directory = ""  # of the client, in the user's home and in a project
    file = ""  # that an install changes

    def __init__(self, root: Path) -> None:
        self.home, self.project = root / "home", root / "project"
        self.project.mkdir()
        self.root = root
        self.own = root / self.directory
        self.own.mkdir()
        self.environ = {"PATH": os.defpath, "HOME": str(root)}

    @property
    def plans(self) -> Path:
        return self.own / "plans"

    def settings(self, scope: InstallScope) -> Path:
        project = self.project / self.directory
        return (project if scope == "project" else self.own) / self.file

    def write_settings(self, scope: InstallScope) -> str:
        text = (
            '{\n\t"model":   "x",  "hooks": {"Other": [ {"hooks": []} ]},\n\t"z": 1\n}'
        )
        path = self.settings(scope)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return text

    def accept_hooks(self, scope: InstallScope) -> None:
        """It asks nobody."""

    def break_wiring(self) -> None:
        (self.home / self.name / "launch").write_text("#!/bin/sh\nexit 0\n")

    def turn_memory_off(self) -> None:
        raise NotImplementedError

    def deny(self, name: str) -> None:
        raise NotImplementedError

    def begin(self, pid: int, started: str) -> str:
        raise NotImplementedError

    def drop_first_lines(self) -> CodingAgent:
        raise NotImplementedError

    def old_turn(self) -> tuple[Turn, Turn]:
        turn = Turn(calls=(Call("c1", "x", "ls", "u1", 5, "other"),))
        return turn, turn


class CodexMachine(PlainMachine):
    """Codex CLI without its `codex` command."""

    name, directory, file = "codex", ".codex", "hooks.json"
    can = frozenset(["past", "native"])

    @property
    def agent(self) -> CodingAgent:
        return Codex(str(self.own), self.environ)

    @property
    def absent(self) -> CodingAgent:
        return Codex(str(self.root / "nowhere"), self.environ)

    def accept_hooks(self, scope: InstallScope) -> None:
        path = self.settings(scope).resolve()
        listed = json.loads(path.read_text())["hooks"]
        places = [
            f"{path}:{name}:{place}:0"
            for event, entries in listed.items()
            for place, _ in enumerate(entries)
            for name in (re.sub("(?<!^)(?=[A-Z])", "_", event).lower(),)
        ]
        states = (f'[hooks.state."{one}"]\ntrusted_hash = "x"\n' for one in places)
        with (self.own / "config.toml").open("a") as config:
            config.write("".join(states))

    def write_transcript(self, prompt: str) -> Path:
        return Rollouts(self.own).write(meta(), typed(prompt))


class GeminiMachine(PlainMachine):
    """Gemini CLI without its `gemini` command."""

    name, directory, file = "gemini", ".gemini", "settings.json"
    can = frozenset(["past", "native"])

    @property
    def agent(self) -> CodingAgent:
        return Gemini(str(self.own), self.environ)

    @property
    def absent(self) -> CodingAgent:
        return Gemini(str(self.root / "nowhere"), self.environ)

    def write_transcript(self, prompt: str) -> Path:
        return Chats(self.own).write(said_by_user(prompt))


AGENTS: tuple[Callable[[Path], Machine], ...] = (
    ClaudeCodeMachine,
    CodexMachine,
    GeminiMachine,
)


class PiMachine(PlainMachine):
    """pi without its `pi` command: its sessions, and nothing of what it is wired by."""

    name, directory, file = "pi", ".pi", "settings.json"
    can = frozenset(["past", "native"])

    @property
    def agent(self) -> CodingAgent:
        return Pi(str(self.own), self.environ)

    @property
    def absent(self) -> CodingAgent:
        return Pi(str(self.root / "nowhere"), self.environ)

    def write_transcript(self, prompt: str) -> Path:
        return pi_lines.write(self.own, pi_lines.user(1, None, prompt))


def with_ability(ability: str) -> "pytest.MarkDecorator":
    """Run a test on the machines of those agents that have something."""
    able = [made for made in (*AGENTS, PiMachine) if ability in made.can]  # type: ignore[attr-defined]  # a class, as all are
    return pytest.mark.parametrize("machine", able, indirect=True)


def wiring_of(machine: Machine) -> Wiring:
    return machine.agent.wiring(
        home=str(machine.home), workspace=str(machine.project), python=sys.executable
    )


def memory_of(machine: Machine) -> ClientMemory:
    memory = machine.agent.memory(str(machine.project), str(machine.project))
    assert memory is not None
    return memory


def past_of(agent: CodingAgent) -> PastSessions:
    return agent.past()


def native_of(agent: CodingAgent) -> NativeSessions:
    native = agent.native()
    assert native is not None
    return native
