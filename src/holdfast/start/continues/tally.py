"""The points behind a decision, as they are kept with it and told by `holdfast why`.

Written down when it is decided: weights change, and so does the work it is held against.
"""

from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.start.continues.evidence import START, Evidence, counted

_NO_SIGN = "none"
_NO_NUMBER = float("inf")  # nor is what cannot be compared with it
MEANINGS = {
    START: "to begin with",
    "named": "names what only this work has",
    "words": "words of the work",
    "state": "words of how it stands",
    "share": "share of the prompt's words that the work has",
    "trade": "things of the trade in other words",
    "names": "identifiers, paths or flags of the work",
    "numbers": "numbers of the work",
    "new": "new words, on a logarithmic scale",
    "new_names": "identifiers that the work does not know",
    "new_tools": "tools that the work does not know",
    "new_things": "other names that the work does not know",
    "holds": "holds on to what was said",
    "reports": "reports a result",
    "addresses": "speaks of the agent as the one who did it",
    "points": "points at something",
    "connects": "goes on from what was said",
    "wonders": "asks about the thing at hand",
    "replies": "is short where the agent asked something",
    "leans": "speaks of something as known, in few words",
    "makes": "asks for something to be made",
    "asks": "asks a question in general",
}


class TallyPart(NamedTuple):
    name: str
    times: float
    points: float


class Tally(NamedTuple):
    sign: str  # empty: the prompt did not continue the work
    parts: tuple[TallyPart, ...] = ()

    @property
    def sum(self) -> float:
        return sum(part.points for part in self.parts)


def written(sign: str | None, found: Evidence | None) -> str:
    """Return what is kept of a decision: its sign, and each count with its points."""
    if found is None:
        return sign or ""
    parts = (f"{name}={count:.2f}:{worth:.2f}" for name, count, worth in counted(found))
    return " ".join((sign or _NO_SIGN, *parts))


def read(kept: str) -> Tally:
    """Return what `written` wrote; what cannot be read has no parts."""
    sign, _, rest = kept.partition(" ")
    try:
        parts = tuple(map(_part, rest.split()))
    except ValueError:
        parts = ()
    return Tally("" if sign == _NO_SIGN else sign, parts)


def _part(text: str) -> TallyPart:
    name, _, numbers = text.partition("=")
    count, _, points = numbers.partition(":")
    part = TallyPart(name, float(count), float(points))
    if not abs(part.times) + abs(part.points) < _NO_NUMBER:
        raise ValueError(f"`{text}` counts nothing")
    return part
