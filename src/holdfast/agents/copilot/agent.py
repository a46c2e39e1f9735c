"""Copilot CLI as an agent (`CodingAgent`): its sessions are read.

It also runs the hooks that a repository's settings of Claude Code name, with the same
fields: such a hook is told by its transcript whom it talks to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.agents.agent_defaults import AgentDefaults

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.agents.past_port import PastSessions
    from holdfast.agents.port import Transcripts
    from holdfast.domain.event import Role

NAME = "copilot"


class Copilot(AgentDefaults):
    """The Copilot CLI whose sessions are below `directory`."""

    name, title, sessions = NAME, "Copilot CLI", "session-state"
    resume_words = "copilot", "--resume"
    inside = "COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"

    def transcripts(self, redact: Callable[[str], str], *, bulk: bool) -> Transcripts:
        del bulk  # there is one way to read
        from holdfast.agents.copilot.sessions import CopilotTranscripts

        return CopilotTranscripts(self._directory, redact)

    def past(self) -> PastSessions:
        from holdfast.agents.copilot.sessions import CopilotTranscripts
        from holdfast.agents.past_files import PastFiles

        return PastFiles(CopilotTranscripts(self._directory, str))

    def role_of(self, tool: str) -> Role:
        from holdfast.agents.copilot.tools import TOOLS

        return TOOLS.role_of(tool)

    def tool_for(self, role: Role) -> str:
        from holdfast.agents.copilot.tools import TOOL_FOR

        return TOOL_FOR.get(role, "")
