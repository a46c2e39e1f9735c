"""What was said in passing, and what only shows something: neither is what the work is for.

A remark, or a question that was answered and changed nothing, stands beside the work. So
does what a program printed; an address alone belongs to the request before it. But the work
that follows from a question makes that question what it is for.
"""

from collections.abc import Sequence

from holdfast.domain.event import LOOKING, SHELL
from holdfast.domain.fact import RequestRole
from holdfast.domain.session import Call, Turn
from holdfast.facts.commands.command_kinds import kind_of
from holdfast.facts.commands.file_changes import changes_of
from holdfast.language.languages import Cues
from holdfast.language.printed_prompts import is_only_printed
from holdfast.language.request_words import asks_again, is_stop, names_place
from holdfast.language.sentences import (
    is_question,
    sentences,
    typed_words,
)

_LONGEST, _SHORT_TALK = 240, 900  # characters of a remark, and of what was said to it
_SHORTEST = 6  # characters of a sentence that says something
# Whoever asks more in a row has turned to what the questions are about.
_MOST_IN_A_ROW = 3
_ON_THE_WAY = frozenset(["todo", "todo_list", "ask", *LOOKING])
_CLOSING = 3  # sentences with which a message closes
# Runs that leave something behind, though no file of the project.
_LEAVES = frozenset(["commit", "server", "build"])
_ASKED = Cues(lambda spoken: spoken.questions.asked)
_ASKS_KINDLY = Cues(lambda spoken: spoken.requests.asks_kindly)


def with_passing(
    roles: Sequence[RequestRole], asked: Sequence[Turn]
) -> list[RequestRole]:
    """Return the roles of the requests, those told that were said in passing or only
    show something to the request before them."""
    told = list(roles)
    for place in range(1, len(told)):
        if "request" in told[:place]:
            told[place] = _going_on(told[place], asked[place])
    for place in _remarks(told, asked):
        told[place] = "remark"
    return told


def _going_on(role: RequestRole, turn: Turn) -> RequestRole:
    """Return what a prompt is that may go on with the request before it: nothing but
    what a program printed, or a place, and too little of what is to be done there; or
    an order to stop, or to do the same once more."""
    if role in ("request", "aside") and is_only_printed(turn.prompt):
        return "remark"
    if role in ("aside", "nod") and names_place(turn.prompt):
        return "addition"
    if role != "request":
        return role
    if asks_again(turn.prompt):
        return "addition"
    return "aside" if is_stop(turn.prompt) else role


def _remarks(roles: Sequence[RequestRole], asked: Sequence[Turn]) -> list[int]:
    """Return the places of the requests that were only talked about."""
    found: list[int] = []
    questions: list[int] = []  # in a row
    is_at_work = has_changed = False
    for place, turn in enumerate(asked):
        is_request = roles[place] == "request"
        if is_request:
            is_followed = _is_followed(place, roles, asked)
            if is_at_work and not is_followed and _was_only_talk(turn):
                found.append(place)
            elif has_changed and not is_followed and _was_only_asked(turn):
                questions.append(place)
            else:
                found += _in_passing(questions)
                questions = []
        is_at_work = is_at_work or (is_request and bool(turn.calls))
        has_changed = has_changed or any(map(_changes, turn.calls))
    return [*found, *_in_passing(questions)]


def _in_passing(questions: list[int]) -> list[int]:
    return questions if len(questions) <= _MOST_IN_A_ROW else []


def _is_followed(
    place: int, roles: Sequence[RequestRole], asked: Sequence[Turn]
) -> bool:
    """Say whether the agent worked in the turns that only go on with a request, or is
    about to; who stops it goes on with none."""
    for role, turn in zip(roles[place + 1 :], asked[place + 1 :], strict=True):
        if is_stop(turn.prompt):
            continue
        if role in ("request", "chore"):
            return False
        if turn.calls or not turn.said:
            return True
    return False


def _was_only_talk(turn: Turn) -> bool:
    """Say whether a few words were answered in a few words, and nothing was done but
    looked at: a remark on the way; the work is another request's."""
    if len(turn.prompt) > _LONGEST or not _is_answered(turn):
        return False
    # Who asks back may do it in the next turn.
    if any(map(is_question, sentences(turn.said[-1].text))):
        return False
    if any(call.role not in _ON_THE_WAY for call in turn.calls):
        return False
    return sum(len(said.text) for said in turn.said) <= _SHORT_TALK


def _was_only_asked(turn: Turn) -> bool:
    """Say whether a turn is a question that was answered, and nothing was changed; who
    asks whether one can do something wants it done."""
    if not _is_answered(turn) or any(map(_changes, turn.calls)):
        return False
    # Who asks back may do it in the next turn.
    if any(map(is_question, sentences(turn.said[-1].text)[-_CLOSING:])):
        return False
    spoken = [s for s in sentences(typed_words(turn.prompt)) if len(s) >= _SHORTEST]
    return bool(spoken) and all(map(_only_asks, spoken))


def _only_asks(sentence: str) -> bool:
    asks = is_question(sentence) or _ASKED.search(sentence)
    return bool(asks) and not _ASKS_KINDLY.search(sentence)


def _is_answered(turn: Turn) -> bool:
    """Say whether the agent had the last word: else it was still at work."""
    if turn.interrupted or not turn.said:
        return False
    last = turn.said[-1]
    if last.text.rstrip().endswith((":", "：", "…")):
        return False
    return not (turn.calls and turn.calls[-1].at > last.at)


def _changes(call: Call) -> bool:
    """Say whether a call leaves something behind: a run of the tests does not."""
    if call.role in SHELL:
        return kind_of(call.target) in _LEAVES or bool(changes_of(call.target))
    return call.role not in _ON_THE_WAY
