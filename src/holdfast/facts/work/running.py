"""What was started and left running: by the client in the background, by the shell behind
a `&`, or as a sub-agent. Its end is known by what the client told of it, or by a command
that stopped it; whether it runs now, only a look at the machine tells."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from holdfast.domain.checkpoint import Item, fact_item
from holdfast.domain.event import SHELL
from holdfast.domain.fact import RunningWork
from holdfast.domain.session import Call, Turn
from holdfast.domain.text import one_line
from holdfast.facts.commands.command_kinds import kind_of
from holdfast.facts.commands.lines import segments_of
from holdfast.facts.commands.meaningful import is_own
from holdfast.facts.commands.runs import shown_command
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.language.sentences import excerpt

_How = Literal["server", "background"]
_STARTING = SHELL | {"agent"}
_SHOWN = 120
_QUOTED = pattern(r"'[^']*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
_LEFT = pattern(r"(?<![&>|<])&(?![&>\d])")  # a `&` that leaves a command running
_PID = pattern(
    r"(?:^\[\d+\]|\bpid\b\s*[:=]?)\s*(\d{2,8})\b", re.IGNORECASE | re.MULTILINE
)
_MOST_PORT = 65_535
_PORT = pattern(
    r"(?:--port[= ]|\bPORT=|\s-p[= ]|https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):|\bhttp\.server\s+"
    r"|\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0):|\bport[ :=]+)(\d{2,5})\b",
    re.IGNORECASE,
)
_STOPS = pattern(r"\b(?:p?kill|killall|fuser\s+-k|taskkill|Stop-Process)\b(.*)")
# A look at what runs, all of what may stand in it, and what it prints for nobody.
_ASKS_WHAT_RUNS = pattern(r"\b(?:ps|pgrep|lsof|ss|netstat|tasklist|Get-Process)\b")
_SEEKS = pattern(
    r"ps\b(?!.* -p)|ps -p (?P<pid>\d+)$|(?:head|tail|wc|awk|sort|cut|sleep|ss|netstat|tasklist)\b"
    r"|(?:pgrep|lsof|e?grep|rg|findstr|Select-String|Get-Process)\b(?: +-[A-Za-z]+)*"
    r" *(?P<words>'[^']*'|\"[^\"]*\"|[^\s'\"-]\S*)?$"
)
_ERRORS_AWAY = pattern(r"\s*2>\s*(?:/dev/null|&1)")
_NOBODY = pattern(r"\s*0?\s*$")
# Left alone, these come to their end: nobody looks for them later.
_ENDS_BY_ITSELF = pattern(
    r"\s*(?:curl|wget|open|xdg-open|start|say|echo|printf|notify-send|afplay|paplay|sleep)\s"
)
_NOT_THERE = pattern(r": (?:command )?not found\b|: No such file or directory")
_REDIRECT = pattern(r"\s*\d?&?>{1,2}\s*&?\S+")
_ANYTHING = pattern(r"\.[*+]")
_LITERAL = pattern(r"\\([.\-/])|\[(\w)\]")
_OPTION = pattern(r"\s-\S+")


class _Started(NamedTuple):
    """A command that a call left running, and the fact of it."""

    call: Call
    work: RunningWork


def running_of(turns: Sequence[Turn], told_over: Sequence[str]) -> tuple[Item, ...]:
    """Return what was started and whose end nobody saw, each once, oldest first.

    `told_over` holds the ids of which the client told the end.
    """
    ended = {*told_over}
    found: dict[tuple[str, str], _Started] = {}
    for turn in turns:
        for call in turn.calls:
            if call.role == "stop" and call.outcome == "ok":
                ended.add(call.target)
            if call.role == "run" and (over := _told_over_by(call)):
                for key in [k for k, one in found.items() if _is_stopped(one, over)]:
                    del found[key]
            if call.role in _STARTING:  # few do: a file was read, or edited
                for started in _started(call, is_last=turn is turns[-1]):
                    _note(started, found)
    return tuple(
        fact_item(one.work, "engine", (one.call.uuid,), excerpt(one.call.target))
        for one in found.values()
        if not one.work.reference or one.work.reference not in ended
    )


def _note(started: _Started, found: dict[tuple[str, str], _Started]) -> None:
    """Note what was started, in place of the same before and of what had its port: two
    cannot listen at one."""
    work = started.work
    for key, one in [*found.items()]:
        if key == (work.how, work.what) or (work.port and one.work.port == work.port):
            del found[key]
    found[work.how, work.what] = started


def _started(call: Call, *, is_last: bool) -> Iterator[_Started]:
    if call.outcome not in ("ok", "pending") or is_own(call):
        return
    is_left = call.background or (call.reference and call.role in SHELL)
    if call.role == "agent":
        # Without an id nobody tells its end.
        if is_left and (call.reference or is_last):
            what = one_line(call.target or call.detail, _SHOWN)
            yield _Started(call, RunningWork("background", what, call.reference))
    elif is_left and call.role in SHELL and (what := shown_command(call.target)):
        yield _Started(call, _work(call, what, call.target))
    elif _went_well(call) and not is_left:
        for command in _left_behind(call.target):
            if what := shown_command(command):
                yield _Started(call, _work(call, what, command))


def _went_well(call: Call) -> bool:
    """Say whether a line was run; of what a `&` left, the shell tells if it is not there."""
    is_run = call.role == "run" and call.outcome == "ok"
    return is_run and not _NOT_THERE.search(call.output)


def _work(call: Call, what: str, command: str) -> RunningWork:
    how: _How = "server" if kind_of(what) == "server" else "background"
    pid = _PID.search(call.output)
    port = next(_ports(f"{command}\n{call.output}"), 0)
    return RunningWork(
        how,
        one_line(what, _SHOWN),
        call.reference,
        one_line(call.detail, _SHOWN),
        port,
        int(pid[1]) if pid else 0,
    )


def _ports(text: str) -> Iterator[int]:
    return (int(n) for n in _PORT.findall(text) if 0 < int(n) <= _MOST_PORT)


def _left_behind(line: str) -> Iterator[str]:
    """Yield the commands of a line that a `&` leaves running."""
    if "&" not in line:
        return
    for segment in segments_of(line):
        masked = _QUOTED.sub(lambda quoted: "\0" * len(quoted[0]), segment.text)
        start = 0
        for sign in _LEFT.finditer(masked):
            left = segment.text[start : sign.start()]
            if not _ENDS_BY_ITSELF.match(left):
                yield left
            start = sign.end()


def _told_over_by(call: Call) -> list[str]:
    """Return what a command names that it stopped, or looked for and did not find."""
    stopped = _stopping(call.target)
    if not _NOBODY.match(call.output) or call.outcome not in ("ok", "failed"):
        return stopped
    return stopped + _looked_for(call.target)


def _looked_for(line: str) -> list[str]:
    """Return what a line looks for among what runs, if that is all it does: of two
    things that must both be there it is not known which one is not."""
    if not _ASKS_WHAT_RUNS.search(line):
        return []
    sought: list[str] = []
    for segment in segments_of(line):
        words = _ERRORS_AWAY.sub("", segment.text).strip()
        found = _SEEKS.match(words)
        if found is None or ">" in words:
            return []
        what = found["pid"] or found["words"]
        if what and " -v" not in segment.text:
            sought.append(what.strip("'\""))
    return sought if len(sought) == 1 else []


def _stopping(line: str) -> list[str]:
    """Return what a command line names to be stopped."""
    if "kill" not in line and "Stop-Process" not in line and "fuser" not in line:
        return []
    found = (_STOPS.search(segment.text) for segment in segments_of(line))
    given = (_REDIRECT.sub("", f" {one[1]}") for one in found if one)
    return [_OPTION.sub(" ", words).strip(" '\"") for words in given] + (
        [line] if "xargs" in line or "$(" in line else []
    )


def _is_stopped(started: _Started, stops: Sequence[str]) -> bool:
    """Say whether a stop names this work: by its id, its port, or its words."""
    work = started.work
    names = {str(number) for number in (work.pid, work.port) if number}
    for stop in stops:
        words = {*re.findall(r"\d+", stop)}
        if names & words or _is_meant(stop, work.what):
            return True
    return False


def _is_meant(stop: str, command: str) -> bool:
    """Say whether `pkill -f` would find a command: by one of the alternatives, whose
    words stand in it in this order. Nothing that a user typed is run as an expression."""
    plain = _LITERAL.sub(r"\1\2", stop)
    return any(
        len("".join(words).strip()) > 1 and _stand_in_order(words, command)
        for words in (_ANYTHING.split(one.strip("^$ ")) for one in plain.split("|"))
    )


def _stand_in_order(words: Sequence[str], text: str) -> bool:
    at = 0
    for word in words:
        at = text.find(word, at)
        if at < 0:
            return False
        at += len(word)
    return True
