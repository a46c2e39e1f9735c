"""Codex CLI as an agent (`CodingAgent`): each part is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.agents.agent_defaults import AgentDefaults

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.agents.past_port import NativeSessions, PastSessions
    from holdfast.agents.port import Transcripts, Wiring
    from holdfast.domain.event import Role

NAME = "codex"


class Codex(AgentDefaults):
    """The Codex CLI whose configuration and rollouts are below `directory`."""

    name, title, sessions = NAME, "Codex CLI", "sessions"
    no_sessions_hint = "set `CODEX_HOME` if they are elsewhere"
    resume_words = "codex", "resume"
    inside = "CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"

    def hook_input(self, given: Mapping[str, Any], pid: int) -> Mapping[str, Any]:
        """It says `other` at every end: of a session that was cleared, too. A server in
        the background may run the hooks of all its windows."""
        del pid
        from holdfast.agents.codex.rollout.rollouts import is_headless

        path = given.get("transcript_path")
        alone = isinstance(path, str) and is_headless(path)
        return {**given, "reason": "", "headless": alone, "has_windows": True}

    def transcripts(self, redact: Callable[[str], str], *, bulk: bool) -> Transcripts:
        del bulk  # there is one way to read
        from holdfast.agents.codex.rollout.rollouts import CodexTranscripts

        return CodexTranscripts(self._directory, redact)

    def past(self) -> PastSessions:
        from holdfast.agents.codex.rollout.rollouts import CodexTranscripts
        from holdfast.agents.past_files import PastFiles

        return PastFiles(CodexTranscripts(self._directory, str))

    def native(self) -> NativeSessions:
        from holdfast.agents.codex.rollout.native import CodexConversations

        return CodexConversations(self._directory)

    def role_of(self, tool: str) -> Role:
        from holdfast.agents.codex.tools import TOOLS

        return TOOLS.role_of(tool)

    def tool_for(self, role: Role) -> str:
        from holdfast.agents.codex.tools import TOOL_FOR

        return TOOL_FOR.get(role, "")

    def wiring(self, *, home: str, workspace: str, python: str) -> Wiring:
        from holdfast.agents.codex.wiring import codex_wiring

        return codex_wiring(
            self._directory,
            home=home,
            workspace=workspace,
            python=python,
            environ=self._environ,
        )

    def skill_directories(self, workspace: str) -> tuple[str, ...]:
        return f"{self._directory}/skills", f"{workspace}/.codex/skills"

    def standing_texts(self, tools: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"mcp__holdfast__{tool}" for tool in tools)
