"""What folding costs: so much per line, whatever the lines say of each other.

Counted in calls, of which every look at a turn is one; a clock would tell of the machine.
"""

import sys
from collections.abc import Callable, Iterator

import pytest

from holdfast.domain.asked import earlier_requests
from holdfast.domain.checkpoint import Content, Item
from holdfast.domain.event import Event, Origin, UserSaid
from holdfast.session.fold import begin, fold

_SIZE = 400  # prompts


def _id(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


def _in_circles(count: int) -> Iterator[tuple[str, str | None]]:
    for number in range(count):
        yield _id(number), _id((number * 7 + count // 2) % count)


def _backwards(count: int) -> Iterator[tuple[str, str | None]]:
    for number in range(count):
        yield _id(count - number), _id(count - number - 1)


def _own_parents(count: int) -> Iterator[tuple[str, str | None]]:
    for number in range(count):
        yield _id(number), _id(number)


def _one_parent(count: int) -> Iterator[tuple[str, str | None]]:
    for number in range(count):
        yield _id(number), _id(0)


def _unknown_parents(count: int) -> Iterator[tuple[str, str | None]]:
    for number in range(count):
        yield _id(number), _id(count + number)


def _no_parents(count: int) -> Iterator[tuple[str, str | None]]:
    yield _id(count), _id(0)
    for number in range(count):
        yield _id(number), None


def _one_id(count: int) -> Iterator[tuple[str, str | None]]:
    for number in range(count):
        yield _id(number % 2), _id(count)


def _to_the_first(count: int) -> Iterator[tuple[str, str | None]]:
    """Rewinds further and further, to a turn that a later one abandoned."""
    for number in range(count):
        yield _id(number), _id(number // 2)


_SHAPES = (
    _in_circles, _backwards, _own_parents, _one_parent, _unknown_parents, _no_parents,
    _one_id, _to_the_first,
)  # fmt: skip


def _fold_calls(lines: Iterator[tuple[str, str | None]]) -> int:
    events: list[Event] = [
        UserSaid(Origin(uuid, parent, number + 1, ""), f"ask {number}", 5)
        for number, (uuid, parent) in enumerate(lines)
    ]
    state = begin("s", "claude-code")
    return _calls(lambda: fold(state, events))


def _calls(work: Callable[[], object]) -> int:
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("shape", _SHAPES, ids=lambda shape: shape.__name__)
def test_twice_the_prompts_are_about_twice_the_work(
    shape: Callable[[int], Iterator[tuple[str, str | None]]],
) -> None:
    """Five megabytes of prompts in circles held a save for a quarter of a minute."""
    once, twice = _fold_calls(shape(_SIZE)), _fold_calls(shape(2 * _SIZE))

    assert twice < 2.5 * once


def test_so_do_twice_the_requests_of_a_checkpoint() -> None:
    """A brief asks several times which of them came before the goal."""

    def asked(count: int) -> Content:
        return Content(title="t", requests=(Item("mend it", "user"),) * count)

    few, many = asked(_SIZE), asked(2 * _SIZE)

    once = _calls(lambda: earlier_requests(few))
    assert _calls(lambda: earlier_requests(many)) < 2.5 * once
