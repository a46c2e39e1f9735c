"""What a verb answers, as the JSON of the contract: one shape for every surface.

`shape` says how much of a checkpoint is told: the whole record on a command line, its
head where each token is paid for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.app.checkpoints.save import NothingToSave, Saved, SaveResult, Spooled
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.record import record
from holdfast.domain.record_content import Json
from holdfast.domain.text import visible
from holdfast.kernel.clock import iso
from holdfast.kernel.ids import label
from holdfast.project_notes.handoff.document import HANDOFF
from holdfast.reports.saved import left_out_remarks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from holdfast.app.checkpoints.compare import Comparison, Siblings
    from holdfast.app.checkpoints.resume import Resumed
    from holdfast.app.checkpoints.status import Status
    from holdfast.app.notes.handoff import Handoff
    from holdfast.branches.side_by_side import BranchView
    from holdfast.domain.code import Drift, FileChange
    from holdfast.domain.query import Hit
    from holdfast.facts.comparing import KnownItem, Reworded
    from holdfast.reports.sessions import SessionStory

Shape = Callable[[Checkpoint], Json]


def save_answer(
    result: SaveResult, unknown_notes: Iterable[str] = (), shape: Shape = record
) -> Json:
    """Return what became of a save."""
    match result:
        case Spooled(key=key, reason=reason):
            return {"type": "spooled", "key": key, "reason": reason}
        case NothingToSave(reason=reason):
            return {"type": "unchanged", "checkpoint": None, "reason": reason}
        case Saved():
            unknown = sorted(unknown_notes)
            more = {"unknown_notes": unknown} if unknown else {}
            return _saved(result, shape) | more


def session_answer(story: SessionStory) -> Json:
    """Return a session's record and the chain it belongs to."""
    record = story.record
    ended = record.ended_at
    return {
        "type": "session",
        "session": {
            "id": record.session_id,
            "started_at": iso(record.started_at) if record.started_at else None,
            "started_at_unix": record.started_at or None,
            "ended_at": None if ended is None else iso(ended),
            "ended_at_unix": ended,
            "parent_session": record.parent_session,
            "root_session": record.root_session or record.session_id,
            "children": list(story.children),
            "siblings": list(story.siblings),
            "checkpoint_count": len(record.checkpoints),
            "latest_checkpoint": next(reversed(record.checkpoints), None),
            "checkpoints": list(record.checkpoints),
            "cleared": record.cleared,
            "working_directory": record.working_directory or None,
            "hostname": record.hostname or None,
            "agent": {"name": record.agent, "version": record.agent_version or None},
            "message_count": record.message_count,
            "duration_seconds": story.duration_seconds,
        },
        "chain": list(story.chain),
    }


def _saved(saved: Saved, shape: Shape) -> Json:
    went = [_went_in(waited) for waited in saved.drained]
    if saved.outcome == "unchanged":
        told: Json = {"type": "unchanged", "checkpoint": shape(saved.checkpoint)}
        return told | ({"went_in": went} if went else {})
    left_out = left_out_remarks(saved.checkpoint.draft.code.left_out)
    told = {
        "type": "saved",
        "status": saved.status,
        "checkpoint": shape(saved.checkpoint),
        "gaps": [*saved.gaps, *left_out],
        "repeated": saved.outcome == "repeated",
    }
    more = {"notice": saved.notice, "went_in": went}
    return told | {name: part for name, part in more.items() if part}


def _went_in(checkpoint: Checkpoint) -> Json:
    """Return what a save that had to wait became; its key is the one it was told by."""
    return {
        "key": checkpoint.draft.key,
        "id": checkpoint.checkpoint_id,
        "label": label(checkpoint.number),
        "sequence": checkpoint.sequence,
    }


def list_answer(
    found: Iterable[Checkpoint], waiting: int, shape: Shape = record
) -> Json:
    """`waiting` saves are not in the store yet, so no list has them."""
    return {
        "type": "list",
        "checkpoints": [shape(checkpoint) for checkpoint in found],
        "waiting": waiting,
    }


def search_answer(hits: Iterable[Hit], shape: Shape = record) -> Json:
    return {"type": "list", "checkpoints": [_hit(hit, shape) for hit in hits]}


def _hit(hit: Hit, shape: Shape) -> Json:
    passage = hit.passage and {
        "kind": hit.passage.kind,
        "text": hit.passage.text,
        "evidence": list(hit.passage.evidence),
    }
    return shape(hit.checkpoint) | {"score": hit.score, "passage": passage}


