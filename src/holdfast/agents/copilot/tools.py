"""The tools of Copilot CLI: what each is for, and what a call asks to be done. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.agents.call_inputs import (
    CallInput,
    Input,
    anything,
    digest,
    lines_replaced,
    text_at,
)
from holdfast.agents.redact_events import COMMAND, DETAIL, TARGET, Cleaner

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.event import Role

    _Reader = Callable[[Input, Cleaner], CallInput]


def asked(tool: str, fields: Input, clean: Cleaner) -> tuple[Role, CallInput]:
    """Return what a call is for, and what it asks."""
    role, read = _TOOLS.get(tool) or (role_of(tool), anything)
    return role, read(fields, clean)


def role_of(tool: str) -> Role:
    """Return what a tool is for, by the name the client gives it."""
    return _TOOLS[tool][0] if tool in _TOOLS else "other"


def tool_names() -> frozenset[str]:
    """Return the names of the client's own tools."""
    return frozenset(_TOOLS)


def _shell(fields: Input, clean: Cleaner) -> CallInput:
    return CallInput(
        clean.text(text_at(fields, "command"), COMMAND),
        clean.text(text_at(fields, "description"), DETAIL),
    )


def _file(fields: Input, clean: Cleaner) -> CallInput:
    return CallInput(clean.places[text_at(fields, "path")])


def _edit(fields: Input, clean: Cleaner) -> CallInput:
    old = text_at(fields, "old_str")
    new = text_at(fields, "new_str") or text_at(fields, "file_text")
    removed, added = lines_replaced(old, new)
    return CallInput(
        clean.places[text_at(fields, "path")],
        clean.text(new, DETAIL),
        digest(old),
        digest(new),
        added=added,
        removed=removed,
    )


def _search(fields: Input, clean: Cleaner) -> CallInput:
    return CallInput(
        clean.places[text_at(fields, "pattern")], clean.places[text_at(fields, "path")]
    )


def _web(fields: Input, clean: Cleaner) -> CallInput:
    asked_for = text_at(fields, "url") or text_at(fields, "query")
    return CallInput(clean.text(asked_for, TARGET))


def _agent(fields: Input, clean: Cleaner) -> CallInput:
    asked_for = text_at(fields, "description") or text_at(fields, "prompt")
    return CallInput(
        clean.text(asked_for, TARGET), clean.names[text_at(fields, "agent_type")]
    )


_TOOLS: dict[str, tuple[Role, _Reader]] = {
    "bash": ("run", _shell),
    "powershell": ("run", _shell),
    "read_bash": ("run_output", anything),
    "write_bash": ("run_output", anything),
    "stop_bash": ("stop", anything),
    "view": ("read", _file),
    "create": ("write", _edit),
    "edit": ("edit", _edit),
    "str_replace_editor": ("edit", _edit),
    "grep": ("search", _search),
    "glob": ("search", _search),
    "web_fetch": ("web", _web),
    "web_search": ("web", _web),
    "task": ("agent", _agent),
    "update_todo": ("other", anything),  # a text, not a list
    "ask_user": ("ask", anything),
    "report_intent": ("other", anything),
}
# What a role is called where this client is told of another's work.
TOOL_FOR: dict[Role, str] = {
    "run": "bash",
    "read": "view",
    "search": "grep",
    "edit": "edit",
    "write": "create",
    "web": "web_fetch",
    "agent": "task",
    "ask": "ask_user",
}
