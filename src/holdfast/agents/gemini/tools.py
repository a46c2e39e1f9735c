"""The tools of Gemini CLI: what each is for, what a call asks, what came back. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from holdfast.domain.event import EDITING, ToolCalled, ToolReturned
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.event import Cause, Origin, Outcome, Role

    _Reader = Callable[[Input, Cleaner], CallInput]

_SERVERS = "mcp_"
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
    role, read = _TOOLS.get(tool) or (role_of(tool), anything)
    asked = read(fields, clean)
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
    role = role_of(text_at(call, "name"))
    if role == "run" and outcome == "ok":
        outcome = "failed" if status else "ok"
    cause: Cause = "refused" if outcome == "interrupted" else ""
    if outcome == "ok" and role in EDITING:
        asked = _edit(_fields(call), clean)
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


def role_of(tool: str) -> Role:
    """Return what a tool is for, by the name the client gives it."""
    if known := _TOOLS.get(tool):
        return known[0]
    return "server" if tool.startswith(_SERVERS) else "other"


def tool_names() -> frozenset[str]:
    """Return the names of the client's own tools."""
    return frozenset(_TOOLS)


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


def _shell(fields: Input, clean: Cleaner) -> CallInput:
    return CallInput(
        clean.text(text_at(fields, "command"), COMMAND),
        clean.text(text_at(fields, "description"), DETAIL),
    )


def _file(fields: Input, clean: Cleaner) -> CallInput:
    path = text_at(fields, "file_path") or text_at(fields, "absolute_path")
    path = path or text_at(fields, "dir_path") or text_at(fields, "path")
    return CallInput(clean.places[path])


def _edit(fields: Input, clean: Cleaner) -> CallInput:
    old = text_at(fields, "old_string")
    new = text_at(fields, "new_string") or text_at(fields, "content")
    removed, added = lines_replaced(old, new)
    return CallInput(
        clean.places[text_at(fields, "file_path")],
        clean.text(new, DETAIL),
        digest(old),
        digest(new),
        added=added,
        removed=removed,
    )


def _search(fields: Input, clean: Cleaner) -> CallInput:
    path = text_at(fields, "dir_path") or text_at(fields, "path")
    return CallInput(clean.places[text_at(fields, "pattern")], clean.places[path])


def _web(fields: Input, clean: Cleaner) -> CallInput:
    asked = text_at(fields, "query") or text_at(fields, "prompt")
    return CallInput(clean.text(asked, TARGET))


def _todos(fields: Input, clean: Cleaner) -> CallInput:
    return todo_list(fields, ("todos", "description"), clean)


def _questions(fields: Input, clean: Cleaner) -> CallInput:
    asked = fields.get("questions")
    texts = (
        text_at(one, "question")
        for one in (asked if isinstance(asked, list) else ())
        if isinstance(one, dict)
    )
    return CallInput(clean.text("\n".join(filter(None, texts)), TARGET))


def _agent(fields: Input, clean: Cleaner) -> CallInput:
    asked = text_at(fields, "objective") or text_at(fields, "prompt")
    return CallInput(
        clean.text(asked, TARGET), clean.names[text_at(fields, "agent_name")]
    )


_TOOLS: dict[str, tuple[Role, _Reader]] = {
    "run_shell_command": ("run", _shell),
    "read_background_output": ("run_output", anything),
    "list_background_processes": ("consult", anything),
    "read_file": ("read", _file),
    "read_many_files": ("read", anything),
    "list_directory": ("list", _file),
    "grep_search": ("search", _search),
    "search_file_content": ("search", _search),
    "glob": ("search", _search),
    "replace": ("edit", _edit),
    "write_file": ("write", _edit),
    "web_fetch": ("web", _web),
    "google_web_search": ("web", _web),
    "write_todos": ("todo_list", _todos),
    "ask_user": ("ask", _questions),
    "enter_plan_mode": ("plan_mode", anything),
    "exit_plan_mode": ("plan", anything),
    "invoke_agent": ("agent", _agent),
    "activate_skill": ("skill", anything),
    "save_memory": ("other", anything),
    "update_topic": ("other", anything),
}
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
