"""The account of what a brief carried and what it left out, counted kind by kind."""

from collections.abc import Iterable, Sequence

from holdfast.brief.layout import Thing
from holdfast.brief.phrases import (
    MORE,
    flat,
)
from holdfast.domain.amounts import counted
from holdfast.domain.asked import current_request, earlier_requests, wanted_item
from holdfast.domain.checkpoint import (
    Content,
    Item,
    Receipt,
    context_of,
    is_open,
    steps_besides_tasks,
)
from holdfast.domain.fact import ChangedFiles, CreatedFile, Goal, PassingCommand
from holdfast.domain.kinds import KINDS, RECEIPT_KINDS, RECEIPT_WORDS
from holdfast.domain.text import (
    USER,
    plain,
    visible,
)

_SHORT = {"instructions": "rules"}
_SURE = 12  # characters; fewer may stand in anything
_CUT_IN_SPAN = "…`"
_ENDS_CUT = ("…", '…"')
_WANTED = ("requests", "instructions")


def things_in(content: Content) -> dict[str, Sequence[Thing]]:
    """Return what there is to carry, kind by kind; each thing is of one kind only."""
    things: dict[str, Sequence[Thing]] = {
        kind.receipt: getattr(content, kind.name) for kind in KINDS if kind.receipt
    }
    things |= {
        "requests": requests_told(content),
        "files_edited": [file for file in content.files if file.change != "read"],
        "files_read": [file for file in content.files if file.change == "read"],
        "commands": content.commands,
        "errors": [*filter(is_open, content.errors)],  # what was mended is no loss
        "next_steps": steps_besides_tasks(content),
        "outcomes": outcomes_alone(content),
    }
    return {name: things[name] for name in RECEIPT_KINDS}


def requests_told(content: Content) -> Sequence[Item]:
    """Return what the user asked for: the goal, what was asked beside it, and what had
    content before; a nod is none."""
    asked = (
        *earlier_requests(content),
        wanted_item(content),
        current_request(content),
    )
    return [*{id(item): item for item in asked if item is not None}.values()]


def outcomes_alone(content: Content) -> list[Item]:
    """Return the outcomes that neither the files nor the commands tell."""
    green = {c.command for c in content.commands if c.exit == 0}
    return [
        item
        for item in content.key_outcomes
        if not (
            isinstance(item.fact, ChangedFiles | CreatedFile)
            or (isinstance(item.fact, PassingCommand) and item.fact.command in green)
        )
    ]


def receipt_of(
    content: Content, told: Iterable[Thing], texts: Iterable[str]
) -> Receipt:
    """Return the receipt of a brief that told these things in these texts.

    What stands word for word in something else that is told is carried with it; what the
    user wants only in words that are marked as the user's. Quotations carry nothing: a
    tool that prints a rule does not give it.
    """
    # The very things: two requests may be equal, and only one of them told.
    known = {id(thing) for thing in told}
    said = [*map(flat, texts)]
    words, typed = " ".join(said), " ".join(text for text in said if USER in text)
    return {
        kind: (
            sum(
                id(thing) in known
                or _stands_in(thing, typed if kind in _WANTED else words)
                for thing in things
            ),
            len(things),
        )
        for kind, things in things_in(content).items()
    }


def _stands_in(thing: Thing, words: str) -> bool:
    if not isinstance(thing, Item):
        return False
    own = plain(thing.text)
    return len(own) >= _SURE and own in words


def receipt_text(receipt: Receipt) -> str:
    """Return the receipt as one line; a kind of which there is nothing is not told."""
    pairs = [
        f"{_shown(kind)} {receipt[kind][0]}/{receipt[kind][1]}"
        for kind in RECEIPT_KINDS
        if kind in receipt and receipt[kind][1]
    ]
    return f"Carried: {' · '.join(pairs)}." if pairs else "Carried: all there was."


def foot(receipt: Receipt, fetch: str, cut: int, *, is_short: bool) -> str:
    """Return the end of a brief: what was carried whole, what was left out of how much,
    how many texts are told in part, and the one command that shows it all. Where room is
    short, only what was left out, in the words of a short brief."""
    if is_short:
        lost = [
            _counted(n, _SHORT.get(kind) or _shown(kind)) for kind, n in _lost(receipt)
        ]
        carried = ""
    else:
        lost = [f"{n}/{receipt[kind][1]} {_shown(kind)}" for kind, n in _lost(receipt)]
        whole = [
            _counted(receipt[kind][1], _shown(kind))
            for kind in RECEIPT_KINDS
            if kind in receipt and 0 < receipt[kind][1] == receipt[kind][0]
        ]
        carried = f"Carried: all {', '.join(whole)}.\n" if whole else ""
    lost += [f"the rest of {counted(cut, 'text')}"] if cut else []
    told = ", ".join(lost) or "nothing"
    return f"{carried}Left out: {told}. {visible(fetch)}".rstrip()


def is_cut(text: str, tells: Sequence[Thing]) -> bool:
    """Say whether a text is told in part only: shortened, or without what was pasted."""
    pasted = (isinstance(thing, Item) and _is_pasted(thing) for thing in tells)
    if any(pasted):
        return True
    # Somebody's own words may end in "…": what is there to its end was not cut.
    if not _looks_cut(text):
        return False
    told = flat(text)
    for thing in tells:
        told = told.replace(flat(thing.text), "") if isinstance(thing, Item) else told
    return _looks_cut(told if told != flat(text) else text)


def _looks_cut(text: str) -> bool:
    return MORE in text or _CUT_IN_SPAN in text or text.endswith(_ENDS_CUT)


def _is_pasted(item: Item) -> bool:
    """Say whether a request is told without what was pasted."""
    if isinstance(item.fact, Goal):
        return item.fact.how != "typed"
    return bool(context_of(item).pasted)


def left_out(receipt: Receipt) -> tuple[str, ...]:
    """Return what a user should hear of: instructions, edits or errors not carried."""
    told = ("instructions", "files_edited", "errors")
    return tuple(
        _counted(n, _shown(kind)) for kind, n in _lost(receipt) if kind in told
    )


def _lost(receipt: Receipt) -> list[tuple[str, int]]:
    return [
        (kind, receipt[kind][1] - receipt[kind][0])
        for kind in RECEIPT_KINDS
        if kind in receipt and receipt[kind][0] < receipt[kind][1]
    ]


def _counted(count: int, things: str) -> str:
    """Return how many there are; one thing has no plural."""
    return f"{count} {things.removesuffix('s') if count == 1 else things}"


def _shown(kind: str) -> str:
    return RECEIPT_WORDS.get(kind, kind)
