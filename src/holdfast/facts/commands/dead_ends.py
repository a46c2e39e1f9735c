"""What was tried and given up, so that nobody walks there again.

Three signs that need no judgement: an edit that a later edit took back, a command that
failed again and again and was left, and turns that the user rewound.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from holdfast.domain.checkpoint import Item, context_of, fact_item
from holdfast.domain.event import EDITING, SHELL
from holdfast.domain.fact import RefusedCall, RevertedEdit, RewoundRequest
from holdfast.domain.session import Call, SessionState, Turn
from holdfast.domain.text import one_line
from holdfast.facts.commands.failures import left_again
from holdfast.facts.commands.meaningful import is_own
from holdfast.facts.commands.runs import deed_of, first_line, runs_of, telling_line
from holdfast.facts.commands.slips import is_slip
from holdfast.facts.commands.trouble_ledger import Trouble
from holdfast.facts.requests.requests import (
    is_request,
    waiting_plan,
    was_refused,
    words_of,
)
from holdfast.facts.work.files import relative
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.agent_messages import (
    is_foreign,
    is_procedure,
    names_something,
    without_opening,
)
from holdfast.language.languages import Cues, GuardedCues
from holdfast.language.sentences import excerpt, is_question, plain, sentences

_MOST = 20
_MOST_TOLD = 5
_LINE = 240
_SAID = 160  # characters of what was said at a refusal
_GAVE_UP = GuardedCues(lambda spoken: spoken.statements.gave_up)

_GIVES_REASON = Cues(lambda spoken: spoken.statements.why, flags=re.VERBOSE)
_OUTSIDE = pattern(r"~|/(?!dev/null)\w|[A-Za-z]:/")
_SETS_OUT = Cues(lambda spoken: spoken.talk.about_to)
_UNDOES = Cues(lambda spoken: spoken.statements.undoes)
_TAKES_BACK = Cues(lambda spoken: spoken.statements.gave_up_named)


def dead_ends_of(
    state: SessionState,
    turns: Sequence[Turn],
    troubles: Sequence[Trouble],
    requests: Sequence[Item] = (),
) -> tuple[Item, ...]:
    """Return the ways that were given up, the newest first. `requests` are those of the
    turns, with what each is to the work."""
    found = [
        *_rewound(state),
        *islice(_refused(turns, requests, state.cwd), _MOST_TOLD),
        *_taken_back(turns, state.cwd),
        *_left(troubles),
        *islice(_told(turns), _MOST_TOLD),
    ]
    unique = {item.text: item for item in found}
    return tuple(unique.values())[:_MOST]


def _rewound(state: SessionState) -> Iterator[Item]:
    for first, end in reversed(state.abandoned):
        for turn in state.turns[first:end]:
            if not is_request(turn):
                continue
            tried = one_line(words_of(turn), 120)
            if not turn.calls and not turn.said:
                continue  # nothing was tried: it was typed again
            changed = {relative(c.target, state.cwd) for c in turn.calls if _edits(c)}
            fact = RewoundRequest(tried, tuple(sorted(changed)[:3]))
            yield fact_item(fact, "engine", (turn.uuid,), excerpt(words_of(turn)))


def _refused(
    turns: Sequence[Turn], requests: Sequence[Item], cwd: str
) -> Iterator[Item]:
    """What the user would not let the agent do, unless it was done later, or the user
    went on as if nothing had been refused."""
    calls = [call for turn in turns for call in turn.calls]
    waiting = waiting_plan(turns)
    pointing = {id(call) for turn in turns for call in _pointing_back(turn.calls)}
    next_role = _next_roles(turns, requests)
    refused = [
        place
        for place, call in enumerate(calls)
        if was_refused(call)
        and call is not waiting
        and id(call) not in pointing
        and _would_tell(call, cwd)
        and not _is_forgotten(call, next_role[place])
    ]
    # Five files refused in one breath are one refusal.
    told: set[tuple[str, str]] = set()
    for place in reversed(refused):
        call = calls[place]
        aim = _aim(call)
        if call.role in EDITING and (call.tool, call.refusal) in told:
            continue
        if any(_pardons(later, call, aim) for later in calls[place + 1 :]):
            continue
        told.add((call.tool, call.refusal))
        shell = call.role in SHELL  # a backslash in a command divides no path
        aimed = aim[1] if shell else relative(aim[1] or plain(call.target[:200]), cwd)
        # Evidence, not an instruction: a tool could print the same words.
        said = one_line(call.refusal, _SAID)
        fact = RefusedCall(call.tool, one_line(aimed, 100), said)
        seen = call.refusal or call.detail or call.target
        yield fact_item(fact, "engine", call.evidence, excerpt(seen))


def _pointing_back(calls: Sequence[Call]) -> Iterator[Call]:
    """Yield what was refused behind a call that words refused, in one go with it: the
    words are said once, and "same" points to them."""
    is_said = False
    for call in calls:
        if was_refused(call):
            if is_said:
                yield call
            is_said = is_said or bool(call.refusal)
        else:
            is_said = False


def _next_roles(turns: Sequence[Turn], requests: Sequence[Item]) -> list[str]:
    """Return for each call what the next request behind it is to the work; nothing
    where there is none."""
    roles = [context_of(request).role for request in reversed(requests)]
    upcoming, found = "", []
    for turn in reversed(turns):
        found += [upcoming] * len(turn.calls)
        if is_request(turn) and roles:
            upcoming = roles.pop(0)
    return found[::-1]


def _is_forgotten(call: Call, next_role: str) -> bool:
    """Say whether a refusal says nothing any more: it came without a word, and the user
    only nodded to what was done, or asked for something else after stopping the agent."""
    if call.refusal or not next_role:
        return False
    return next_role == "nod" or call.cause != "refused"


def _pardons(later: Call, refused: Call, aim: tuple[str, str]) -> bool:
    """Say whether a later call shows that what was refused is allowed after all: it was
    run, however it went; after a plan, files were changed."""
    if refused.role == "plan" and later.role in EDITING:
        return later.outcome == "ok"
    if later.tool != refused.tool or later.outcome == "pending" or was_refused(later):
        return False
    return later.outcome != "interrupted" and _aim(later) == aim


def _would_tell(call: Call, cwd: str) -> bool:
    """Say whether a refusal tells what not to do: it came with a word, or would have
    changed or run something, or looked at what is not the project's. Who stops another
    look stops the agent, not that way."""
    if is_own(call):
        return False
    if call.refusal or call.role in EDITING or call.role in ("plan", "agent"):
        return True
    if call.role in SHELL and deed_of(call.target):
        return True
    looked = call.target.split() if call.role in SHELL else [call.target]
    return any(_OUTSIDE.match(relative(word, cwd)) for word in looked)


def _aim(call: Call) -> tuple[str, str]:
    """Return what a call was to do, equal for one that does it after all."""
    if call.role in SHELL:
        return call.tool, deed_of(call.target) or first_line(call.target)
    return call.tool, "" if call.role == "plan" else call.target


def _taken_back(turns: Sequence[Turn], cwd: str) -> Iterator[Item]:
    """An edit whose opposite came later: what was there before is there again. One that
    is made once more stands in the end; who does as the user says gives nothing up, and
    who takes an edit back without a word or a failure in between had slipped."""
    made: dict[tuple[str, str, str], tuple[Turn, Call]] = {}
    found: dict[tuple[str, str, str], Item] = {}
    failed: Call | None = None
    for turn in turns:
        for call in turn.calls:
            if call.outcome == "failed" and call.role in SHELL and _tells(call, cwd):
                failed = call
            if not (_edits(call) and call.before and call.after):
                continue
            step = (call.target, call.before, call.after)
            opposite = (call.target, call.after, call.before)
            found.pop(step, None)
            undone = made.pop(opposite, None)
            if undone is None:
                made[step] = (turn, call)
            elif turn is not undone[0] and _UNDOES.search(words_of(turn)):
                continue
            elif undone_item := _undone(undone, call, failed, cwd):
                found[opposite] = undone_item
    return reversed(found.values())


def _undone(
    first: tuple[Turn, Call], last: Call, failed: Call | None, cwd: str
) -> Item | None:
    """Return an edit that was taken back: what it was for, and what it broke. Without
    either it tells nobody what not to do."""
    turn, call = first
    intent = _intent(turn, call)
    if any(cue.search(intent) for cue in (_TAKES_BACK, _UNDOES)) or _GAVE_UP.is_in(
        intent
    ):
        intent = ""  # "I'll revert" is not what was tried
    evidence: tuple[str, ...] = (call.uuid, last.uuid)
    why = ""
    if not (failed and failed.at > call.at) and not _is_spoken_between(
        turn, call, last
    ):
        return None
    if failed and failed.at > call.at and (why := telling_line(failed, failed=True)):
        evidence = (*failed.evidence, call.uuid, last.uuid)
    if not (why or names_something(intent) or is_foreign(intent)):
        return None
    fact = RevertedEdit(relative(call.target, cwd), intent, why)
    return fact_item(fact, "tool" if failed else "engine", evidence, excerpt(intent))


def _tells(call: Call, cwd: str) -> bool:
    """Say whether a command that failed says something about the work."""
    run = next(iter(runs_of((call,), cwd)), None)
    return run is not None and not is_slip(call, run)


def _is_spoken_between(turn: Turn, first: Call, last: Call) -> bool:
    """Say whether the agent or the user spoke between two edits, the first of this turn."""
    if not any(call is last for call in turn.calls):
        return True
    return any(first.at < said.at <= last.at for said in turn.said)


def _left(troubles: Sequence[Trouble]) -> Iterator[Item]:
    for trouble in left_again(troubles):
        call = trouble.call
        yield fact_item(trouble.fact, "tool", call.evidence, excerpt(call.output))


def _told(turns: Sequence[Turn]) -> Iterator[Item]:
    for turn in reversed(turns):
        for said in reversed(turn.said):
            if not _GAVE_UP.is_in(said.text):
                continue
            for sentence in sentences(said.text):
                if (
                    _GAVE_UP.is_in(sentence)
                    and 30 <= len(sentence) <= _LINE  # noqa: PLR2004  # a telling one
                    and not is_question(sentence)
                    and (not is_procedure(sentence) or _GIVES_REASON.search(sentence))
                ):
                    told = _given_up(sentence)
                    yield Item(told, "agent", (said.uuid,), excerpt(sentence))


def _given_up(sentence: str) -> str:
    """Return what was left in the agent's words, without what announces it: "Now let me
    revert the retry since …" gave up the retry."""
    bare = _SETS_OUT.sub("", without_opening(sentence.rstrip(":：")))
    named = _TAKES_BACK.sub("Given up: ", bare)
    return named[:1].upper() + named[1:]


def _intent(turn: Turn, call: Call) -> str:
    """Return what the agent said it was doing when it made a call."""
    before = [said for said in turn.said if said.at <= call.at]
    if not before:
        return ""
    spoken = sentences(before[-1].text)
    return one_line(_SETS_OUT.sub("", spoken[-1].rstrip(":")), 140) if spoken else ""


def _edits(call: Call) -> bool:
    return call.role in EDITING and call.outcome == "ok"
