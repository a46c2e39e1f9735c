"""What merging and blaming answer, as the JSON of the contract.

Apart from `json_answers`: few ask for them, and each brings much along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.record import record
from holdfast.domain.text import visible
from holdfast.kernel.clock import iso
from holdfast.kernel.ids import label

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app.checkpoints.code_branches import FileClash
    from holdfast.app.checkpoints.merge import Merged, MergePlan
    from holdfast.branches.conflicts import Conflict
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.file_history import Blame, LineMade, LinesOf
    from holdfast.domain.record_content import Json


def blame_answer(found: Blame) -> Json:
    """Return each line with who made it; `why` says what is known where nobody is."""
    return {
        "type": "blame",
        "path": visible(found.path),
        "lines": [_line_made(line) for line in found.lines],
        "unreadable": found.unreadable,
        "damaged": found.damaged,
    }


def _line_made(line: LineMade) -> Json:
    origin, checkpoint = line.origin, line.checkpoint
    step = origin.step if origin.by == "agent" else None
    number = checkpoint.number if checkpoint and step else None
    return {
        "line": line.number,
        "text": line.text,
        "by": origin.by,
        "prompt": step.prompt.text if step else None,
        "session_id": step.session_id if step else None,
        "checkpoint": checkpoint.checkpoint_id if checkpoint and step else None,
        "commit": line.commit,
        "label": None if number is None else label(number),
        "at": iso(step.begun) if step and step.begun else None,
        "evidence": step.prompt.uuid if step else None,
        "via": step.kind if step else None,
        "command": line.command or None if step else None,
        "open": None if number is None else f"holdfast open {number}",
        "why": origin.why or None,
    }


def lines_answer(found: LinesOf) -> list[Json]:
    """Return the lines of today's files that come from a checkpoint, by file.

    An agent may ask for a checkpoint unasked, and not for every file: no text is told.
    """
    return [
        {
            "path": visible(file.path),
            "lines": [
                {
                    name: part
                    for name, part in _line_made(line).items()
                    if name != "text"
                }
                for line in file.lines
            ],
        }
        for file in found.files
    ]


def merge_answer(done: Merged, shape: Callable[[Checkpoint], Json] = record) -> Json:
    """Return the merged checkpoint, what is to be chosen, and what its code would do."""
    plan = done.plan
    ancestor = plan.parting.ancestor
    return {
        "type": "merged",
        "outcome": done.outcome,
        "checkpoint": shape(done.checkpoint),
        **merge_plan_json(plan),
        "undecided": [conflict.number for conflict in plan.found.undecided],
        "ancestor": ancestor.checkpoint and ancestor.checkpoint.checkpoint_id,
        "ancestor_gone": ancestor.is_gone,
    }


def dry_run_answer(plan: MergePlan, before: Checkpoint | None) -> Json:
    """`would`: `save` a checkpoint, nothing (`unchanged`) since one has all of it, or
    nothing (`repeated`) since this merge was made; `in` names the one that has it."""
    would = "unchanged" if not plan.is_needed else "repeated" if before else "save"
    has_it = before if plan.is_needed else plan.home
    return {
        "type": "merged",
        "checkpoint": None,
        "would": would,
        "in": has_it.checkpoint_id if has_it else None,
        **merge_plan_json(plan),
    }


def merge_plan_json(plan: MergePlan) -> Json:
    code = plan.code
    return {
        "conflicts": [
            *(_conflict(conflict) for conflict in plan.conflicts),
            *(_code_conflict(clash) for clash in code.clashes),
        ],
        "code": {
            "merging": code.merging,
            "conflicting": len(code.clashes),
            "reason": code.reason,
        },
    }


def _conflict(conflict: Conflict) -> Json:
    return {
        "number": conflict.number,
        "kind": conflict.kind,
        "why": conflict.why,
        "options": [
            {
                "checkpoint": option.checkpoint_id,
                "label": label(option.number),
                "kind": option.kind,
                "text": option.item.text if option.item else None,
                "source": option.item.source if option.item else None,
                "choose": f"{conflict.number}={option.number}",
            }
            for option in conflict.options
        ],
    }


def _code_conflict(clash: FileClash) -> Json:
    return {
        "kind": "code",
        "path": visible(clash.path),
        "why": clash.clash,
        "with": label(clash.number),
    }
