"""Lanes: from checkpoints in order of time to rows of a graph.

A row says in which lane its checkpoint stands and which it came from; nothing in it is
text. Rows are decided one by one, by what came before: the place and the colour of a lane
are fixed when it is born, so new work never repaints old; only what is brought from an
earlier time does. A terminal and a page draw from the same rows.

A lane is one line of work. A session goes on in its lane, and so does the session that a
clear left off to; a fork, and what follows a rewind, begin one of their own. A column is
given to another lane when its own is over, or was not heard of for a while.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from holdfast.domain.outline import ENDINGS, Outline
from holdfast.kernel.lazy_tuples import NamedTuple

# How a checkpoint came from another.
How = Literal["goes on", "clear", "fork", "rewind", "resume", "merge"]

_PATIENCE = 15  # rows without it, and a lane's column may be another's
_MOST_COLUMNS = 12  # then the lane that was silent for longest makes room
_OVER = ENDINGS - {"clear"}  # after a clear somebody goes on


class RowParent(NamedTuple):
    """Where a row came from: a line that comes down in the column `via`."""

    checkpoint_id: str
    place: int  # of its row
    via: int
    how: How


class LaneRow(NamedTuple):
    """One checkpoint of the graph."""

    outline: Outline
    place: int  # among all rows, oldest first
    lane: int  # its column, from the left
    colour: int  # how many lanes were born before this one
    parents: tuple[RowParent, ...] = ()  # the one it goes on from, then merged ones
    left: tuple[str, ...] = ()  # checkpoints that its session's rewind took back


def rows_of(
    outlines: Iterable[Outline], session_parents: Mapping[str, str]
) -> Iterator[LaneRow]:
    """Yield a row for each checkpoint; the rows of a beginning are the beginning of rows."""
    return map(Lanes(session_parents).add, outlines)


def partings(rows: Iterable[LaneRow]) -> dict[str, tuple[str, ...]]:
    """Return, for each checkpoint that several went on from, which did: siblings."""
    children: dict[str, list[str]] = {}
    for row in rows:
        for parent in row.parents[:1]:
            if parent.how != "merge":
                ids = children.setdefault(parent.checkpoint_id, [])
                ids.append(row.outline.checkpoint_id)
    return {parent: tuple(ids) for parent, ids in children.items() if len(ids) > 1}


class _Lane:
    __slots__ = ("colour", "column", "is_over", "place")

    def __init__(self, column: int, colour: int) -> None:
        self.column = column
        self.colour = colour
        self.place = -1  # of its newest row
        self.is_over = False

    def is_resting(self, now: int) -> bool:
        return self.is_over or now - self.place > _PATIENCE


class _Stop(NamedTuple):
    """A checkpoint that has its row."""

    outline: Outline
    place: int
    lane: _Lane


class Lanes:
    """What is known of the graph so far."""

    def __init__(self, session_parents: Mapping[str, str]) -> None:
        self._session_parents = session_parents
        self._count = 0
        self._born = 0
        self._stops: dict[str, _Stop] = {}
        self._sessions: dict[str, list[_Stop]] = {}
        self._owners: list[_Lane | None] = []  # by column
        self._used: list[int] = []  # by column: the last row that something is drawn in
        self._taken_back: set[str] = set()

    def add(self, outline: Outline) -> LaneRow:
        """Return the row of the next checkpoint."""
        own = self._sessions.setdefault(outline.session_id, [])
        left = self._left(own, outline)
        origin, how = self._origin(own, outline, is_rewound=bool(left))
        place, self._count = self._count, self._count + 1
        lane = self._lane(origin, how, place)
        parents = [
            RowParent(origin.outline.checkpoint_id, origin.place, lane.column, how)
        ] if origin else []  # fmt: skip
        lane.place, lane.is_over = place, outline.trigger in _OVER
        parents += self._merged(outline, origin, place)
        stop = _Stop(outline, place, lane)
        self._stops[outline.checkpoint_id] = stop
        own.append(stop)
        return LaneRow(outline, place, lane.column, lane.colour, tuple(parents), left)

    def _left(self, own: list[_Stop], outline: Outline) -> tuple[str, ...]:
        if not outline.abandoned:
            return ()
        gone = [stop for stop in own if stop.outline.is_abandoned_by(outline)]
        for stop in gone:
            stop.lane.is_over = stop.lane.is_over or stop.lane.place == stop.place
        names = (stop.outline.checkpoint_id for stop in gone)
        news = tuple(name for name in names if name not in self._taken_back)
        self._taken_back.update(news)
        return news

    def _origin(
        self, own: list[_Stop], outline: Outline, *, is_rewound: bool
    ) -> tuple[_Stop | None, How]:
        """Return what a checkpoint goes on from, and how."""
        if outline.trigger == "merge" and (home := self._home(outline)):
            is_own = home.outline.session_id == outline.session_id
            return home, "goes on" if is_own else "merge"
        for stop in reversed(own):
            if stop.outline.checkpoint_id not in self._taken_back:
                return stop, "rewind" if is_rewound else "goes on"
        return self._begun_from(outline, is_rewound=is_rewound)

    def _begun_from(
        self, outline: Outline, *, is_rewound: bool
    ) -> tuple[_Stop | None, How]:
        """Return what the session of a checkpoint began with, and how."""
        if (stop := self._stops.get(outline.forked_at or "")) is not None:
            return stop, "rewind" if is_rewound else "fork"
        before = self._stops_before(outline)
        if not before:
            return self._home(outline), "merge"
        newest = before[-1]
        if is_rewound:
            return newest, "rewind"
        if 0 < outline.started_at == newest.outline.started_at:
            return newest, "fork"  # its transcript begins with the other's lines
        cleared = (stop for stop in reversed(before) if stop.outline.trigger == "clear")
        clear = next(cleared, None)
        return (clear, "clear") if clear else (newest, "resume")

    def _home(self, outline: Outline) -> _Stop | None:
        """Return the first that a merge is made of, as far as that is here: its session
        may have another merge of it since."""
        known = (self._stops.get(name) for name in outline.merged_from)
        return next(filter(None, known), None)

    def _stops_before(self, outline: Outline) -> list[_Stop]:
        """Return what the nearest ancestor with checkpoints has kept so far; of a copy
        that was made before its parent kept any, of those before that."""
        seen = {outline.session_id}
        at = self._session_parents.get(outline.session_id)
        if outline.forked_at == "" and at is not None:
            seen.add(at)
            at = self._session_parents.get(at)
        while at is not None and at not in seen:  # a circle in damaged data ends
            if stops := self._sessions.get(at):
                return stops
            seen.add(at)
            at = self._session_parents.get(at)
        return []

    def _lane(self, origin: _Stop | None, how: How, place: int) -> _Lane:
        if origin is not None and self._continues(origin, how):
            self._used[origin.lane.column] = place
            return origin.lane
        column = self._free(place if origin is None else origin.place, place)
        lane = _Lane(column, self._born)
        self._born += 1
        self._owners[column], self._used[column] = lane, place
        return lane

    def _continues(self, origin: _Stop, how: How) -> bool:
        lane = origin.lane
        if lane.place != origin.place or self._owners[lane.column] is not lane:
            return False
        is_over = origin.outline.trigger in ENDINGS
        return how == "goes on" or (how not in ("fork", "rewind") and is_over)

    def _free(self, since: int, now: int) -> int:
        """Return a column in which nothing is drawn after the row `since`."""
        clear = [column for column, used in enumerate(self._used) if used <= since]
        for column in clear:
            owner = self._owners[column]
            if owner is None or owner.is_resting(now):
                return column
        if clear and len(self._used) >= _MOST_COLUMNS:
            return min(clear, key=self._used.__getitem__)
        self._used.append(-1)
        self._owners.append(None)
        return len(self._used) - 1

    def _merged(
        self, outline: Outline, origin: _Stop | None, place: int
    ) -> Iterator[RowParent]:
        for checkpoint_id in dict.fromkeys(outline.merged_from):
            stop = self._stops.get(checkpoint_id)
            if stop is not None and stop is not origin:
                via = self._line_to(stop, place)
                yield RowParent(checkpoint_id, stop.place, via, "merge")

    def _line_to(self, stop: _Stop, place: int) -> int:
        """Return the column in which a line from this row can go down to an older one."""
        lane = stop.lane
        if lane.place == stop.place and self._owners[lane.column] is lane:
            self._used[lane.column] = place
            return lane.column
        column = self._free(stop.place, place)
        self._owners[column], self._used[column] = None, place
        return column
