"""The history of a project, a session or everything, as rows with lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.which_session import whole_id
from holdfast.domain.query import Scope
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.reports.lanes import rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from holdfast.app.ports import Ports
    from holdfast.reports.lanes import LaneRow
    from holdfast.reports.statistics import Statistics
    from holdfast.store.port import Finding


_PAGE = 250  # rows whose records are looked at together


@dataclass(frozen=True, slots=True)
class LogHistory:
    """Rows oldest first; those before the row `since` are not to be shown."""

    rows: tuple[LaneRow, ...]
    store: Finding
    since: int = 0

    @property
    def is_empty(self) -> bool:
        return self.since >= len(self.rows)

    def shown(self) -> Iterator[LaneRow]:
        """Yield the rows to show, newest first, each looked at."""
        rows = self.rows[: self.since - 1 if self.since else None : -1]
        return map(self.looker(), rows)

    def looker(self) -> Callable[[LaneRow], LaneRow]:
        """Return who looks whether a record still is what was kept.

        Rows are asked for newest first, so older ones of the same page come with each.
        """
        checked = len(self.rows)
        damaged: frozenset[str] = frozenset()

        def look(row: LaneRow) -> LaneRow:
            nonlocal checked, damaged
            if row.place < checked:
                checked = max(self.since, row.place + 1 - _PAGE)
                page = self.rows[checked : row.place + 1]
                ids = [one.outline.checkpoint_id for one in page]
                damaged = self.store.damaged(ids)
            if row.outline.checkpoint_id not in damaged:
                return row
            return row._replace(outline=row.outline.as_damaged())

        return look


def read_history(
    ports: Ports,
    here: Callable[[], Scope],
    *,
    everywhere: bool = False,
    session: str | None = None,
    since_ms: int | None = None,
) -> LogHistory:
    """Return what happened, in the lanes that it has in the whole history.

    `since` begins with the first row that is not older.

    Raises:
        SessionUnknown: no session begins like the one given.
        ReferenceAmbiguous: several do; the hint names them.
    """
    store = ports.open_store()
    if session is not None:
        session = whole_id(session, store.sessions_like, ports.transcripts.agent)
    scope = Scope() if everywhere or session else here().in_project()
    outlines = store.outlines(scope, session=session)
    rows = tuple(rows_of(outlines, store.parents()))
    if since_ms is None:
        return LogHistory(rows, store)
    recent = (row.place for row in rows if row.outline.created_at >= since_ms)
    return LogHistory(rows, store, next(recent, len(rows)))


def read_statistics(
    ports: Ports,
    here: Callable[[], Scope],
    on_disk: int | None,
    *,
    everywhere: bool = False,
) -> Statistics:
    """Return the numbers of this project, or of every one.

    What hooks cost and told is known by session: of a project, those that have a
    checkpoint in it.
    """
    from holdfast.reports.statistics import own_cost, statistics  # noqa: PLC0415  # no log counts

    store = ports.open_store()
    scope = Scope() if everywhere else here().in_project()
    tallies = tuple(store.tallies(scope))
    ours = {tally.session_id for tally in tallies}
    costs = store.hook_costs()
    own = own_cost(
        {session: costs[session] for session in costs if everywhere or session in ours},
        (one for one in store.deliveries() if everywhere or one.session_id in ours),
        on_disk,
    )
    found = statistics(tallies, store.parents(), own)
    ours_kept = sum(not one.machine for one in store.outlines(scope))
    return replace(found, damaged=max(0, ours_kept - len(tallies)))
