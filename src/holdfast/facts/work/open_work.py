"""What was still open when the session was last seen: its task list, the plan it follows,
the steps of a plan file, in whichever form it lists them, and what was in flight."""

import re
from collections.abc import Collection, Sequence
from typing import Literal

from holdfast.domain.checkpoint import Item, Plan, context_of, fact_item
from holdfast.domain.event import EDITING, SHELL, TodoStatus
from holdfast.domain.fact import PlanStep, RunningWork, UnfinishedTurn, WaitingPlan
from holdfast.domain.session import Call, Turn
from holdfast.domain.text import one_line
from holdfast.facts.commands.command_kinds import kind_of
from holdfast.facts.commands.endings import ended_of, exit_of
from holdfast.facts.commands.meaningful import is_own
from holdfast.facts.commands.runs import deed_of, runs_of, shown_command
from holdfast.facts.requests.requests import is_request, last_at_work, waiting_plan
from holdfast.facts.work.files import relative
from holdfast.facts.work.running import running_of
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.language.agent_messages import is_foreign, is_procedure
from holdfast.language.languages import Cues
from holdfast.language.sentences import (
    excerpt,
    is_question,
    is_title,
    plain,
    sentences,
    without_code,
)

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

_SETS_OUT = Cues(lambda spoken: spoken.talk.about_to)
_OFFERS = Cues(lambda spoken: spoken.talk.offers)
_WAITS = pattern(
    r"\b(?:if|once|when(?:ever)?|after|until|unless|wait\w*|as\ssoon|let\sme\sknow|stop\w*|be\s(?:here|ready|happy|glad)"
    r"|stand(?:ing)?\sby|you)\b",
    re.IGNORECASE,
)
_KEEPS_NOTES = ("todo_list", "todo")
_SHOWN = 120
_SHOWN_AT = 160
_LEFT_ALONE = 2  # requests
_SHOWN_DEED, _DEEDS = 80, 2  # letters of what was done last, and how many are told
_How = Literal["sub-agent", "server", "command"]


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


def _untouched(task: Task, turns: Sequence[Turn], requests: Sequence[Item]) -> str:
    wanted = (r for r in requests if context_of(r).role == "request")
    asked = {line for request in wanted for line in request.evidence[:1]}
    since = 0
    for turn in reversed(turns):
        if any(call.uuid in task.lines for call in turn.calls):
            break
        since += turn.uuid in asked
    return f"untouched for {since} requests" if since >= _LEFT_ALONE else ""


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


def in_flight_of(
    turns: Sequence[Turn],
    told_over: Sequence[str] = (),
    cwd: str = "",
    red: Collection[str] = (),
) -> tuple[Item, ...]:
    """Return background commands, servers and sub-agents without an end, and a turn
    that was cut off. `told_over` holds the ids of which the client told the end, `red`
    the calls that are told as open errors."""
    last = last_at_work(turns)
    found = [*running_of(turns, told_over)]
    waits = [item for call in (last.calls if last else ()) if (item := _waits(call))]
    if plan := waiting_plan(turns):
        return (*found, *waits, _proposed(plan))
    cut = _cut_off(last, cwd, red, _client_failed(turns)) if last else None
    if cut is None or not isinstance(cut.fact, UnfinishedTurn):
        return (*found, *waits)
    if cut.fact.how == "about to change":
        return (*found, *waits, cut)
    commands = [item for item in waits if _is_command(item)]
    apart = [item for item in waits if item not in commands]
    return (*found, *apart, _at_commands(cut, cut.fact, commands))


def stands_still(item: Item) -> bool:
    """Say whether what is in flight came to no result in its turn: nobody will see one."""
    return isinstance(item.fact, UnfinishedTurn) or _is_command(item)


def _is_command(item: Item) -> bool:
    return isinstance(item.fact, RunningWork) and item.fact.how == "command"


def _at_commands(cut: Item, fact: UnfinishedTurn, waits: Sequence[Item]) -> Item:
    """Return where a turn was cut off with the commands that have no result: that is
    where it stood, and one line tells it."""
    if not waits:
        return cut
    commands = [w.fact.what for w in waits if isinstance(w.fact, RunningWork)]
    lines = dict.fromkeys(
        (*cut.evidence, *(line for w in waits for line in w.evidence))
    )
    at = one_line("; ".join(dict.fromkeys(commands)), _SHOWN_AT)
    there = replace(fact, at=at, since=(), done=0)
    return fact_item(there, "engine", tuple(lines), waits[0].excerpt)


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


def _waits(call: Call) -> Item | None:
    """Return a call of the last turn that has no result; what looks is not missed."""
    is_left = call.background or (call.reference and call.role in SHELL)
    if call.outcome != "pending" or is_left or is_own(call):
        return None
    if call.role == "agent":
        how: _How = "sub-agent"
        what = call.target or call.detail
    else:
        what = shown_command(call.target) if call.role in SHELL else ""
        how = "server" if kind_of(what) == "server" else "command"
    meant = call.detail if call.role in SHELL else ""
    fact = RunningWork(
        how, one_line(what, _SHOWN), call.reference, one_line(meant, _SHOWN)
    )
    return (
        fact_item(fact, "engine", (call.uuid,), excerpt(call.target)) if what else None
    )


