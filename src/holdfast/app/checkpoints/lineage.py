"""A checkpoint's parents, children and siblings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.reports.lanes import How, LaneRow


class Relative(NamedTuple):
    """Another checkpoint, and how one came from the other."""

    row: LaneRow
    how: How


class Lineage(NamedTuple):
    parents: tuple[Relative, ...] = ()
    children: tuple[Relative, ...] = ()
    siblings: tuple[Relative, ...] = ()


class Family:
    """The rows of a project, by who came from whom."""

    def __init__(self, rows: Sequence[LaneRow]) -> None:
        self._rows = rows
        self._places = {row.outline.checkpoint_id: row.place for row in rows}
        self._children: dict[int, list[Relative]] = {}
        for row in rows:
            for parent in row.parents:
                children = self._children.setdefault(parent.place, [])
                children.append(Relative(row, parent.how))

    def of(self, checkpoint_id: str) -> Lineage:
        """Return the relatives of a checkpoint; one that has no row has none."""
        place = self._places.get(checkpoint_id)
        if place is None:
            return Lineage()
        row = self._rows[place]
        parents = tuple(Relative(self._rows[p.place], p.how) for p in row.parents)
        siblings = tuple(
            each
            for parent in row.parents[:1]
            for each in self._children.get(parent.place, ())
            if each.row.place != place and "merge" not in (parent.how, each.how)
        )
        return Lineage(parents, tuple(self._children.get(place, ())), siblings)

    def before(self, checkpoint_id: str) -> Iterator[str]:
        """Yield the ids that a checkpoint goes on from, the nearest first."""
        place = self._places.get(checkpoint_id)
        while place is not None:
            parents = self._rows[place].parents
            place = parents[0].place if parents else None
            if place is not None:
                yield self._rows[place].outline.checkpoint_id
