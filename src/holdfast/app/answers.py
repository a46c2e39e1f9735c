"""What a verb answers, as the JSON of the contract: one shape for every surface.

`shape` says how much of a checkpoint is told: the whole record on a command line, its
head where each token is paid for.
"""

from collections.abc import Callable, Iterable

from holdfast.app.resume import Resumed
from holdfast.app.save import NothingToSave, Saved, SaveResult, Spooled
from holdfast.app.status import Status
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.query import Hit
from holdfast.domain.record import Json, record
from holdfast.ids import label

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


def _saved(saved: Saved, shape: Shape) -> Json:
    if saved.outcome == "unchanged":
        return {"type": "unchanged", "checkpoint": shape(saved.checkpoint)}
    return {
        "type": "saved",
        "status": saved.status,
        "checkpoint": shape(saved.checkpoint),
        "gaps": list(saved.gaps),
        "repeated": saved.outcome == "repeated",
    }


def list_answer(found: Iterable[Checkpoint], shape: Shape = record) -> Json:
    return {"type": "list", "checkpoints": [shape(checkpoint) for checkpoint in found]}


def search_answer(hits: Iterable[Hit], shape: Shape = record) -> Json:
    found = [shape(hit.checkpoint) | {"score": hit.score} for hit in hits]
    return {"type": "list", "checkpoints": found}


def resume_answer(resumed: Resumed, shape: Shape = record) -> Json:
    moved = resumed.moved
    drift = (
        [{"kind": "branch", "then": moved.then, "now": moved.now, "fix": moved.command}]
        if moved
        else []
    )
    return {
        "type": "resumed",
        "checkpoint": shape(resumed.checkpoint),
        "brief": resumed.brief,
        "receipt": {kind: list(pair) for kind, pair in resumed.receipt.items()},
        "tokens": resumed.tokens,
        "drift": drift,
    }


def status_answer(found: Status) -> Json:
    last = found.last
    return {
        "type": "status",
        "changed": found.changed,
        "files_changed": len(found.files),
        "lines_added": found.lines_added,
        "lines_removed": found.lines_removed,
        "files": [
            {"path": f.path, "lines_added": f.added, "lines_removed": f.removed}
            for f in found.files
        ],
        "prompts": found.prompts,
        "session_id": found.session_id,
        "reason": found.reason,
        "last": last
        and {
            "id": last.checkpoint_id,
            "label": label(last.number),
            "age_seconds": found.age_seconds,
        },
    }
