"""The history of every project for a page that stays open: read once for each change.

Asking again costs one cheap question to the store while nothing was changed. A page of
rows costs one question more, whatever its length.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from holdfast.domain.query import Scope
from holdfast.kernel.errors import CheckpointNotFound
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.reports.lanes import LaneRow, rows_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.outline import Outline
    from holdfast.store.port import Store

EVERY_PROJECT = "all"


class TimelinePage(NamedTuple):
    """Rows, newest first, with the records of those that are whole, and of those that
    each goes on from in its session."""

    rows: tuple[LaneRow, ...]
    records: Mapping[str, Checkpoint]
    of: int  # how many there are in all


class Timelines:
    """What a page shows of every project; many threads may ask at once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._guard = Lock()
        self._moment: str | None = None
        self._outlines: dict[str, list[Outline]] = {}
        self._parents: Mapping[str, str] = {}
        self._rows: dict[str, tuple[LaneRow, ...]] = {}

    def projects(self) -> Mapping[str, Sequence[Outline]]:
        """Return the checkpoints of each project, oldest first."""
        with self._guard:
            self._read()
            return {
                name: found
                for name, found in self._outlines.items()
                if name != EVERY_PROJECT
            }

    def rows(self, project: str) -> tuple[LaneRow, ...]:
        """Return the rows of a project, or of `all`, oldest first.

        Raises:
            CheckpointNotFound: there is no such project.
        """
        with self._guard:
            self._read()
            if project not in self._rows:
                if project not in self._outlines:
                    raise CheckpointNotFound(
                        "no project here has that id",
                        hint="go back to the list of projects",
                    )
                outlines = self._outlines[project]
                self._rows[project] = tuple(rows_of(outlines, self._parents))
            return self._rows[project]

    def page(self, project: str, before: int | None, limit: int) -> TimelinePage:
        """Return the newest rows of a project that come before a place.

        Raises:
            CheckpointNotFound: there is no such project.
        """
        rows = self.rows(project)
        end = len(rows) if before is None else max(0, min(before, len(rows)))
        page = rows[max(0, end - limit) : end][::-1]
        wanted = {row.outline.checkpoint_id: None for row in page}
        wanted |= dict.fromkeys(filter(None, map(earlier_in_session, page)))
        return TimelinePage(page, self._store.several([*wanted]), len(rows))

    def _read(self) -> None:
        moment = self._store.moment
        if moment == self._moment:
            return
        everything = list(self._store.outlines(Scope()))
        outlines: dict[str, list[Outline]] = {EVERY_PROJECT: everything}
        for outline in everything:
            outlines.setdefault(outline.project_id, []).append(outline)
        self._parents, self._rows = self._store.parents(), {}
        self._outlines, self._moment = outlines, moment


def earlier_in_session(row: LaneRow) -> str | None:
    """Return the checkpoint of the same session that a row goes on from."""
    for parent in row.parents[:1]:
        if parent.how in ("goes on", "rewind"):
            return parent.checkpoint_id
    return None


def unchanged_rows(then: Sequence[LaneRow], now: Sequence[LaneRow]) -> int:
    """Return how many rows of a beginning are still what they were."""
    for place, (old, new) in enumerate(zip(then, now, strict=False)):
        if old != new:
            return place
    return min(len(then), len(now))
