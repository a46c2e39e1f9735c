"""What there is to do: the agent's task list as it stands, the plan that it follows, and
the steps of a plan file, in whichever form it lists them."""

import re
from collections.abc import Sequence

from holdfast.domain.checkpoint import Item, Plan, context_of
from holdfast.domain.event import EDITING, TodoStatus
from holdfast.domain.fact import PlanStep
from holdfast.domain.session import Call, Turn
from holdfast.facts.requests.requests import is_request
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.language.sentences import sentences

_BOX = pattern(r"^ {0,3}[-*+] \[([ xX])\] +(\S.*)$", re.MULTILINE)
_HEADED = pattern(
    r"^#{2,4} +((?:step|task|phase|part) +\d+\b.*|\d+[.)] +\S.*)$",
    re.MULTILINE | re.IGNORECASE,
)
_NUMBERED = pattern(r"^(\d+[.)] +\S.*)$", re.MULTILINE)

# A file of text that a prompt names, perhaps with the mark that gives it to the agent.
_NAMED_FILE = pattern(
    r"(?:^|(?<=[\s`'\"(\[:,]))(@?)(?:\./)?((?:[\w.-]+/)*[\w.-]+\.(?:md|txt|markdown))\b"
)
_SAYS_PLAN = pattern(r"(?<![a-z])plans?(?![a-z])", re.IGNORECASE)
_LEFT_ALONE = 2  # requests


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


def open_tasks(
    tasks: Sequence[Task], turns: Sequence[Turn] = (), requests: Sequence[Item] = ()
) -> tuple[Item, ...]:
    """Return what is left to do: what is being done first. A list that nobody touched
    while the user asked for other things says so."""
    order = {"in_progress": 0, "pending": 1}
    left = [task for task in tasks if task.status in order]
    left.sort(key=lambda task: order[task.status])
    return tuple(
        Item(
            task.text,
            "agent",
            task.lines,
            task.detail,
            doubt=_untouched(task, turns, requests),
        )
        for task in left
    )


def done_tasks(tasks: Sequence[Task]) -> tuple[Item, ...]:
    return tuple(
        Item(task.text, "agent", task.lines)
        for task in tasks
        if task.status == "completed"
    )


def plan_of(
    turns: Sequence[Turn],
    tasks: Sequence[Task],
    cwd: str = "",
    goal: Sequence[Item] = (),
) -> Plan | None:
    """Return the plan in use with its step, the first task that is open. One that was
    used before the goal was set is in use only while tasks of it are open."""
    if goal and not any(task.status in ("pending", "in_progress") for task in tasks):
        set_in = goal[0].evidence[:1]
        began = (at for at, turn in enumerate(turns) if (turn.uuid,) == set_in)
        turns = turns[next(began, 0) :]
    used = (path for turn in reversed(turns) if (path := _plan_file(turn)))
    path = next(used, "") or _named_plan(turns, cwd)
    counted = [task for task in tasks if task.status != "deleted"]
    if not path:
        return None
    if not counted:
        return Plan(path)
    left = (n for n, task in enumerate(counted, 1) if task.status != "completed")
    return Plan(path, next(left, len(counted)), len(counted))


def plan_steps(text: str) -> tuple[PlanStep, ...]:
    """Return a plan's steps: its boxes to tick, else its numbered headings or lines."""
    boxes = [PlanStep(found[2], found[1] != " ") for found in _BOX.finditer(text)]
    if boxes:
        return tuple(boxes)
    for form in (_HEADED, _NUMBERED):
        if steps := [PlanStep(found[1], None) for found in form.finditer(text)]:
            return tuple(steps)
    return ()


def _untouched(task: Task, turns: Sequence[Turn], requests: Sequence[Item]) -> str:
    wanted = (r for r in requests if context_of(r).role == "request")
    asked = {line for request in wanted for line in request.evidence[:1]}
    since = 0
    for turn in reversed(turns):
        if any(call.uuid in task.lines for call in turn.calls):
            break
        since += turn.uuid in asked
    return f"untouched for {since} requests" if since >= _LEFT_ALONE else ""


def _told_by(call: Call, known: Task | None = None) -> tuple[str, ...]:
    """Return the line that holds a task's words, then the one that changed it last."""
    lines = (*(known.lines[:1] if known else ()), call.uuid)
    return tuple(dict.fromkeys(line for line in lines if line))


def _plan_file(turn: Turn) -> str:
    """Return the plan file a turn used: the client named it, or the agent wrote it."""
    written = (
        call.target
        for call in reversed(turn.calls)
        if call.role == "write" and call.own == "plan"
    )
    return turn.plan or next(written, "")


def _named_plan(turns: Sequence[Turn], cwd: str) -> str:
    """Return the file that a prompt names as the plan to follow, if it was opened in the
    session, or given to it with `@`."""
    opened = [
        call.target.replace("\\", "/")
        for turn in turns
        for call in turn.calls
        if call.outcome == "ok" and (call.role == "read" or call.role in EDITING)
    ]
    for turn in reversed(turns):
        for sentence in sentences(turn.prompt) if is_request(turn) else ():
            for given, name in _NAMED_FILE.findall(sentence):
                if not _SAYS_PLAN.search(sentence):
                    continue
                there = (path for path in opened if f"/{path}".endswith(f"/{name}"))
                if path := next(there, f"{cwd}/{name}" if given and cwd else ""):
                    return path
    return ""
