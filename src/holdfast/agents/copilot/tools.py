"""The tools of Copilot CLI: what each is for, and what a call asks to be done. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.agents.call_inputs import ToolTable, anything
from holdfast.agents.call_readers import (
    edit,
    file,
    search,
    shell,
    task,
    words,
)

if TYPE_CHECKING:
    from holdfast.domain.event import Role

_SHELL = shell("command", "description")
_EDIT = edit("path", "old_str", "new_str", "file_text")
_SEARCH = search(("pattern",), "path")
_WEB = words("url", "query")
TOOLS = ToolTable(
    {
        "bash": ("run", _SHELL),
        "powershell": ("run", _SHELL),
        "read_bash": ("run_output", anything),
        "write_bash": ("run_output", anything),
        "stop_bash": ("stop", anything),
        "view": ("read", file("path")),
        "create": ("write", _EDIT),
        "edit": ("edit", _EDIT),
        "str_replace_editor": ("edit", _EDIT),
        "grep": ("search", _SEARCH),
        "glob": ("search", _SEARCH),
        "web_fetch": ("web", _WEB),
        "web_search": ("web", _WEB),
        "task": ("agent", task("agent_type", "description", "prompt")),
        "update_todo": ("other", anything),  # a text, not a list
        "ask_user": ("ask", anything),
        "report_intent": ("other", anything),
    }
)
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
