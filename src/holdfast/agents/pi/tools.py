"""The tools of pi: what each is for, and what a call asks to be done. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.agents.call_inputs import CallInput, Input, ToolTable, text_at
from holdfast.agents.call_readers import (
    file,
    first_text,
    replaced,
    search,
    shell,
)

if TYPE_CHECKING:
    from holdfast.agents.redact_events import Cleaner
    from holdfast.domain.event import Role


def _edit(fields: Input, clean: Cleaner) -> CallInput:
    """Read an edit, which has one step or several."""
    edits = fields.get("edits")
    steps = [
        step
        for step in (edits if isinstance(edits, list) else ())
        if isinstance(step, dict)
    ]
    steps = steps or [dict(fields)]
    old = "\n".join(text_at(step, "oldText") for step in steps)
    new = "\n".join(first_text(step, "newText", "content") for step in steps)
    return replaced(clean.places[text_at(fields, "path")], old, new, clean)


_FILE = file("path")
_SEARCH = search(("pattern",), "path")
TOOLS = ToolTable(
    {
        "bash": ("run", shell("command")),
        "read": ("read", _FILE),
        "edit": ("edit", _edit),
        "write": ("write", _edit),
        "grep": ("search", _SEARCH),
        "find": ("search", _SEARCH),
        "ls": ("list", _FILE),
    }
)
# What a role is called where this client is told of another's work.
TOOL_FOR: dict[Role, str] = {
    "run": "bash",
    "read": "read",
    "edit": "edit",
    "write": "write",
    "search": "grep",
    "list": "ls",
}
