"""What the user wants: the current request, standing instructions, earlier requests.

All of it in the user's own words; what others said about it stands in brackets.
"""

from collections.abc import Iterator, Sequence

from holdfast.brief.layout import RULES, BriefPart, Layout
from holdfast.brief.phrases import (
    USER,
    flat,
    forms,
    indented,
    own,
    plain,
    shortened,
    spanned,
    talks,
)
from holdfast.domain.checkpoint import Content, Item, context_of
from holdfast.domain.fact import RefusedCall
from holdfast.domain.text import visible

_MOST_EARLIER = 20
_FEW = 3  # requests; of more, the first says what it is all about
# Who changes a prompt and sends it again keeps its beginning.
_SAME_BEGINNING = 60
_AN_ANSWER = 20  # characters; a "yes" said twice was said to two questions
_CURRENT = (260, 400, 700, 4000)
_AT_ONCE = 2  # forms of the current request that are told before anything competes
_EARLIER = (160, 400, 1200)
_PASTE = (260, 600, 1000)  # letters of a paste, where there is room
# Letters of what a request is about, where room is short and where it is not.
_ABOUT_CURRENT, _ABOUT_EARLIER, _WHOLE = 150, 50, 1000
_PART_OF = 120


def wanted(content: Content, layout: Layout) -> Iterator[BriefPart]:
    """Yield the parts of what the user wants, in the order they are told."""
    current_forms: tuple[str, ...] = ()
    if content.requests:
        current = content.requests[-1]
        mark = "" if layout.is_short else " (current request)"
        told = tuple(
            f'{USER} "{indented(text)}"{mark}'
            for text in forms(visible(current.text), *_CURRENT)
        )
        current_forms = tuple(map(flat, told))
        yield BriefPart("wants", "request", 0, told, tells=(current,))
        if about := _about_current(content.requests, layout):
            told = tuple(f"  ({said})" for said in about)
            refused = _refused_with(current, content)
            yield BriefPart("wants", "answered", 0, told, tells=refused)
    yield from _rules(content.instructions, current_forms)
    yield from _earlier(content, layout)


def _about_current(requests: Sequence[Item], layout: Layout) -> tuple[str, ...]:
    """Return what the current request is about, longer and longer, and what it is part
    of where that does not say it."""
    current = requests[-1]
    about = _about(current, _ABOUT_CURRENT if layout.is_short else _WHOLE)
    told = tuple(filter(None, (about, *_about_at_length(current))))
    whole = context_of(current).part_of
    # Where room is short, the requests before this one are told right below.
    if not whole or layout.is_short:
        return told
    part_of = f"part of: {own(shortened(whole, _PART_OF))}"
    return (*told[:1], *(f"{said}; {part_of}" for said in told)) or (part_of,)


def _rules(items: Sequence[Item], current: Sequence[str]) -> Iterator[BriefPart]:
    """Yield the standing instructions, oldest first; the newest matter most, but for
    those that the current request most likely says."""
    withins = [_first_with(flat(item.text), current) for item in items]
    likely = [within is not None and within < _AT_ONCE for within in withins]
    places = sorted(range(len(items)), key=lambda place: (likely[place], -place))
    ranks = {place: rank for rank, place in enumerate(places)}
    for place, (item, within) in enumerate(zip(items, withins, strict=True)):
        words = (
            own(item.text) if item.source == "user" else f"noted: {plain(item.text)}"
        )
        yield BriefPart(
            "wants", "instruction", ranks[place], (words,), RULES, (item,), within
        )


def _first_with(words: str, told: Sequence[str]) -> int | None:
    """Return the shortest form that has these words."""
    return next((form for form, text in enumerate(told) if words in text), None)


def is_told_in_request(item: Item, content: Content) -> bool:
    """Say whether the shortest form of a request already has these words."""
    words = flat(item.text)
    return any(
        words in flat(request.text) and words in _shortest(request, content)
        for request in content.requests[-_MOST_EARLIER:]
    )


def came_to(request: Item) -> str:
    """Return how the sentence begins that says what a request came to."""
    return flat(context_of(request).came_to).rstrip("…")


def _earlier(content: Content, layout: Layout) -> Iterator[BriefPart]:
    """Yield what was asked before, in order; the newest and the first matter most."""
    said = " ".join(flat(rule.text) for rule in content.instructions)
    asked = [r for r in _last_sent(content.requests[:-1]) if flat(r.text) not in said]
    for place, item in enumerate(asked):
        rank = _rank(len(asked) - 1 - place, len(asked))
        if rank < _MOST_EARLIER:
            told = _asked_and_done(item, _ABOUT_EARLIER if layout.is_short else _WHOLE)
            tells = (item, *_refused_with(item, content))
            yield BriefPart("asked", "earlier", rank, told, "earlier", tells)


def _last_sent(requests: Sequence[Item]) -> list[Item]:
    """Return the requests; of one that was changed and sent again, the last."""
    sent: dict[str, Item] = {}
    for place, request in enumerate(requests):
        words = flat(request.text)[:_SAME_BEGINNING]
        key = words if len(words) > _AN_ANSWER else f"{words} {place}"
        sent.pop(key, None)
        sent[key] = request
    return list(sent.values())


def _rank(back: int, count: int) -> int:
    """Return a request's rank by how far back it lies; the first one comes third."""
    if count <= _FEW or back < _FEW - 1:
        return back
    return _FEW - 1 if back == count - 1 else back + 1


def _asked_and_done(request: Item, room: int) -> tuple[str, ...]:
    """Return an earlier request, longer and longer, then with what it came to."""
    about = f" ({said})" if (said := _about(request, room)) else ""
    told = [f'{USER} "{text}"{about}' for text in forms(flat(request.text), *_EARLIER)]
    if context_of(request).pasted:
        longer = _about_at_length(request)
        told += [f"{told[-1].removesuffix(about)} ({said})" for said in longer]
    came = context_of(request).came_to
    return (*told, f"{told[-1]} → {plain(came)}") if came else tuple(told)


def _shortest(request: Item, content: Content) -> str:
    limits = _CURRENT if request is content.requests[-1] else _EARLIER
    return flat(forms(flat(request.text), *limits)[0])


def _about(request: Item, room: int) -> str:
    """Return what a request cannot be understood without, in others' words."""
    context = context_of(request)
    if context.pasted:
        return f"begins: {spanned(shortened(context.pasted, room))}"
    if context.refusing:
        return f"refusing {spanned(shortened(context.refusing, room))}"
    asked = plain(context.answering)
    return f"to: {shortened(asked, room)}" if asked else ""


def _refused_with(request: Item, content: Content) -> tuple[Item, ...]:
    """Return the dead ends that are told as what the words of a request refused."""
    if not context_of(request).refusing:
        return ()
    return tuple(
        item
        for item in content.dead_ends
        if isinstance(item.fact, RefusedCall)
        and not set(item.evidence).isdisjoint(request.evidence)
    )


def _about_at_length(request: Item) -> tuple[str, ...]:
    """Return the same with more of what was pasted or said before, longer and longer;
    not where a paste plainly talks to its reader."""
    context = context_of(request)
    if context.pasted:
        says = f"{context.pasted} {context.paste_says}"
        told = () if talks(says) else forms(flat(says), *_PASTE)
        return tuple(f"begins: {spanned(text)}" for text in told)
    proposed, asked = plain(context.proposed), plain(context.answering)
    told = forms(proposed, 200, 600) if proposed else ()
    return tuple(f"to: {text} {asked}" for text in told)
