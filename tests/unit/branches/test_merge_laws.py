"""The laws of a merge, over whatever records may hold."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, given, settings, strategies as st

from holdfast.branches.identity import Side, is_same_state, key_of
from holdfast.branches.merging import merged
from holdfast.domain.checkpoint import Content, Item
from holdfast.domain.fact import Failure
from holdfast.domain.kinds import ITEM_FIELDS, PASSING
from tests.strategies import ids, items, several, texts

_ASKED = ("goal", "requests")  # another side's goal is a request here
_DERIVED = ("blockers",)  # made of errors and questions
_IDS = ("ccp-a", "ccp-b", "ccp-c")
Known = dict[Hashable, Item]
# How long it takes to make up four contents says nothing about a merge.
law = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
# A few kinds at a time: what one says has nothing to do with most of the others.
contents = st.dictionaries(
    st.sampled_from(ITEM_FIELDS), several(items), max_size=4
).map(lambda lists: _content(lists))  # noqa: PLW0108  # it is defined below


def _content(lists: dict[str, Any]) -> Content:
    return Content(title="", **lists)


def _known(content: Content) -> Known:
    """Return each statement by what it is known by, goals and requests as one kind."""
    found: Known = {}
    for kind in ITEM_FIELDS:
        if kind in _DERIVED:
            continue
        for item in getattr(content, kind):
            asked = ("asked", item.text, item.evidence[:1])
            found[asked if kind in _ASKED else key_of(kind, item)] = item
    return found


@st.composite
def branches(draw: st.DrawFn) -> tuple[Content, ...]:
    """An ancestor and three that went on from it: some of what it said is untouched,
    some is settled, some came back to, and each adds what it likes."""
    base = draw(contents)
    return (base, *(_gone_on(base, draw) for _ in _IDS))


def _gone_on(base: Content, draw: st.DrawFn) -> Content:
    parts: dict[str, Any] = {}
    for kind in ITEM_FIELDS:
        fates = [draw(st.sampled_from(_FATES)) for _ in getattr(base, kind)]
        kept = [
            after
            for fate, item in zip(fates, getattr(base, kind), strict=True)
            if (after := _after(fate, item)) is not None
        ]
        parts[kind] = tuple(kept)
    own = draw(contents)
    more: dict[str, Any] = {
        kind: (*parts[kind], *getattr(own, kind)) for kind in ITEM_FIELDS
    }
    return replace(base, **more)


_FATES = ("untouched", "settled", "said again", "mended")


def _after(fate: str, item: Item) -> Item | None:
    match fate:
        case "settled":
            return None
        case "said again":
            return replace(item, evidence=(*item.evidence, "a new line"), age=0)
        case "mended" if isinstance(item.fact, Failure):
            return replace(item, fact=replace(item.fact, state="fixed"))
        case _:
            return item


def _sides(*contents: Content) -> list[Side]:
    return [
        Side(checkpoint_id=checkpoint_id, number=number, content=content)
        for number, (checkpoint_id, content) in enumerate(
            zip(_IDS, contents, strict=False), 1
        )
    ]


@law
@given(st.none() | contents, contents)
def test_merged_with_itself_nothing_changes(base: Content | None, one: Content) -> None:
    """Two windows that know the same know the same together."""
    found = merged(base, _sides(one, one))

    assert _known(found.content).keys() == _known(one).keys()
    assert found.conflicts == ()


@law
@given(branches())
def test_what_an_ancestor_still_has_open_is_not_opened_again(
    family: tuple[Content, ...],
) -> None:
    """Of what is left to do, the one that went on knows best."""
    base, one, *_ = family

    found = merged(base, _sides(one, base))

    for kind in PASSING:
        left = {key_of(kind, item) for item in getattr(found.content, kind)}
        assert left == {key_of(kind, item) for item in getattr(one, kind)}


@law
@given(family=branches(), knows_ancestor=st.booleans())
def test_the_order_does_not_matter(
    family: tuple[Content, ...], *, knows_ancestor: bool
) -> None:
    """But for whose goal stands first, and whose statements."""
    base, one, other, third = family
    start = base if knows_ancestor else None

    forth = merged(start, _sides(one, other, third))
    a, b, c = _sides(one, other, third)
    back = merged(start, [c, b, a])

    assert _known(forth.content).keys() == _known(back.content).keys()
    assert [c.number for c in forth.conflicts] == [c.number for c in back.conflicts]
    assert [set(c.options) for c in forth.conflicts] == [
        set(c.options) for c in back.conflicts
    ]


@law
@given(family=branches(), knows_ancestor=st.booleans())
def test_no_statement_is_lost(
    family: tuple[Content, ...], *, knows_ancestor: bool
) -> None:
    """But what is left to do, was untouched since the ancestor, and is settled on
    another side."""
    base, *sides = family
    start = _known(base) if knows_ancestor else {}

    found = _known(merged(base if knows_ancestor else None, _sides(*sides)).content)

    each = [_known(side) for side in sides]
    for side in each:
        for key, item in side.items():
            before = start.get(key)
            assert key in found or (
                isinstance(key, tuple)
                and key[0] in PASSING
                and before is not None
                and is_same_state(before, item)
                and not all(key in other for other in each)
            )


@law
@given(family=branches(), knows_ancestor=st.booleans())
def test_merging_twice_is_merging_once(
    family: tuple[Content, ...], *, knows_ancestor: bool
) -> None:
    """What was brought home once is home."""
    base, one, other, _ = family
    start = base if knows_ancestor else None

    once = merged(start, _sides(one, other)).content
    twice = merged(start, _sides(once, other)).content

    assert _known(twice).keys() == _known(once).keys()


@law
@given(branches())
def test_all_at_once_is_one_after_the_other(family: tuple[Content, ...]) -> None:
    """Three forks come home as two and then one."""
    base, one, other, third = family

    at_once = merged(base, _sides(one, other, third)).content
    pairwise = merged(base, _sides(one, other)).content
    in_turn = merged(base, _sides(pairwise, third)).content

    assert _known(in_turn).keys() == _known(at_once).keys()


@law
@given(st.none() | contents, contents, contents)
def test_nobody_is_promoted(base: Content | None, one: Content, other: Content) -> None:
    """What a merge tells as somebody's words, one of its sides told as theirs, and by
    lines that one of them had."""
    found = merged(base, _sides(one, other)).content

    for kind in ITEM_FIELDS:
        for item in getattr(found, kind):
            there = [
                said
                for side in (one, other)
                for name in ((kind, "goal") if kind == "requests" else (kind,))
                for said in _all(side, name)
                if said.text == item.text and said.source == item.source
            ]
            assert there
            assert set(item.evidence) <= {line for i in there for line in i.evidence}


def _all(content: Content, kind: str) -> tuple[Item, ...]:
    if kind == "blockers":  # made anew of these
        return (*content.errors, *content.open_questions)
    found: tuple[Item, ...] = getattr(content, kind)
    return found


@law
@given(texts, several(ids), several(ids))
def test_the_lines_of_both_sides_prove_it(
    text: str, lines: tuple[str, ...], others: tuple[str, ...]
) -> None:
    """Evidence is kept."""
    one = Content(title="", decisions=(Item(text, "agent", lines),))
    other = Content(title="", decisions=(Item(text, "agent", others),))

    (decided,) = merged(None, _sides(one, other)).content.decisions

    assert set(decided.evidence) == {*lines, *others}
