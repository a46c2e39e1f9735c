"""The tools of pi: what each is for, and what a call asks to be done. Pure."""

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
from holdfast.agents.redact_events import COMMAND, DETAIL, Cleaner

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
    return CallInput(clean.text(text_at(fields, "command"), COMMAND))


def _file(fields: Input, clean: Cleaner) -> CallInput:
    return CallInput(clean.places[text_at(fields, "path")])


def _edit(fields: Input, clean: Cleaner) -> CallInput:
    edits = fields.get("edits")
    steps = [
        step
        for step in (edits if isinstance(edits, list) else ())
        if isinstance(step, dict)
    ]
    steps = steps or [dict(fields)]
    old = "\n".join(text_at(step, "oldText") for step in steps)
    new = "\n".join(
        text_at(step, "newText") or text_at(step, "content") for step in steps
    )
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


_TOOLS: dict[str, tuple[Role, _Reader]] = {
    "bash": ("run", _shell),
    "read": ("read", _file),
    "edit": ("edit", _edit),
    "write": ("write", _edit),
    "grep": ("search", _search),
    "find": ("search", _search),
    "ls": ("list", _file),
}
# What a role is called where this client is told of another's work.
TOOL_FOR: dict[Role, str] = {
    "run": "bash",
    "read": "read",
    "edit": "edit",
    "write": "write",
    "search": "grep",
    "list": "ls",
}
