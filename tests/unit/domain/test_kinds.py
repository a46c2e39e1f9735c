"""The table of kinds: each row is whole, and no two rows stand in one place."""

from collections import Counter
from dataclasses import fields

import pytest

from holdfast.domain.checkpoint import Content, Item
from holdfast.domain.kinds import ITEM_FIELDS, KINDS, LINES, ItemKind


def _item_fields() -> list[str]:
    return [f.name for f in fields(Content) if str(f.type) == "tuple[Item, ...]"] or [
        f.name for f in fields(Content) if f.type == tuple[Item, ...]
    ]


def test_each_field_of_items_is_a_kind() -> None:
    """An item that has no row would be neither kept nor told."""
    assert sorted(_item_fields()) == sorted(ITEM_FIELDS)


@pytest.mark.parametrize(
    "column", ["viewed", "compared", "searched", "counted", "inherited"]
)
def test_no_two_kinds_have_one_place(column: str) -> None:
    """Their order would be that of their names."""
    places = [getattr(kind, column) for kind in KINDS]

    assert max(Counter(filter(None, places)).values()) == 1


def test_no_two_lines_have_one_name_or_one_turn() -> None:
    """A brief gives each turn to one kind of line."""
    turns = Counter(turn for line in LINES for turn in line.owed)

    assert max(Counter(line.name for line in LINES).values()) == 1
    assert max(turns.values()) == 1


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_what_a_room_tells_has_the_words_for_it(kind: ItemKind) -> None:
    """A heading where it is viewed, a word where it is compared, a name where it is
    counted, and how long it is kept where it is inherited."""
    assert bool(kind.heading) == (kind.viewed is not None)
    assert bool(kind.word) == (kind.compared is not None)
    assert bool(kind.receipt) == (kind.counted is not None)
    assert (kind.forgotten_after is None) == (kind.inherited is None)
    # What a brief tells as something else already has no line of its own there.
    assert kind.lines or kind.name in ("blockers", "error_lines")
