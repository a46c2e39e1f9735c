"""What the user wants: the goal, what was asked beside it, rules, earlier requests.

All of it in the user's own words; what others said about it stands in brackets. The goal
comes first, from whichever session it was asked in: who reads one line must know it.
"""

from collections.abc import Collection, Iterator, Sequence

from holdfast.brief.drift_marks import doubt_mark
from holdfast.brief.earlier_requests import EARLIER, earlier_parts
from holdfast.brief.layout import NOTED_RULES, NOW, RULES, BriefPart, Layout
from holdfast.brief.phrases import (
    flat,
    forms,
    indented,
    own,
    shortened,
    spanned,
    talks,
    unlike,
    with_its_answer,
)
from holdfast.brief.request_lines import (
    PASTE,
    SHOWN,
    WHOLE,
    is_shown,
    refused_with,
    with_about,
)
from holdfast.domain.asked import (
    current_request,
    is_goal,
    wanted_item,
)
from holdfast.domain.checkpoint import Content, Item, context_of, goal_fact
from holdfast.domain.fact import ChosenAnswer, Goal, RefusedCall
from holdfast.domain.text import (
    USER,
    plain,
    visible,
)
from holdfast.kernel.ids import label
from holdfast.language.sentences import IMAGE

_MOST_ASKED = 20  # requests
_GOES_ON = frozenset(["nod", "answer"])  # what a prompt is to the goal
_REFUSED = 60  # letters by which the words of a refusal are known
_GOAL = (260, 400, 700, 4000)
_AT_ONCE = 2  # forms of the goal that are told before anything competes
_CURRENT = (200, 600)
_ADDED, _FEW_ADDED = 160, 1  # letters, and how many where room is short
_ABOUT_CURRENT = 150  # letters of what a request is about, where room is short


def wanted(content: Content, layout: Layout) -> Iterator[BriefPart]:
    """Yield the parts of what the user wants, in the order they are told."""
    goal = wanted_item(content)
    told: tuple[str, ...] = ()
    if goal is not None:
        told = _goal_forms(goal, content.requests, layout)
        came = _goal_came_to(goal, content)
        longer = (f"{told[-1]} → {plain(came)}",) if came else ()
        yield BriefPart("wants", "goal", 0, (*told, *longer), tells=(goal,))
        rules = frozenset(flat(rule.text) for rule in content.instructions)
        if about := _about_goal(goal, layout, rules):
            told_about = tuple(f"  ({words})" for words in about)
            refused = _refused_in(told_about[0], content)
            yield BriefPart("wants", "answered", 0, told_about, tells=refused)
        yield from _beside(content, layout)
    yield from _rules(content.instructions, tuple(map(flat, told)))
    yield from earlier_parts(content, layout)


def is_told_in_request(item: Item, content: Content) -> bool:
    """Say whether the shortest form of a request already has these words."""
    words = flat(item.text)
    asked = (*content.goal, *content.requests[-_MOST_ASKED:])
    return any(
        words in flat(request.text) and words in _shortest(request, content)
        for request in asked
    )


def about_goal(goal: Item) -> str:
    """Return what was pasted with the goal, where room is short; or nothing."""
    return next(_about_paste(goal_fact(goal), _ABOUT_CURRENT), "")


def came_to(request: Item) -> str:
    """Return how the sentence begins that says what a request came to."""
    return flat(context_of(request).came_to).rstrip("…")


def chosen_now(content: Content) -> Item | None:
    """Return the decision that the last request made, which is told beside it."""
    current = current_request(content)
    if current is None or _is_told(current, content):
        return None
    chosen = (
        item
        for item in content.decisions
        if isinstance(item.fact, ChosenAnswer)
        and item.evidence[:1] == current.evidence[:1] != ()
    )
    return next(chosen, None)


def _goal_forms(
    goal: Item, requests: Sequence[Item], layout: Layout
) -> tuple[str, ...]:
    """Return the goal, longer and longer, and where it was asked if not here."""
    fact = goal_fact(goal)
    name = "goal" if isinstance(goal.fact, Goal) else "last request"
    begins, mark = (
        (f"{name.capitalize()}: ", "") if layout.is_short else ("", f" (the {name})")
    )
    if fact.number:
        mark = f" ({'' if layout.is_short else 'the goal, '}since {label(fact.number)})"
    if fact.how == "plan" and fact.title:
        told = f"the plan that the user accepted: {spanned(fact.title)}"
        return (f"{begins}{told}{mark}",)
    others = (request.text for request in requests if request.text != goal.text)
    words = forms(unlike(visible(goal.text), others), *_GOAL)
    return tuple(f'{begins}{USER} "{indented(text)}"{mark}' for text in words)


def _goal_came_to(goal: Item, content: Content) -> str:
    """Return what the agent said the goal came to, before something else was asked: who
    went on with it since has heard more of it, and that was said last."""
    requests = content.requests
    places = [
        n for n, r in enumerate(requests) if is_goal(r, content) and r is not goal
    ]
    if not places:
        return ""
    since = {context_of(request).role for request in requests[places[0] + 1 :]}
    came = context_of(requests[places[0]]).came_to
    return "" if since & _GOES_ON or flat(came) in flat(content.last_words) else came


