"""Gemini CLI as an agent (`CodingAgent`): each part is imported when it is asked for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.agents.port import ClientMemory, Transcripts, Wiring
    from holdfast.domain.code import DeniedFiles
    from holdfast.domain.event import Role
    from holdfast.domain.query import HealthResult
    from holdfast.domain.session import Turn

NAME = "gemini"
_EVENTS = {
    "SessionStart": "SessionStart",
    "SessionEnd": "SessionEnd",
    "BeforeAgent": "UserPromptSubmit",
    "AfterAgent": "Stop",
    "PreCompress": "PreCompact",
}
_PROMPTED = frozenset([b"-p", b"--prompt"])


class Gemini:
    """The Gemini CLI whose settings and sessions are below `directory`."""

    def __init__(self, directory: str, environ: Mapping[str, str]) -> None:
        self._directory = directory
        self._environ = environ

    @property
    def name(self) -> str:
        return NAME

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

    def past(self) -> None:
        """Sessions that nobody saved are not read."""

    def native(self) -> None:
        """Its own format is not written."""

    def role_of(self, tool: str) -> Role:
        from holdfast.agents.gemini.tools import role_of

        return role_of(tool)

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

    def memory(self, project: str, workspace: str) -> ClientMemory | None:
        del project, workspace  # it keeps none that another could write to
        return None

    def live_session(self, pid: int, started: str) -> str | None:
        del pid, started  # it leaves no note of that: hooks know
        return None

    def denied_files(self, roots: Sequence[str]) -> DeniedFiles:
        from holdfast.domain.code import DeniedFiles

        del roots  # what it may not read is a matter of the project's own files
        return DeniedFiles()

    def skill_directories(self, workspace: str) -> tuple[str, ...]:
        return f"{self._directory}/skills", f"{workspace}/.gemini/skills"

    def standing_texts(self, tools: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"mcp_holdfast_{tool}" for tool in tools)

    def may_lose_lines(self, workspace: str, pid: int) -> bool:
        del workspace, pid
        return False

    def health(self) -> HealthResult:
        from holdfast.domain.query import HealthResult

        if os.path.isdir(f"{self._directory}/tmp"):  # noqa: S108  # the client's own name
            return HealthResult(
                "gemini", "ok", f"sessions found in `{self._directory}`"
            )
        return HealthResult(
            "gemini",
            "warn",
            f"no sessions of Gemini CLI in `{self._directory}`",
            "set `GEMINI_CLI_HOME` if they are elsewhere",
        )

    def upgraded(self, turn: Turn) -> Turn:
        return turn


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
