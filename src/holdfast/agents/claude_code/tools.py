"""The client's tools: what each is for, and what a call of it asks to be done. Pure."""

from collections.abc import Callable, Iterator, Sequence
from typing import cast

from holdfast.agents.call_inputs import (
    CallInput,
    Input,
    ToolTable,
    anything as _anything,
    digest as _digest,
    lines_replaced,
    questions,
    text_at as _text,
)
from holdfast.agents.claude_code.transcript.lines import MessageBlock
from holdfast.agents.redact_events import COMMAND, DETAIL, PLAN, TARGET, Cleaner
from holdfast.domain.event import Origin, Own, Role, Todo, TodoStatus, ToolCalled
from holdfast.kernel.lazy_patterns import pattern

_STATUSES = frozenset(["pending", "in_progress", "completed", "deleted"])
_MOST_TODOS = 200
# Files of the client, not of the project.
_PLAN = pattern(r"/\.claude/plans/[^/]+\.md$")
_NOTE = pattern(
    r"/\.claude/(?:plans|projects|todos|tasks|file-history)/"
    r"|/claude(?:-\d+)?/(?:[^/]+/){1,2}tasks/[^/]+\.output$"  # of what runs behind
)


def called(
    block: MessageBlock,
    origin: Origin,
    message_id: str,
    clean: Cleaner,
) -> ToolCalled:
    """Return a tool call as an event."""
    tool = clean.names[block.name]
    fields: Input = block.input if isinstance(block.input, dict) else {}
    role, asked = TOOLS.asked(tool, fields, clean)
    is_background = fields.get("run_in_background") is True
    call_id = clean.identifier(block.id)
    own = owner_of(asked.target) if role in _OF_FILES else ""
    return ToolCalled(
        origin, message_id, call_id, tool, role, *asked, is_background, own
    )


def owner_of(path: str) -> Own:
    """Say whose file a path names: the project's, or one that the client keeps."""
    path = path.replace("\\", "/")
    if _PLAN.search(path):
        return "plan"
    return "note" if _NOTE.search(path) else ""


def _path(fields: Input) -> str:
    return (
        _text(fields, "file_path")
        or _text(fields, "notebook_path")
        or _text(fields, "path")
    )


def _file(fields: Input, clean: Cleaner) -> CallInput:
    return CallInput(clean.places[_path(fields)])


def _edit(fields: Input, clean: Cleaner) -> CallInput:
    old, new = _text(fields, "old_string"), _text(fields, "new_string")
    edits = fields.get("edits")
    if isinstance(edits, list):
        steps = [edit for edit in edits if isinstance(edit, dict)]
        old = "\n".join(_text(step, "old_string") for step in steps)
        new = "\n".join(_text(step, "new_string") for step in steps)
    new = new or _text(fields, "content") or _text(fields, "new_source")
    path = clean.places[_path(fields)]
    removed, added = lines_replaced(old, new)
    return CallInput(
        path,
        clean.text(new, DETAIL),
        _digest(old),
        _digest(new),
        added=added,
        removed=removed,
    )


def _shell(fields: Input, clean: Cleaner) -> CallInput:
    return CallInput(
        clean.text(_text(fields, "command"), COMMAND),
        clean.text(_text(fields, "description"), DETAIL),
    )


def _search(fields: Input, clean: Cleaner) -> CallInput:
    return CallInput(
        clean.places[_text(fields, "pattern")], clean.places[_text(fields, "path")]
    )


def _web(fields: Input, clean: Cleaner) -> CallInput:
    return CallInput(
        clean.text(_text(fields, "url") or _text(fields, "query"), TARGET),
        clean.text(_text(fields, "prompt"), DETAIL),
    )


def _agent(fields: Input, clean: Cleaner) -> CallInput:
    return CallInput(
        clean.text(_text(fields, "description"), TARGET),
        clean.names[_text(fields, "subagent_type")],
    )


def _skill(fields: Input, clean: Cleaner) -> CallInput:
    return CallInput(
        clean.places[_text(fields, "skill") or _text(fields, "command")],
        clean.text(_text(fields, "args"), DETAIL),
    )


def _plan(fields: Input, clean: Cleaner) -> CallInput:
    return CallInput(clean.text(_text(fields, "plan"), PLAN))