def _about_goal(goal: Item, layout: Layout, rules: Collection[str]) -> tuple[str, ...]:
    """Return what the goal cannot be understood without, longer and longer; where room
    is short, what was added last first. What is told as a rule is not told here."""
    fact = goal_fact(goal)
    room = _ABOUT_CURRENT if layout.is_short else WHOLE
    told = list(_about_paste(fact, room))
    if not told and fact.answering:
        told = [f"to: {shortened(plain(fact.answering), room)}"]
    added = [words for words in fact.added if flat(words) not in rules]
    if added:
        least = _FEW_ADDED if layout.is_short else len(added)
        lengths = dict.fromkeys((min(least, len(added)), len(added)))
        more = [_added(added[-length:]) for length in lengths]
        whole = told[-1:]
        told = [f"{about}; {more[0]}" for about in told] or more[:1]
        told += ["; ".join((*whole, words)) for words in more[1:]]
    return tuple(dict.fromkeys(told))


def _refused_in(told: str, content: Content) -> tuple[Item, ...]:
    """Return the dead ends whose words are told as added to the goal."""
    return tuple(
        item
        for item in content.dead_ends
        if isinstance(item.fact, RefusedCall)
        and (said := flat(item.fact.said)[:_REFUSED])
        and said in told
    )


def _added(words: Sequence[str]) -> str:
    return "added: " + "  ".join(own(shortened(each, _ADDED)) for each in words)


def _about_paste(fact: Goal, room: int) -> Iterator[str]:
    """Yield how a plan or a paste goes on; not where it plainly talks to its reader."""
    says = fact.says if fact.how == "plan" else f"{fact.title} {fact.says}".strip()
    if says and fact.how != "typed":
        if not talks(says):
            lengths = (room,) if room < WHOLE else PASTE
            named = "begins" if fact.how == "plan" else "from the paste"
            yield from (f"{named}: {spanned(s)}" for s in forms(flat(says), *lengths))
        elif fact.how == "pasted":
            yield f"from the paste: {spanned(shortened(fact.title, room))}"


def _beside(content: Content, layout: Layout) -> Iterator[BriefPart]:
    """Yield what was asked last beside the goal: a chore, or an answer with its question."""
    current = current_request(content)
    if current is None or _is_told(current, content):
        return
    if not IMAGE.sub("", current.text).strip():
        return  # nobody typed it
    room = _ABOUT_CURRENT if layout.is_short else WHOLE
    words = forms(flat(current.text), *(SHOWN if is_shown(current) else _CURRENT))
    tells = (current, *refused_with(current, content))
    chosen = chosen_now(content)
    if chosen and not _is_all_chosen(chosen, current):
        told = [
            f'{USER} "{text}" (to: {plain(with_its_answer(chosen).text)})'
            for text in words
        ]
    else:
        told = [with_about(text, current, room) for text in words]
    tells = (*tells, chosen) if chosen else tells
    told += [f'{USER} "{words[-1]}" ({said})' for said in _proposed_to(current)]
    yield BriefPart("wants", "current", 0, tuple(told), NOW, tells)


def _is_all_chosen(decision: Item, request: Item) -> bool:
    """Say whether a request is in full what it decided: the words, not a label."""
    fact = decision.fact
    return isinstance(fact, ChosenAnswer) and flat(fact.chosen) == flat(request.text)


def _proposed_to(request: Item) -> tuple[str, ...]:
    """Return what was proposed before the question that a request answers, longer and
    longer: "Shall I do that?" says as little as "yes"."""
    context = context_of(request)
    asked, proposed = plain(context.answering), plain(context.proposed)
    told = forms(proposed, 200, 600) if proposed and asked else ()
    return tuple(f"to: {text} {asked}" for text in told)


def _is_told(current: Item, content: Content) -> bool:
    """Say whether the goal tells what was added to it, or a rule is all that it says."""
    words = flat(current.text)
    added = [a for goal in content.goal for a in goal_fact(goal).added]
    rules = (rule.text for rule in content.instructions if rule.source == "user")
    is_begun = bool(added) and words.startswith(flat(added[-1]).rstrip("…"))
    return is_begun or words in map(flat, (*added, *rules))


def _rules(items: Sequence[Item], goal: Sequence[str]) -> Iterator[BriefPart]:
    """Yield the standing instructions, oldest first; the newest matter most, but for
    those that the goal most likely says. It does not say of one that it is in doubt."""
    withins = [
        None if item.doubt else _first_with(flat(item.text), goal) for item in items
    ]
    likely = [within is not None and within < _AT_ONCE for within in withins]
    places = sorted(range(len(items)), key=lambda place: (likely[place], -place))
    ranks = {place: rank for rank, place in enumerate(places)}
    for place, (item, within) in enumerate(zip(items, withins, strict=True)):
        is_typed = item.source == "user"
        words = own(item.text) if is_typed else plain(item.text)
        words += doubt_mark(item.doubt)
        section, row = ("wants", RULES) if is_typed else ("stands", NOTED_RULES)
        yield BriefPart(
            section, "instruction", ranks[place], (words,), row, (item,), within
        )


def _first_with(words: str, told: Sequence[str]) -> int | None:
    """Return the shortest form that has these words."""
    return next((form for form, text in enumerate(told) if words in text), None)


def _shortest(request: Item, content: Content) -> str:
    if request not in content.goal:
        return flat(forms(flat(request.text), *EARLIER)[0])
    others = (r.text for r in content.requests if r.text != request.text)
    return flat(forms(unlike(request.text, others), *_GOAL)[0])
