"""Which shell commands matter, what they came to, and when two are the same.

Looking around (`ls`, `cat`, `grep`) says nothing to the next session; a test run, a
build, a commit or a server does. Of the same command the last run counts, and a failure
is never forgotten for a success of another.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import groupby

from holdfast.domain.checkpoint import CommandRef
from holdfast.domain.session import Call
from holdfast.domain.text import one_line
from holdfast.facts.commands.carriers import bare_program
from holdfast.facts.commands.command_kinds import COMMIT, SUITES, kind_of
from holdfast.facts.commands.endings import ended_of, exit_of
from holdfast.facts.commands.lines import (
    Segment,
    hidden_in,
    is_told_by_status,
    piped_in,
    segments_of,
)
from holdfast.facts.commands.meaningful import is_own, is_own_command, meaningful
from holdfast.facts.commands.result_lines import failure_line, success_line
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.session.key_lines import says_failure, says_success

_ASKS_ITSELF = (" --help", " --version")  # tells nothing of the work
_OWN_WORD = ("run", "server")  # kinds whose status nobody promised
_SHOWN = 140  # characters of a command in a brief
_MOST_SEGMENTS = 12
_ONLY_REPORTS = frozenset(["-v", "-q", "-s", "-x", "--verbose", "--quiet", "-count=1"])
_SUBJECT = (
    pattern(r"<<-?\s*['\"]?\w+['\"]?[^\n]*\n\s*([^\n]+)"),
    pattern(r"-[a-z]*m\s*\"((?:\\.|[^\"\\\n$])+)"),
    pattern(r"-[a-z]*m\s*'([^'\n]+)"),
)
_OUR_ERROR = pattern(r"^error\[[A-Z]+_\d+\]: .*\n?", re.MULTILINE)
_WRITES_ELSEWHERE = pattern(r">\s*[^&\s>]")


# How many places a kind moves up: what is run again after a break is mostly a test.
_BONUS = {
    "test": 10, "check": 7, "build": 5, "commit": 4, "server": 4, "git": 2, "run": 0,
}  # fmt: skip

_ACTS = pattern(
    r"[\s({!]*(?:(?:sudo|env|nohup|time|[A-Za-z_]\w*=\S*)\s+)*(?:\S*/)?"
    r"(?:(?:rm|mv|cp|ln|touch|mkdir|kill|pkill|chmod|chown|tee|xargs|truncate|dd)\b"
    r"|sed\s.*-i|(?:python[\d.]*|node|ruby|perl|bash|sh|zsh)\s+-(?:[ce]\b|$|\s))"
)
_GOES_THERE = pattern(r"^cd\s+\S+\s*(?:&&|;)\s*")


class RunStep(NamedTuple):
    """One command of a line, and the directory it runs in if it is not the session's."""

    text: str
    place: str


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of a command that matters."""

    key: str  # equal for two runs of the same command
    shown: str
    kind: str  # test, check, build, commit, server, git or run
    call: Call
    line: str  # what tells its result
    failed: bool
    steps: tuple[RunStep, ...]
    hidden: frozenset[RunStep]  # of which it is not known whether they went well
    unsaid: frozenset[RunStep]  # that told of no failure, and of no success

    @property
    def place(self) -> str:
        """The directory that all of it ran in, where that is not the session's own."""
        places = {step.place for step in self.steps}
        return places.pop() if len(places) == 1 else ""

    @property
    def bare(self) -> str:
        """What ran there, without going to it."""
        if not self.place:
            return self.shown
        return _shown(tuple(step._replace(place="") for step in self.steps))


def runs_of(calls: Iterable[Call], cwd: str = "") -> tuple[Ran, ...]:
    """Return every run of a command that matters, in order."""
    found = []
    for call in calls:
        if call.role == "run" and call.target and call.outcome != "interrupted":
            steps = _steps(call.target, cwd)
            if steps:
                found.append(_ran(call, steps, cwd))
    return tuple(found)


