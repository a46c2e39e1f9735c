"""What was asked, of all that was typed: what the work is for, what was asked last beside
it, and what was asked before.
"""

from itertools import chain

from holdfast.domain.checkpoint import Content, Item, context_of

# A remark has content, too; it was talked about and nothing was done.
_ASKED = ("request", "remark")
_LED_ON = ("answer", "addition")
_SENTENCE, _FEWEST_WORDS = 30, 4  # letters, and words
_SENTENCE_OF_SIGNS = 16  # where a sign may be a word


def current_request(content: Content) -> Item | None:
    """Return what was asked last of this session beside the goal: a chore, an answer, a
    remark; None where that is the goal itself, or a bare nod."""
    last = content.requests[-1] if content.requests else None
    if last is None or context_of(last).role == "nod":
        return None
    return None if last is wanted_item(content) or is_goal(last, content) else last


def wanted_item(content: Content) -> Item | None:
    """Return what the work is for: the goal, or, where no request had content, the last
    that said something, or at least the last."""
    thin = (r for r in reversed(content.requests) if context_of(r).role == "aside")
    return next(chain(content.goal, thin, reversed(content.requests)), None)


def earlier_requests(content: Content) -> tuple[Item, ...]:
    """Return the requests with content that this session had before its goal; in a
    record that was written before goals were, all but the last."""
    if not content.goal:
        wanted = wanted_item(content)
        return tuple(r for r in content.requests[:-1] if r is not wanted)
    places = [n for n, r in enumerate(content.requests) if is_goal(r, content)]
    since = places[-1] if places else 0
    return tuple(
        request
        for place, request in enumerate(content.requests)
        if not is_goal(request, content)
        and _has_content(request, is_before_goal=place < since)
    )


def _has_content(request: Item, *, is_before_goal: bool) -> bool:
    """What was added to the goal is told with it; what was added to an earlier request,
    or answered there in more than a word or two, is told as asked before."""
    role = context_of(request).role
    if role in _ASKED:
        return True
    return is_before_goal and role in _LED_ON and is_sentence(request.text)


def is_sentence(text: str) -> bool:
    """Say whether words tell something alone: an address, or a word or two, do not."""
    if text.isascii():
        return len(text.split()) >= _FEWEST_WORDS and len(text) >= _SENTENCE
    return len(text) >= _SENTENCE_OF_SIGNS


def is_goal(request: Item, content: Content) -> bool:
    """Say whether a request is what the work is for."""
    return any(
        goal.text == request.text and goal.evidence[:1] == request.evidence[:1]
        for goal in content.goal
    )
