"""OpenCode as an agent (`CodingAgent`): its sessions are read, and it is wired into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.agents.agent_defaults import AgentDefaults

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.agents.past_port import PastSessions
    from holdfast.agents.port import Transcripts, Wiring
    from holdfast.domain.event import Role


class OpenCode(AgentDefaults):
    """The OpenCode whose sessions are in the database `directory`."""

    name, title = "opencode", "OpenCode"
    resume_words = "opencode", "--session"
    inside = ("OPENCODE",)

    def transcripts(self, redact: Callable[[str], str], *, bulk: bool) -> Transcripts:
        del bulk  # there is one way to read
        from holdfast.agents.opencode.sessions import OpenCodeTranscripts

        return OpenCodeTranscripts(self._directory, redact)

    def past(self) -> PastSessions:
        from holdfast.agents.opencode.past import OpenCodePast
        from holdfast.agents.opencode.sessions import OpenCodeTranscripts

        reader = OpenCodeTranscripts(self._directory, str)
        return OpenCodePast(reader, self._directory)

    def skill_directories(self, workspace: str) -> tuple[str, ...]:
        own, _, _ = self._directory.rpartition("/")
        return f"{own}/skills", f"{workspace}/.agents/skills"

    def role_of(self, tool: str) -> Role:
        from holdfast.agents.opencode.tools import TOOLS

        return TOOLS.role_of(tool)

    def tool_for(self, role: Role) -> str:
        from holdfast.agents.opencode.tools import TOOL_FOR

        return TOOL_FOR.get(role, "")

    def wiring(self, *, home: str, workspace: str, python: str) -> Wiring:
        from holdfast.agents.opencode.wiring import opencode_wiring

        return opencode_wiring(
            self._directory,
            home=home,
            workspace=workspace,
            python=python,
            environ=self._environ,
        )
