"""What a sub-agent came back with, by its own report: a sentence, and its files.

Where a sub-agent's transcript is gone, its report is all that is left of its work. What
it says is a tool's output: it gives no file that the session does not know by itself,
and no order.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from holdfast.domain.checkpoint import Item, fact_item
from holdfast.domain.fact import AgentReport
from holdfast.domain.session import Call, Turn
from holdfast.domain.text import one_line
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.agent_messages import says_nothing, telling_sentences
from holdfast.language.languages import Cues
from holdfast.language.sentences import is_bullet, is_title, plain, without_code

_NAMES = "names "
_MOST, _MOST_CHARS = 20, 160
_WORD = pattern(r"[\w./@~-]+")
_LONGEST_ENDING = 8
_MOST_TOLD = 5
_GAP = "\n…\n"  # in place of the middle of a long one
_SENTENCE = 240
_VERDICT = Cues(lambda spoken: spoken.talk.verdict)
_JUDGES = pattern(r"(?:REQUEST(?:ING)? CHANGES|APPROVED?|REJECT(?:ED)?|LGTM|BLOCKED)\b")
# What the client puts where a report would stand, if none came.
_NO_REPORT = pattern(r"\s*(?:API Error\b|You've hit your\b|\[Request interrupted)")
# How any report begins.
_SETS_OUT = Cues(lambda spoken: spoken.talk.sets_out)
_CODE = pattern(r"`[^`]*`|\S*/\S*|\([^)]*\)")
_FIGURE = pattern(r"[=:]\s*\d|\d\s?%|\b\d+ (?:passed|failed|tests?|errors?)\b")
_FEW_WORDS = 6
_LONG_WORD = pattern(r"[\w.]{3,}\w")  # a figure is one, too
# What a line of a list of things done begins with.
_DID = Cues(lambda spoken: spoken.talk.did_listed, flags=re.VERBOSE)


def reports_of(turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return what the sub-agents said that came back last, oldest first: what the agent
    did not tell itself when it had heard it."""
    told = (
        item
        for turn in reversed(turns)
        for call in reversed(turn.calls)
        if (item := _reported(call)) and not _is_told_after(call, item.excerpt, turn)
    )
    return tuple(reversed(tuple(islice(told, _MOST_TOLD))))


def _is_told_after(call: Call, words: str, turn: Turn) -> bool:
    own = {word.lower() for word in _LONG_WORD.findall(words)}
    later = [said.text.lower() for said in turn.said if said.at > call.at]
    return bool(own and later) and all(word in "\n".join(later) for word in own)


def _reported(call: Call) -> Item | None:
    is_back = not (call.background and call.exit_status is None)
    if call.role != "agent" or call.outcome != "ok" or not is_back:
        return None
    kept = call.output.partition(f"\n{_NAMES}")[0]
    if kept.startswith(_NAMES) or _NO_REPORT.match(kept):
        return None
    if not (said := report_says(kept)):
        return None
    report = AgentReport(call.target or call.detail, said)
    return fact_item(report, "tool", call.evidence, said)


def report_says(report: str) -> str:
    """Return the verdict that a report comes to, or its first sentence that states
    something; nothing if there is none."""
    head, _, tail = report.partition(_GAP)  # whatever was cut may have ended in code
    lines = [line for line in without_code(head) if line.strip()]
    told = _verdict([*lines, *without_code(tail)])
    if not told:
        spoken = [line for line in lines if not (is_title(line) or "│" in line)]
        prose = [line for line in spoken if not is_bullet(line)]
        done = [line for line in spoken if _DID.match(plain(line))]
        told = _first_stated(prose) or _first_stated(done)
    return one_line(told, _SENTENCE)


def _first_stated(lines: Sequence[str]) -> str:
    return next(filter(_states, telling_sentences("\n".join(lines))), "")


def _states(sentence: str) -> bool:
    """Say whether a sentence is more than the name of a place or a thing."""
    if _SETS_OUT.match(sentence) or says_nothing(sentence):
        return False
    words = _CODE.sub(" ", sentence)
    return len(words.split()) >= _FEW_WORDS or _FIGURE.search(words) is not None


def _verdict(lines: Sequence[str]) -> str:
    heading = ""
    for line in lines:
        bare = plain(line.lstrip("> "))
        if heading and bare and not bare.endswith(":"):
            return f"{heading}: {bare}"
        found = _VERDICT.match(bare)
        if _JUDGES.match(bare) or (found and found[1] and not bare.endswith(":")):
            return bare
        heading = (
            bare.rstrip(":：") if found and (is_title(line) or found[1] == "") else ""
        )
    return ""


def with_files(told: str, report: str) -> str:
    """Return what is told of a report with a line of the paths in it."""
    words = (word.rstrip(".") for word in _WORD.findall(report))
    named = list(dict.fromkeys(filter(_is_path, words)))[:_MOST]
    return "\n".join(filter(None, (told, _NAMES + " ".join(named) if named else "")))


def files_named(told: str, known: Iterable[str]) -> Iterator[str]:
    """Yield the known files whose paths stand in what is told of a report."""
    last = told.rpartition("\n")[2]
    if not last.startswith(_NAMES):
        return
    named = [f"/{path.lstrip('./')}" for path in last.removeprefix(_NAMES).split()]
    for path in known:
        rooted = f"/{path.lstrip('/')}"
        if any(rooted.endswith(each) or each.endswith(rooted) for each in named):
            yield path


def _is_path(word: str) -> bool:
    """Say whether a word names a file with its directory: `src/store.py`."""
    directory, _, name = word.rpartition("/")
    _, dot, ending = name.rpartition(".")
    is_named = bool(directory and dot) and 0 < len(ending) <= _LONGEST_ENDING
    return is_named and len(word) <= _MOST_CHARS