@lru_cache(maxsize=4096)  # of a call, two passes ask
def _ran(call: Call, steps: tuple[RunStep, ...], cwd: str) -> Ran:
    shown = _shown(steps)
    kind = kind_of(shown)
    is_ours = _is_our_status(call)
    heard = _without_ours(call) if is_ours else call
    failed = has_failed(heard, kind)
    line = telling_line(heard, failed=failed)
    unknown = frozenset[RunStep](), frozenset[RunStep]()
    if is_ours and not failed:
        unknown = frozenset(steps), frozenset()
    elif not failed:
        unknown = _unknown(call, kind, cwd)
    return Ran(_key(steps), shown, kind, heard, line, failed, steps, *unknown)


def _without_ours(call: Call) -> Call:
    """Return a call as if this tool had not been asked at its end."""
    output = _OUR_ERROR.sub("", call.output)
    return call._replace(outcome="ok", exit_status=None, output=output)


def _is_our_status(call: Call) -> bool:
    """Say whether a line failed at a command to this tool: `pytest; holdfast handoff
    check` does where the handoff is not whole, whatever the tests said."""
    if call.outcome != "failed" or not is_own(call):
        return False
    *_, last = (one.text for one in segments_of(call.target) if one.text.strip())
    return is_own_command(last)


def run_of(command: str, cwd: str = "") -> Ran | None:
    """Return a command as if it had been run, to compare it with those that were."""
    call = Call("", "", command, "", 0, "run", outcome="ok", exit_status=0)
    return next(iter(runs_of((call,), cwd)), None)


def commands_of(
    runs: Sequence[Ran], mended: Collection[str] = ()
) -> tuple[CommandRef, ...]:
    """Return the last run of each command, the one most likely wanted next first.

    Calls in `mended` failed, and another command went well with their work since: what
    they would come to now is not known. Of such a chain, its steps are told.
    """
    last: dict[str, Ran] = {}
    times: dict[str, int] = {}
    for run in (step for whole in runs for step in steps_of(whole)):
        if run.key.endswith(_ASKS_ITSELF):
            continue
        last.pop(run.key, None)
        last[run.key] = run
        times[run.key] = times.get(run.key, 0) + 1
    newest = {run.key: place for place, run in enumerate(reversed(last.values()))}
    order = sorted(
        last.values(),
        key=lambda run: newest[run.key] - 4 * min(times[run.key], 4) - _BONUS[run.kind],
    )
    return tuple(
        CommandRef(
            run.shown,
            exit_of(run),
            run.line,
            _line_of(run),
            run.place,
            ended=ended_of(run),
        )
        if run.call.call_id not in mended
        else CommandRef(run.shown, None, "", run.call.uuid, run.place)
        for run in order
        if run.call.call_id not in mended or len(run.steps) == 1
    )


def deed_of(command: str) -> str:
    """Return what a command line would do, or nothing if it only looks around.

    `rm`, `mv`, `kill` come to nothing worth telling; that one was refused is.
    Its own first line, where the part that is told as a command is not all of it.
    """
    if any(_ACTS.match(segment.text) for segment in segments_of(command)):
        return first_line(command)
    return shown_command(command)


def first_line(command: str) -> str:
    """Return the first line of a command that is no remark, without going to where it
    is run."""
    lines = command.strip().split("\n")
    first = next((line for line in lines if not line.startswith("#")), lines[0])
    return one_line(_GOES_THERE.sub("", first), _SHOWN)


def _line_of(run: Ran) -> str:
    """Return the line that holds what is told of a run: what it printed, or its call."""
    return (run.call.answer if run.line else "") or run.call.uuid


def steps_of(run: Ran, *, even_long: bool = False) -> list[Ran]:
    """A chain that went well is its steps; which step of another failed is not known. A
    long one is told as a whole: mostly it is a program, whose lines are no commands."""
    is_told_whole = run.shown.endswith("…") and not even_long
    if run.failed or len(run.steps) == 1 or is_told_whole:
        return [run]
    return [
        replace(
            run,
            key=_key((step,)),
            shown=_shown((step,)),
            kind=kind_of(step.text),
            line=run.line if step == run.steps[-1] else "",
            steps=(step,),
            hidden=run.hidden & {step},
            unsaid=run.unsaid & {step},
        )
        for step in run.steps
    ]


