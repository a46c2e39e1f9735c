"""Calls of earlier turns that still wait for their result.

A prompt that was queued, or a command in the background, lets a result come after the
turn of its call. Turns are looked through only when the first such result comes.
"""

from collections.abc import Sequence

from holdfast.analysis.turns import answered
from holdfast.domain.event import ToolReturned
from holdfast.domain.late_turns import LateTurns
from holdfast.domain.session import Turn
from holdfast.values import replace


class WaitingCalls:
    """Where the calls without result are, in the turns before the last."""

    __slots__ = ("_look_back", "_places")

    def __init__(self, turns: Sequence[Turn], look_back: int) -> None:
        self._look_back = look_back
        self._places: dict[str, list[int]] = {}
        last = len(turns) - 1
        for index in range(max(0, last - look_back), last):
            self.add(index, turns[index])

    def add(self, index: int, turn: Turn) -> None:
        """Take note of a turn that has ended."""
        for call in turn.calls:
            if call.outcome == "pending":
                self._places.setdefault(call.call_id, []).append(index)

    def answer(self, turns: list[Turn] | LateTurns, event: ToolReturned) -> bool:
        """Give a result to the last call that waits for it; False if none does."""
        places = self._places.get(event.call_id)
        if not places or places[-1] < len(turns) - 1 - self._look_back:
            return False
        index = places.pop()
        turn = turns[index]
        calls = tuple(
            answered(call, event) if call.call_id == event.call_id else call
            for call in turn.calls
        )
        turns[index] = replace(turn, calls=calls)
        return True
