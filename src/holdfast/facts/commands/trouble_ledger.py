"""The ledger of what went wrong, kept call by call: what failed is noted once, however
often it fails, and is ended by what went well since.

A success ends a trouble if it is

1. the same command, or the same tool on the same target (in a container, wherever it runs);
2. a chain with the command in it that failed alone, however the chain ends;
3. of a suite, runs that together cover all that failed in it;
4. of a program that only checked, the same one that put right what it found;
5. of a program that was tried, or that installs, the same things done with other words;
6. of git, the same kind of command; of a merge that stopped, a commit or `--continue`;
7. of a server, the same tool, or any of its tools about the same thing.

What each of them is called stands in `same_work` and `suite_scopes`.
"""

import re
from collections import defaultdict
from typing import Literal

from holdfast.domain.event import EDITING, SHELL
from holdfast.domain.fact import Failure
from holdfast.domain.session import Call
from holdfast.facts.commands.carriers import is_in_container
from holdfast.facts.commands.meaningful import is_own
from holdfast.facts.commands.runs import Ran, run_of, steps_of, telling_line
from holdfast.facts.commands.same_work import (
    INSTALLS,
    anywhere,
    may_put_right,
    names_of_success,
    operands_of,
    program_of,
    scope_of_step,
    scopes_of,
    script_of,
    server_and_target,
    tool_and_target,
    writer_of,
)
from holdfast.facts.commands.slips import is_slip, is_tool_slip
from holdfast.facts.commands.suite_scopes import SuiteScope, covers
from holdfast.facts.work.files import base_name
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, replace

_MOST_EDITED = 3  # files that are told to have ended a failure, the last first
_CHANGING = pattern(r"0x[0-9a-f]+|\b[0-9a-f]{7,}\b|\d+(?:\.\d+)?|(?:/[\w.-]+)+/")

# An edit that failed was made again or not needed, unless it was not allowed.
_FORBIDDEN = pattern(r"denied|not permitted|read-only|hook|EACCES", re.IGNORECASE)

# Kinds that are tried once and come to nothing more often than they matter.
PASSING = frozenset(["run", "git", "tool"])

