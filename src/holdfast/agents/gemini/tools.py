"""The tools of Gemini CLI: what each is for, what a call asks, what came back. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.agents.call_inputs import Input, ToolTable, anything, questions, text_at
from holdfast.agents.call_readers import (
    edit,
    file,
    search,
    shell,
    task,
    todos,
    words,
)
from holdfast.domain.event import EDITING, ToolCalled, ToolReturned
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from holdfast.agents.redact_events import Cleaner
    from holdfast.domain.event import Cause, Origin, Outcome, Role

_DONE = frozenset(["success", "error", "cancelled"])
_OUTCOMES: dict[str, Outcome] = {
    "success": "ok",
    "error": "failed",
    "cancelled": "interrupted",
}
# What the client writes around what a command printed.
_WRAPPED = pattern(r"\A\s*<untrusted_context>\n?|\n?</untrusted_context>\s*\Z")
_OUTPUT = "Output: "
_FOOT = pattern(
    r"(?:\nError: [^\n]*)?(?:\nExit Code: (\d{1,9}))?(?:\nSignal: (\d{1,3}))?"
    r"(?:\nBackground PIDs: [^\n]*)?(?:\nProcess Group PGID: \d+)?\s*\Z"
)
_NEW_FILE = "Successfully created and wrote to new file"


def is_done(call: dict[str, Any]) -> bool:
    """Say whether a call has its answer: a message tells of it again and again."""
    return text_at(call, "status") in _DONE


def called(
    call: dict[str, Any], origin: Origin, message_id: str, clean: Cleaner
) -> ToolCalled:
    """Return a call as an event."""
    tool = clean.names[text_at(call, "name")]
    fields = _fields(call)
    role, asked = TOOLS.asked(tool, fields, clean)
    place = clean.places[text_at(fields, "dir_path")] if role == "run" else ""
    is_background = fields.get("is_background") is True
    return ToolCalled(
        origin,
        message_id,
        clean.identifier(text_at(call, "id")),
        tool,
        role,
        *asked,
        background=is_background,
        place=place,
    )


def returned(call: dict[str, Any], origin: Origin, clean: Cleaner) -> ToolReturned:
    """Return what came back from a call as an event."""
    call_id = clean.identifier(text_at(call, "id"))
    outcome = _OUTCOMES.get(text_at(call, "status"), "ok")
    text, status = _printed(_answer(call.get("result")))
    role = TOOLS.role_of(text_at(call, "name"))
    if role == "run" and outcome == "ok":
        outcome = "failed" if status else "ok"
    cause: Cause = "refused" if outcome == "interrupted" else ""
    if outcome == "ok" and role in EDITING:
        asked = _EDIT(_fields(call), clean)
        return ToolReturned(
            origin,
            call_id,
            outcome,
            added=asked.added,
            removed=asked.removed,
            created=text.startswith(_NEW_FILE),
            is_counted=True,
        )
    return ToolReturned(
        origin,
        call_id,
        outcome,
        status if role == "run" and outcome != "interrupted" else None,
        clean.output(text),
        len(text),
        cause=cause,
    )


def _fields(call: dict[str, Any]) -> Input:
    args = call.get("args")
    return args if isinstance(args, dict) else {}


def _answer(result: object) -> str:
    """Return the text of a result, which is a list of parts."""
    texts = []
    for part in result if isinstance(result, list) else ():
        if not isinstance(part, dict):
            continue
        answer = part.get("functionResponse")
        response = answer.get("response") if isinstance(answer, dict) else None
        fields = response if isinstance(response, dict) else {}
        texts.append(
            text_at(fields, "output")
            or text_at(fields, "error")
            or text_at(part, "text")
        )
    return "\n".join(filter(None, texts))


def _printed(text: str) -> tuple[str, int]:
    """Return what a command printed and its exit status, which stands behind it."""
    text = _WRAPPED.sub("", text)
    if not text.startswith(_OUTPUT):
        return text, 0
    foot = _FOOT.search(text)
    if foot is None:
        return text.removeprefix(_OUTPUT), 0
    status = int(foot[1] or 0) or (128 + int(foot[2]) if foot[2] else 0)
    return text[len(_OUTPUT) : foot.start()], status


_FILE = file("file_path", "absolute_path", "dir_path", "path")
_EDIT = edit("file_path", "old_string", "new_string", "content")
_SEARCH = search(("pattern",), "dir_path", "path")
_WEB = words("query", "prompt")
TOOLS = ToolTable(
    {
        "run_shell_command": ("run", shell("command", "description")),
        "read_background_output": ("run_output", anything),
        "list_background_processes": ("consult", anything),
        "read_file": ("read", _FILE),
        "read_many_files": ("read", anything),
        "list_directory": ("list", _FILE),
        "grep_search": ("search", _SEARCH),
        "search_file_content": ("search", _SEARCH),
        "glob": ("search", _SEARCH),
        "replace": ("edit", _EDIT),
        "write_file": ("write", _EDIT),
        "web_fetch": ("web", _WEB),
        "google_web_search": ("web", _WEB),
        "write_todos": ("todo_list", todos("todos", "description")),
        "ask_user": ("ask", questions),
        "enter_plan_mode": ("plan_mode", anything),
        "exit_plan_mode": ("plan", anything),
        "invoke_agent": ("agent", task("agent_name", "objective", "prompt")),
        "activate_skill": ("skill", anything),
        "save_memory": ("other", anything),
        "update_topic": ("other", anything),
    },
    servers="mcp_",
)
# What a role is called where this client is told of another's work.
TOOL_FOR: dict[Role, str] = {
    "run": "run_shell_command",
    "read": "read_file",
    "list": "list_directory",
    "search": "grep_search",
    "edit": "replace",
    "write": "write_file",
    "web": "web_fetch",
    "todo_list": "write_todos",
    "todo": "write_todos",
    "ask": "ask_user",
    "plan": "exit_plan_mode",
    "agent": "invoke_agent",
    "skill": "activate_skill",
}