def resume_answer(resumed: Resumed, shape: Shape = record) -> Json:
    return {
        "type": "resumed",
        "checkpoint": shape(resumed.checkpoint),
        "brief": resumed.brief,
        "receipt": {kind: list(pair) for kind, pair in resumed.receipt.items()},
        "tokens": resumed.tokens,
        "drift": list(_drift(resumed.drift)),
    }


def _drift(drift: Drift) -> Iterator[Json]:
    """Yield what is not as it was: branch, HEAD, files, results of commands."""
    if branch := drift.branch:
        then, now = branch.then, branch.now
        yield {"kind": "branch", "then": then, "now": now, "fix": branch.command}
    if drift.head_moved:
        yield {"kind": "head", "then": drift.head_then, "now": drift.head_now}
    for file in drift.drifted:
        yield {
            "kind": "file",
            "path": file.path,
            "state": file.state,
            "commit": file.commit,
        }
    for command in drift.unverified:
        yield {"kind": "command", "command": command, "state": "unverified"}


def status_answer(found: Status, waiting: int) -> Json:
    last = found.last
    return {
        "type": "status",
        "changed": found.changed,
        "files_changed": len(found.files),
        "lines_added": found.lines_added,
        "lines_removed": found.lines_removed,
        "files": [
            {
                "path": visible(f.path),
                "change": f.change,
                "lines_added": f.lines_added,
                "lines_removed": f.lines_removed,
            }
            for f in found.files
        ],
        "exact": found.exact,
        "left_out": [
            {"path": visible(left.path), "reason": left.reason}
            for left in found.left_out
        ],
        "prompts": found.prompts,
        "waiting": waiting,
        "session_id": found.session_id,
        "reason": found.reason,
        "last": last
        and {
            "id": last.checkpoint_id,
            "label": label(last.number),
            "age_seconds": found.age_seconds,
        },
    }


def diff_answer(found: Comparison) -> Json:
    items = found.items
    return {
        "type": "diff",
        "from": found.older.checkpoint_id,
        "to": found.to,
        "items": {
            "added": [_item(known) for known in items.added],
            "removed": [_item(known) for known in items.removed],
            "changed": [_pair(pair) for pair in items.changed],
        },
        "files": [file_json(change) for change in found.files],
        "reason": found.reason,
        **_siblings(found.siblings),
    }


def _siblings(siblings: Siblings | None) -> Json:
    """Return what two that part from one came to, each by itself."""
    if siblings is None:
        return {"siblings": False}
    ancestor = siblings.ancestor
    return {
        "siblings": True,
        "ancestor": ancestor.checkpoint and ancestor.checkpoint.checkpoint_id,
        "ancestor_gone": ancestor.is_gone,
        "branches": [_branch(view) for view in siblings.branches],
    }


def _branch(view: BranchView) -> Json:
    code, cost = view.code, view.cost
    return {
        "checkpoint": view.checkpoint.checkpoint_id,
        "label": label(view.checkpoint.number),
        **{kind: list(texts) for kind, texts in view.items.items()},
        "tests": list(view.tests),
        "code": None if code is None else [file_json(change) for change in code],
        "cost": {
            "messages": cost.messages,
            "seconds": cost.seconds,
            "tool_calls": cost.tool_calls,
            "context_tokens": cost.context_tokens,
        },
    }


def _item(known: KnownItem) -> Json:
    return {
        "kind": known.kind,
        "text": known.item.text,
        "source": known.item.source,
    }


def _pair(pair: Reworded) -> Json:
    return {
        "kind": pair.after.kind,
        "was": pair.before.kind,
        "from": pair.before.item.text,
        "to": pair.after.item.text,
    }


def file_json(change: FileChange) -> Json:
    """Return one changed file as the contract has it."""
    return {
        "path": change.path,
        "change": change.change,
        "lines_added": change.lines_added,
        "lines_removed": change.lines_removed,
        "old_path": change.old_path,
    }


def handoff_answer(result: Handoff, workflows: Sequence[str] = ()) -> Json:
    file = result.file
    return {
        "type": "handoff",
        "status": result.status,
        "path": HANDOFF,
        "checks": [
            {"check": c.check, "result": c.result, "reason": c.reason}
            for c in result.checks
        ],
        "reason": result.reason,
        "hint": result.hint,
        "changed": bool(file and file.is_changed),
        "open_items": result.open_items,
        "left_out": result.left_out,
        "memory": [
            {
                "path": kept.file.path,
                "did": kept.outcome.did,
                "text": kept.outcome.text,
                "old": kept.outcome.old,
                "evidence": list(kept.evidence),
            }
            for kept in result.kept
        ],
        "state_entries": list(result.state_entries),
        "save_recommended": bool(result.why_save),
        "guidance": result.guidance,
        "warning": result.warning,
        "workflows": list(workflows),
    }
