"""Tools by the names of the agent that reads: work saved in one agent goes on in another.

A checkpoint keeps what its own agent calls a tool. Where a brief names one, because the
user refused it or it failed, its reader should know which of its tools is meant. What the
reader has no tool for keeps its name.
"""

from collections.abc import Callable

from holdfast.domain.checkpoint import Content, Item
from holdfast.domain.fact import (
    Failure,
    ItemFact,
    RefusedCall,
    RequestContext,
    about_of,
    text_of,
)
from holdfast.kernel.lazy_values import replace

# The reader's name for a tool of the agent that saved.
ToolWord = Callable[[str], str]


def in_words_of_reader(content: Content, word: ToolWord) -> Content:
    """Return what a checkpoint says, its tools named as its reader names them."""
    return replace(
        content,
        errors=tuple(_renamed(item, word) for item in content.errors),
        dead_ends=tuple(_renamed(item, word) for item in content.dead_ends),
        requests=tuple(_renamed(item, word) for item in content.requests),
    )


def _renamed(item: Item, word: ToolWord) -> Item:
    fact = _fact(item.fact, word)
    if fact is None or fact == item.fact:
        return item
    if isinstance(fact, RequestContext):  # its text is the user's
        return replace(item, about=about_of(fact), fact=fact)
    return replace(item, text=text_of(fact), fact=fact)


def _fact(fact: ItemFact | None, word: ToolWord) -> ItemFact | None:
    if isinstance(fact, RefusedCall):
        return replace(fact, tool=word(fact.tool))
    if isinstance(fact, RequestContext) and fact.refusing:
        return replace(fact, refusing=_first_word(fact.refusing, word))
    # A command has an exit status; what has none is a tool and what it was used on.
    if isinstance(fact, Failure) and fact.exit_status is None:
        return replace(fact, command=_first_word(fact.command, word))
    return fact


def _first_word(text: str, word: ToolWord) -> str:
    first, space, rest = text.partition(" ")
    return f"{word(first)}{space}{rest}"
