"""What fits a budget: what is worth most for its length, and nobody goes empty-handed.

Pure: candidates with their lengths in, the chosen forms out. First each kind gets what
it is owed, in order of importance; then all that is left competes by worth per octet.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

from holdfast.domain.brief import LEFT_OUT, Candidate, Cost, is_within
from holdfast.values import dataclass


@dataclass(frozen=True, slots=True)
class Worth:
    """What a kind of line is worth: its best one, how the next ones fade, how many are
    owed a place before the rest compete, and how long each of these may be at once:
    so many octets, and more where there is more room."""

    best: float
    fade: float = 1.0
    owed: int = 0
    whole: int = 0  # octets; where room is so scarce that little will compete
    share: float = 0.0  # of the room, where it is not


# In order of importance. A person who reads only the first lines must be able to start,
# and an instruction left out is worse than any fact left out.
WORTH: Mapping[str, Worth] = {
    "request": Worth(1000, owed=1, whole=620, share=0.25),
    "answered": Worth(90, owed=1, share=0.15),
    "in_flight": Worth(150, 0.8, owed=1),
    "question": Worth(80, 0.7, owed=1),
    "drift": Worth(60, owed=1),
    "file": Worth(16, owed=6),
    "instruction": Worth(200, 0.97, owed=2),
    "commit": Worth(60, 0.85, owed=2),
    "command": Worth(60, 0.88, owed=5),
    "error": Worth(240, 0.72, owed=1),
    "todo": Worth(120, owed=5),
    "earlier": Worth(300, 0.87, owed=6, whole=430),
    "stands": Worth(80, owed=1, share=0.1),
    "asking": Worth(220, owed=1, share=0.25),
    "name": Worth(14, 0.96, owed=6),
    "next": Worth(70, 0.8, owed=1),
    "dead_end": Worth(70, 0.8, owed=1),
    "plan": Worth(40, owed=1),
    "outcome": Worth(40, 0.85, owed=1),
    "error_line": Worth(28, owed=1),
    "code_line": Worth(60, 0.85, owed=3),
    "story": Worth(22, 0.97, owed=2),
    "decision": Worth(110, 0.92),
    "changed": Worth(8, 0.98),
    "found": Worth(20, 0.83, owed=1),
    "model": Worth(120),
    "said": Worth(80),
    "evidence": Worth(64, 0.86, owed=1),
    "mended": Worth(15, 0.72),
}
_UNKNOWN = Worth(10)
SCARCE = 2_000  # octets


@dataclass(frozen=True, slots=True)
class _Move:
    """Telling a candidate's shortest form, or a longer one instead."""

    index: int
    form: int
    gain: float  # worth per octet


def fit(
    candidates: Sequence[Candidate], openings: Mapping[str, Cost], room: Cost
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
        candidates: Sequence[Candidate],
        openings: Mapping[str, Cost],
        room: Cost,
    ) -> None:
        self._candidates = candidates
        self._openings = openings
        self._octets, self._units = room
        self._open: set[str] = set()
        self.chosen = [LEFT_OUT] * len(candidates)

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


def _owed(
    candidates: Sequence[Candidate], room: int
) -> Iterator[tuple[list[int], int]]:
    """Yield what each kind is owed, the best first, and how long it may be at once."""
    for kind, worth in WORTH.items():
        owed = [
            (candidate.rank, index)
            for index, candidate in enumerate(candidates)
            if candidate.kind == kind and candidate.rank < worth.owed
        ]
        whole = worth.whole if room < SCARCE else int(worth.share * room)
        yield [index for _, index in sorted(owed)], whole


def _moves(candidates: Sequence[Candidate]) -> list[_Move]:
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
