"""The log as people read it: lines of words, each with what it looks like.

A row begins with its part of the graph, then number, age, what made it, title, and at the
end of the line where the code stood. What does not fit is cut from the title; a narrow
screen shows the branch only where it is another than before.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from holdfast.domain.amounts import counted, short_age
from holdfast.domain.outline import Outline
from holdfast.domain.terminal_width import cut, width
from holdfast.domain.text import plain
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.reports.graph import UNICODE, GraphLine, LineDown, Signs, drawn
from holdfast.reports.lanes import LaneRow, partings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from holdfast.reports.changes import Styled

# What made a checkpoint, where its type does not say it.
MADE_BY = {
    "compact": "compaction",
    "exit": "exit",
    "rescue": "crash",
    "restore": "restore",
    "backfill": "backfill",
    "import": "import",
    "headless": "headless",
}
_SHORT_ID = 8
_AGE, _KIND = 10, 12  # cells, the age at least
_BRANCH, _PROJECT = 20, 16
_ALIGNED = 8  # cells of graph that text is aligned behind; a wider graph moves it
_NARROWEST_TITLE = 16
_LEAST = 4  # cells of a title, whatever it takes
_WIDE = 100  # columns from which on every row tells branch and files


class LogViewer(NamedTuple):
    """Who is looking: from when, how wide, with which signs."""

    now_ms: int
    width: int = 0  # cells; 0: as wide as it gets
    signs: Signs = UNICODE
    with_graph: bool = True
    with_project: bool = False


def log_lines(
    rows: Sequence[LaneRow],
    viewer: LogViewer,
    *,
    since: int = 0,
    look: Callable[[LaneRow], LaneRow] = lambda row: row,
) -> Iterator[tuple[Styled, ...]]:
    """Yield the lines of a log, newest first, down to the row `since`.

    Rows come oldest first; one that is about to be shown is what `look` says of it.
    """
    log = _Log(rows[since:], rows, viewer)
    shown = (look(rows[place]) for place in range(len(rows) - 1, since - 1, -1))
    if viewer.with_graph:
        for line in drawn(shown, viewer.signs, since=since):
            yield log.graph_line(line)
        return
    for row in shown:
        yield log.row(row, log.story(row))


def kind_of(outline: Outline) -> str:
    """Return what made a checkpoint, in a word."""
    if outline.merged_from:
        return "merge"
    if outline.trigger == "threshold" and outline.context_percent is not None:
        return f"auto {outline.context_percent:.0f} %"
    return MADE_BY.get(outline.trigger, outline.type)


class _Log:
    def __init__(
        self, shown: Sequence[LaneRow], rows: Sequence[LaneRow], viewer: LogViewer
    ) -> None:
        self._rows = rows
        oldest = shown[0].outline.created_at if shown else viewer.now_ms
        self._age = max(_AGE, len(short_age(viewer.now_ms, oldest)))
        self._viewer = viewer
        self._branches: dict[tuple[str, str], str] = {}
        roots = {row.outline.project_root for row in shown}
        self._project = min(
            _PROJECT, max(map(width, map(_directory, roots)), default=0)
        )
        self._taken_back = {name for row in rows for name in row.left}
        self._parted = partings(rows)
        of_parted = {name for names in self._parted.values() for name in names}
        outlines = (row.outline for row in rows)
        self._numbers = {
            one.checkpoint_id: one.called
            for one in outlines
            if one.checkpoint_id in of_parted
        }
        columns = [row.lane for row in shown]
        columns += [parent.via for row in shown for parent in row.parents[1:]]
        widest = 2 * max(columns, default=0) + 2
        self._graph = min(widest, _ALIGNED) if viewer.with_graph else 0

    def graph_line(self, line: GraphLine) -> tuple[Styled, ...]:
        painted = _painted(line.text, line.colours)
        if line.row is None:
            gap = " " * max(2, self._graph - len(line.text) + 1)
            told = self._joint(line)
            if told and self._viewer.width:
                room = self._viewer.width - len(line.text + gap)
                told = self._cut(told, max(_LEAST, room))
            return (*painted, (gap + told, "dim")) if told else painted
        gap = " " * max(1, self._graph - len(line.text) + 1)
        return (*painted, (gap, ""), *self.row(line.row, "", len(line.text + gap)))

    def row(self, row: LaneRow, story: str = "", used: int = 0) -> tuple[Styled, ...]:
        """Return what a row says; `used` cells of its line are taken."""
        outline, viewer = row.outline, self._viewer
        kind = kind_of(outline)
        parts: list[Styled] = [
            (outline.called, "bold"),
            (f"  {short_age(viewer.now_ms, outline.created_at):<{self._age}}", "dim"),
            (f"  {kind:<{_KIND}}  ", _KIND_STYLES.get(kind, "")),
        ]
        if viewer.with_project:
            name = self._cut(_directory(outline.project_root), _PROJECT)
            parts.append((f"{_padded(name, self._project)}  ", "cyan"))
        text, style = self._title(outline)
        tail = self._tail(row, story) if outline.is_whole else []
        if not viewer.width:
            return (*parts, (text, style), *tail)
        if viewer.width - used - _cells(parts) < _NARROWEST_TITLE:
            parts[1:] = [("  ", "")]  # so many lanes leave room for little else
        room = viewer.width - used - _cells(parts)
        while tail and room - _cells(tail) < _NARROWEST_TITLE:
            tail.pop()
        room = max(_LEAST, room - _cells(tail))
        text = self._cut(text, room)
        return (*parts, (_padded(text, room) if tail else text, style), *tail)

    def _title(self, outline: Outline) -> Styled:
        if not outline.is_whole:
            return "damaged: run `holdfast doctor --repair`", "red"
        name = f" ({outline.name})" if outline.name else ""
        title = plain(outline.title + name)
        if outline.checkpoint_id in self._taken_back:
            return f"{title} (taken back)", "dim"
        return title, ""

    def _tail(self, row: LaneRow, story: str) -> list[Styled]:
        """Return what stands at the end of a row: its story, branch and files."""
        outline = row.outline
        is_wide = not self._viewer.width or self._viewer.width >= _WIDE
        told: list[Styled] = [(f"  {story}", "yellow")] if story else []
        if outline.branch and (is_wide or self._is_elsewhere(row)):
            changed = f" +{outline.uncommitted or ''}" if outline.is_dirty else ""
            told.append((self._branch(outline.branch, changed), "cyan"))
        if outline.files and is_wide:
            told.append((f"  {counted(outline.files, 'file')}", "dim"))
        return told

    def _branch(self, name: str, changed: str) -> str:
        """Return where a row stands, as it was said of others before."""
        known = self._branches.get((name, changed))
        if known is None:
            branch = self._cut(_name(name), _BRANCH - len(changed))
            known = self._branches[name, changed] = f"  {branch}{changed}"
        return known

    def _is_elsewhere(self, row: LaneRow) -> bool:
        """Say whether a row stands on another branch than the one it came from."""
        if not row.parents:
            return True
        return self._rows[row.parents[0].place].outline.branch != row.outline.branch

    def story(self, row: LaneRow) -> str:
        """Return how a row came about, where no graph shows it."""
        numbers = [self._number(parent.place) for parent in row.parents]
        if not row.parents:
            return ""
        if row.outline.merged_from:
            return f"merges {', '.join(numbers)}"
        if row.parents[0].how in _STORIES:
            return f"{_STORIES[row.parents[0].how]} {numbers[0]}"
        return self._siblings(row)

    def _siblings(self, row: LaneRow) -> str:
        own = row.outline.checkpoint_id
        beside = self._parted.get(row.parents[0].checkpoint_id, ())
        numbers = [self._numbers[name] for name in beside if name != own]
        return f"sibling of {', '.join(numbers)}" if numbers else ""

    def _joint(self, line: GraphLine) -> str:
        """Return what a joint says: which lines meet there, and why."""
        if line.beginning:
            merged = [self._number(parent.place) for parent in line.beginning]
            return f"merges {', '.join(merged)}"
        return ", ".join(dict.fromkeys(map(_parting, line.ending)))

    def _number(self, place: int) -> str:
        return self._rows[place].outline.called

    def _cut(self, text: str, room: int) -> str:
        shown = cut(text, room)
        ellipsis = self._viewer.signs.ellipsis
        if shown == text or ellipsis == UNICODE.ellipsis:
            return shown
        return cut(text, room - len(ellipsis) + 1)[:-1] + ellipsis


_STORIES = {"fork": "fork of", "rewind": "rewound to"}
_KIND_STYLES = {"crash": "red", "merge": "magenta", "before-clear": "cyan"}


@cache
def _name(text: str) -> str:
    """Return a branch or a project's directory as it is shown; there are few."""
    return plain(text)


