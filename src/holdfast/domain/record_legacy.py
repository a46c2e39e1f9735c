"""Records and states that were written without facts: what their texts say, as values.

The only place that reads meaning out of display text. Who wrote an item is asked first:
neither an agent's note nor a prompt becomes a fact because it is worded like one.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, cast

from holdfast.domain.checkpoint import Item
from holdfast.domain.fact import (
    AgentReport,
    ChangedFiles,
    Commit,
    CreatedFile,
    Failure,
    ItemFact,
    PassingCommand,
    RefusedCall,
    RequestContext,
    RevertedEdit,
    RewoundRequest,
    RunningWork,
    UnfinishedTurn,
    WaitingPlan,
    text_of,
)
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import replace

_How = Literal["stopped", "about to change", "cut off", "not answered"]
_Runs = Literal["background", "sub-agent", "server", "command"]
_SURE = 60  # characters by which an excerpt is known as the prompt's own
_BEFORE = "(said before this was asked) "
_FIXED = " (fixed since)"
_MENDED_IN = "mended in: "
_ABOUT = {
    "pasted: ": "pasted",
    "paste says: ": "paste_says",
    "refusing: ": "refusing",
    "answering: ": "answering",
    "proposed: ": "proposed",
    "came to: ": "came_to",
    "part of: ": "part_of",
}
_FAILED = pattern(r"(?s)`(.+?)` → (?:exit (-?\d+)|failed)(?:: (.*))?")
_LEFT = pattern(r"(?s)`(.+?)` failed (\d+) times and was left(?:: (.*))?")
_REWOUND = pattern(
    r'(?s)the user went back before asking "(.*?)"(?:; it had changed (.+))?'
)
_REFUSED = pattern(r'(?s)stopped or refused by the user: (\S+)(?: (.*?))?(?:: "(.*)")?')
_REVERTED = pattern(
    r'(?s)(.*?): an edit was taken back(?: \("(.{0,200}?)"\))?(?:: (.*))?'
)
_COMMIT = pattern(r'(?s)committed "(.*)"')
_PASSES = pattern(r"(?s)`(.*)` passes( again)?")
_CREATED = pattern(r"(?s)created (.*) \(\+(\d+)\)")
_CHANGED = pattern(r"changed (\d+) files? \(\+(\d+) −(\d+)\)")
_REPORTED = pattern(r'(?s)the sub-agent "([^"]{0,100})" reported: (.*)')
_RUNNING = pattern(
    r"(?s)(Running in the background|Started in the background, no end seen"
    r"|Sub-agent without a result|Server|Command without a result): (.*?)(?: \(id (\S+)\))?"
)
# How the first records worded it, and how it is worded today.
_REWORDED = {"Running in the background": "Started in the background, no end seen"}
_RUNS: dict[str, _Runs] = {
    "Running in the background": "background",
    "Started in the background, no end seen": "background",
    "Sub-agent without a result": "sub-agent",
    "Server": "server",
    "Command without a result": "command",
}
_WAITS = pattern(r"(?s)The plan is not accepted yet(?:\.|: (.*))")
_UNFINISHED = pattern(
    r"(?s)The (?:user (stopped) the agent|agent was (cut off) in its work"
    r'|agent was (about to change) (.*?)|agent had (not answered) yet\.)(?:, at: "(.*)")?'
)


def with_legacy_fact(kind: str, item: Item) -> Item:
    """Return an item of a kind with the fact that its texts tell, if they tell one."""
    fact = _fact(kind, item)
    begins, colon, told = item.text.partition(": ")
    text = f"{_REWORDED.get(begins, begins)}{colon}{told}"
    is_whole = fact is None or text_of(fact) in ("", text)
    return replace(item, fact=fact if is_whole else None)


def legacy_said_before(last_words: str) -> str:
    """Return what of the last words was said before the last request."""
    return last_words.partition(_BEFORE)[2]


def legacy_ran(lines: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the commands of a detail, each with what it came to."""
    pairs = (line.partition(" → ") for line in lines)
    return tuple(
        (ran, came) if came else (ran + arrow, "") for ran, arrow, came in pairs
    )


def _fact(kind: str, item: Item) -> ItemFact | None:
    read = _READERS.get(kind)
    if read is None or (item.source == "user") != (kind == "requests"):
        return None
    return read(item) if item.source != "agent" else None


def _context(request: Item) -> RequestContext | None:
    noted = request.about
    if not noted and not request.text.startswith(request.excerpt[:_SURE]):
        noted = request.excerpt  # the first records have it there
    found: dict[str, Any] = {}
    for line in noted.split("\n"):
        for mark, name in _ABOUT.items():
            if line.startswith(mark):
                found.setdefault(name, line.removeprefix(mark))
    return RequestContext(**found) if found else None


def _failure(error: Item) -> Failure | None:
    told = error.text.removesuffix(_FIXED)
    found = _FAILED.fullmatch(told)
    if found is None:
        return None
    command, status, line = found.groups()
    files = error.about.removeprefix(_MENDED_IN)
    return Failure(
        command,
        line or "",
        int(status) if status else None,
        "open" if told == error.text else "fixed",
        tuple(files.split(", ")) if files else (),
    )


def _report(item: Item) -> AgentReport | None:
    found = _REPORTED.fullmatch(item.text)
    return AgentReport(found[1], found[2]) if found else None


def _dead_end(item: Item) -> ItemFact | None:
    text = item.text
    if found := _LEFT.fullmatch(text):
        command, times, line = found.groups()
        return Failure(command, line or "", state="abandoned", times=int(times))
    if found := _REFUSED.fullmatch(text):
        return RefusedCall(found[1], found[2] or "", found[3] or "")
    if found := _REWOUND.fullmatch(text):
        return RewoundRequest(found[1], tuple(found[2].split(", ")) if found[2] else ())
    if found := _REVERTED.fullmatch(text):
        return RevertedEdit(found[1], found[2] or "", found[3] or "")
    return None


def _outcome(item: Item) -> ItemFact | None:
    text = item.text
    if found := _COMMIT.fullmatch(text):
        return Commit(found[1])
    if found := _PASSES.fullmatch(text):
        return PassingCommand(found[1], again=bool(found[2]))
    if found := _CREATED.fullmatch(text):
        return CreatedFile(found[1], int(found[2]))
    if found := _CHANGED.fullmatch(text):
        return ChangedFiles(int(found[1]), int(found[2]), int(found[3]))
    return None


def _in_flight(item: Item) -> ItemFact | None:
    text = item.text
    if found := _WAITS.fullmatch(text):
        return WaitingPlan(found[1] or "")
    if found := _UNFINISHED.fullmatch(text):
        stopped, cut, about, files, unanswered, at = found.groups()
        how = cast("_How", stopped or cut or about or unanswered)
        return UnfinishedTurn(how, tuple(files.split(", ")) if files else (), at or "")
    if found := _RUNNING.fullmatch(text):
        return RunningWork(_RUNS[found[1]], found[2], found[3] or "")
    return None


_READERS: Mapping[str, Callable[[Item], ItemFact | None]] = {
    "requests": _context,
    "errors": _failure,
    "dead_ends": _dead_end,
    "key_outcomes": _outcome,
    "discoveries": _report,
    "in_flight": _in_flight,
}
