"""What was still going on when the session was last seen."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from holdfast.domain.checkpoint import Item, fact_item
from holdfast.domain.event import EDITING, SHELL, Role
from holdfast.domain.fact import RunningWork, UnfinishedTurn, WaitingPlan
from holdfast.domain.session import Call, Turn
from holdfast.domain.text import one_line
from holdfast.facts.commands.kinds import kind_of
from holdfast.facts.commands.runs import shown_command
from holdfast.facts.requests.requests import last_at_work, waiting_plan
from holdfast.facts.work.files import relative
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.prose import excerpt, is_title, plain, sentences, without_code

_ASKING: frozenset[Role] = frozenset(["run_output", "task_output"])
_GOES_ON = pattern(
    r"\b(?:running|not[_ ]ready|pending|in[_ ]progress)\b", re.IGNORECASE
)
_SAVES = pattern(r"\bholdfast\b[^|;&]*\ssave\b|holdfast__.*save")
_SHOWN = 120
_How = Literal["background", "sub-agent", "server", "command"]


def in_flight_of(
    turns: Sequence[Turn], told_over: Sequence[str] = (), cwd: str = ""
) -> tuple[Item, ...]:
    """Return background commands, servers and sub-agents without an end, and a turn
    that was cut off. `told_over` holds the ids of which the client told the end."""
    ended = {*told_over, *_ended_references(turns)}
    last = last_at_work(turns)
    found = [
        item
        for turn in turns
        for call in turn.calls
        if (item := _running(call, ended, is_last=turn is last))
    ]
    if plan := waiting_plan(turns):
        found.append(_proposed(plan))
    elif last and (cut := _cut_off(last, cwd)):
        found.append(cut)
    return tuple(found)


def _running(call: Call, ended: set[str], *, is_last: bool) -> Item | None:
    if call.reference and call.reference in ended:
        return None
    is_left = call.background or (call.reference and call.role in SHELL)
    if is_left and call.outcome in ("ok", "pending"):
        return _item("background", call)
    waits = call.outcome == "pending" and is_last and not _saves(call)
    return _item(how, call) if waits and (how := _waiting(call)) else None


def _saves(call: Call) -> bool:
    """The call that makes the checkpoint is no work that the checkpoint interrupts."""
    if call.outcome != "pending":
        return False
    asked = call.target if call.role in SHELL else call.tool
    return _SAVES.search(asked) is not None


def _waiting(call: Call) -> _How | None:
    if call.role == "agent":
        return "sub-agent"
    shown = shown_command(call.target) if call.role in SHELL else ""
    if not shown:
        return None
    return "server" if kind_of(shown) == "server" else "command"


def _item(how: _How, call: Call) -> Item:
    shown = shown_command(call.target) if call.role in SHELL else ""
    told = one_line(shown or call.target or call.detail, _SHOWN)
    fact = RunningWork(how, told, call.reference)
    return fact_item(fact, "engine", (call.uuid,), excerpt(call.target))


def _proposed(call: Call) -> Item:
    title = one_line(plain(call.target.strip().partition("\n")[0]), _SHOWN)
    lines = [line for line in without_code(call.target) if not is_title(line)]
    says = excerpt(" ".join(map(plain, lines)))
    return fact_item(WaitingPlan(title), "engine", (call.uuid,), says)


def _ended_references(turns: Sequence[Turn]) -> Iterator[str]:
    """Yield the ids of background work that was stopped or was seen to be over."""
    for turn in turns:
        for call in turn.calls:
            over = call.role == "stop" or (
                call.role in _ASKING and not _GOES_ON.search(call.output)
            )
            if over and call.outcome == "ok":
                yield call.reference
                yield call.target


def _cut_off(turn: Turn, cwd: str) -> Item | None:
    """Say where a turn stopped that did not come to its end."""
    waiting = [c for c in turn.calls if c.role in EDITING and c.outcome == "pending"]
    last_call = turn.calls[-1] if turn.calls else None
    last_said = turn.said[-1] if turn.said else None
    if turn.interrupted:
        fact = UnfinishedTurn("stopped", at=_at(turn))
    elif last_call and (_saves(last_call) or _asks_user(turn)):
        return None
    elif waiting:
        files = dict.fromkeys(relative(call.target, cwd) for call in waiting)
        fact = UnfinishedTurn("about to change", tuple(files)[:3], _at(turn))
    elif last_call and (last_said is None or last_call.at > last_said.at):
        fact = UnfinishedTurn("cut off", at=_at(turn))
    elif last_said is None and turn.via is not None:
        fact = UnfinishedTurn("not answered")
    else:
        return None
    spoken = (last_said.uuid,) if last_said and fact.at else ()
    lines = (*spoken, *(call.uuid for call in waiting), turn.uuid)
    return fact_item(fact, "engine", tuple(dict.fromkeys(filter(None, lines))))


def _asks_user(turn: Turn) -> bool:
    """Who waits for an answer was not cut off; the question is told as an open one."""
    return any(c.role == "ask" and c.outcome == "pending" for c in turn.calls)


def _at(turn: Turn) -> str:
    """Return what the agent said last in a turn."""
    spoken = sentences(turn.said[-1].text) if turn.said else ()
    return one_line(spoken[-1].rstrip(":："), 160) if spoken else ""
