"""What whoever continues must know and no single statement says: is the last request
done, which command shows where it stands, where each file was left."""

import re
from collections.abc import Iterator, Sequence

from holdfast.domain.asked import current_request, wanted_item
from holdfast.domain.checkpoint import Content, Item, goal_fact, is_open
from holdfast.domain.event import EDITING
from holdfast.domain.fact import Failure
from holdfast.domain.kinds import FORGOTTEN_AFTER
from holdfast.domain.session import SessionState
from holdfast.facts.commands.command_kinds import kind_of
from holdfast.facts.commands.meaningful import is_own
from holdfast.facts.requests.requests import is_request
from holdfast.facts.work.tasks import done_tasks, tasks_of
from holdfast.facts.work.touched_files import relative, touched_files, uncommitted_of
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, replace

# Why the last request is not done, where that says what comes first: nobody has begun
# with its words, or this is all that is left of it.
STOPPED = "the user stopped the agent"
NOT_ANSWERED = "the agent had not answered yet"
STILL_FAILS = "a command still fails"
_DEFINED = pattern(
    r"^[ \t]*(?:export\s+|pub(?:\([a-z]+\))?\s+|default\s+|public\s+|private\s+|static\s+|async\s+)*"
    r"(?:def|class|func(?:\s*\([^)]*\))?|fn|function|struct|enum|interface|trait|type|impl)\s+"
    r"([A-Za-z_]\w{1,60})(?=\W)",  # a name that was cut off is none
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Handover:
    """What a session leaves to the next one, beyond its content."""

    request: Item | None  # what the user wants: a nod or a chore is not that
    why_open: str  # why that is not done; empty where it is
    red: tuple[str, ...]  # tests, checks and builds that fail
    start: str  # the command that shows where the work stands
    changed: tuple[tuple[str, str], ...]  # edited and not committed since, with a name
    done: tuple[str, ...]  # tasks that were finished
    mended: tuple[str, ...]  # commands that failed and went well later
    commands: frozenset[str]  # everything that was run


def handover_of(state: SessionState, content: Content) -> Handover:
    """Return what a session leaves to the next one."""
    red = tuple(dict.fromkeys(_red(content)))
    why_open = _why_open(state, content) if content.requests else ""
    return Handover(
        request=_request(content, why_open),
        why_open=why_open,
        red=red,
        start=red[0] if red else _start(content),
        changed=_changed(state),
        done=tuple(item.text for item in done_tasks(tasks_of(state.live_turns()))),
        mended=_mended(state, content),
        commands=frozenset(command.command for command in content.commands),
    )


def before_own_call(state: SessionState) -> SessionState:
    """Return a session as it was before the agent ran the command that now looks at it.

    That call has no result yet; without this, every session would seem cut off in the
    middle of its handover. A turn that does nothing else is left out whole.
    """
    if not state.turns or not state.turns[-1].calls:
        return state
    turn = state.turns[-1]
    own = turn.calls[-1]
    if own.outcome != "pending" or not is_own(own):
        return state
    rest = turn.calls[:-1]
    if not is_request(turn) or all(map(is_own, rest)):
        return replace(state, turns=state.turns[:-1])
    said = turn.said
    if said:  # the agent came to its own end: it is not cut off
        said = (*said[:-1], said[-1]._replace(at=max(own.at, said[-1].at)))
    told = replace(turn, calls=rest, said=said)
    return replace(state, turns=(*state.turns[:-1], told))


def failing_command(error: Item) -> str:
    """Return the command that an error is about, if it is about one."""
    return error.fact.command if isinstance(error.fact, Failure) else ""


def _why_open(state: SessionState, content: Content) -> str:
    turns = state.live_turns()
    last = next((n for n in reversed(range(len(turns))) if is_request(turns[n])), 0)
    since = turns[last:]
    own = {line for turn in since for call in turn.calls for line in call.evidence}
    signs = (
        (any(turn.interrupted for turn in since), STOPPED),
        (not any(turn.said for turn in since), NOT_ANSWERED),
        (content.in_flight, "the agent was still at work"),
        (content.open_questions, "a question to the user is open"),
        (content.pending, "tasks are left"),
        (_is_red(content.errors, own), STILL_FAILS),
    )
    return next((why for is_so, why in signs if is_so), "")


def _is_red(errors: Sequence[Item], lines: set[str]) -> bool:
    """Say whether a test, check or build that these lines tell of is still broken."""
    return any(is_open(e) and _matters(e) and lines & {*e.evidence} for e in errors)


def _matters(error: Item) -> bool:
    return kind_of(failing_command(error)) in ("test", "check", "build")


def _red(content: Content) -> Iterator[str]:
    for error in content.errors:
        if is_open(error) and _matters(error):
            yield failing_command(error)


def _start(content: Content) -> str:
    """Return the command that shows how the work stands."""
    for kind in ("test", "check", "build"):
        for command in content.commands:
            if kind_of(command.command) == kind and not command.command.endswith("…"):
                return command.command
    return ""


def _changed(state: SessionState) -> tuple[tuple[str, str], ...]:
    """Return the files that hold work no commit has, the one worked on last first, each
    with what was last defined there."""
    places = dict.fromkeys(uncommitted_of(touched_files(state)), "")
    for call in state.live_calls():
        path = relative(call.target, state.cwd) if call.role in EDITING else ""
        if path in places and call.outcome == "ok":
            names = _DEFINED.findall(call.detail)
            places[path] = names[0] if names else places[path]
    return tuple(places.items())


def _request(content: Content, why_open: str) -> Item | None:
    """Return what is to be continued: the goal, unless nobody has begun with what was
    asked beside it."""
    is_fresh = why_open in (STOPPED, NOT_ANSWERED)
    beside = current_request(content) if is_fresh else None
    wanted = beside or wanted_item(content)
    if wanted is None:
        return None
    words = (wanted.text, *goal_fact(wanted).added)
    return replace(wanted, text=" / ".join(words))


def _mended(state: SessionState, content: Content) -> tuple[str, ...]:
    """Return the commands of which no failure is open any more: those that failed here
    or in the session before, and all that went well."""
    red = {failing_command(error) for error in content.errors if is_open(error)}
    green = {failing_command(e) for e in content.errors if not is_open(e)}
    green |= {command.command for command in content.commands if command.exit == 0}
    green |= {
        left.fact.command
        for left in state.inherited
        # What nobody touched for long is let go, and not mended by that.
        if left.kind == "errors"
        and isinstance(left.fact, Failure)
        and left.age + 1 < FORGOTTEN_AFTER
    }
    return tuple(sorted(green - red - {""}))