def _background(fields: Input, clean: Cleaner) -> CallInput:
    """The call asks about, or ends, something that an earlier one started."""
    for key in ("task_id", "bash_id", "shell_id", "agentId", "taskId"):
        if reference := clean.identifier(_text(fields, key)):
            return CallInput(reference)
    return CallInput()


def _todo_list(fields: Input, clean: Cleaner) -> CallInput:
    given = fields.get("todos")
    todos = tuple(_todos(given, clean)) if isinstance(given, list) else ()
    return CallInput(f"{len(todos)} todos", todos=todos)


def _todos(given: Sequence[object], clean: Cleaner) -> Iterator[Todo]:
    for todo in given[:_MOST_TODOS]:
        if isinstance(todo, dict):
            yield Todo(
                "",
                clean.text(_text(todo, "content"), DETAIL),
                _status(todo) or "pending",
            )


def _task_created(fields: Input, clean: Cleaner) -> CallInput:
    subject = clean.text(_text(fields, "subject"), DETAIL)
    detail = clean.text(_text(fields, "description"), DETAIL)
    return CallInput(subject, detail, todos=(Todo("", subject, "pending"),))


def _task_updated(fields: Input, clean: Cleaner) -> CallInput:
    task = clean.identifier(_text(fields, "taskId"))
    status = _status(fields)
    if not task or status is None:  # a change of something else, such as its blockers
        return CallInput(task)
    subject = clean.text(_text(fields, "subject"), DETAIL)
    return CallInput(task, todos=(Todo(task, subject, status),))


def _status(fields: Input) -> TodoStatus | None:
    status = fields.get("status")
    if isinstance(status, str) and status in _STATUSES:
        return cast("TodoStatus", status)
    return None


_Reader = Callable[[Input, Cleaner], CallInput]
TOOLS = ToolTable(
    {
        "Bash": ("run", _shell),
        "PowerShell": ("run", _shell),
        "Read": ("read", _file),
        "NotebookRead": ("read", _file),
        "View": ("read", _anything),
        "LS": ("list", _file),
        "Edit": ("edit", _edit),
        "MultiEdit": ("edit", _edit),
        "NotebookEdit": ("edit", _edit),
        "Write": ("write", _edit),
        "Grep": ("search", _search),
        "Glob": ("search", _search),
        "WebFetch": ("web", _web),
        "WebSearch": ("web", _web),
        "LSP": ("consult", _anything),
        "ToolSearch": ("consult", _anything),
        "ListMcpResourcesTool": ("consult", _anything),
        "ReadMcpResourceTool": ("consult", _anything),
        "TaskGet": ("consult", _background),
        "TaskList": ("consult", _anything),
        "TodoRead": ("consult", _anything),
        "Task": ("agent", _agent),
        "Agent": ("agent", _agent),
        "Skill": ("skill", _skill),
        "SlashCommand": ("other", _skill),
        "AskUserQuestion": ("ask", questions),
        "EnterPlanMode": ("plan_mode", _anything),
        "ExitPlanMode": ("plan", _plan),
        "exit_plan_mode": ("plan", _plan),  # until 1.0.60 or so
        "TodoWrite": ("todo_list", _todo_list),
        "TaskCreate": ("todo", _task_created),
        "TaskUpdate": ("todo", _task_updated),
        "BashOutput": ("run_output", _background),
        "TaskOutput": ("task_output", _background),
        "AgentOutputTool": ("task_output", _background),
        "KillShell": ("stop", _background),
        "KillBash": ("stop", _background),
        "TaskStop": ("stop", _background),
    },
    servers="mcp__",
)
_OF_FILES: frozenset[Role] = frozenset(["read", "edit", "write"])
# What a role is called where this client is told of another's work.
TOOL_FOR: dict[Role, str] = {
    "run": "Bash",
    "run_output": "BashOutput",
    "read": "Read",
    "list": "LS",
    "search": "Grep",
    "edit": "Edit",
    "write": "Write",
    "web": "WebFetch",
    "todo_list": "TodoWrite",
    "todo": "TaskCreate",
    "ask": "AskUserQuestion",
    "plan": "ExitPlanMode",
    "agent": "Task",
    "skill": "Skill",
}
