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

    from holdfast.app.checkpoints.history import LogHistory
    from holdfast.reports.lanes import LaneRow
    from holdfast.reports.statistics import OwnCost, Statistics, Work

    Json = dict[str, Any]


def log_answer(history: LogHistory, waiting: int) -> Json:
    """Rows newest first; a lane is a column from the left, its colour never changes."""
    siblings = partings(history.rows)
    taken_back = {name for row in history.rows for name in row.left}
    return {
        "type": "log",
        "rows": [_log_row(row, siblings, taken_back) for row in history.shown()],
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
        "machine": outline.machine,
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


def stats_answer(found: Statistics) -> Json:
    """What is not known is null; `unknown` counts the sessions that do not tell."""
    work = found.totals
    totals = _work(work) | {
        "open_errors": found.open_errors,
        "peak_context_tokens": found.peak_tokens or None,
        "peak_context_percent": found.peak_percent,
        "tools": dict(found.tools),
        "types": dict(found.types),
        "triggers": dict(found.triggers),
        "unknown": {
            "prompts": len(work.sessions - work.telling_prompts),
            "tokens": len(work.sessions - work.telling_tokens),
            "tokens_in_part": len(work.incomplete),
            "cost": len(work.sessions - work.telling_cost),
        },
    }
    return {
        "type": "stats",
        "totals": totals,
        "days": [{"day": day} | _work(sums) for day, sums in found.days.items()],
        "projects": [
            {"project": root} | _work(sums) for root, sums in found.projects.items()
        ],
        "agents": [
            {"agent": name} | _work(sums) for name, sums in found.agents.items()
        ],
        "holdfast": _own_json(found.own, work.checkpoints),
        "damaged": found.damaged,
    }


def _work(work: Work) -> Json:
    spent = work.spent
    tokens = {
        "input": spent.fresh,
        "cache_written": spent.written,
        "cache_read": spent.cached,
        "output": spent.out,
    }
    return {
        "sessions": len(work.sessions),
        "checkpoints": work.checkpoints,
        "seconds": work.seconds,
        "prompts": work.prompts if work.telling_prompts else None,
        "messages": work.messages,
        "tool_calls": work.tool_calls,
        "commands": work.commands,
        "files": work.files,
        "errors": work.errors,
        "dead_ends": work.dead_ends,
        "tokens": tokens if work.telling_tokens else None,
        "cost_usd": spent.cost / 1e6 if work.telling_cost else None,
    }


def _own_json(own: OwnCost, saves: int) -> Json:
    return {
        "saves": saves,
        "record_bytes": own.octets,
        "disk_bytes": own.on_disk,
        "told": dict(own.told),
        "told_tokens": own.told_tokens,
        "hook_events": own.hooks.events,
        "hook_milliseconds": own.hooks.milliseconds,
        "transcript_bytes_read": own.hooks.octets,
    }
