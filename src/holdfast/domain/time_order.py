"""The order in which checkpoints are told: by when they were made.

What was saved while it happened stands in the order it was kept, whatever a clock said
meanwhile. What came later and tells of an earlier time (a backfill, an import, another
machine's) stands between, where its time is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from holdfast.domain.checkpoint import PAST_TRIGGERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from holdfast.domain.outline import Outline

_T = TypeVar("_T")


def newest_first(
    live: Iterable[_T], past: Iterable[_T], made: Callable[[_T], int]
) -> Iterator[_T]:
    """Yield both, each given newest first.

    Where a clock went back, the later of two saves says when the earlier was made at
    the latest; so the newest of an order are the beginning of the whole order.
    """
    waiting = iter(past)
    older = next(waiting, None)
    at_the_latest: int | None = None
    for one in live:
        at = made(one)
        at_the_latest = at if at_the_latest is None else min(at_the_latest, at)
        while older is not None and made(older) >= at_the_latest:
            yield older
            older = next(waiting, None)
        yield one
    if older is not None:
        yield older
        yield from waiting


def newest_of(
    kept: Iterable[_T], made: Callable[[_T], int], is_past: Callable[[_T], bool]
) -> Iterator[_T]:
    """Yield newest first what is given in the order it was kept."""
    live: list[_T] = []
    past: list[_T] = []
    for one in kept:
        (past if is_past(one) else live).append(one)
    past.sort(key=made)
    return newest_first(reversed(live), reversed(past), made)


def in_order_of_time(kept: Iterable[Outline]) -> Sequence[Outline]:
    """Return checkpoints oldest first, given in the order they were kept."""
    return [*newest_of(kept, _made, _is_past)][::-1]


def _made(outline: Outline) -> int:
    return outline.created_at


def _is_past(outline: Outline) -> bool:
    return outline.machine is not None or outline.trigger in PAST_TRIGGERS
