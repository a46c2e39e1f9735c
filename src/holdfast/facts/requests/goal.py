"""What each prompt is to the work, and the goal: the last request with content.

A nod, an answer, a slash command, a remark typed while the agent worked and a word or two
more on the same request go on with the work; a chore ("commit this") follows any work.
None of them replaces what the work is for.
"""

import re
from collections.abc import Iterator, Sequence

from holdfast.domain.asked import is_sentence
from holdfast.domain.checkpoint import Item, context_of, goal_fact
from holdfast.domain.fact import Goal, RequestContext, RequestRole, about_of
from holdfast.domain.session import Turn
from holdfast.domain.text import one_line
from holdfast.facts.commands.meaningful import is_own
from holdfast.facts.requests.passing import with_passing
from holdfast.facts.requests.questions import is_courtesy, speaks_to
from holdfast.facts.requests.requests import is_request, requests_of
from holdfast.facts.requests.rules import is_rule, outlasts_its_request
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import replace
from holdfast.language.agent_messages import is_foreign, is_procedure
from holdfast.language.languages import Cues
from holdfast.language.quotations import own_words
from holdfast.language.request_words import (
    is_addition,
    is_chore,
    is_few_words,
    left_of,
    names_place,
)
from holdfast.language.sentences import (
    IMAGE,
    PASTED,
    is_accepted_plan,
    sentences,
)

_COMMAND = pattern(r"`?/[\w:.-]+(?=\s|$)")
_POLITE = Cues(lambda spoken: spoken.requests.polite, is_apart=True)
_CLAUSE = pattern(r"[,;]\s|[，、；]")
_LAYS_DOWN = Cues(lambda spoken: spoken.rules.begins)
# What somebody thinks of something is not what is to be done.
_OPINES = Cues(lambda spoken: spoken.requests.opines)
_GREETS = Cues(lambda spoken: spoken.requests.greets)
# Who stopped the agent by mistake wants what it was at.
_SLIPS = Cues(lambda spoken: spoken.requests.slips)
_FEW_WORDS = 400  # characters
_ASKED = pattern(r"[?？]|(?:^|\s)(?:[A-Ha-h]|\d{1,2})\) ")  # or an option: "2) …"
_SHORTEST = 6  # characters
_MOST_ADDED = 5
_ADDED = 200  # characters
_PLAN_IS = pattern(r"^(?:implementation\s+)?plan\s*[:：]\s*", re.IGNORECASE)


