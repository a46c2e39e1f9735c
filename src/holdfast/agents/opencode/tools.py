"""The tools of OpenCode: what each is for, and what a call asks to be done. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.agents.call_inputs import ToolTable, anything
from holdfast.agents.call_readers import (
    edit,
    file,
    search,
    shell,
    task,
    todos,
    words,
)

if TYPE_CHECKING:
    from holdfast.domain.event import Role

_FILE = file("filePath", "path")
_EDIT = edit("filePath", "oldString", "newString", "content")
_SEARCH = search(("pattern",), "path")
_WEB = words("url", "query")
TOOLS = ToolTable(
    {
        "bash": ("run", shell("command", "description")),
        "read": ("read", _FILE),
        "list": ("list", _FILE),
        "edit": ("edit", _EDIT),
        "write": ("write", _EDIT),
        "grep": ("search", _SEARCH),
        "glob": ("search", _SEARCH),
        "webfetch": ("web", _WEB),
        "websearch": ("web", _WEB),
        "todowrite": ("todo_list", todos("todos", "content")),
        "todoread": ("consult", anything),
        "task": ("agent", task("subagent_type", "description")),
        "skill": ("skill", anything),
        "question": ("ask", anything),
    }
)
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