# A merge that stopped at a conflict is ended by a commit, or by going on.
_CONFLICT = "conflict"
_CONFLICTED = pattern(r"^CONFLICT \(|fix conflicts|could not apply", re.MULTILINE)
_GOES_ON = pattern(r"\bgit\b[^|;&]*\s--continue\b")
_Key = tuple[str, str]  # the command or tool, and the signature of what it said
_TroubleState = Literal["open", "fixed", "abandoned"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """One kind of failure of one command or tool."""

    what: str  # the command, or the tool and its target
    key: str  # the same, equal for whatever is the same command
    kind: str  # of the command, or `tool`
    line: str  # what the output says
    times: int
    state: _TroubleState
    call: Call  # the last time it happened
    number: int = 0  # of that call in the session
    edited: tuple[str, ...] = ()  # files changed from then on until it was ended
    place: str = ""  # the directory it ran in, where that is not the session's own
    is_slip: bool = False
    is_conflict: bool = False
    is_of_own_script: bool = False  # that the session wrote, and nothing else

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


def signature(line: str) -> str:
    """Return what stays of an error line when numbers, addresses and places change."""
    return " ".join(_CHANGING.sub(" ", line.lower()).split())


def counts(call: Call, run: Ran | None) -> bool:
    """Say whether a failure tells something about the work."""
    if run is not None:
        return not is_slip(call, run)
    if call.role in EDITING:
        return bool(_FORBIDDEN.search(call.output))
    return call.role not in SHELL and not is_tool_slip(call) and not is_own(call)


class TroubleLedger:
    """The troubles seen so far, in the order in which they came last."""

    def __init__(self) -> None:
        self.seen: dict[_Key, Trouble] = {}
        self.committed = -1  # the number of the last call that did
        self._ended_by: defaultdict[str, set[_Key]] = defaultdict(set)
        self._unseen: dict[_Key, tuple[SuiteScope, ...]] = {}  # not run well since
        self._edits: list[str] = []
        self._written: set[str] = set()  # names of files that were made here
        self._edits_before: dict[_Key, int] = {}  # how many there were when it failed

    def edited(self, call: Call) -> None:
        """Note a file that was changed: what fails may be mended there."""
        path = call.target.replace("\\", "/")
        self._edits.append(path)
        if call.created:
            self._written.add(base_name(path))

    def failed(self, call: Call, run: Ran | None, number: int) -> None:
        """Note a failure; one of the same signature is the same trouble again."""
        what = run.key if run else tool_and_target(call)
        line = run.line if run else telling_line(call, failed=True)
        key = (what, signature(line))
        is_conflict = "git " in what and _CONFLICTED.search(call.output) is not None
        self.seen[key] = Trouble(
            run.bare if run else what,
            what,
            run.kind if run else "tool",
            line,
            self._times_before(key, is_chain=run is not None and " && " in what) + 1,
            "open",
            call,
            number,
            place=run.place if run else "",
            is_slip=not counts(call, run),
            is_conflict=is_conflict,
            is_of_own_script=run is not None and script_of(run) in self._written,
        )
        self._watch(key, call, run)
        if is_conflict:
            self._ended_by[_CONFLICT].add(key)

    def inherited(self, failure: Failure, cwd: str) -> _Key:
        """Watch a failure of an earlier session; of its call nothing else is known."""
        command = f'cd "{failure.place}" && {failure.command}'
        run = run_of(command if failure.place else failure.command, cwd)
        what = run.key if run else failure.command
        key = (what, signature(failure.line))
        call = Call("", what.partition(" ")[0], "", "", 0, "server")
        self.seen[key] = Trouble(what, what, "", failure.line, 1, "open", call)
        self._watch(key, call, run)
        return key

    def went_well(self, call: Call, run: Ran | None, number: int) -> None:
        """Note a success, and end the troubles that it ends."""
        if run is not None and run.kind == "commit":
            self.committed = number
        if not self._ended_by and not self._unseen:  # as mostly: nothing waits for it
            return
        if run is None:
            self._tool_went_well(call)
            return
        if not run.hidden:
            self._settle(f"={run.key}")
        for step in steps_of(run, even_long=True):
            if not step.hidden:
                self._step_went_well(step)

    def _times_before(self, key: _Key, *, is_chain: bool) -> int:
        """Return how often the same went wrong, and make room for it: whatever else the
        command failed with, it now fails so; and so do, if at all, the steps of a chain."""
        what, line = key
        again = [key]
        self._settle(f"={what}")
        for step in what.split(" && ") if is_chain else ():
            again.append((step, line))
            self._settle(f"={step}")
        before = [self.seen.pop(one) for one in again if one in self.seen]
        return sum(trouble.times for trouble in before)

    def _watch(self, key: _Key, call: Call, run: Ran | None) -> None:
        """Note by what a later success may be called that ends this trouble."""
        self._edits_before[key] = len(self._edits)
        for name in names_of_success(key[0], call, run):
            self._ended_by[name].add(key)
        if run and (scopes := scopes_of(run)):
            self._unseen[key] = scopes

    def _tool_went_well(self, call: Call) -> None:
        self._settle(f"={tool_and_target(call)}")
        self._settle(f"~{call.tool}")
        if server := server_and_target(call):
            self._settle(server)

    def _step_went_well(self, step: Ran) -> None:
        self._settle(f"={step.key}")
        inside = is_in_container(step.shown)
        if inside:
            self._settle(anywhere(step.key))
        self._saw(scope_of_step(step.key), is_elsewhere=inside)
        if writes := writer_of(step.key):
            self._settle_put_right(writes, step)
        if step.kind in PASSING or INSTALLS.match(step.key):
            self._settle_tried_again(step)
        if step.kind == "commit" or _GOES_ON.search(step.shown):
            self._settle(_CONFLICT)

    def _settle_put_right(self, name: str, step: Ran) -> None:
        for key in [*self._ended_by.get(name, ())]:
            if may_put_right(step.key, key[0]):
                self._ended_by[name].discard(key)
                self._end(key)

    def _settle_tried_again(self, step: Ran) -> None:
        """Of a program that does many things, only what was done to the same things has
        gone well; git tells what it could not do where it matters."""
        program = program_of(step.key)
        name = f"~{program}"
        if step.kind == "git":
            self._settle(name)
            return
        done = operands_of(step.key, program)
        known = [*self._ended_by.get(name, ())]
        for key in [key for key in known if operands_of(key[0], program) <= done]:
            self._ended_by[name].discard(key)
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
        for key in self._ended_by.pop(name, ()):
            self._end(key)

    def _end(self, key: _Key) -> None:
        self._unseen.pop(key, None)
        if key in self.seen and self.seen[key].is_open:
            edited = tuple(self._edits[self._edits_before[key] :])
            self.seen[key] = replace(self.seen[key], state="fixed", edited=edited)