def with_roles(requests: Sequence[Item], turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return the requests of a session, each with what it is to the work."""
    asked = [turn for turn in turns if is_request(turn)]
    roles = [
        role_of(request, is_midway=turn.midway)
        for request, turn in zip(requests, asked, strict=True)
    ]
    told = map(_with_role, requests, with_passing(roles, asked))
    return tuple(map(_without_passed_over, told))


def _without_passed_over(request: Item) -> Item:
    """Return what was asked or remarked without the question that the agent had closed
    with, where its words say nothing to that: who goes on to something else passes over
    what was offered, and is understood without it."""
    context = context_of(request)
    asked = context.answering
    if context.role not in ("request", "remark") or not asked:
        return request
    if _answers(context) and speaks_to(request.text, asked):
        return request
    alone = replace(context, answering="", proposed="")
    return replace(request, about=about_of(alone), fact=alone)


def is_small_talk(turns: Sequence[Turn]) -> bool:
    """Say whether nothing was asked and nothing done: a greeting, a nod, and what is
    said to that in a few words."""
    if any(not is_own(call) for turn in turns for call in turn.calls):
        return False
    if sum(len(said.text) for turn in turns for said in turn.said) > _FEW_WORDS:
        return False
    requests = with_roles(requests_of(turns), turns)
    return bool(requests) and all(map(_asks_nothing, requests))


def _asks_nothing(request: Item) -> bool:
    is_nod = context_of(request).role == "nod"
    return is_nod or _GREETS.match(request.text.strip()) is not None


def goal_of(
    requests: Sequence[Item], turns: Sequence[Turn], session_id: str
) -> tuple[Item, ...]:
    """Return the goal that a session's own requests set, or nothing."""
    asked = [turn for turn in turns if is_request(turn)]
    for place in reversed(range(len(requests))):
        if context_of(requests[place]).role == "request":
            since = added_by(requests[place + 1 :])
            return (_goal(requests[place], asked[place], since, session_id),)
    return ()


def goes_on(goal: Item, requests: Sequence[Item]) -> Item:
    """Return an inherited goal with what the requests of this session add to it."""
    fact = goal_fact(goal)
    added = (*fact.added, *added_by(requests))[-_MOST_ADDED:]
    return _told(goal, replace(fact, added=tuple(dict.fromkeys(added))))


def added_by(requests: Sequence[Item]) -> tuple[str, ...]:
    """Return the words of requests that add to the goal before them, those too with
    which a step towards it was refused before something else was said."""
    last = requests[-1] if requests else None
    added = (
        IMAGE.sub("", request.text)
        for request in requests
        if _adds(request, is_last=request is last)
    )
    told = (one_line(text, _ADDED) for text in added if text.strip())
    return tuple(told)[-_MOST_ADDED:]


def _adds(request: Item, *, is_last: bool) -> bool:
    """Say whether a request adds to the goal before it: what says something and was
    followed by other words does. The last stands beside the goal, with its question."""
    context = context_of(request)
    if context.role not in ("answer", "aside") or is_last:
        return context.role == "addition"
    if context.role == "aside" and not is_sentence(request.text):
        return False
    says = bool(context.refusing) or left_of(request.text).is_something
    return says or names_place(request.text)


def role_of(request: Item, *, is_midway: bool = False) -> RequestRole:
    """Return what a request is to the work."""
    context = context_of(request)
    is_command = _COMMAND.match(request.text) is not None
    words = _COMMAND.sub("", request.text, count=1) if is_command else request.text
    marked = "[" in words
    typed = (IMAGE.sub(" ", PASTED.sub(" ", words)) if marked else words).strip()
    typed = _SLIPS.sub(" ", typed).strip()
    left = left_of(typed)
    is_full = bool(context.pasted) or left.is_enough

    def reasons() -> Iterator[tuple[RequestRole, bool]]:  # none is looked at in vain
        yield "chore", not context.pasted and is_chore(typed)
        yield "addition", is_midway
        yield "request", is_full and not _only_goes_on(request, typed)
        yield "answer", bool(context.refusing) or _answers(context)
        yield "addition", left.is_something and is_addition(typed)
        yield "command", is_command and not is_full
        yield "aside", left.is_something

    return next((role for role, holds in reasons() if holds), "nod")


def _only_goes_on(request: Item, typed: str) -> bool:
    """Say whether words with content go on with the work at hand: a short answer, what
    was said to a refusal, a few words more, or nothing but rules."""
    context = context_of(request)
    if context.pasted:
        return False
    if context.refusing or is_addition(typed):
        return True
    if _answers(context) and is_few_words(typed):
        return True
    spoken = sentences(own_words(typed))
    return bool(spoken) and all(map(says_no_work, spoken))


def _answers(context: RequestContext) -> bool:
    """Say whether a request answers a question, or picks an option; what else was said
    before it only makes it understood. Who is asked what else is to be done has the
    choice of everything."""
    asked = context.answering
    return _ASKED.search(asked) is not None and not is_courtesy(asked)


def says_no_work(sentence: str) -> bool:
    """Say whether a sentence only lays down a rule, agrees, opines or says what the user
    will do: the work it was said in is another request's."""
    bare = bare_words(sentence)
    return (
        len(bare) < _SHORTEST
        or _is_rule_alone(bare)
        or is_procedure(bare)
        or _OPINES.search(bare) is not None
    )


def bare_words(sentence: str) -> str:
    """Return a sentence without how people lead to what they want."""
    return _POLITE.sub("", sentence, count=1).strip()


def _is_rule_alone(sentence: str) -> bool:
    """Say whether a sentence begins with a rule that lasts: behind a request it is a part
    of that, and what only must be so is to be done."""
    if is_foreign(sentence):
        first = _CLAUSE.split(sentence, maxsplit=1)[0]
        return is_rule(first) and outlasts_its_request(first)
    return _LAYS_DOWN.match(sentence) is not None and is_rule(sentence)


def _with_role(request: Item, role: RequestRole) -> Item:
    context = context_of(request)
    if context.role == role:
        return request
    context = replace(context, role=role)
    return replace(request, fact=None if context == RequestContext() else context)


def _goal(request: Item, turn: Turn, since: tuple[str, ...], session_id: str) -> Item:
    context = context_of(request)
    is_plan = is_accepted_plan(turn.prompt)
    title = _PLAN_IS.sub("", context.pasted) if is_plan else context.pasted
    fact = Goal(
        how="plan" if is_plan else "pasted" if context.pasted else "typed",
        title=title,
        says=context.paste_says,
        answering=context.answering,
        added=since,
        session=session_id,
        at=turn.at,
    )
    return _told(request, fact)


def _told(item: Item, fact: Goal) -> Item:
    return replace(item, about=about_of(fact), fact=fact)
