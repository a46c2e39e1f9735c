"""Where branches contradict each other, to be chosen from. Pure.

Both sides of a conflict stay, each marked as doubtful, until somebody chooses. What both
came from is no part of one: who changed it since is right. Whatever is in doubt is shown.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal

from holdfast.branches.identity import Key, Side, key_of, words_of
from holdfast.domain.checkpoint import Item
from holdfast.domain.fact import ChosenAnswer
from holdfast.domain.text import one_line
from holdfast.facts.requests.rules import taken_back
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.language.sentences import (
    FEWEST_WORDS,
    FORBIDS,
    but_for_figures,
    words_in,
)

Why = Literal["differ", "done", "taken-back"]
_CHOSEN = ("instructions", "decisions", "pending")  # kinds that can contradict
_OPEN = ("pending", "next_steps")
_MOST_MARK = 90  # characters
_MOST_PAIRS = 20_000  # of one kind; comparing the words of more would be felt
_ALIKE = 0.5  # of all words of two statements


@dataclass(frozen=True, slots=True)
class ConflictOption:
    """What one side says; without an item, that it no longer holds."""

    checkpoint_id: str
    number: int
    kind: str
    item: Item | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Statements of which at most one can be right."""

    number: int
    why: Why
    kind: str
    options: tuple[ConflictOption, ...]


Lists = Mapping[str, tuple[Item, ...]]
_Pair = tuple[Why, tuple[ConflictOption, ...]]


def conflicts_of(
    before: Mapping[Key, Item], sides: Sequence[Side], lists: Lists
) -> tuple[Conflict, ...]:
    """Return what is to be chosen, numbered in an order of its own."""
    ordered = sorted(sides, key=lambda side: (side.number, side.checkpoint_id))
    found = [
        conflict
        for one, other in combinations(ordered, 2)
        for conflict in _between(before, one, other, lists)
    ]
    return tuple(
        Conflict(number, why, "pending" if why == "done" else options[0].kind, options)
        for number, (why, options) in enumerate(_grouped(dict.fromkeys(found)), 1)
    )


def _grouped(pairs: Iterable[_Pair]) -> list[_Pair]:
    """Return pairs that speak of one thing as one: three forks that each chose another
    queue are one question."""
    groups: list[_Pair] = []
    for why, options in pairs:
        near = [g for g in groups if g[0] == why and set(g[1]) & set(options)]
        joined = dict.fromkeys(o for _, known in near for o in known) | dict.fromkeys(
            options
        )
        groups = [group for group in groups if group not in near]
        groups.append((why, tuple(sorted(joined, key=_place))))
    return groups


def _place(option: ConflictOption) -> tuple[int, str, str]:
    return option.number, option.checkpoint_id, option.item.text if option.item else ""


def without_refused(
    lists: Lists, conflicts: Sequence[Conflict], choices: Mapping[int, str]
) -> dict[str, tuple[Item, ...]]:
    """Return the statements without those that somebody chose against; where nobody
    chose, each says what speaks against it."""
    refused: set[tuple[str, str]] = set()
    doubts: dict[tuple[str, str], str] = {}
    for conflict in conflicts:
        chosen = choices.get(conflict.number)
        for option in conflict.options:
            if option.item is None:
                continue
            where = (option.kind, words_of(option.item))
            if chosen is None:
                doubts[where] = _against(option, conflict)
            elif option.checkpoint_id != chosen:
                refused.add(where)
    refused |= {("next_steps", words) for kind, words in refused if kind == "pending"}
    return {
        kind: tuple(
            _doubted(item, doubts.get((kind, words_of(item)), ""))
            for item in items
            if (kind, words_of(item)) not in refused
        )
        for kind, items in lists.items()
    }


def _doubted(item: Item, doubt: str) -> Item:
    return replace(item, doubt=doubt) if doubt and not item.doubt else item


