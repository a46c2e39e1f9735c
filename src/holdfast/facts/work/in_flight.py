"""What was in flight when the session was last seen: what was left running, a plan that
waits for a word, and where a turn was cut off.

A turn was cut off if, in this order,

1. the user stopped it;
2. an edit has no result: it was about to be made;
3. its last call came behind the agent's last words;
4. its last words set out to do something at once, or the client failed behind them;
5. the user spoke and the agent was not heard.

A turn that waits for the user's answer was not, nor one that ends with a call of this
tool. What was ticked off at its end does not count as a call.
"""

import re
from collections.abc import Collection, Sequence
from typing import Literal

from holdfast.domain.checkpoint import Item, fact_item
from holdfast.domain.event import EDITING, SHELL
from holdfast.domain.fact import RunningWork, UnfinishedTurn, WaitingPlan
from holdfast.domain.session import Call, Turn
from holdfast.domain.text import one_line
from holdfast.facts.commands.command_kinds import kind_of
from holdfast.facts.commands.endings import ended_of, exit_of
from holdfast.facts.commands.meaningful import is_own
from holdfast.facts.commands.runs import deed_of, runs_of, shown_command
from holdfast.facts.requests.requests import last_at_work, waiting_plan
from holdfast.facts.work.files import relative
from holdfast.facts.work.running import running_of
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import replace
from holdfast.language.agent_messages import is_foreign, is_procedure
from holdfast.language.languages import Cues
from holdfast.language.sentences import (
    closing_sentences,
    excerpt,
    is_question,
    is_title,
    plain,
    sentences,
    without_code,
)

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
_SHOWN_DEED, _DEEDS = 80, 2  # letters of what was done last, and how many are told
_MOST_FILES = 3  # that were about to be changed
_How = Literal["sub-agent", "server", "command"]
_Stop = Literal["stopped", "about to change", "cut off", "not answered"]


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


def _cut_off(
    turn: Turn, cwd: str, red: Collection[str], failed: tuple[str, int]
) -> Item | None:
    """Say where a turn stopped that did not come to its end, and what the client said of
    it."""
    how = _how_it_stopped(turn, client_failed=bool(failed[0]))
    if how is None:
        return None
    waiting = _waiting_edits(turn)
    if how == "not answered":
        fact = UnfinishedTurn(how)
    else:
        about = waiting if how == "about to change" else ()
        files = dict.fromkeys(relative(call.target, cwd) for call in about)
        where = _where_it_stood(turn, cwd, red)
        fact = replace(where, how=how, files=tuple(files)[:_MOST_FILES])
    if failed[0]:
        fact = replace(fact, failed=failed[0], times=failed[1])
    spoken = (turn.said[-1].uuid,) if turn.said and fact.at else ()
    lines = (*spoken, *(call.uuid for call in waiting), turn.uuid)
    return fact_item(fact, "engine", tuple(dict.fromkeys(filter(None, lines))))


def _how_it_stopped(turn: Turn, *, client_failed: bool) -> _Stop | None:
    """Say how a turn stopped, nothing if it came to its end."""
    # To tick off what was done is the last thing that many a turn does.
    calls = [c for c in turn.calls if c.role not in _KEEPS_NOTES or _begins_task(c)]
    call = calls[-1] if calls else None
    said = turn.said[-1] if turn.said else None
    if turn.interrupted:
        return "stopped"
    if call and (is_own(call) or _asks_user(turn)):
        return None
    if _waiting_edits(turn):
        return "about to change"
    if said is None and call is None:
        return "not answered" if turn.via is not None else None
    is_left = said is None or (call is not None and call.at > said.at)
    is_begun = said is not None and (client_failed or _is_promise(said.text))
    return "cut off" if is_left or is_begun else None


def _waiting_edits(turn: Turn) -> list[Call]:
    return [c for c in turn.calls if c.role in EDITING and c.outcome == "pending"]


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


def _begins_task(call: Call) -> bool:
    return any(todo.status == "in_progress" for todo in call.todos)


def _asks_user(turn: Turn) -> bool:
    """Who waits for an answer was not cut off; the question is told as an open one."""
    return any(c.role == "ask" and c.outcome == "pending" for c in turn.calls)


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
    # What announces something else than a call stands before what is not told here.
    told = [*(s for s in spoken[:-1] if not s.endswith((":", "："))), *spoken[-1:]]
    at = closing_sentences(told, _SHOWN_AT).rstrip(":：")
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
