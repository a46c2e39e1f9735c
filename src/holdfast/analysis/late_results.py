"""Calls of earlier turns that still wait for their result.

A prompt that was queued, or a command in the background, lets a result come after the
turn of its call. Turns are looked through only when the first such result comes. Of what
was moved to the background, the client itself tells the end.
"""

from collections.abc import Sequence

from holdfast.analysis.turns import answered
from holdfast.domain.event import ToolReturned
from holdfast.domain.late_turns import LateTurns
from holdfast.domain.session import Turn
from holdfast.patterns import pattern
from holdfast.values import replace

# Only the client's own fields count: what follows them quotes the work's output.
_ENDED = pattern(
    r"\s*<task-notification>\s*<task-id>([\w-]{1,80})</task-id>"
    r"(?:\s*<(?!status>)[a-z-]+>[^<]*</[a-z-]+>)*"
    r"\s*<status>(?:completed|failed|killed|stopped|cancelled)</status>"
)


def ended_work(notification: str) -> str:
    """Return the id of the background work that a notification tells the end of."""
    told = _ENDED.match(notification)
    return told[1] if told else ""


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
