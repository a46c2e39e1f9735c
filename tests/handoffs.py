"""A session and a project's files, ready for the handoff and memory verbs."""

from pathlib import Path
from typing import Any

from holdfast.app.notes.memory import MemoryPorts
from holdfast.app.notes.session_notes import SessionNotes
from holdfast.domain.session import SessionState
from holdfast.facts.content import content_of
from holdfast.project_notes.handoff.document import HANDOFF, owner
from holdfast.project_notes.handoff.handover import handover_of
from holdfast.project_notes.project_directory import ProjectDirectory
from holdfast.redaction.redactor import Redactor

TODAY = "2026-01-18"


def gathered(state: SessionState, **changes: Any) -> SessionNotes:
    """Return what a session leaves behind, in a project without git."""
    content = changes.pop("content", None) or content_of(state)
    values: dict[str, Any] = {
        "state": state,
        "content": content,
        "handover": handover_of(state, content),
        "owner": owner(state.session_id),
        "ancestors": (),
        "workspace": state.cwd,
        "uncommitted": None,
    }
    return SessionNotes(**{**values, **changes})


def memory_tools(project: Path, today: str = TODAY) -> MemoryPorts:
    return MemoryPorts(
        files=ProjectDirectory(str(project)), redactor=Redactor(), today=today
    )


def handoff_text(project: Path) -> str:
    return (project / HANDOFF).read_text(encoding="utf-8")
