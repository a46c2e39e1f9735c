"""The agent's own task list at the end of the session, the plan it follows, and the steps
of a plan file, in whichever form it lists them."""

import re
from collections.abc import Sequence

from holdfast.domain.checkpoint import Item, Plan
from holdfast.domain.event import TodoStatus
from holdfast.domain.fact import PlanStep
from holdfast.domain.session import Call, Turn
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, replace

_BOX = pattern(r"^ {0,3}[-*+] \[([ xX])\] +(\S.*)$", re.MULTILINE)
_HEADED = pattern(
    r"^#{2,4} +((?:step|task|phase|part) +\d+\b.*|\d+[.)] +\S.*)$",
    re.MULTILINE | re.IGNORECASE,
)
_NUMBERED = pattern(r"^(\d+[.)] +\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Task:
    """One entry of the list as it stands, with the lines that named it and changed it."""

    text: str
    status: TodoStatus
    lines: tuple[str, ...]
    detail: str = ""  # what it takes, where the agent wrote that down


def tasks_of(turns: Sequence[Turn]) -> tuple[Task, ...]:
    """Return the list as it stands: one kind replaces it whole, one changes it by id."""
    listed: tuple[Task, ...] = ()
    by_id: dict[str, Task] = {}
    for turn in turns:
        for call in turn.calls:
            if not call.todos or call.outcome in ("failed", "interrupted"):
                continue
            if call.role == "todo_list":
                listed = tuple(
                    Task(todo.text, todo.status, _told_by(call)) for todo in call.todos
                )
                continue
            for todo in call.todos:
                name = todo.todo_id or call.reference or call.call_id
                known = by_id.get(name, Task("", "pending", ()))
                by_id[name] = replace(
                    known,
                    text=todo.text or known.text,
                    status=todo.status,
                    lines=_told_by(call) if todo.text else _told_by(call, known),
                    detail=call.detail or known.detail,
                )
    return tuple(task for task in (*listed, *by_id.values()) if task.text)


def _told_by(call: Call, known: Task | None = None) -> tuple[str, ...]:
    """Return the line that holds a task's words, then the one that changed it last."""
    lines = (*(known.lines[:1] if known else ()), call.uuid)
    return tuple(dict.fromkeys(line for line in lines if line))


def open_tasks(tasks: Sequence[Task]) -> tuple[Item, ...]:
    """Return what is left to do: what is being done first."""
    order = {"in_progress": 0, "pending": 1}
    left = [task for task in tasks if task.status in order]
    left.sort(key=lambda task: order[task.status])
    return tuple(Item(t.text, "agent", t.lines, t.detail) for t in left)


def done_tasks(tasks: Sequence[Task]) -> tuple[Item, ...]:
    return tuple(
        Item(task.text, "agent", task.lines)
        for task in tasks
        if task.status == "completed"
    )


def plan_of(turns: Sequence[Turn], tasks: Sequence[Task]) -> Plan | None:
    """Return the plan in use with its step: the tasks done, and the one in hand."""
    path = next((path for turn in reversed(turns) if (path := _plan_file(turn))), "")
    counted = [task for task in tasks if task.status != "deleted"]
    if not path:
        return None
    if not counted:
        return Plan(path)
    done = sum(1 for task in counted if task.status == "completed")
    return Plan(path, min(done + 1, len(counted)), len(counted))


def _plan_file(turn: Turn) -> str:
    """Return the plan file a turn used: the client named it, or the agent wrote it."""
    written = (
        call.target
        for call in reversed(turn.calls)
        if call.role == "write" and call.own == "plan"
    )
    return turn.plan or next(written, "")


def plan_steps(text: str) -> tuple[PlanStep, ...]:
    """Return a plan's steps: its boxes to tick, else its numbered headings or lines."""
    boxes = [PlanStep(found[2], found[1] != " ") for found in _BOX.finditer(text)]
    if boxes:
        return tuple(boxes)
    for form in (_HEADED, _NUMBERED):
        if steps := [PlanStep(found[1], None) for found in form.finditer(text)]:
            return tuple(steps)
    return ()
