"""What one checkpoint knows and another does not, item by item.

Pure. An item that only moved (a todo that was done) or was worded anew is one change,
not a loss and a gain.
"""

from collections.abc import Callable, Iterator
from difflib import SequenceMatcher

from holdfast.domain.checkpoint import Content, Item
from holdfast.domain.fact import Failure, text_of
from holdfast.domain.kinds import COMPARED
from holdfast.kernel.lazy_values import dataclass, replace

_ALIKE = 0.7  # of the text; below that, two items are two
_MOST_COMPARED = 10_000  # pairs; comparing the wording of more would be felt


@dataclass(frozen=True, slots=True)
class KnownItem:
    """An item and what it is."""

    kind: str
    item: Item


@dataclass(frozen=True, slots=True)
class Reworded:
    """One item at two times."""

    before: KnownItem
    after: KnownItem


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemChanges:
    added: tuple[KnownItem, ...] = ()
    removed: tuple[KnownItem, ...] = ()
    changed: tuple[Reworded, ...] = ()


def compare(older: Content, newer: Content) -> ItemChanges:
    """Return what differs between what two checkpoints know."""
    gone, come = list(_known(older)), list(_known(newer))
    _take_pairs(gone, come, _is_same)
    changed = _take_pairs(gone, come, _is_same_elsewhere)
    changed += _take_pairs(gone, come, _is_same_evidence)
    if len(gone) * len(come) <= _MOST_COMPARED:
        changed += _take_pairs(gone, come, _is_alike)
    order = {kind: place for place, kind in enumerate(COMPARED)}
    changed.sort(key=lambda pair: order[pair.after.kind])
    return ItemChanges(added=tuple(come), removed=tuple(gone), changed=tuple(changed))


def _known(content: Content) -> Iterator[KnownItem]:
    for kind in COMPARED:
        for item in getattr(content, kind):
            yield KnownItem(kind, item)


def _take_pairs(
    gone: list[KnownItem],
    come: list[KnownItem],
    matches: Callable[[KnownItem, KnownItem], bool],
) -> list[Reworded]:
    """Take what belongs together out of both lists, each item once."""
    pairs = []
    for before in tuple(gone):
        after = next((known for known in come if matches(before, known)), None)
        if after is not None:
            gone.remove(before)
            come.remove(after)
            pairs.append(Reworded(before, after))
    return pairs


def _is_same(before: KnownItem, after: KnownItem) -> bool:
    return before.kind == after.kind and _words(before) == _words(after)


def _is_same_elsewhere(before: KnownItem, after: KnownItem) -> bool:
    """A todo that became an outcome, an error that was fixed."""
    return _words_at_first(before) == _words_at_first(after)


def _is_same_evidence(before: KnownItem, after: KnownItem) -> bool:
    if before.kind != after.kind or before.kind == "requests":
        return False
    return bool(set(before.item.evidence) & set(after.item.evidence)) and _is_alike(
        before, after, least=_ALIKE / 2
    )


def _is_alike(before: KnownItem, after: KnownItem, least: float = _ALIKE) -> bool:
    if before.kind != after.kind or before.kind == "requests":
        return False
    matcher = SequenceMatcher(None, _words(before), _words(after), autojunk=False)
    return matcher.quick_ratio() >= least and matcher.ratio() >= least


def _words_at_first(known: KnownItem) -> str:
    """Return how an item was worded before something became of it."""
    fact = known.item.fact
    if isinstance(fact, Failure) and fact.state == "fixed":
        return _folded(text_of(replace(fact, state="open")))
    return _words(known)


def _words(known: KnownItem) -> str:
    return _folded(known.item.text)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