def has_failed(call: Call, kind: str) -> bool:
    """Say whether a run failed, even where a pipe (`make | tail`) hid its status."""
    if call.outcome != "ok":
        return call.outcome == "failed"
    segments = segments_of(call.target.strip())
    if kind == "git":
        is_heard = any("git" in one.text for one in piped_in(segments))
    else:
        is_known = call.exit_status == 0 and is_told_by_status(segments)
        is_heard = kind in SUITES and not is_known
    return is_heard and says_failure(call.output)


def shown_command(command: str, cwd: str = "") -> str:
    """Return the part of a command line that does something, or nothing."""
    return _shown(_steps(command, cwd))


@lru_cache(maxsize=4096)  # every pass asks, and sessions repeat themselves
def _steps(command: str, cwd: str) -> tuple[RunStep, ...]:
    steps: dict[RunStep, None] = {}
    for segment in segments_of(command, cwd):
        if step := _step(segment):
            steps[step] = None
        if len(steps) >= _MOST_SEGMENTS:
            break
    return tuple(steps)


def _step(segment: Segment) -> RunStep | None:
    if COMMIT.search(segment.text):  # its subject is told among the outcomes
        return RunStep("git commit", "")
    text = meaningful(segment.text)
    return RunStep(text, segment.place) if text else None


@lru_cache(maxsize=4096)
def _shown(steps: tuple[RunStep, ...]) -> str:
    """Return steps as they can be run from the session's own directory."""
    told = []
    places = [
        (where, [*group]) for where, group in groupby(steps, lambda one: one.place)
    ]
    for number, (place, group) in enumerate(places, 1):
        text = " && ".join(step.text for step in group)
        if place:
            moves = f'cd "{place}"' if " " in place else f"cd {place}"
            text = f"{moves} && {text}"
            text = text if number == len(places) else f"({text})"
        told.append(text)
    return one_line(" && ".join(told), _SHOWN)


def commit_subject(command: str) -> str:
    """Return the first line of the message a `git commit` was given, by `-m` or on its
    standard input."""
    for expression in _SUBJECT:
        if found := expression.search(command):
            return found[1].strip()
    return ""


def telling_line(call: Call, *, failed: bool) -> str:
    """Return the one line of the output that says how it went."""
    return failure_line(call.output) if failed else success_line(call.output)


def _unknown(
    call: Call, kind: str, cwd: str
) -> tuple[frozenset[RunStep], frozenset[RunStep]]:
    """Return the steps of a run that neither its status nor its output tells of, and
    those that spoke behind a pipe, but only of other things."""
    segments = segments_of(call.target.strip(), cwd)
    if _is_under_way(call):
        return _steps_in(segments), frozenset()
    is_told = kind in SUITES and says_success(call.output)
    if kind == "commit" or is_told:
        return frozenset(), frozenset()
    if kind in _OWN_WORD and says_failure(call.output):
        return _steps_in(
            segments
        ), frozenset()  # it ended well, and said that it did not
    hidden = _steps_in(hidden_in(segments))
    piped = frozenset[RunStep]() if kind == "git" else _steps_in(piped_in(segments))
    if kind in SUITES:  # a compiler or linter says nothing unless something is wrong
        is_silent = not call.output and not _WRITES_ELSEWHERE.search(call.target)
        is_well = is_silent and kind != "test"
        return hidden if is_well else hidden | piped, frozenset()
    return hidden, frozenset() if says_success(call.output) else piped


def _steps_in(segments: Iterable[Segment]) -> frozenset[RunStep]:
    return frozenset(step for one in segments if (step := _step(one)))


def _is_under_way(call: Call) -> bool:
    """Say whether a call was started only: no result, or none of what it left running."""
    is_left_running = call.background or bool(call.reference)
    return call.outcome == "pending" or (is_left_running and call.exit_status is None)


def _key(steps: Iterable[RunStep]) -> str:
    """Two runs are the same if only flags that change the report differ, or what finds
    the program: `uv run pytest` is `pytest`. Where each runs is told behind it, as `make`
    and `git` have it."""
    return " && ".join(
        " ".join(
            word
            for word in bare_program(step.text).split()
            if word not in _ONLY_REPORTS
        )
        + (f" -C {step.place}" if step.place else "")
        for step in steps
    )
