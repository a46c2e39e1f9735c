"""A request as a brief tells it: in the user's words, and in brackets what these cannot be
understood without.
"""

from holdfast.brief.phrases import flat, forms, shortened, spanned, talks
from holdfast.domain.checkpoint import Content, Item, context_of
from holdfast.domain.fact import RefusedCall
from holdfast.domain.text import USER, plain

WHOLE = 1000  # letters of what a request is about, where room is not short
PASTE = (260, 600, 1000)  # letters of a paste, where there is room
SHOWN = (60, 400, 1200)  # letters of what only shows an output, told with its line


def with_about(words: str, request: Item, room: int) -> str:
    """Return a request in one of its lengths with what it is about, unless it says so."""
    about = _about(request, room)
    pasted = flat(context_of(request).pasted).rstrip("…")
    is_told = bool(pasted) and pasted in words
    return f'{USER} "{words}"' + (f" ({about})" if about and not is_told else "")


def is_shown(request: Item) -> bool:
    """Say whether a request is an output with the line of it that tells what is wrong."""
    context = context_of(request)
    return bool(context.pasted) and not context.paste_says


def _about(request: Item, room: int) -> str:
    """Return what a request cannot be understood without, in others' words."""
    context = context_of(request)
    if context.pasted:
        return f"from the paste: {spanned(shortened(context.pasted, room))}"
    if context.refusing:
        return f"refusing {spanned(shortened(context.refusing, room))}"
    asked = plain(context.answering)
    return f"to: {shortened(asked, room)}" if asked else ""


def refused_with(request: Item, content: Content) -> tuple[Item, ...]:
    """Return the dead ends that are told as what the words of a request refused."""
    if not context_of(request).refusing:
        return ()
    return tuple(
        item
        for item in content.dead_ends
        if isinstance(item.fact, RefusedCall)
        and not set(item.evidence).isdisjoint(request.evidence)
    )


def paste_at_length(request: Item) -> tuple[str, ...]:
    """Return the same with more of what was pasted, longer and longer; not where that
    plainly talks to its reader."""
    context = context_of(request)
    says = f"{context.pasted} {context.paste_says}"
    told = () if talks(says) else forms(flat(says), *PASTE)
    return tuple(f"from the paste: {spanned(text)}" for text in told)
