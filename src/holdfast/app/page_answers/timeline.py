"""What the timeline shows: projects, and rows as columns.

A name that is told five thousand times would be most of an answer. No row is longer than a
line, whatever its record says.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any

from holdfast.app.checkpoints.timeline import earlier_in_session
from holdfast.app.page_answers import shown
from holdfast.domain.checkpoint import is_open
from holdfast.domain.text import one_line
from holdfast.kernel.ids import label
from holdfast.reports.log_lines import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.app.checkpoints.timeline import TimelinePage
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.outline import Outline
    from holdfast.reports.lanes import LaneRow

    Json = dict[str, Any]

_TITLE = 160  # characters: more than any line has room for
_NAME = 80
_MESSAGES, _COMMANDS, _FILES = 1, 2, 4  # what each of these is worth as work


def projects_answer(
    projects: Mapping[str, Sequence[Outline]], here: str, tilde: Callable[[str], str]
) -> Json:
    """Projects, the one worked on last first; `here` is where the page was asked for."""
    newest = sorted(projects.items(), key=lambda one: -one[1][-1].created_at)
    return shown(
        {
            "type": "projects",
            "here": here if here in projects else "",
            "projects": [
                {
                    "id": project,
                    "name": _called(outlines[-1].project_root),
                    "root": tilde(outlines[-1].project_root),
                    "count": len(outlines),
                    "sessions": len({each.session_id for each in outlines}),
                    "last_at": outlines[-1].created_at,
                }
                for project, outlines in newest
            ],
        }
    )


def rows_answer(project: str, page: TimelinePage) -> Json:
    """Rows newest first, as columns; `count` is how many there are in all."""
    rows = [_row(row, page.records) for row in page.rows]
    names = rows[0].keys() if rows else ()
    columns = {name: [row[name] for row in rows] for name in names}
    return shown(
        {"type": "rows", "project": project, "count": page.of, "columns": columns}
    )


def _row(row: LaneRow, records: Mapping[str, Checkpoint]) -> Json:
    outline = row.outline
    own = records.get(outline.checkpoint_id)
    if own is None:
        outline = outline.as_damaged()
    before = records.get(earlier_in_session(row) or "")
    return {
        "place": row.place,
        "id": outline.checkpoint_id,
        "number": outline.number,
        "label": label(outline.number),
        "machine": outline.machine,
        "author": one_line(outline.author, _NAME),
        "session": outline.session_id,
        "project": outline.project_id,
        "lane": row.lane,
        "colour": row.colour,
        "parents": [[each.place, each.via, each.how] for each in row.parents],
        "left": list(row.left),
        "type": outline.type,
        "trigger": outline.trigger,
        "made_by": kind_of(outline),
        "at": outline.created_at,
        "title": one_line(outline.title, _TITLE),
        "name": outline.name and one_line(outline.name, _NAME),
        "branch": outline.branch and one_line(outline.branch, _NAME),
        "dirty": outline.is_dirty,
        "files": outline.files,
        "agent": own.draft.agent if own else "",
        "work": _work(own) - _work(before) if own else 0,
        "errors": _open_errors(own) if own else 0,
        "receipt": {k: list(pair) for k, pair in own.draft.receipt.items()}
        if own
        else {},
        "whole": outline.is_whole,
    }


def _work(checkpoint: Checkpoint | None) -> int:
    """Return what a session had done by then, in one number."""
    if checkpoint is None:
        return 0
    facts = checkpoint.draft.facts
    return (
        facts.message_count * _MESSAGES
        + facts.commands_executed * _COMMANDS
        + facts.files_modified * _FILES
    )


def _open_errors(checkpoint: Checkpoint) -> int:
    return sum(map(is_open, checkpoint.draft.content.errors))


def _called(root: str) -> str:
    return os.path.basename(root.rstrip("/")) or root or "unknown"