def _proposed(call: Call) -> Item:
    title = one_line(plain(call.target.strip().partition("\n")[0]), _SHOWN)
    lines = [line for line in without_code(call.target) if not is_title(line)]
    says = excerpt(" ".join(map(plain, lines)))
    return fact_item(WaitingPlan(title), "engine", (call.uuid,), says)


def _client_failed(turns: Sequence[Turn]) -> tuple[str, int]:
    """Return what the client answered last in the agent's place, and how often that came
    since the agent was last heard: who asks again gets the same answer."""
    told: list[str] = []
    for turn in reversed(turns):
        told[:0] = (text.partition("<")[0] for text in turn.request_errors)
        if turn.said or turn.calls:
            break
    last = one_line(told[-1], _SHOWN) if told else ""
    return last, sum(one_line(text, _SHOWN) == last for text in told)


def _cut_off(
    turn: Turn, cwd: str, red: Collection[str], failed: tuple[str, int]
) -> Item | None:
    """Say where a turn stopped that did not come to its end, and what the client said of
    it."""
    waiting = [c for c in turn.calls if c.role in EDITING and c.outcome == "pending"]
    # To tick off what was done is the last thing that many a turn does.
    calls = [c for c in turn.calls if c.role not in _KEEPS_NOTES or _begins_task(c)]
    last_call = calls[-1] if calls else None
    last_said = turn.said[-1] if turn.said else None
    where = _where_it_stood(turn, cwd, red)
    if turn.interrupted:
        fact = replace(where, how="stopped")
    elif last_call and (is_own(last_call) or _asks_user(turn)):
        return None
    elif waiting:
        files = dict.fromkeys(relative(call.target, cwd) for call in waiting)
        fact = replace(where, how="about to change", files=tuple(files)[:3])
    elif (last_call and (last_said is None or last_call.at > last_said.at)) or (
        last_said and (failed[0] or _is_promise(last_said.text))
    ):
        fact = where
    elif last_said is None and turn.via is not None:
        fact = UnfinishedTurn("not answered")
    else:
        return None
    if failed[0]:
        fact = replace(fact, failed=failed[0], times=failed[1])
    spoken = (last_said.uuid,) if last_said and fact.at else ()
    lines = (*spoken, *(call.uuid for call in waiting), turn.uuid)
    return fact_item(fact, "engine", tuple(dict.fromkeys(filter(None, lines))))


def _begins_task(call: Call) -> bool:
    return any(todo.status == "in_progress" for todo in call.todos)


def _is_promise(message: str) -> bool:
    """Say whether a message ends with what the agent sets out to do at once; what waits
    for a word of the user's is no promise."""
    spoken = sentences(message)
    closing = plain(spoken[-1]) if spoken else ""
    is_set_out = is_foreign(closing) or _SETS_OUT.match(closing)
    return (
        bool(is_set_out)
        and is_procedure(closing)
        and not (
            _OFFERS.match(closing) or _WAITS.search(closing) or is_question(closing)
        )
    )


def _asks_user(turn: Turn) -> bool:
    """Who waits for an answer was not cut off; the question is told as an open one."""
    return any(c.role == "ask" and c.outcome == "pending" for c in turn.calls)


def _where_it_stood(turn: Turn, cwd: str, red: Collection[str]) -> UnfinishedTurn:
    """Return what the agent said last in a turn and what it did since: words announce
    what was done behind them. Of one that only looked in silence, the last look."""
    spoken = sentences(turn.said[-1].text) if turn.said else ()
    said_at = turn.said[-1].at if spoken else 0
    calls = [
        call
        for call in turn.calls
        if call.at >= said_at and not is_own(call) and call.role not in _KEEPS_NOTES
    ]
    done = (_deed(call, cwd) for call in calls if call.call_id not in red)
    deeds = [*dict.fromkeys(filter(None, done))]
    at = spoken[-1].rstrip(":：") if spoken else ""
    if not at and not deeds and calls:
        at = _look(calls[-1], cwd)
    return UnfinishedTurn(
        "cut off",
        at=one_line(at, _SHOWN_AT),
        since=tuple(deeds[-_DEEDS:]),
        done=len(deeds) if len(deeds) > _DEEDS else 0,
    )


def _deed(call: Call, cwd: str) -> str:
    """Return what a call did and how it went, nothing if it only looked or has no
    result."""
    if call.outcome == "pending":
        return ""
    if call.role in EDITING and call.outcome == "ok":
        return _look(call, cwd)
    if call.role != "run" or not (did := deed_of(call.target)):
        return ""
    run = next(iter(runs_of((call,), cwd)), None)
    if "\n" in call.target:  # a program of several lines is known by what it is for
        did = call.detail or did
    ended = "" if call.outcome == "ok" else str(call.outcome)
    if run and run.failed:
        ended = ended_of(run) or "failed"
    elif run and not ended and exit_of(run) == 0:
        ended = "ok"
    return one_line(did, _SHOWN_DEED) + (f" → {ended}" if ended else "")


def _look(call: Call, cwd: str) -> str:
    if call.role in SHELL:
        return call.detail or shown_command(call.target)
    return f"{call.tool} {relative(call.target, cwd)}".rstrip()
