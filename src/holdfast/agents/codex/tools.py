"""The tools of Codex CLI: what each is for, and what a call of it asks to be done. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.agents.call_inputs import (
    CallInput,
    Input,
    ToolTable,
    anything,
    digest,
    questions,
    text_at,
)
from holdfast.agents.call_readers import (
    file,
    search,
    task,
    todos,
    words,
)
from holdfast.agents.redact_events import COMMAND, DETAIL, Cleaner
from holdfast.domain.event import ToolCalled
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.domain.event import Origin, Role

PATCH = "apply_patch"
_MOST_FILES = 50
_PATCHED = pattern(r"^\*\*\* (Add|Update|Delete) File: (.+)$")
_SHELLS = frozenset(["bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh"])
_RUNS_TEXT = frozenset(["-lc", "-c", "-ic", "-lic"])
_SCRIPT_WORDS = 3


class PatchedFile(NamedTuple):
    """One file of a patch: the lines it takes out and puts in."""

    path: str
    deed: str  # Add, Update or Delete
    gone: tuple[str, ...]
    come: tuple[str, ...]


def calls(
    name: str, given: object, origin: Origin, call_id: str, clean: Cleaner
) -> tuple[ToolCalled, ...]:
    """Return a call as events: a patch is one for each file that it changes."""
    tool = clean.names[name]
    fields = _fields(given)
    own_id = clean.identifier(call_id)
    if tool == PATCH:
        patch = given if isinstance(given, str) and not fields else ""
        found = tuple(patched_files(text_at(fields, "input") or patch))
        if found:
            return tuple(
                _patched(file, origin, _numbered(own_id, place), clean)
                for place, file in enumerate(found)
            )
    role, asked = TOOLS.asked(tool, fields, clean)
    place = clean.places[text_at(fields, "workdir")] if role == "run" else ""
    return (ToolCalled(origin, "", own_id, tool, role, *asked, place=place),)


def _numbered(call_id: str, place: int) -> str:
    """Return the id of a call for one of the files of a patch."""
    return f"{call_id}#{place + 1}" if place else call_id


def patched_files(patch: str) -> Iterator[PatchedFile]:
    """Yield the files that a patch changes."""
    deed, path = "", ""
    gone, come = list[str](), list[str]()
    count = 0
    for line in patch.split("\n"):
        found = _PATCHED.match(line)
        if found or line.startswith("*** End Patch"):
            if path and count < _MOST_FILES:
                yield PatchedFile(path, deed, tuple(gone), tuple(come))
                count += 1
            deed, path = (found[1], found[2].strip()) if found else ("", "")
            gone, come = [], []
        elif line.startswith("+"):
            come.append(line[1:])
        elif line.startswith("-"):
            gone.append(line[1:])
    if path and count < _MOST_FILES:
        yield PatchedFile(path, deed, tuple(gone), tuple(come))


def _patched(
    file: PatchedFile, origin: Origin, call_id: str, clean: Cleaner
) -> ToolCalled:
    old, new = "\n".join(file.gone), "\n".join(file.come)
    return ToolCalled(
        origin,
        "",
        call_id,
        PATCH,
        "write" if file.deed == "Add" else "edit",
        clean.places[file.path],
        clean.text(new, DETAIL) if file.deed != "Delete" else "deleted",
        digest(old),
        digest(new),
        added=len(file.come),
        removed=len(file.gone),
    )


def _fields(given: object) -> Input:
    """Return the arguments of a call, which are a JSON text in most lines."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {}
    return given if isinstance(given, dict) else {}


def command_of(words: object) -> str:
    """Return a command as a person would type it, without the shell that runs it."""
    if isinstance(words, str):
        return words
    if not isinstance(words, list):
        return ""
    parts = [word for word in words if isinstance(word, str)]
    if len(parts) == _SCRIPT_WORDS and parts[0] in _SHELLS and parts[1] in _RUNS_TEXT:
        return parts[2]
    from shlex import join  # noqa: PLC0415  # few commands are a list of words

    return join(parts)


def _shell(fields: Input, clean: Cleaner) -> CallInput:
    asked = fields.get("cmd") or fields.get("command")
    return CallInput(
        clean.text(command_of(asked), COMMAND),
        clean.text(text_at(fields, "justification"), DETAIL),
    )


def _stdin(fields: Input, clean: Cleaner) -> CallInput:
    """The call asks about a command that still runs, or types into it."""
    session = fields.get("session_id")
    return CallInput(
        str(session)[:20] if isinstance(session, int) else "",
        clean.text(text_at(fields, "chars"), DETAIL),
    )


_FILE = file("path", "file_path", "dir_path")
_WEB = words("query", "url")
TOOLS = ToolTable(
    {
        "exec_command": ("run", _shell),
        "shell_command": ("run", _shell),
        "shell": ("run", _shell),
        "container.exec": ("run", _shell),
        "local_shell": ("run", _shell),
        "write_stdin": ("run_output", _stdin),
        PATCH: ("edit", anything),
        "update_plan": ("todo_list", todos("plan", "step")),
        "request_user_input": ("ask", questions),
        "view_image": ("read", _FILE),
        "read_file": ("read", _FILE),
        "list_dir": ("list", _FILE),
        "grep_files": ("search", search(("pattern", "query"), "path")),
        "web_search": ("web", _WEB),
        "tool_search": ("consult", _WEB),
        "list_mcp_resources": ("consult", anything),
        "list_mcp_resource_templates": ("consult", anything),
        "read_mcp_resource": ("consult", anything),
        "get_goal": ("consult", anything),
        "create_goal": ("other", anything),
        "update_goal": ("other", anything),
        "spawn_agent": ("agent", task("agent_type", "message", "task_name")),
        "wait_agent": ("consult", anything),
        "close_agent": ("other", anything),
        "image_gen": ("other", anything),
        "js_repl": ("other", anything),
    },
    servers="mcp__",
)
# What a role is called where this client is told of another's work.
TOOL_FOR: dict[Role, str] = {
    "run": "exec_command",
    "run_output": "write_stdin",
    "edit": PATCH,
    "write": PATCH,
    "todo_list": "update_plan",
    "todo": "update_plan",
    "ask": "request_user_input",
    "agent": "spawn_agent",
    "web": "web_search",
}
