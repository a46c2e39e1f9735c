"""What one checkpoint knows and another does not."""

from holdfast.domain.checkpoint import Content, Item, fact_item
from holdfast.domain.fact import Failure
from holdfast.facts.comparing import ItemChanges, KnownItem, Reworded, compare
from holdfast.kernel.lazy_values import replace


def _content(**kinds: tuple[str, ...]) -> Content:
    lists = {kind: tuple(map(Item, texts)) for kind, texts in kinds.items()}
    return Content(title="t", **lists)  # type: ignore[arg-type]  # kinds are fields of items


def _texts(known: tuple[KnownItem, ...]) -> list[tuple[str, str]]:
    return [(each.kind, each.item.text) for each in known]


def _pairs(changed: tuple[Reworded, ...]) -> list[tuple[str, str]]:
    return [(pair.before.kind, pair.after.kind) for pair in changed]


def test_what_came_and_what_went_is_told_by_kind() -> None:
    """In the order a brief tells it."""
    found = compare(
        _content(decisions=("use redis",), pending=("write docs",)),
        _content(errors=("boom",), decisions=("rotate on use",)),
    )

    assert _texts(found.added) == [("decisions", "rotate on use"), ("errors", "boom")]
    assert _texts(found.removed) == [
        ("decisions", "use redis"),
        ("pending", "write docs"),
    ]


def test_equal_items_are_no_change() -> None:
    """Spaces and case are no difference; evidence and age are not looked at."""
    found = compare(
        _content(decisions=("Rotate  on use",)), _content(decisions=("rotate on use",))
    )

    assert found == ItemChanges()


def test_a_todo_that_was_done_is_one_change() -> None:
    """Not a loss and a gain."""
    found = compare(
        _content(pending=("accept nested quotes",)),
        _content(key_outcomes=("Accept nested quotes",)),
    )

    assert _pairs(found.changed) == [("pending", "key_outcomes")]
    assert (found.added, found.removed) == ((), ())


def test_an_error_that_was_fixed_is_one_change() -> None:
    """Its text says so at its end."""
    error = Failure("pytest", "test_reuse: 200 != 401")
    fixed = fact_item(replace(error, state="fixed"))

    found = compare(
        Content(title="t", errors=(fact_item(error),)),
        Content(title="t", errors=(fixed,)),
    )

    assert [pair.after.item for pair in found.changed] == [fixed]
    assert fixed.text.endswith(" (fixed since)")


def test_a_wording_that_changed_a_little_is_one_change() -> None:
    """And one that changed altogether is two things."""
    found = compare(
        _content(next_steps=("run the tests of the parser", "call Anna")),
        _content(next_steps=("run the tests of the parser again", "buy milk")),
    )

    assert [pair.before.item.text for pair in found.changed] == [
        "run the tests of the parser"
    ]
    assert _texts(found.added) == [("next_steps", "buy milk")]
    assert _texts(found.removed) == [("next_steps", "call Anna")]


def test_requests_are_never_taken_for_another_wording() -> None:
    """Who says nearly the same twice said it twice."""
    found = compare(
        _content(requests=("fix the parser",)),
        _content(requests=("fix the parser", "fix the parsers")),
    )

    assert _texts(found.added) == [("requests", "fix the parsers")]
    assert found.changed == ()


def test_one_of_two_equal_items_is_told_as_gone() -> None:
    """Each item is matched once."""
    found = compare(_content(pending=("a b c", "a b c")), _content(pending=("a b c",)))

    assert _texts(found.removed) == [("pending", "a b c")]
