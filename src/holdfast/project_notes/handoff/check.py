"""Is what the next session must know in the files? Each answer is computed, none given."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from holdfast.domain.text import one_line
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass
from holdfast.project_notes.handoff.document import MOST_LINES, Document, OwnedLine

Result = Literal["yes", "no", "skipped"]
Status = Literal["WORKING", "PARTIAL", "BROKEN"]
_SHOWN = 80
_MOST_SHOWN = 5
_NAMED = pattern(r"`([^`]+)`|(?<![\w`])((?:[\w.-]+/)*[\w-]+\.\w{1,6})\b")


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the preservation check; `reason` says why where it is not `yes`."""

    check: str
    result: Result
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInput:
    """What the check looks at: the file, and what the transcript and git say."""

    document: Document
    lines: int
    questions: tuple[tuple[str, str], ...]  # id and words of each open question
    feedback: int  # rules and corrections the user gave
    unsaved_feedback: tuple[str, ...]  # those that no memory file has
    request: tuple[str, str] | None  # id and words of a request that is not done
    was_asked: bool
    finished: frozenset[str]
    uncommitted: tuple[str, ...] | None  # None: no git, or it could not be seen
    stale_state: tuple[str, ...] | None  # entries that are done; None: no such file
    has_state_change: bool
    other_handoffs: tuple[str, ...] = ()


def checks_of(seen: CheckInput, is_there: Callable[[str], bool]) -> tuple[Check, ...]:
    """Return the preservation check, line by line.

    `is_there` says whether a command was run in the session or a file exists.
    """
    return (
        _decisions(seen),
        _feedback(seen),
        _start(seen, is_there),
        _changes(seen),
        _request(seen),
        _state(seen),
        _forward(seen),
        _size(seen),
        _single(seen),
    )


def status_of(checks: Sequence[Check]) -> Status:
    return "PARTIAL" if any(check.result == "no" for check in checks) else "WORKING"


def _decisions(seen: CheckInput) -> Check:
    name = "open decisions are in the handoff"
    if not seen.questions:
        return Check(name, "skipped", "no question to the user is open")
    missing = [words for ident, words in seen.questions if not _holds(seen, ident)]
    return _answer(name, missing, "not in the file")


def _feedback(seen: CheckInput) -> Check:
    name = "session feedback is saved to memory"
    if not seen.feedback:
        return Check(name, "skipped", "the user gave no rule and no correction")
    return _answer(name, seen.unsaved_feedback, "not in the memory files")


def _start(seen: CheckInput, is_there: Callable[[str], bool]) -> Check:
    name = "the next session can start from the handoff alone"
    actions = seen.document.text_of("next")
    if not actions and seen.request is None and not seen.uncommitted:
        return Check(name, "skipped", "nothing is left to do")
    if not actions:
        return Check(name, "no", "there is no next action")
    if any(is_there(word) for word in _words(actions[0])):
        return Check(name, "yes")
    shown = one_line(actions[0], _SHOWN)
    why = "the first action names no command of this session and no file that exists"
    return Check(name, "no", f"{why}: {shown}")


def _words(action: str) -> Iterator[str]:
    for quoted, path in _NAMED.findall(action):
        yield quoted or path


def _changes(seen: CheckInput) -> Check:
    name = "in-progress changes are described"
    if seen.uncommitted is None:
        return Check(name, "skipped", "git says nothing about this directory")
    if not seen.uncommitted:
        return Check(name, "skipped", "nothing is uncommitted")
    told = _named_in(seen.document)
    missing = [path for path in seen.uncommitted if not _is_named(path, told)]
    return _answer(name, missing, "not named in the file")


def _named_in(document: Document) -> frozenset[str]:
    texts = (
        line.text if isinstance(line, OwnedLine) else line
        for block in document.blocks
        for line in block.lines
    )
    return frozenset(word for text in texts for word in _words(text))


def _is_named(path: str, told: frozenset[str]) -> bool:
    if path in told or "./" in told:
        return True
    parts = path.rstrip("/").split("/")
    return any("/".join(parts[:end]) + "/" in told for end in range(1, len(parts) + 1))


def _request(seen: CheckInput) -> Check:
    name = "the user's last request is complete or recorded"
    if not seen.was_asked:
        return Check(name, "skipped", "the user asked for nothing")
    if seen.request is None or _holds(seen, seen.request[0]):
        return Check(name, "yes")
    return _answer(name, [seen.request[1]], "neither done nor in the file")


def _state(seen: CheckInput) -> Check:
    name = "STATE.md is reviewed"
    if seen.stale_state is None:
        return Check(name, "skipped", "the project keeps no STATE.md")
    if not seen.has_state_change:
        return Check(name, "skipped", "no task or failure ended in this session")
    return _answer(name, seen.stale_state, "done and still listed")


def _forward(seen: CheckInput) -> Check:
    name = "nothing finished is left in the handoff"
    left = [
        line.text
        for line in seen.document.kept().values()
        if line.ident in seen.finished or line.is_ticked
    ]
    return _answer(name, left, "done and still in the file")


def _size(seen: CheckInput) -> Check:
    name = f"the handoff has at most {MOST_LINES} lines"
    if seen.lines > MOST_LINES:
        return Check(name, "no", f"it has {seen.lines}: shorten what was added by hand")
    left = seen.document.left_out
    return Check(name, "yes", f"{left} open items did not fit" if left else "")


def _single(seen: CheckInput) -> Check:
    name = "there is one handoff file"
    return _answer(name, seen.other_handoffs, "older ones: delete them by hand")


def _holds(seen: CheckInput, ident: str) -> bool:
    """A person who took an item out has seen it."""
    return ident in seen.document.kept() or ident in seen.document.removed


def _answer(name: str, missing: Sequence[str], what: str) -> Check:
    if not missing:
        return Check(name, "yes")
    shown = "; ".join(one_line(text, _SHOWN) for text in missing[:_MOST_SHOWN])
    more = (
        f" and {len(missing) - _MOST_SHOWN} more" if len(missing) > _MOST_SHOWN else ""
    )
    return Check(name, "no", f"{what}: {shown}{more}")
