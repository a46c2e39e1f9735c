"""Gemini CLI as an agent (`CodingAgent`): each part is imported when it is asked for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from holdfast.agents.agent_defaults import AgentDefaults

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.agents.past_port import NativeSessions, PastSessions
    from holdfast.agents.port import Transcripts, Wiring
    from holdfast.domain.event import Role

NAME = "gemini"
_EVENTS = {
    "SessionStart": "SessionStart",
    "SessionEnd": "SessionEnd",
    "BeforeAgent": "UserPromptSubmit",
    "AfterAgent": "Stop",
    "PreCompress": "PreCompact",
}
_PROMPTED = frozenset([b"-p", b"--prompt"])


class Gemini(AgentDefaults):
    """The Gemini CLI whose settings and sessions are below `directory`."""

    name, title, sessions = NAME, "Gemini CLI", "tmp"
    no_sessions_hint = "set `GEMINI_CLI_HOME` if they are elsewhere"
    resume_words = "gemini", "--resume"
    inside = ("GEMINI_CLI",)

    @property
    def hook_events(self) -> Mapping[str, str]:
        return _EVENTS

    def hook_input(self, given: Mapping[str, Any], pid: int) -> Mapping[str, Any]:
        """What it read from a hook stands before a prompt that is given on the command
        line. What a hook says after a clear is shown, and not given to the model."""
        is_deaf = given.get("source") == "clear"
        said = {**given, "headless": is_headless(pid), "is_deaf": is_deaf}
        if isinstance(prompt := given.get("prompt"), str):
            from holdfast.agents.gemini.chats import typed

            said["prompt"] = typed(prompt)[0]
        if answer := given.get("prompt_response"):
            said["last_assistant_message"] = answer
        return said

    def transcripts(self, redact: Callable[[str], str], *, bulk: bool) -> Transcripts:
        del bulk  # there is one way to read
        from holdfast.agents.gemini.sessions import GeminiTranscripts

        return GeminiTranscripts(self._directory, redact)

    def past(self) -> PastSessions:
        from holdfast.agents.gemini.sessions import GeminiTranscripts
        from holdfast.agents.past_files import PastFiles

        return PastFiles(GeminiTranscripts(self._directory, str))

    def native(self) -> NativeSessions:
        from holdfast.agents.gemini.native import GeminiConversations

        return GeminiConversations(self._directory)

    def role_of(self, tool: str) -> Role:
        from holdfast.agents.gemini.tools import TOOLS

        return TOOLS.role_of(tool)

    def tool_for(self, role: Role) -> str:
        from holdfast.agents.gemini.tools import TOOL_FOR

        return TOOL_FOR.get(role, "")

    def wiring(self, *, home: str, workspace: str, python: str) -> Wiring:
        from holdfast.agents.gemini.wiring import gemini_wiring

        return gemini_wiring(
            self._directory,
            home=home,
            workspace=workspace,
            python=python,
            environ=self._environ,
        )

    def skill_directories(self, workspace: str) -> tuple[str, ...]:
        return f"{self._directory}/skills", f"{workspace}/.gemini/skills"

    def standing_texts(self, tools: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"mcp_holdfast_{tool}" for tool in tools)


def is_headless(pid: int) -> bool:
    """Say whether nobody types into a client: it was given its prompt, or has no
    terminal. Where neither can be seen, somebody is taken to be there."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read(64 * 1024).split(b"\0")
        source = os.readlink(f"/proc/{pid}/fd/0")
    except OSError:
        return False
    return bool(_PROMPTED & {*words}) or not source.startswith(
        ("/dev/pts/", "/dev/tty")
    )
