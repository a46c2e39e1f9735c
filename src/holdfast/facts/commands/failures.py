"""What went wrong, each trouble once, and what became of it.

It is open until the same command, target or tool went well; it is given up once it failed
again and again and was left, or once the work it belongs to was committed without it. What
leaves nothing open (`slips`) is no trouble.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Literal

from holdfast.domain.checkpoint import Item, fact_item
from holdfast.domain.event import EDITING, SHELL
from holdfast.domain.fact import Failure
from holdfast.domain.session import Call, Turn
from holdfast.facts.commands.carriers import is_in_container
from holdfast.facts.commands.meaningful import is_own
from holdfast.facts.commands.runs import Ran, run_of, steps_of, telling_line
from holdfast.facts.commands.same_work import (
    INSTALLS,
    anywhere,
    names_of_success,
    operands_of,
    program_of,
    scope_of_step,
    scopes_of,
    server_and_target,
    tool_and_target,
)
from holdfast.facts.commands.slips import is_slip, is_tool_slip
from holdfast.facts.commands.suite_scopes import SuiteScope, covers
from holdfast.facts.requests.requests import is_request
from holdfast.facts.work.files import base_name
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.language.sentences import EXCERPT

_MOST = 40
_MOST_EDITED = 3  # files that are told to have ended a failure, the last first
_CHANGING = pattern(r"0x[0-9a-f]+|\b[0-9a-f]{7,}\b|\d+(?:\.\d+)?|(?:/[\w.-]+)+/")

# An edit that failed was made again or not needed, unless it was not allowed.
_FORBIDDEN = pattern(r"denied|not permitted|read-only|hook|EACCES", re.IGNORECASE)

# Kinds that are tried once and come to nothing more often than they matter.
_PASSING = frozenset(["run", "git", "tool"])

# A script that judges the work is a suite, whatever it is called: `sh run-tests`.
_JUDGES = pattern(
    r"(?:^|[\s/_.-])(?:tests?|specs?|checks?|build|lint|ci)\b|\bFAILED\b|\b\d+ failed\b"
)
# A merge that stopped at a conflict is ended by a commit, or by going on.
_CONFLICT = "conflict"
_CONFLICTED = pattern(r"^CONFLICT \(|fix conflicts|could not apply", re.MULTILINE)
_GOES_ON = pattern(r"\bgit\b[^|;&]*\s--continue\b")
_Key = tuple[str, str]
_AGAIN = 2  # failures that make a way that was left a dead end
_STILL_WALKED = 12  # last calls: what failed there is work, not a dead end
_LONG_AGO = 80  # calls
_TroubleState = Literal["open", "fixed", "abandoned"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """One kind of failure of one command or tool."""

    what: str  # the command, or the tool and its target
    kind: str  # of the command, or `tool`
    line: str  # what the output says
    times: int
    state: _TroubleState
    call: Call  # the last time it happened
    edited: tuple[str, ...] = ()  # files changed from then on until it was ended
    place: str = ""  # the directory it ran in, where that is not the session's own
    is_slip: bool = False

    @property
    def is_open(self) -> bool:
        return self.state == "open"

    @property
    def fact(self) -> Failure:
        """What failed, and the fix that ended it: nobody says so, but these files were
        changed."""
        edited = map(base_name, reversed(self.edited)) if self.state == "fixed" else ()
        return Failure(
            self.what.replace("`", "'"),  # it is told between such marks
            self.line,
            self.call.exit_status,
            self.state,
            tuple(dict.fromkeys(edited))[:_MOST_EDITED],
            self.times,
            self.place,
        )


def troubles_of(
    calls: Sequence[Call], runs: Sequence[Ran], turns: Sequence[Turn] = ()
) -> tuple[Trouble, ...]:
    """Return each failure once by its signature: open ones first, newest first. A slip
    is one of them only if what it was for went well since. `turns` hold the calls."""
    by_call = {run.call.call_id: run for run in runs}
    ledger = _Ledger()
    for place, call in enumerate(calls):
        run = by_call.get(call.call_id)
        if run.failed if run else call.outcome == "failed":
            ledger.failed(call, run, place)
        elif call.outcome == "ok":
            if call.role in EDITING:
                ledger.edited(call.target)
            ledger.went_well(call, run, place)
    ended = ledger.at_the_end(len(calls), _answered(turns))
    newest_first = [*reversed(ended)]
    newest_first.sort(
        key=lambda trouble: (not trouble.is_open, trouble.kind in _PASSING)
    )
    return tuple(newest_first)


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
    ledger = _Ledger()
    keys = {ledger.inherited(failure, cwd): failure for failure in failures}
    by_call = {run.call.call_id: run for run in runs}
    for place, call in enumerate(calls):
        run = by_call.get(call.call_id)
        if (run.failed if run else call.outcome == "failed") and _counts(call, run):
            ledger.failed(call, run, place)
        elif call.outcome == "ok" and not (run and run.failed):
            ledger.went_well(call, run, place)
    return frozenset(one for key, one in keys.items() if not ledger.seen[key].is_open)


def _lines(output: str) -> str:
    """Return whole lines from the beginning, as many as an excerpt may hold."""
    if len(output) <= EXCERPT:
        return output
    return output[:EXCERPT].rpartition("\n")[0] or output[:EXCERPT]


def signature(line: str) -> str:
    """Return what stays of an error line when numbers, addresses and places change."""
    return " ".join(_CHANGING.sub(" ", line.lower()).split())


class _Ledger:
    """The troubles seen so far, and by what a later success ends them."""

    def __init__(self) -> None:
        self.seen: dict[_Key, Trouble] = {}
        self._open: defaultdict[str, set[_Key]] = defaultdict(set)
        self._unseen: dict[_Key, tuple[SuiteScope, ...]] = {}  # not run well since
        self._edits: list[str] = []
        self._edits_before: dict[_Key, int] = {}  # how many there were when it failed
        self._places: dict[_Key, int] = {}  # of the calls that failed last
        self._committed = -1  # place of the last call that did

    def edited(self, path: str) -> None:
        self._edits.append(path)

    def failed(self, call: Call, run: Ran | None, place: int) -> None:
        what = run.key if run else tool_and_target(call)
        line = run.line if run else telling_line(call, failed=True)
        key = (what, signature(line))
        before = self.seen.pop(key, None)
        self._settle(f"={what}")  # whatever it failed with before, it now fails so
        times = before.times if before else 0
        for step in what.split(" && ") if run and " && " in what else ():
            same = self.seen.pop((step, signature(line)), None)
            times += same.times if same else 0
            self._settle(f"={step}")  # and a step of it fails, if at all, with it
        self.seen[key] = Trouble(
            run.bare if run else what,
            run.kind if run else "tool",
            line,
            times + 1,
            "open",
            call,
            place=run.place if run else "",
            is_slip=not _counts(call, run),
        )
        self._places[key] = place
        self._watch(
            key, names_of_success(what, call, run), scopes_of(run) if run else ()
        )
        if "git " in what and _CONFLICTED.search(call.output):
            self._open[_CONFLICT].add(key)

    def inherited(self, failure: Failure, cwd: str) -> _Key:
        """Watch a failure of an earlier session; of its call nothing else is known."""
        command = f'cd "{failure.place}" && {failure.command}'
        run = run_of(command if failure.place else failure.command, cwd)
        what = run.key if run else failure.command
        key = (what, signature(failure.line))
        call = Call("", what.partition(" ")[0], "", "", 0, "server")
        self.seen[key] = Trouble(what, "", failure.line, 1, "open", call)
        self._watch(
            key, names_of_success(what, call, run), scopes_of(run) if run else ()
        )
        return key

    def _watch(
        self, key: _Key, names: Sequence[str], scopes: tuple[SuiteScope, ...]
    ) -> None:
        """Note by what a later success may be called that ends this trouble."""
        self._edits_before[key] = len(self._edits)
        for name in names:
            self._open[name].add(key)
        if scopes:
            self._unseen[key] = scopes

    def went_well(self, call: Call, run: Ran | None, place: int) -> None:
        if run is not None and run.kind == "commit":
            self._committed = place
        if not self._open and not self._unseen:  # as mostly: nothing waits for it
            return
        if run is None:
            self._settle(f"={tool_and_target(call)}")
            self._settle(f"~{call.tool}")
            if server := server_and_target(call):
                self._settle(server)
            return
        if not run.hidden:
            self._settle(f"={run.key}")
        for step in steps_of(run, even_long=True):
            if not step.hidden:
                self._step_went_well(step)

    def at_the_end(self, count: int, answered: int) -> list[Trouble]:
        """Return the troubles as they stand after so many calls, of which so many are
        answered."""
        found = []
        for key, one in self.seen.items():
            if not one.is_open:
                found.append(one)
            elif one.is_slip:
                continue
            elif self._is_given_up(one, self._places[key], count):
                found.append(replace(one, state="abandoned"))
            elif not self._is_over(key, answered):
                found.append(one)
        return found

    def _is_over(self, key: _Key, answered: int) -> bool:
        """Say whether what failed in passing was told of, and something else asked for
        since; a merge that stopped at a conflict and work of git stand until done."""
        if self._places[key] >= answered or key in self._open.get(_CONFLICT, ()):
            return False
        one = self.seen[key]
        if one.kind == "run" and _JUDGES.search(f"{key[0]} {one.line}"):
            return False
        installs = any(map(INSTALLS.match, key[0].split(" && ")))
        return installs or one.kind in ("run", "tool")

    def _is_given_up(self, trouble: Trouble, place: int, count: int) -> bool:
        """A suite that is red stays red until somebody commits and goes on without it;
        another program was left once it is not tried any more."""
        age = count - 1 - place
        if trouble.kind in _PASSING:
            limit = _STILL_WALKED if trouble.times >= _AGAIN else _LONG_AGO
            return age >= limit
        return age >= _LONG_AGO and self._committed > place

    def _step_went_well(self, step: Ran) -> None:
        self._settle(f"={step.key}")
        inside = is_in_container(step.shown)
        if inside:
            self._settle(anywhere(step.key))
        self._saw(scope_of_step(step.key), is_elsewhere=inside)
        if step.kind in _PASSING or INSTALLS.match(step.key):
            self._settle_tried_again(step)
        if step.kind == "commit" or _GOES_ON.search(step.shown):
            self._settle(_CONFLICT)

    def _settle_tried_again(self, step: Ran) -> None:
        """Of a program that does many things, only what was done to the same things has
        gone well; git tells what it could not do where it matters."""
        program = program_of(step.key)
        name = f"~{program}"
        if step.kind == "git":
            self._settle(name)
            return
        done = operands_of(step.key, program)
        known = [*self._open.get(name, ())]
        for key in [key for key in known if operands_of(key[0], program) <= done]:
            self._open[name].discard(key)
            self._end(key)

    def _saw(self, ran: SuiteScope, *, is_elsewhere: bool) -> None:
        """What went well ends a trouble once all that failed in it was run again; where
        a container has another place for it, in whichever place."""
        for key, scopes in [*self._unseen.items()]:
            left = tuple(
                scope
                for scope in scopes
                if not covers(ran, scope._replace(places=()) if is_elsewhere else scope)
                and not covers(ran, scope)
            )
            self._unseen[key] = left
            if not left:
                self._end(key)

    def _settle(self, name: str) -> None:
        for key in self._open.pop(name, ()):
            self._end(key)

    def _end(self, key: _Key) -> None:
        self._unseen.pop(key, None)
        if key in self.seen and self.seen[key].is_open:
            edited = tuple(self._edits[self._edits_before[key] :])
            self.seen[key] = replace(self.seen[key], state="fixed", edited=edited)


def _counts(call: Call, run: Ran | None) -> bool:
    """Say whether a failure tells something about the work."""
    if run is not None:
        return not is_slip(call, run)
    if call.role in EDITING:
        return bool(_FORBIDDEN.search(call.output))
    return call.role not in SHELL and not is_tool_slip(call) and not is_own(call)
