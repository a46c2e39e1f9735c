"""What went wrong, each trouble once, and what became of it.

While the session goes on, what went well ends a trouble (`trouble_ledger`). Of those that
nothing ended, at the end

1. a slip (`slips`) is no trouble;
2. what was left is given up: another program than a suite once it is not tried any more,
   a suite once work on something else was committed since;
3. what failed in passing is over once the user was told and asked for something else:
   a program, a server, a script that was written to look at one thing;
4. the rest is open.
"""

from collections.abc import Collection, Iterator, Sequence

from holdfast.domain.checkpoint import Item, fact_item
from holdfast.domain.event import EDITING
from holdfast.domain.fact import Failure
from holdfast.domain.session import Call, Turn
from holdfast.facts.commands.runs import Ran
from holdfast.facts.commands.same_work import INSTALLS
from holdfast.facts.commands.trouble_ledger import (
    PASSING,
    Trouble,
    TroubleLedger,
    counts,
)
from holdfast.facts.requests.requests import is_request
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import replace
from holdfast.language.sentences import EXCERPT

_MOST = 40
_AGAIN = 2  # failures that make a way that was left a dead end
_STILL_WALKED = 12  # last calls: what failed there is work, not a dead end
_LONG_AGO = 80  # calls

# A script that judges the work is a suite, whatever it is called: `sh run-tests`.
_JUDGES = pattern(
    r"(?:^|[\s/_.-])(?:tests?|specs?|checks?|build|lint|ci)\b|\bFAILED\b|\b\d+ failed\b"
)


class _End(NamedTuple):
    """How far the session came: numbers of calls."""

    calls: int
    answered: int  # before something else was asked
    committed: int  # the last one that did


def troubles_of(
    calls: Sequence[Call], runs: Sequence[Ran], turns: Sequence[Turn] = ()
) -> tuple[Trouble, ...]:
    """Return each failure once by its signature: open ones first, newest first. A slip
    is one of them only if what it was for went well since. `turns` hold the calls."""
    ledger = TroubleLedger()
    for number, (call, run, failed) in enumerate(_with_runs(calls, runs)):
        if failed:
            ledger.failed(call, run, number)
        elif call.outcome == "ok":
            if call.role in EDITING:
                ledger.edited(call)
            ledger.went_well(call, run, number)
    end = _End(len(calls), _answered(turns), ledger.committed)
    ended = (_at_the_end(trouble, end) for trouble in ledger.seen.values())
    newest_first = [trouble for trouble in ended if trouble][::-1]
    newest_first.sort(key=lambda one: (not one.is_open, one.kind in PASSING))
    return tuple(newest_first)


def errors_of(troubles: Sequence[Trouble]) -> tuple[Item, ...]:
    """Return what is open, and what was fixed; what was given up is a dead end."""
    told = (t for t in troubles if t.state != "abandoned" and not t.is_slip)
    return tuple(
        fact_item(t.fact, "tool", t.call.evidence, _lines(t.call.output)) for t in told
    )[:_MOST]


def mended_calls(troubles: Sequence[Trouble]) -> frozenset[str]:
    """Return the calls that failed and whose work went well since."""
    return frozenset(t.call.call_id for t in troubles if t.state == "fixed")


def left_again(troubles: Sequence[Trouble]) -> tuple[Trouble, ...]:
    """Return what failed again and again and was left."""
    given_up = (trouble for trouble in troubles if trouble.state == "abandoned")
    return tuple(trouble for trouble in given_up if trouble.times >= _AGAIN)


def ended_since(
    failures: Collection[Failure], calls: Sequence[Call], runs: Sequence[Ran], cwd: str
) -> frozenset[Failure]:
    """Return which failures of an earlier session are over: the same command, target or
    tool went well in this one, or fails in another way."""
    ledger = TroubleLedger()
    keys = {ledger.inherited(failure, cwd): failure for failure in failures}
    for number, (call, run, failed) in enumerate(_with_runs(calls, runs)):
        if failed and counts(call, run):
            ledger.failed(call, run, number)
        elif call.outcome == "ok" and not failed:
            ledger.went_well(call, run, number)
    left = (key for key, one in ledger.seen.items() if one.is_open)
    return frozenset(keys[key] for key in keys.keys() - {*left})


def _with_runs(
    calls: Sequence[Call], runs: Sequence[Ran]
) -> Iterator[tuple[Call, Ran | None, bool]]:
    """Yield each call with its run, and whether it failed: a pipe may hide that."""
    by_call = {run.call.call_id: run for run in runs}
    for call in calls:
        run = by_call.get(call.call_id)
        yield call, run, run.failed if run else call.outcome == "failed"


def _answered(turns: Sequence[Turn]) -> int:
    """Return how many calls stand in turns that the agent ended with a message, and
    behind which the user asked for something else."""
    count = answered = closed = 0
    for turn in turns:
        if is_request(turn):
            answered = closed
        count += len(turn.calls)
        last = turn.calls[-1].at if turn.calls else 0
        if turn.said and turn.said[-1].at >= last and not turn.interrupted:
            closed = count
    return answered


def _at_the_end(trouble: Trouble, end: _End) -> Trouble | None:
    """Return what a trouble is at the end of the session, nothing if it is none."""
    if not trouble.is_open:
        return trouble
    if trouble.is_slip:
        return None
    if _is_given_up(trouble, end):
        return replace(trouble, state="abandoned")
    return None if _is_over(trouble, end) else trouble


def _is_given_up(trouble: Trouble, end: _End) -> bool:
    """Say whether it was left; what failed again and again shows that sooner."""
    age = end.calls - 1 - trouble.number
    if trouble.kind in PASSING:
        limit = _STILL_WALKED if trouble.times >= _AGAIN else _LONG_AGO
        return age >= limit
    return age >= _LONG_AGO and end.committed > trouble.number


def _is_over(trouble: Trouble, end: _End) -> bool:
    """Say whether what failed in passing was told of, and something else asked for
    since; a merge that stopped at a conflict and work of git stand until done."""
    if trouble.number >= end.answered or trouble.is_conflict:
        return False
    if trouble.is_of_own_script:
        return True
    if trouble.kind == "run" and _JUDGES.search(f"{trouble.key} {trouble.line}"):
        return False
    installs = any(map(INSTALLS.match, trouble.key.split(" && ")))
    return installs or trouble.kind in ("run", "tool", "server")


def _lines(output: str) -> str:
    """Return whole lines from the beginning, as many as an excerpt may hold."""
    if len(output) <= EXCERPT:
        return output
    return output[:EXCERPT].rpartition("\n")[0] or output[:EXCERPT]
