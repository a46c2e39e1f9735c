"""pi as an agent (`CodingAgent`): its sessions are read, and it is wired into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.agents.agent_defaults import AgentDefaults

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.agents.past_port import NativeSessions, PastSessions
    from holdfast.agents.port import Transcripts, Wiring
    from holdfast.domain.event import Role


class Pi(AgentDefaults):
    """The pi whose sessions are below `directory`."""

    name, title, sessions = "pi", "pi", "sessions"
    resume_words = "pi", "--session"
    inside = ("PI_CODING_AGENT",)

    def transcripts(self, redact: Callable[[str], str], *, bulk: bool) -> Transcripts:
        del bulk  # there is one way to read
        from holdfast.agents.pi.sessions import PiTranscripts

        return PiTranscripts(self._directory, redact)

    def past(self) -> PastSessions:
        from holdfast.agents.past_files import PastFiles
        from holdfast.agents.pi.sessions import PiTranscripts

        return PastFiles(PiTranscripts(self._directory, str))

    def native(self) -> NativeSessions:
        from holdfast.agents.pi.native import PiConversations

        return PiConversations(self._directory)

    def role_of(self, tool: str) -> Role:
        from holdfast.agents.pi.tools import TOOLS

        return TOOLS.role_of(tool)

    def tool_for(self, role: Role) -> str:
        from holdfast.agents.pi.tools import TOOL_FOR

        return TOOL_FOR.get(role, "")

    def wiring(self, *, home: str, workspace: str, python: str) -> Wiring:
        from holdfast.agents.pi.wiring import pi_wiring

        return pi_wiring(
            self._directory,
            home=home,
            workspace=workspace,
            python=python,
            environ=self._environ,
        )
