"""What fits a budget: what is worth most for its length, and nobody goes empty-handed.

Pure: candidates with their lengths in, the chosen forms out. First each kind gets what
it is owed, in order of importance; then all that is left competes by worth per octet.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

from holdfast.domain.brief import LEFT_OUT, BriefOption, Cost, is_within
from holdfast.domain.kinds import LINES, Worth
from holdfast.kernel.lazy_values import dataclass

WORTH: Mapping[str, Worth] = {line.name: line.worth for line in LINES}
# How many of a kind have a place before the rest compete, in this order.
OWED: Sequence[tuple[str, int]] = tuple(
    (name, most)
    for _, name, most in sorted(
        (turn, line.name, most) for line in LINES for turn, most in line.owed.items()
    )
)
_UNKNOWN = Worth(10)
SCARCE = 2_000  # octets


@dataclass(frozen=True, slots=True)
class _Move:
    """Telling a candidate's shortest form, or a longer one instead."""

    index: int
    form: int
    gain: float  # worth per octet


def fit(
    candidates: Sequence[BriefOption], openings: Mapping[str, Cost], room: Cost
) -> tuple[int, ...]:
    """Return the form of each candidate to tell, or `LEFT_OUT`."""
    table = _Table(candidates, openings, room)
    for owed, whole in _owed(candidates, room.octets):
        for index in owed:
            table.take(index, 0)
        for index in owed:
            table.lengthen(index, whole)
    for move in _moves(candidates):
        table.take(move.index, move.form)
    return tuple(table.chosen)


class _Table:
    """What has been chosen so far and the room that is left."""

    def __init__(
        self,
        candidates: Sequence[BriefOption],
        openings: Mapping[str, Cost],
        room: Cost,
    ) -> None:
        self._candidates = candidates
        self._openings = openings
        self._octets, self._units = room
        self._open: set[str] = set()
        self.chosen = [LEFT_OUT] * len(candidates)
        self._said_by: dict[int, list[int]] = {}
        for place, candidate in enumerate(candidates):
            if candidate.within is not None:
                self._said_by.setdefault(candidate.within[0], []).append(place)

    def lengthen(self, index: int, whole: int) -> None:
        """Choose longer forms of what was chosen, up to so many octets."""
        for form, cost in enumerate(self._candidates[index].costs):
            if form and cost.octets <= whole:
                self.take(index, form)

    def take(self, index: int, form: int) -> None:
        """Choose a form if it is the next one, says something that is not said yet, and
        there is room for it."""
        candidate = self._candidates[index]
        if self.chosen[index] != form - 1 or is_within(candidate, self.chosen):
            return
        octets, units = candidate.costs[form]
        if form:
            octets -= candidate.costs[form - 1].octets
            units -= candidate.costs[form - 1].units
        shut = [name for name in candidate.opens if name not in self._open]
        for name in shut:
            octets += self._openings[name].octets
            units += self._openings[name].units
        if octets > self._octets or units > self._units:
            return
        self._octets -= octets
        self._units -= units
        self._open.update(shut)
        self.chosen[index] = form
        self._give_back(index)

    def _give_back(self, index: int) -> None:
        """Leave out what was chosen and is now said by a longer form of another."""
        for place in self._said_by.get(index, ()):
            candidate, form = self._candidates[place], self.chosen[place]
            if form != LEFT_OUT and is_within(candidate, self.chosen):
                self._octets += candidate.costs[form].octets
                self._units += candidate.costs[form].units
                self.chosen[place] = LEFT_OUT


def _owed(
    candidates: Sequence[BriefOption], room: int
) -> Iterator[tuple[list[int], int]]:
    """Yield what each kind is owed, the best first, and how long it may be at once."""
    for kind, most in OWED:
        owed = [
            (candidate.rank, index)
            for index, candidate in enumerate(candidates)
            if candidate.kind == kind and candidate.rank < most
        ]
        worth = WORTH[kind]
        whole = worth.whole if room < SCARCE else int(worth.share * room)
        yield [index for _, index in sorted(owed)], whole


def _moves(candidates: Sequence[BriefOption]) -> list[_Move]:
    """Return every step that could be taken, the most worth per octet first."""
    moves: list[_Move] = []
    for index, candidate in enumerate(candidates):
        worth = WORTH.get(candidate.kind, _UNKNOWN)
        value = worth.best * worth.fade**candidate.rank
        whole = max(candidate.costs[-1].octets, 1)
        told, length = 0.0, 0
        for form, cost in enumerate(candidate.costs):
            # Half of a text tells more than half of it: the beginning counts most.
            tells = value * sqrt(cost.octets / whole)
            gain = (tells - told) / max(cost.octets - length, 1)
            moves.append(_Move(index, form, gain))
            told, length = tells, cost.octets
    return sorted(moves, key=lambda move: (-move.gain, move.index, move.form))
