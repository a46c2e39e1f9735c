"""Claude Code as an agent (`CodingAgent`): each part is imported when it is asked for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.agents.past_port import NativeSessions, PastSessions
    from holdfast.agents.port import ClientMemory, Transcripts, Wiring
    from holdfast.domain.code import DeniedFiles
    from holdfast.domain.event import Role
    from holdfast.domain.query import HealthResult
    from holdfast.domain.session import Turn

NAME = "claude-code"
_EVENTS = ("SessionStart", "SessionEnd", "Stop", "PreCompact", "UserPromptSubmit")
# Bytes that the standard library reads while what reads in bulk is imported.
_MUCH = 4_000_000


class ClaudeCode:
    """The Claude Code whose settings and transcripts are below `directory`."""

    def __init__(self, directory: str, environ: Mapping[str, str]) -> None:
        self._directory = directory
        self._environ = environ

    @property
    def name(self) -> str:
        return NAME

    @property
    def title(self) -> str:
        return "Claude Code"

    @property
    def inside(self) -> tuple[str, ...]:
        return ("CLAUDECODE",)

    @property
    def hook_events(self) -> Mapping[str, str]:
        return {name: name for name in _EVENTS}

    def hook_input(self, given: Mapping[str, Any], pid: int) -> Mapping[str, Any]:
        del pid
        return given  # what others say is put into its words

    def role_of(self, tool: str) -> Role:
        from holdfast.agents.claude_code.tools import TOOLS

        return TOOLS.role_of(tool)

    def tool_for(self, role: Role) -> str:
        from holdfast.agents.claude_code.tools import TOOL_FOR

        return TOOL_FOR.get(role, "")

    def transcripts(self, redact: Callable[[str], str], *, bulk: bool) -> Transcripts:
        from holdfast.agents.claude_code.transcript.transcripts import (
            ClaudeCodeTranscripts,
        )

        return ClaudeCodeTranscripts(
            self._directory, redact, bulk=bulk, bulk_from=_MUCH
        )

    def past(self) -> PastSessions:
        from holdfast.agents.claude_code.transcript.past import ClaudeCodePast

        return ClaudeCodePast(self._directory)

    def native(self) -> NativeSessions:
        from holdfast.agents.claude_code.transcript.native import (
            ClaudeCodeConversations,
        )

        return ClaudeCodeConversations(self._directory)

    def going_on(self, session_id: str) -> tuple[str, ...]:
        return "claude", "--resume", session_id

    def beginning_with(self, brief: str) -> tuple[str, ...]:
        return "claude", "--append-system-prompt-file", brief

    def wiring(self, *, home: str, workspace: str, python: str) -> Wiring:
        from holdfast.agents.claude_code.wiring.installing import ClaudeCodeWiring

        return ClaudeCodeWiring(
            home=home,
            claude_dir=self._directory,
            workspace=workspace,
            python=python,
            environ=self._environ,
        )

    def memory(self, project: str, workspace: str) -> ClientMemory | None:
        from holdfast.agents.claude_code.memory import claude_memory

        return claude_memory(
            self._directory,
            project,
            workspace=workspace,
            user_home=self._environ.get("HOME", ""),
            environ=self._environ,
        )

    def live_session(self, pid: int, started: str) -> str | None:
        from holdfast.agents.claude_code.config_files import live_session

        return live_session(self._directory, pid, started)

    def denied_files(self, roots: Sequence[str]) -> DeniedFiles:
        from holdfast.agents.claude_code.config_files import denied_files

        return denied_files(self._directory, self._environ.get("HOME", ""), roots)

    def skill_directories(self, workspace: str) -> tuple[str, ...]:
        return f"{self._directory}/skills", f"{workspace}/.claude/skills"

    def standing_texts(self, tools: Sequence[str]) -> tuple[str, ...]:
        from holdfast.agents.claude_code.wiring.plugin import standing_texts

        return standing_texts(tools)

    def may_lose_lines(self, workspace: str, pid: int) -> bool:
        from holdfast.agents.claude_code.wiring.screen_mode import may_lose_lines

        return may_lose_lines(self._environ, self._directory, workspace, pid)

    def health(self) -> HealthResult:
        from holdfast.domain.query import HealthResult

        if os.path.isdir(f"{self._directory}/projects"):
            return HealthResult("transcripts", "ok", f"found in `{self._directory}`")
        return HealthResult(
            "transcripts",
            "warn",
            f"none of Claude Code's in `{self._directory}`",
            "set `CLAUDE_CONFIG_DIR` if they are elsewhere",
        )

    def upgraded(self, turn: Turn) -> Turn:
        from holdfast.agents.claude_code.legacy import upgraded

        return upgraded(turn)
