"""The graph in a terminal: rows with lanes, newest first, as lines of characters.

Two cells for each column: what stands there, and whether a line goes on to the right. A
line of the graph is a row, a joint above it (lines that end there) or below it (lines that
begin there), or the gap after the first checkpoint of a history.
"""

from collections.abc import Iterable, Iterator, Sequence

from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.reports.lanes import LaneRow, RowParent


class Signs(NamedTuple):
    """What lines are drawn with. A corner is named by the sides that it joins."""

    down: str = "│"
    across: str = "─"
    down_right: str = "╭"
    down_left: str = "╮"
    up_right: str = "╰"
    up_left: str = "╯"
    right: str = "├"  # of a line that goes down
    left: str = "┤"
    upwards: str = "┴"  # of a line that goes across
    downwards: str = "┬"
    cross: str = "┼"
    by_hand: str = "●"
    by_itself: str = "○"
    crash: str = "✗"
    damaged: str = "!"
    ellipsis: str = "…"


UNICODE = Signs()
ASCII = Signs(
    "|", "-", ",", ".", "`", "'", "|", "|", "+", "+", "+", "*", "o", "x", "!", "..."
)  # fmt: skip


class GraphLine(NamedTuple):
    """One line: its characters, each with the colour of its lane, and what it is about."""

    text: str
    colours: tuple[int, ...]  # one for each character; -1: none
    row: LaneRow | None = None
    ending: "tuple[LineDown, ...]" = ()  # of a joint: lines that end in the next row
    beginning: tuple[RowParent, ...] = ()  # and all that the row before came from


class LineDown(NamedTuple):
    """A line on its way down to an older row."""

    child: LaneRow
    parent: RowParent


def drawn(
    rows: Iterable[LaneRow], signs: Signs = UNICODE, *, since: int = 0
) -> Iterator[GraphLine]:
    """Yield the lines of rows that come newest first, down to the row `since`."""
    drawing = _Drawing(signs)
    for row in rows:
        yield from drawing.lines_of(row, is_last=row.place == since)


def node(row: LaneRow, signs: Signs) -> str:
    """Return what a checkpoint looks like."""
    outline = row.outline
    if not outline.is_whole:
        return signs.damaged
    if outline.trigger == "rescue":
        return signs.crash
    is_by_hand = outline.type == "manual" or outline.merged_from
    return signs.by_hand if is_by_hand else signs.by_itself


