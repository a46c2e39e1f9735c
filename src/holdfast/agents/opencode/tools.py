"""The tools of OpenCode: what each is for, and what a call asks to be done. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.agents.call_inputs import (
    CallInput,
    Input,
    anything,
    digest,
    lines_replaced,
    text_at,
    todo_list,
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
    return CallInput(
        clean.places[text_at(fields, "filePath") or text_at(fields, "path")]
    )


def _edit(fields: Input, clean: Cleaner) -> CallInput:
    old = text_at(fields, "oldString")
    new = text_at(fields, "newString") or text_at(fields, "content")
    removed, added = lines_replaced(old, new)
    return CallInput(
        clean.places[text_at(fields, "filePath")],
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
    wanted = text_at(fields, "url") or text_at(fields, "query")
    return CallInput(clean.text(wanted, TARGET))


def _todos(fields: Input, clean: Cleaner) -> CallInput:
    return todo_list(fields, ("todos", "content"), clean)


def _agent(fields: Input, clean: Cleaner) -> CallInput:
    return CallInput(
        clean.text(text_at(fields, "description"), TARGET),
        clean.names[text_at(fields, "subagent_type")],
    )


_TOOLS: dict[str, tuple[Role, _Reader]] = {
    "bash": ("run", _shell),
    "read": ("read", _file),
    "list": ("list", _file),
    "edit": ("edit", _edit),
    "write": ("write", _edit),
    "grep": ("search", _search),
    "glob": ("search", _search),
    "webfetch": ("web", _web),
    "websearch": ("web", _web),
    "todowrite": ("todo_list", _todos),
    "todoread": ("consult", anything),
    "task": ("agent", _agent),
    "skill": ("skill", anything),
    "question": ("ask", anything),
}
# What a role is called where this client is told of another's work.
TOOL_FOR: dict[Role, str] = {
    "run": "bash",
    "read": "read",
    "list": "list",
    "edit": "edit",
    "write": "write",
    "search": "grep",
    "web": "webfetch",
    "todo_list": "todowrite",
    "todo": "todowrite",
    "agent": "task",
    "ask": "question",
}
