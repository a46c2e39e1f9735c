"""What the user asked before, oldest first: each request once, with what it came to."""

from collections.abc import Iterator, Sequence

from holdfast.brief.layout import BriefPart, Layout
from holdfast.brief.phrases import (
    behind_template,
    flat,
    forms,
    unlike,
)
from holdfast.brief.request_lines import (
    SHOWN,
    WHOLE,
    is_shown,
    paste_at_length,
    refused_with,
    with_about,
)
from holdfast.domain.asked import current_request, earlier_requests, wanted_item
from holdfast.domain.checkpoint import Content, Item, context_of
from holdfast.domain.text import USER, plain
from holdfast.language.sentences import covers, words_in

EARLIER = (140, 400, 1200)  # letters
_MOST_EARLIER = 20
# Who changes a prompt and sends it again keeps its beginning.
_SAME_BEGINNING = 60
_FEWEST_BEGUN = 20  # letters of a prompt that another one begins with
_ABOUT = 50  # letters of what a request is about, where room is short


def earlier_parts(content: Content, layout: Layout) -> Iterator[BriefPart]:
    """Yield what was asked before, in order; the newest and the first matter most."""
    typed = (rule for rule in content.instructions if rule.source == "user")
    said = " ".join(flat(rule.text) for rule in typed)
    current, goal = current_request(content), wanted_item(content)
    wanted = _typed(goal) if goal else ""  # who sends it again wants it once
    asked = [
        request
        for request in _last_sent(earlier_requests(content))
        if request is not current
        and flat(request.text) not in said
        and _typed(request) != wanted
        and not (goal and _is_sent_again(request, goal))
    ]
    known = [goal.text] if goal else []
    for place, item in enumerate(asked):
        rank = _rank(len(asked) - 1 - place, len(asked))
        if rank < _MOST_EARLIER:
            room = _ABOUT if layout.is_short else WHOLE
            told = _asked_and_done(item, room, known)
            tells = (item, *refused_with(item, content))
            yield BriefPart("asked", "earlier", rank, told, "earlier", tells)


def _last_sent(requests: Sequence[Item]) -> list[Item]:
    """Return the requests; of one that was changed and sent again, the last, and none
    that the next one only goes on from."""
    sent: dict[str, Item] = {}
    before = ""
    for request in requests:
        words = _typed(request)
        key = words[:_SAME_BEGINNING]
        if len(before) >= _FEWEST_BEGUN and words.startswith(before):
            sent.pop(before[:_SAME_BEGINNING], None)
        if (again := sent.pop(key, None)) and not _is_sent_again(again, request):
            sent[_typed(again)] = again  # two requests that begin alike
        sent[key] = request
        before = words
    return list(sent.values())


def _is_sent_again(request: Item, later: Item) -> bool:
    """Say whether a request was changed and sent again: the later one begins as it does
    and says most of it. Two that are made from a template only begin alike."""
    before, words = _typed(request), _typed(later)
    begun = before[:_SAME_BEGINNING]
    if len(begun) < _FEWEST_BEGUN or not words.startswith(begun):
        return False
    if is_shown(request) or is_shown(later):
        return True  # a command that was run again, and what it printed
    own = behind_template(request.text, [later.text]) or before
    return covers(words_in(words.casefold()), words_in(own.casefold()))


def _typed(request: Item) -> str:
    """Return the words of a request without the sign of a terminal that was copied."""
    return flat(request.text).lstrip("❯›>$ ")


def _rank(back: int, count: int) -> int:
    """Return a request's rank by how far back it lies; the first one, which says what it
    is all about, comes first."""
    return 0 if back == count - 1 else back + 1


def _asked_and_done(request: Item, room: int, known: Sequence[str]) -> tuple[str, ...]:
    """Return an earlier request, longer and longer, then with what it came to; what it
    begins with as one that is known does goes without saying."""
    typed = flat(unlike(request.text, known))
    words = forms(typed, *(SHOWN if is_shown(request) else EARLIER))
    told = [with_about(text, request, room) for text in words]
    if context_of(request).paste_says and room >= WHOLE:
        longer = paste_at_length(request)
        told += [f'{USER} "{words[-1]}" ({said})' for said in longer]
    came = context_of(request).came_to
    return (*told, f"{told[-1]} → {plain(came)}") if came else tuple(told)
