"""What is true of an agent until its folder says otherwise: its sessions are read, and it
keeps nothing else that is ours to read or write."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.agents.past_port import NativeSessions
    from holdfast.agents.port import ClientMemory, Wiring
    from holdfast.domain.code import DeniedFiles
    from holdfast.domain.query import HealthResult
    from holdfast.domain.session import Turn

_EVENTS = ("SessionStart", "SessionEnd", "Stop", "PreCompact", "UserPromptSubmit")


class AgentDefaults:
    """An agent of which transcripts are read, and nothing else is asked."""

    name = ""
    title = ""
    sessions = ""  # where they are below `directory`; empty: it is all of it
    no_sessions_hint = "nothing to do if it is not used"
    resume_words: tuple[str, ...] = ()  # of its command line; an id follows
    inside: tuple[str, ...] = ()  # the variables of what its client starts

    def __init__(self, directory: str, environ: Mapping[str, str]) -> None:
        self._directory = directory
        self._environ = environ

    @property
    def hook_events(self) -> Mapping[str, str]:
        return {name: name for name in _EVENTS}

    def hook_input(self, given: Mapping[str, Any], pid: int) -> Mapping[str, Any]:
        del pid
        return given

    def native(self) -> NativeSessions | None:
        """Its own format is not written."""
        return None

    def going_on(self, session_id: str) -> tuple[str, ...]:
        return (*self.resume_words, session_id)

    def beginning_with(self, brief: str) -> tuple[str, ...]:
        del brief
        return ()

    def wiring(self, *, home: str, workspace: str, python: str) -> Wiring:
        from holdfast.kernel.errors import UsageWrong

        del home, workspace, python
        raise UsageWrong(
            f"this version cannot be installed into {self.title}",
            hint=f"save by hand: `holdfast save --agent {self.name}`",
        )

    def memory(self, project: str, workspace: str) -> ClientMemory | None:
        del project, workspace
        return None

    def live_session(self, pid: int, started: str) -> str | None:
        del pid, started
        return None

    def denied_files(self, roots: Sequence[str]) -> DeniedFiles:
        from holdfast.domain.code import DeniedFiles

        del roots
        return DeniedFiles()

    def skill_directories(self, workspace: str) -> tuple[str, ...]:
        return f"{self._directory}/skills", f"{workspace}/.agents/skills"

    def standing_texts(self, tools: Sequence[str]) -> tuple[str, ...]:
        return tuple(tools)

    def may_lose_lines(self, workspace: str, pid: int) -> bool:
        del workspace, pid
        return False

    def health(self) -> HealthResult:
        from holdfast.domain.query import HealthResult

        place = f"{self._directory}/{self.sessions}".rstrip("/")
        if os.path.exists(place):
            return HealthResult(self.name, "ok", f"sessions found in `{place}`")
        missing = f"no sessions of {self.title} in `{place}`"
        return HealthResult(self.name, "warn", missing, self.no_sessions_hint)

    def upgraded(self, turn: Turn) -> Turn:
        return turn