def _against(option: ConflictOption, conflict: Conflict) -> str:
    others = (o for o in conflict.options if o.checkpoint_id != option.checkpoint_id)
    other = next(others)
    if other.item is None:
        return f"taken back in {label(other.number)}"
    if conflict.why == "done":
        state = "open" if option.kind == "key_outcomes" else "done"
        return f"{state} in {label(other.number)}"
    return f"{label(other.number)} says: {one_line(other.item.text, _MOST_MARK)}"


def _between(
    before: Mapping[Key, Item], one: Side, other: Side, lists: Lists
) -> Iterator[_Pair]:
    for kind in _CHOSEN:
        mine = _new(kind, {*before, *_keys(kind, other)}, one, lists)
        theirs = _new(kind, {*before, *_keys(kind, one)}, other, lists)
        if len(mine) * len(theirs) > _MOST_PAIRS:
            continue
        for a in mine:
            for b in theirs:
                if _contradict(a, b):
                    yield "differ", (_option(kind, a, one), _option(kind, b, other))
    for done, still in ((one, other), (other, one)):
        yield from _done_there(before, done, still, lists)
        yield from _taken_back_there(before, done, still)


def _option(kind: str, item: Item, side: Side) -> ConflictOption:
    return ConflictOption(side.checkpoint_id, side.number, kind, item)


def _keys(kind: str, side: Side) -> set[Key]:
    return {key_of(kind, item) for item in getattr(side.content, kind)}


def _new(kind: str, known: Collection[Key], side: Side, lists: Lists) -> list[Item]:
    """Return what a side says that neither the other says nor where both came from."""
    left = {key_of(kind, item) for item in lists[kind]}
    items = ((key_of(kind, item), item) for item in getattr(side.content, kind))
    return [item for key, item in items if key not in known and key in left]


def _contradict(one: Item, other: Item) -> bool:
    """Say whether two statements speak of one thing, and not alike."""
    a, b = one.fact, other.fact
    if isinstance(a, ChosenAnswer) and isinstance(b, ChosenAnswer):
        return bool(a.asked) and a.asked == b.asked and a.chosen != b.chosen
    mine, theirs = words_of(one), words_of(other)
    if mine == theirs:
        return False
    if but_for_figures(mine) == but_for_figures(theirs):
        return True
    first, second = words_in(mine), words_in(theirs)
    common = len(first & second)
    if common < FEWEST_WORDS or common < _ALIKE * len(first | second):
        return False
    is_denied = (FORBIDS.search(mine) is None) != (FORBIDS.search(theirs) is None)
    # One that only says more of the same contradicts nothing.
    return is_denied or not (first <= second or second <= first)


def _done_there(
    before: Mapping[Key, Item], done: Side, still: Side, lists: Lists
) -> Iterator[_Pair]:
    """A task that one side finished and the other has open, both since they parted, or
    where nobody knows what they came from."""
    finished = {words_of(i): i for i in done.content.key_outcomes if i.fact is None}
    left = {words_of(item) for item in lists["pending"]}
    # One that has it both ways contradicts itself, and nobody else.
    left -= {words_of(item) for item in done.content.pending}
    left -= {words_of(item) for item in still.content.key_outcomes}
    for item in still.content.pending:
        words = words_of(item)
        outcome = finished.get(words) if words in left else None
        if outcome and key_of("key_outcomes", outcome) not in before:
            options = (
                _option("pending", item, still),
                _option("key_outcomes", outcome, done),
            )
            yield "done", options


def _taken_back_there(
    before: Mapping[Key, Item], gone: Side, still: Side
) -> Iterator[_Pair]:
    """A rule of both that the user took back in one: there only, or for good?"""
    here = {key_of("instructions", item) for item in gone.content.instructions}
    rules = {
        words_of(item): item
        for item in still.content.instructions
        if (key := key_of("instructions", item)) in before and key not in here
    }
    if not rules:
        return
    by_text = {item.text.casefold(): item for item in rules.values()}
    said = (item.text for item in gone.content.requests if item.source == "user")
    taken = {rule for words in said for rule in taken_back(words, by_text).rules}
    for text in sorted(taken):
        options = (
            _option("instructions", by_text[text], still),
            ConflictOption(gone.checkpoint_id, gone.number, "instructions"),
        )
        yield "taken-back", options
