"""What went wrong, each trouble once, and whether the same command later went well.

Also how the code at hand would fail, in its own words: an error met later is known by them.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from holdfast.domain.checkpoint import FileRef, Item, fact_item
from holdfast.domain.event import EDITING, LOOKING, SHELL, Role
from holdfast.domain.fact import CodeLine, Failure
from holdfast.domain.session import Call
from holdfast.facts.commands.command_kinds import SUITES, kind_of
from holdfast.facts.commands.runs import Ran, steps_of, telling_line
from holdfast.facts.commands.suite_scopes import SuiteScope, apart, covers, scope_of
from holdfast.facts.work.files import base_name, relative
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

# A merge that stopped at a conflict is ended by a commit, or by going on.
_CONFLICT = "conflict"
_CONFLICTED = pattern(r"^CONFLICT \(|fix conflicts|could not apply", re.MULTILINE)
_GOES_ON = pattern(r"\bgit\b[^|;&]*\s--continue\b")
_Key = tuple[str, str]
_WORD = pattern(r"[^\W_]\w+")
_LOOK_BACK, _HALF_LIFE = 300, 40  # calls
_LONGEST_LINE = 120  # characters; a longer one is code around an error, or a dump
_UNRANKED = 12  # of a line whose file is not known
_FEW_WORDS = 3
_KNOWN = 0.3  # share of new words below which a line says nothing new
_LOOKS_ONLY: frozenset[Role] = LOOKING - {"consult"}

_MOST_CODE_LINES = 40
_AT_ONCE = 3  # lines of a file before the next one has its say


@dataclass(frozen=True, slots=True)
class Trouble:
    """One kind of failure of one command or tool."""

    what: str  # the command, or the tool and its target
    kind: str  # of the command, or `tool`
    line: str  # what the output says
    times: int
    is_open: bool
    call: Call  # the last time it happened
    edited: tuple[str, ...] = ()  # files changed from then on until it was ended

    @property
    def fact(self) -> Failure:
        """What failed, and the fix that ended it: nobody says so, but these files were
        changed."""
        edited = () if self.is_open else map(base_name, reversed(self.edited))
        return Failure(
            self.what.replace("`", "'"),  # it is told between such marks
            self.line,
            self.call.exit_status,
            "open" if self.is_open else "fixed",
            tuple(dict.fromkeys(edited))[:_MOST_EDITED],
            self.times,
        )


def troubles_of(calls: Sequence[Call], runs: Sequence[Ran]) -> tuple[Trouble, ...]:
    """Return each failure once by its signature: open ones first, newest first."""
    by_call = {run.call.call_id: run for run in runs}
    ledger = _Ledger()
    for call in calls:
        run = by_call.get(call.call_id)
        if run.failed if run else call.outcome == "failed":
            if _counts(call, run):
                ledger.failed(call, run)
        elif call.outcome == "ok":
            if call.role in EDITING:
                ledger.edited(call.target)
            ledger.went_well(call, run)
    newest_first = list(reversed(ledger.seen.values()))
    newest_first.sort(
        key=lambda trouble: (not trouble.is_open, trouble.kind in _PASSING)
    )
    return tuple(newest_first)


def errors_of(troubles: Sequence[Trouble]) -> tuple[Item, ...]:
    return tuple(
        fact_item(t.fact, "tool", t.call.evidence, _lines(t.call.output))
        for t in troubles[:_MOST]
    )


def mended_calls(troubles: Sequence[Trouble]) -> frozenset[str]:
    """Return the calls that failed and whose work went well since."""
    return frozenset(t.call.call_id for t in troubles if not t.is_open)


def error_lines_of(
    calls: Sequence[Call], files: Sequence[FileRef], cwd: str
) -> tuple[Item, ...]:
    """Return the error lines of failed commands that the work keeps meeting, each
    telling something that those before it do not: met often, met lately."""
    place = {file.path: rank for rank, file in enumerate(files)}
    met: dict[str, tuple[float, str, tuple[str, ...]]] = {}
    for age, call in enumerate(reversed(calls)):
        if age > _LOOK_BACK:
            break
        if call.role not in SHELL or call.outcome != "failed":
            continue
        rank = place.get(relative(call.target, cwd), _UNRANKED)
        weight = 0.5 ** (age / _HALF_LIFE) / (1 + rank)
        for line in call.output.split("\n"):
            if len(line) > _LONGEST_LINE:
                continue
            known = met.get(key := signature(line), (0.0, line, call.evidence))
            met[key] = (known[0] + weight, *known[1:])
    ranked = sorted(met.values(), key=lambda seen: (-seen[0], seen[1]))
    return tuple(_telling_new(ranked))


def code_lines_of(
    glimpses: Sequence[tuple[str, str, str]],
    calls: Sequence[Call],
    files: Sequence[FileRef],
) -> tuple[Item, ...]:
    """Return failing lines of the files that were read last, a few of each by turns.

    The file likeliest needed next begins; `files` are in that order.
    """
    by_id = {call.call_id: call for call in calls}
    places = {base_name(f.path): place for place, f in reversed([*enumerate(files)])}
    found: dict[str, Item] = {}
    order: dict[str, tuple[int, int]] = {}
    for call_id, text, read in reversed(glimpses):
        call = by_id.get(call_id)
        if call is None:  # rewound, or too long ago
            continue
        name = base_name(call.target)
        lines = tuple(filter(None, (read, call.uuid)))
        for number, line in enumerate(text.split("\n")):
            if line not in found:
                found[line] = fact_item(CodeLine(name, line), "tool", lines)
                order[line] = (number // _AT_ONCE, places.get(name, len(files)))
    return tuple(found[line] for line in sorted(found, key=order.__getitem__))[
        :_MOST_CODE_LINES
    ]


def _telling_new(
    ranked: Sequence[tuple[float, str, tuple[str, ...]]],
) -> Iterator[Item]:
    told: set[str] = set()
    found = 0
    for _, line, evidence in ranked:
        words = set(_WORD.findall(line.lower()))
        if len(words) < _FEW_WORDS or len(words - told) <= _KNOWN * len(words):
            continue
        told |= words
        found += 1
        yield Item(line, "tool", evidence)
        if found == _MOST:
            return


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

    def edited(self, path: str) -> None:
        self._edits.append(path)

    def failed(self, call: Call, run: Ran | None) -> None:
        what = run.key if run else _tool_and_target(call)
        line = run.line if run else telling_line(call, failed=True)
        key = (what, signature(line))
        before = self.seen.pop(key, None)
        self._settle(f"={what}")  # whatever it failed with before, it now fails so
        self.seen[key] = Trouble(
            run.shown if run else what,
            run.kind if run else "tool",
            line,
            before.times + 1 if before else 1,
            is_open=True,
            call=call,
        )
        self._edits_before[key] = len(self._edits)
        for name in _names(what, call, run):
            self._open[name].add(key)
        if run and (scopes := _scopes(run)):
            self._unseen[key] = scopes
        if "git " in what and _CONFLICTED.search(call.output):
            self._open[_CONFLICT].add(key)

    def went_well(self, call: Call, run: Ran | None) -> None:
        if run is None:
            self._settle(f"={_tool_and_target(call)}")
            self._settle(f"~{call.tool}")
            return
        if not run.hidden:
            self._settle(f"={run.key}")
        for step in steps_of(run):
            if not step.hidden:
                self._step_went_well(step)

    def _step_went_well(self, step: Ran) -> None:
        self._settle(f"={step.key}")
        self._saw(_scope(step.key))
        if step.kind in _PASSING:
            self._settle_tried_again(step)
        if step.kind == "commit" or _GOES_ON.search(step.shown):
            self._settle(_CONFLICT)

    def _settle_tried_again(self, step: Ran) -> None:
        """Of a program that does many things, only what was done to the same things has
        gone well; git tells what it could not do where it matters."""
        name = f"~{_program(step.key)}"
        if step.kind == "git":
            self._settle(name)
            return
        done = _operands(step.key)
        for key in [key for key in self._open[name] if _operands(key[0]) <= done]:
            self._open[name].discard(key)
            self._end(key)

    def _saw(self, ran: SuiteScope) -> None:
        """What went well ends a trouble once all that failed in it was run again."""
        for key, scopes in [*self._unseen.items()]:
            left = tuple(scope for scope in scopes if not covers(ran, scope))
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
            self.seen[key] = replace(self.seen[key], is_open=False, edited=edited)


def _scopes(run: Ran) -> tuple[SuiteScope, ...]:
    """Return what must go well before a run that failed counts as mended; of a chain,
    each step, or each suite in it: nobody knows which one failed."""
    steps = run.key.split(" && ")
    suites = [step for step in steps if kind_of(step) in SUITES]
    return tuple(part for step in suites or steps for part in apart(_scope(step)))


def _scope(step: str) -> SuiteScope:
    kind = kind_of(step)
    return scope_of(step, kind) if kind in SUITES else SuiteScope(kind, step)


def _names(what: str, call: Call, run: Ran | None) -> tuple[str, ...]:
    """Return what a later success may be called to end this trouble."""
    if run is None:
        # An issue that was not there was looked up by its right name; another file
        # that was edited mends nothing.
        is_of_server = call.role == "server"
        return (f"={what}", f"~{call.tool}") if is_of_server else (f"={what}",)
    steps = what.split(" && ") if run.kind == "git" else [what]
    return (f"={what}", *(f"~{_program(step)}" for step in steps))


def _program(key: str) -> str:
    return " ".join(key.split()[:2])


def _operands(key: str) -> frozenset[str]:
    return frozenset(word for word in key.split() if not word.startswith("-"))


def _tool_and_target(call: Call) -> str:
    return f"{call.tool} {base_name(call.target)}"


def _counts(call: Call, run: Ran | None) -> bool:
    """Say whether a failure tells something about the work."""
    if run is not None:
        return call.cause != "refused"
    if call.role in SHELL or call.role in _LOOKS_ONLY:
        return False
    if call.role in EDITING:
        return bool(_FORBIDDEN.search(call.output))
    return not call.cause and bool(call.output.strip())
