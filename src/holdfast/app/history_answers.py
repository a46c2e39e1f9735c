"""What the verbs about the past answer, as the JSON of the contract.

Apart from `json_answers`, which knows every verb: a log is there before that is imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.kernel.clock import iso
from holdfast.kernel.ids import label
from holdfast.reports.lanes import partings
from holdfast.reports.log_lines import kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set as AbstractSet
    from typing import Any

    from holdfast.app.checkpoints.history import History
    from holdfast.reports.lanes import LaneRow

    Json = dict[str, Any]


def log_answer(history: History, waiting: int) -> Json:
    """Rows newest first; a lane is a column from the left, its colour never changes."""
    siblings = partings(history.rows)
    taken_back = {name for row in history.rows for name in row.left}
    return {
        "type": "log",
        "rows": [_log_row(row, siblings, taken_back) for row in history.shown],
        "waiting": waiting,
    }


def _log_row(
    row: LaneRow, siblings: Mapping[str, Sequence[str]], taken_back: AbstractSet[str]
) -> Json:
    outline = row.outline
    own = outline.checkpoint_id
    beside = siblings.get(row.parents[0].checkpoint_id, ()) if row.parents else ()
    return {
        "checkpoint": own,
        "lane": row.lane,
        "parents": [parent.checkpoint_id for parent in row.parents],
        "how": [parent.how for parent in row.parents],
        "colour": row.colour,
        "siblings": [name for name in beside if name != own],
        "taken_back": own in taken_back,
        "number": outline.number,
        "label": label(outline.number),
        "name": outline.name,
        "session_id": outline.session_id,
        "type": outline.type,
        "made_by": kind_of(outline),
        "created_at": iso(outline.created_at),
        "title": outline.title,
        "branch": outline.branch,
        "dirty": outline.is_dirty,
        "files": outline.files,
        "project": outline.project_root,
        "whole": outline.is_whole,
    }
