"""What a verb answers, as the JSON of the contract: one shape for every surface.

`shape` says how much of a checkpoint is told: the whole record on a command line, its
head where each token is paid for.
"""

from collections.abc import Callable, Iterable, Iterator

from holdfast.app.checkpoints.resume import Resumed
from holdfast.app.checkpoints.save import NothingToSave, Saved, SaveResult, Spooled
from holdfast.app.checkpoints.status import Status
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.drift import Drift
from holdfast.domain.query import Hit
from holdfast.domain.record import Json, record
from holdfast.domain.text import visible
from holdfast.kernel.ids import label
from holdfast.reports.report import left_out_remarks

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
    left_out = left_out_remarks(saved.checkpoint.draft.code.left_out)
    told = {
        "type": "saved",
        "status": saved.status,
        "checkpoint": shape(saved.checkpoint),
        "gaps": [*saved.gaps, *left_out],
        "repeated": saved.outcome == "repeated",
    }
    return told | ({"notice": saved.notice} if saved.notice else {})


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
