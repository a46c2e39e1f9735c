"""What the verbs about code and handing over answer, as the JSON of the contract."""

from collections.abc import Sequence

from holdfast.app.checkpoints.compare import NOW, Comparison
from holdfast.app.notes.handoff import Handoff
from holdfast.domain.handoff import HANDOFF
from holdfast.domain.record import Json
from holdfast.domain.snapshot import FileChange
from holdfast.facts.comparing import Known, Reworded


def diff_answer(found: Comparison) -> Json:
    items = found.items
    return {
        "type": "diff",
        "from": found.older.checkpoint_id,
        "to": found.newer.checkpoint_id if found.newer else NOW,
        "items": {
            "added": [_item(known) for known in items.added],
            "removed": [_item(known) for known in items.removed],
            "changed": [_pair(pair) for pair in items.changed],
        },
        "files": [file_json(change) for change in found.files],
        "reason": found.reason,
    }


def _item(known: Known) -> Json:
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
        "workflows": list(workflows),
    }
