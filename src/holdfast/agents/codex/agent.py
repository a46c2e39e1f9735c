"""Codex CLI as an agent (`CodingAgent`): each part is imported when it is asked for."""

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

NAME = "codex"
_EVENTS = ("SessionStart", "SessionEnd", "Stop", "PreCompact", "UserPromptSubmit")


class Codex:
    """The Codex CLI whose configuration and rollouts are below `directory`."""

    def __init__(self, directory: str, environ: Mapping[str, str]) -> None:
        self._directory = directory
        self._environ = environ

    @property
    def name(self) -> str:
        return NAME

    @property
    def hook_events(self) -> Mapping[str, str]:
        return {name: name for name in _EVENTS}

    def hook_input(self, given: Mapping[str, Any], pid: int) -> Mapping[str, Any]:
        """It says `other` at every end: of a session that was cleared, too."""
        del pid
        from holdfast.agents.codex.rollout.rollouts import is_headless

        path = given.get("transcript_path")
        alone = isinstance(path, str) and is_headless(path)
        return {**given, "reason": "", "headless": alone}

    def transcripts(self, redact: Callable[[str], str], *, bulk: bool) -> Transcripts:
        del bulk  # there is one way to read
        from holdfast.agents.codex.rollout.rollouts import CodexTranscripts

        return CodexTranscripts(self._directory, redact)

    def past(self) -> None:
        """Sessions that nobody saved are not read."""

    def native(self) -> None:
        """Rollouts are not written."""

    def role_of(self, tool: str) -> Role:
        from holdfast.agents.codex.tools import role_of

        return role_of(tool)

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

    def memory(self, project: str, workspace: str) -> ClientMemory | None:
        del project, workspace  # it keeps none that another could write to
        return None

    def live_session(self, pid: int, started: str) -> str | None:
        del pid, started  # it leaves no note of that: hooks know
        return None

    def denied_files(self, roots: Sequence[str]) -> DeniedFiles:
        from holdfast.domain.code import DeniedFiles

        del roots  # what it may read is decided by its sandbox
        return DeniedFiles()

    def skill_directories(self, workspace: str) -> tuple[str, ...]:
        return f"{self._directory}/skills", f"{workspace}/.codex/skills"

    def standing_texts(self, tools: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"mcp__holdfast__{tool}" for tool in tools)

    def may_lose_lines(self, workspace: str, pid: int) -> bool:
        del workspace, pid
        return False

    def health(self) -> HealthResult:
        from holdfast.domain.query import HealthResult

        if os.path.isdir(f"{self._directory}/sessions"):
            return HealthResult("codex", "ok", f"sessions found in `{self._directory}`")
        return HealthResult(
            "codex",
            "warn",
            f"no sessions of Codex CLI in `{self._directory}`",
            "set `CODEX_HOME` if they are elsewhere",
        )

    def upgraded(self, turn: Turn) -> Turn:
        return turn
