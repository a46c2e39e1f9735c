"""What waits to be sent to others: a parcel for each record and target, ids only.

The chain of the store is the list of what happened; a target has a place in it, and a
parcel for each record up to there. No text of a record is kept twice.
"""

from typing import Literal

from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

# `replace`: what the record said when it was sent is to be gone there, too.
ParcelAction = Literal["send", "replace", "remove"]

_FIRST_PAUSE_MS = 30_000
_LONGEST_PAUSE_MS = 6 * 3_600_000
_MOST_DOUBLINGS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Parcel:
    """One thing to do at a target."""

    checkpoint_id: str
    position: int  # of the newest entry of the chain that is about the record
    action: ParcelAction
    remote: str = ""  # what the target called it; empty: it never said
    attempts: int = 0
    reason: str = ""  # why the record was removed


class ObservationText(NamedTuple):
    """One text of a record as another memory system keeps it."""

    title: str
    body: str
    metadata: str = ""


class ParcelDone(NamedTuple):
    """What came of a parcel that was delivered."""

    parcel: Parcel
    remote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxState:
    """How things stand with a target."""

    target: str
    waiting: int = 0
    done: int = 0
    refused: int = 0  # of those that wait: tried before, and not taken
    failures: int = 0  # of the target itself, in a row
    due_at: int = 0  # Unix ms; before that nobody asks it by himself
    error: str = ""  # why it, or else a parcel, failed last, in words of ours


def pause_after(failures: int) -> int:
    """Return for how many milliseconds nobody tries again by himself."""
    doublings = min(max(failures - 1, 0), _MOST_DOUBLINGS)
    return min(_FIRST_PAUSE_MS << doublings, _LONGEST_PAUSE_MS)