class _Drawing:
    """The lines that are on their way, by column."""

    def __init__(self, signs: Signs) -> None:
        self._signs = signs
        self._open: dict[int, list[LineDown]] = {}
        self._due: dict[int, list[LineDown]] = {}  # the same, by where they end
        self._known: dict[object, GraphLine] = {}  # most rows look alike
        self._shape: object = None  # which columns are open; None: not asked since

    def lines_of(self, row: LaneRow, *, is_last: bool) -> Iterator[GraphLine]:
        ending = self._due.pop(row.place, [])
        if len(ending) == 1 and self._goes_straight(row, ending[0]):
            yield self._row(row)
            self._open[row.lane] = [self._begin(row, row.parents[0])]
            return
        ending.sort(key=lambda line: line.parent.via)
        joined = [line for line in ending if line.parent.via != row.lane]
        if joined:
            is_straight = len(joined) < len(ending)
            yield self._joint_above(row, joined, is_straight=is_straight)
        self._shape = None
        self._end(row, ending)
        yield self._row(row)
        self._shape = None
        for parent in row.parents:
            self._open.setdefault(parent.via, []).append(self._begin(row, parent))
        begun = [parent for parent in row.parents if parent.via != row.lane]
        if begun:
            yield self._joint_below(row, begun)
        elif not row.parents and not is_last:
            yield self._painted(self._passing(), {})

    def _goes_straight(self, row: LaneRow, line: LineDown) -> bool:
        """Say whether a row is one more on its lane: nothing changes around it."""
        return (
            line.parent.via == row.lane
            and line.child.colour == row.colour
            and len(row.parents) == 1
            and len(self._open[row.lane]) == 1
        )

    def _begin(self, row: LaneRow, parent: RowParent) -> LineDown:
        line = LineDown(row, parent)
        self._due.setdefault(parent.place, []).append(line)
        return line

    def _end(self, row: LaneRow, ending: Iterable[LineDown]) -> None:
        for column in {line.parent.via for line in ending}:
            left = [x for x in self._open[column] if x.parent.place != row.place]
            if left:
                self._open[column] = left
            else:
                del self._open[column]

    def _passing(self) -> dict[int, tuple[str, int]]:
        down = self._signs.down
        return {
            column: (down, lines[0].child.colour)
            for column, lines in self._open.items()
        }

    def _row(self, row: LaneRow) -> GraphLine:
        if self._shape is None:
            self._shape = tuple(
                [
                    (column, lines[0].child.colour)
                    for column, lines in self._open.items()
                ]
            )
        key = (self._shape, row.lane, row.colour, node(row, self._signs))
        known = self._known.get(key)
        if known is None:
            cells = self._passing()
            cells[row.lane] = (key[-1], row.colour)
            known = self._known[key] = self._painted(cells, {})
        return GraphLine(known.text, known.colours, row)

    def _joint_above(
        self, row: LaneRow, joined: Sequence[LineDown], *, is_straight: bool
    ) -> GraphLine:
        """Draw lines that end in a row, just above it."""
        signs = self._signs
        colours = {line.parent.via: line.child.colour for line in joined}
        inner, left, right = signs.upwards, signs.up_right, signs.up_left
        line = self._across(row.lane, colours, (inner, left, right))
        sides = (min(colours) < row.lane, max(colours) > row.lane)
        corner = self._corner(sides, goes_up=is_straight, goes_down=True)
        line.cells[row.lane] = (corner, row.colour)
        return self._painted(*line)._replace(ending=tuple(joined))

    def _joint_below(self, row: LaneRow, begun: Sequence[RowParent]) -> GraphLine:
        """Draw lines that begin in a row, just below it."""
        signs = self._signs
        colours = {parent.via: row.colour for parent in begun}
        inner, left, right = signs.downwards, signs.down_right, signs.down_left
        line = self._across(row.lane, colours, (inner, left, right))
        sides = (min(colours) < row.lane, max(colours) > row.lane)
        is_straight = len(begun) < len(row.parents)
        corner = self._corner(sides, goes_up=True, goes_down=is_straight)
        line.cells[row.lane] = (corner, row.colour)
        for column in colours:
            if len(self._open[column]) > 1:  # a line to the same row comes down there
                line.cells[column] = (self._met(column, row.lane, colours), row.colour)
        return self._painted(*line)._replace(beginning=row.parents)

    def _met(self, column: int, lane: int, colours: Iterable[int]) -> str:
        if column == max(*colours, lane):
            return self._signs.left
        return self._signs.right if column == min(*colours, lane) else self._signs.cross

    def _across(
        self, lane: int, colours: dict[int, int], corners: tuple[str, str, str]
    ) -> "_Across":
        """Return a line across from a lane to other columns, over those in between."""
        cells = self._passing()
        inner, first, last = corners
        least, most = min(lane, *colours), max(lane, *colours)
        for column, colour in colours.items():
            sign = first if column == least else last if column == most else inner
            cells[column] = (sign, colour)
        gaps: dict[int, int] = {}
        for column in range(least, most):
            beyond = [c for c in colours if c > column >= lane or c <= column < lane]
            colour = colours[min(beyond) if column >= lane else max(beyond)]
            gaps[column] = colour
            if column not in cells:
                cells[column] = (self._signs.across, colour)
        return _Across(cells, gaps)

    def _corner(
        self, sides: tuple[bool, bool], *, goes_up: bool, goes_down: bool
    ) -> str:
        signs = self._signs
        if sides == (True, True):
            across = signs.upwards if goes_up else signs.downwards
            return signs.cross if goes_up and goes_down else across
        to_right = sides[1]
        if goes_up and goes_down:
            return signs.right if to_right else signs.left
        if goes_up:
            return signs.up_right if to_right else signs.up_left
        return signs.down_right if to_right else signs.down_left

    def _painted(
        self, cells: dict[int, tuple[str, int]], gaps: dict[int, int]
    ) -> GraphLine:
        text: list[str] = []
        colours: list[int] = []
        for column in range(max(cells, default=-1) + 1):
            sign, colour = cells.get(column, (" ", -1))
            gap = gaps.get(column)
            text += sign, " " if gap is None else self._signs.across
            colours += colour, -1 if gap is None else gap
        return GraphLine("".join(text).rstrip(), tuple(colours))


class _Across(NamedTuple):
    cells: dict[int, tuple[str, int]]
    gaps: dict[int, int]