def _directory(root: str) -> str:
    """Return what a project is called among others."""
    return _name(root).rstrip("/").rpartition("/")[2]


def _parting(line: LineDown) -> str:
    """Return why a line parts from where it ends, by the row that it leads to."""
    outline = line.child.outline
    session = f"session {plain(outline.session_id)[:_SHORT_ID]}"
    if line.parent.how == "goes on" and outline.merged_from:
        return f"merged again as {outline.called}"
    told = {
        "fork": f"fork: {session}",
        "rewind": "rewound to here",
        "clear": f"cleared, on in {session}",
        "resume": f"taken up in {session}",
        "goes on": f"taken up again: {session}",
        "merge": f"merged into {outline.called}",
    }
    return told[line.parent.how]


@cache
def _painted(graph: str, colours: Sequence[int]) -> tuple[Styled, ...]:
    """Return the graph with the colour of each lane, as few pieces as it takes; most
    lines look like others."""
    pieces: list[Styled] = []
    start = 0
    for end in range(1, len(graph) + 1):
        if end == len(graph) or colours[end] != colours[start]:
            style = f"lane {colours[start]}" if colours[start] >= 0 else ""
            pieces.append((graph[start:end], style))
            start = end
    return tuple(pieces)


def _cells(parts: Sequence[Styled]) -> int:
    return sum(width(text) for text, _ in parts)


def _padded(text: str, room: int) -> str:
    return text + " " * (room - width(text))
