"""Which checkpoint others came from: the lineage, as far as records tell it. Pure.

The checkpoints of a session are a line. It begins at one of its parent's (after a clear, a
resume, a fork), a rewind leaves what stood behind it, and a merge joins two lines. Lines of
the transcript and origins of what was inherited say where; the clock only where neither does.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Protocol

from holdfast.branches.beginnings import asked_lines, is_copy, last_line, newest_seen
from holdfast.domain.checkpoint import Checkpoint, FileRef, Item
from holdfast.domain.fact import RewoundRequest
from holdfast.domain.kinds import ITEM_FIELDS
from holdfast.domain.session import SessionRecord
from holdfast.kernel.ids import checkpoint_place
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

_MOST_BACK = 200  # checkpoints behind a rewind; further back nobody has gone yet


class Kin(Protocol):
    """Who knows the family: records, by id; one that is gone or damaged is None."""

    def session(self, session_id: str) -> SessionRecord | None: ...

    def checkpoint(self, checkpoint_id: str) -> Checkpoint | None: ...

    def merged_into(self, session_id: str) -> tuple[Checkpoint, ...]: ...


class Place(NamedTuple):
    """A place in a session's line: behind so many of its checkpoints."""

    session_id: str
    sequence: int


@dataclass(frozen=True, slots=True)
class Ancestor:
    """The newest checkpoint that all came from, as far as it is still there."""

    checkpoint: Checkpoint | None = None
    is_gone: bool = False  # there was a newer one, and it was forgotten or removed
    session_id: str = ""  # of which all are a part or heirs; empty: they are strangers


_Reach = Mapping[str, int]  # sessions, and up to which sequence


def is_ancestor(older: Checkpoint, newer: Checkpoint, kin: Kin) -> bool:
    """Say whether one goes on from the other; a checkpoint does from itself."""
    session, own = older.draft.session_id, older.sequence
    reached = _reach(newer, kin).get(session, -1)
    if reached < own:
        return False
    tip = _at(Place(session, reached), kin)
    return tip is None or not _is_left(older, tip)


def common_ancestor(checkpoints: Sequence[Checkpoint], kin: Kin) -> Ancestor:
    """Return the newest checkpoint that all of these go on from."""
    reaches = [_reach(each, kin) for each in checkpoints]
    shared = reduce(lambda one, other: one & other, (set(r) for r in reaches))
    found = [_shared(session, reaches, kin) for session in sorted(shared)]
    return max(found, key=_rank, default=Ancestor())


def _rank(found: Ancestor) -> tuple[int, bool]:
    return (found.checkpoint.number if found.checkpoint else 0, found.is_gone)


def _shared(session: str, reaches: Sequence[_Reach], kin: Kin) -> Ancestor:
    """Return the newest of one session that all go on from, in spite of rewinds."""
    places = sorted({reach[session] for reach in reaches})
    record = kin.session(session)
    sequences = (
        [checkpoint_place(one)[0] for one in record.checkpoints] if record else []
    )
    tips = [tip for place in places if (tip := _at(Place(session, place), kin))]
    for checkpoint in _backwards(Place(session, places[0]), kin):
        if not any(_is_left(checkpoint, tip) for tip in tips):
            is_gone = _is_gap(checkpoint.sequence + 1, sequences)
            return Ancestor(checkpoint, is_gone, session)
    return Ancestor(None, _is_gap(1, sequences), session)


def _is_gap(sequence: int, sequences: Sequence[int]) -> bool:
    """Say whether a session kept a checkpoint that is no longer there."""
    return sequence not in sequences and sequence < max(sequences, default=0)


def _reach(checkpoint: Checkpoint, kin: Kin) -> _Reach:
    """Return every session that a checkpoint goes on from, and how far in its line."""
    reached: dict[str, int] = {}
    waiting = [Place(checkpoint.draft.session_id, checkpoint.sequence)]
    while waiting:
        session, sequence = waiting.pop()
        if reached.get(session, -1) >= sequence:
            continue
        reached[session] = sequence
        record = kin.session(session)
        if record is not None and record.parent_session:
            waiting.append(_began_at(record, checkpoint.number, kin))
        for merge in kin.merged_into(session):
            if merge.sequence <= sequence:
                waiting += _sources(merge, kin)
    return reached


def _sources(merge: Checkpoint, kin: Kin) -> Iterator[Place]:
    found = (kin.checkpoint(one) for one in merge.draft.merged_from)
    return (Place(one.draft.session_id, one.sequence) for one in found if one)


def _began_at(record: SessionRecord, before: int, kin: Kin) -> Place:
    """Return where in its parent's line a session began: before that number."""
    parent_id = record.parent_session or ""
    parent = kin.session(parent_id)
    first = next(filter(None, map(kin.checkpoint, record.checkpoints)), None)
    known = parent.checkpoints if parent else ()
    line = _kept_before(first.number if first else before, known, kin)
    if first is None or not line:
        return _by_time(parent_id, line, record.started_at)
    lines = asked_lines(first.draft)
    ends = filter(None, map(kin.checkpoint, (line[0], line[-1])))
    if any(is_copy(lines, one) for one in ends):
        # A copy has the lines up to where it was made, whatever it inherited.
        seen = newest_seen(lines, filter(None, map(kin.checkpoint, reversed(line))))
        return Place(parent_id, seen.sequence if seen else 0)
    origins = {part.origin for part in _parts(first)}
    inherited = [checkpoint_place(one)[0] for one in line if one in origins]
    if inherited:
        return Place(parent_id, max(inherited))
    return _by_time(parent_id, line, record.started_at)


def _kept_before(number: int, line: Sequence[str], kin: Kin) -> Sequence[str]:
    """Return what a line had when a checkpoint was kept: nobody goes on from later."""

    def number_of(checkpoint_id: str) -> int:
        found = kin.checkpoint(checkpoint_id)
        return found.number if found else 0

    return line[: bisect_left(line, number, key=number_of)]


def _by_time(session: str, line: Sequence[str], began: int) -> Place:
    """Return the place of what a line had at a moment, if the clock was right then."""
    timely = [one for one in line if checkpoint_place(one)[1] <= began]
    last = (timely or line)[-1:]
    return Place(session, checkpoint_place(last[0])[0] if last else 0)


def _is_left(older: Checkpoint, tip: Checkpoint) -> bool:
    """Say whether the user went back before the end of `older`, on the way to `tip`."""
    last, lines = last_line(older), asked_lines(tip.draft)
    if older.sequence >= tip.sequence or not last or last in lines:
        return False
    rewound = any(
        isinstance(i.fact, RewoundRequest) for i in tip.draft.content.dead_ends
    )
    return rewound or any(line in lines for line in asked_lines(older.draft))


def _backwards(place: Place, kin: Kin) -> Iterator[Checkpoint]:
    """Yield what is left of a line up to a place, the newest first."""
    record = kin.session(place.session_id)
    line = record.checkpoints if record else ()
    upto = [one for one in line if checkpoint_place(one)[0] <= place.sequence]
    return filter(None, map(kin.checkpoint, upto[::-1][:_MOST_BACK]))


def _at(place: Place, kin: Kin) -> Checkpoint | None:
    return next(_backwards(place, kin), None)


def _parts(checkpoint: Checkpoint) -> Iterator[Item | FileRef]:
    for kind in ITEM_FIELDS:
        yield from getattr(checkpoint.draft.content, kind)
    yield from checkpoint.draft.content.files
