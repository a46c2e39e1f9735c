"""The turns of a kept session, each read when it is first looked at.

A hook that continues a session needs its last turn and counts the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from holdfast.domain.session import Turn


class LateTurns(Sequence["Turn"]):
    """Equal to the tuple of its turns. Only who made a copy may change it."""

    __slots__ = ("_read", "_turns")

    def __init__(self, count: int, read: Callable[[int], Turn]) -> None:
        """`read` returns the turn at a place below `count`; it may raise."""
        self._read = read
        self._turns: list[Turn | None] = [None] * count

    def __len__(self) -> int:
        return len(self._turns)

    @overload
    def __getitem__(self, place: int) -> Turn: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Turn, ...]: ...
    def __getitem__(self, place: int | slice) -> Turn | tuple[Turn, ...]:
        if isinstance(place, slice):
            return tuple(self[one] for one in range(*place.indices(len(self))))
        turn = self._turns[place]
        if turn is None:
            at = place if place >= 0 else place + len(self)
            turn = self._turns[at] = self._read(at)
        return turn

    def __setitem__(self, place: int, turn: Turn) -> None:
        self._turns[place] = turn

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (LateTurns, tuple)):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # it is read while it is kept

    def append(self, turn: Turn) -> None:
        self._turns.append(turn)

    def copy(self) -> LateTurns:
        """Return the same turns, to be changed by whoever asked."""
        other = LateTurns(0, self._read)
        other._turns = self._turns.copy()
        return other

    def seen(self) -> Iterator[tuple[int, Turn]]:
        """Yield the turns that were looked at or put here, with their places."""
        for place, turn in enumerate(self._turns):
            if turn is not None:
                yield place, turn


def growing(turns: Sequence[Turn]) -> list[Turn] | LateTurns:
    """Return a state's turns, to be continued by whoever asked."""
    return turns.copy() if isinstance(turns, LateTurns) else list(turns)


def kept(turns: list[Turn] | LateTurns) -> tuple[Turn, ...] | LateTurns:
    """Return turns that grew, as a state keeps them."""
    return turns if isinstance(turns, LateTurns) else tuple(turns)
