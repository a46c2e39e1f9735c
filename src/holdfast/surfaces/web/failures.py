"""Failed logins per address: a few are answered, the others turned away.

A token has 256 random bits, so this keeps nobody from guessing one: it keeps guesses cheap,
and the log short. Whoever brings a good token is let in whatever others tried before from
the same place: a proxy, or an office behind one address, is locked out by nobody.
"""

from __future__ import annotations

from collections import OrderedDict

from holdfast.kernel.lazy_tuples import NamedTuple

MOST = 20  # within a window
WINDOW_MS = 60_000
_MOST_PLACES = 1_024


class _Tries(NamedTuple):
    since_ms: int
    many: int


class Failures:
    """Counts them; what it remembers does not grow."""

    def __init__(self) -> None:
        self._places: OrderedDict[str, _Tries] = OrderedDict()

    def add(self, place: str, now_ms: int) -> bool:
        """Count one; say whether there were too many from this place lately."""
        before = self._places.pop(place, None)
        if before is None or now_ms - before.since_ms >= WINDOW_MS:
            before = _Tries(now_ms, 0)
        self._places[place] = _Tries(before.since_ms, before.many + 1)
        while len(self._places) > _MOST_PLACES:
            self._places.popitem(last=False)
        return before.many >= MOST

    def __len__(self) -> int:
        return len(self._places)
