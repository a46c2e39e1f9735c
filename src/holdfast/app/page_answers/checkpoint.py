"""What the page about one checkpoint shows: its record, its brief, and what stands around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.lineage import Lineage
from holdfast.app.page_answers import shown
from holdfast.brief.brief import brief, subject_of_checkpoint
from holdfast.brief.fit import fit
from holdfast.domain.amounts import counted
from holdfast.domain.record import record
from holdfast.domain.text import one_line
from holdfast.kernel.ids import label
from holdfast.reports.log_lines import kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.app.checkpoints.code_since import CodeSince
    from holdfast.app.checkpoints.lineage import Relative
    from holdfast.app.forgetting.forget import ForgetPlan
    from holdfast.app.page_answers import Json
    from holdfast.domain.checkpoint import Checkpoint

# What a record says of where it was read is of no use on a page, and a file is sent around.
_LEFT_OUT = ("origin",)
_TITLE = 160
_MOST_RELATIVES = 20
_MOST_LINES = 1_500  # of a patch
_MOST_SIGNS = 1_000  # of a line of it
_SIGNS = (b"@", b"+", b"-", b" ", b"\\")


def checkpoint_answer(
    checkpoint: Checkpoint, *, budget: int, now_ms: int, lineage: Lineage | None = None
) -> Json:
    """One checkpoint: its record, the brief that a session would be told, and its kin."""
    told = brief(
        subject_of_checkpoint(checkpoint), budget=budget, now_ms=now_ms, fit=fit
    )
    whole = record(checkpoint)
    at = f"@{checkpoint.machine}" if checkpoint.machine else ""
    kin = lineage or Lineage()
    return shown(
        {
            "type": "checkpoint",
            "checkpoint": {k: v for k, v in whole.items() if k not in _LEFT_OUT},
            "brief": told.text,
            "tokens": told.tokens,
            "receipt": {kind: list(pair) for kind, pair in told.receipt.items()},
            "reference": f"{checkpoint.number}{at}",
            "lineage": {name: _relatives(getattr(kin, name)) for name in kin._fields},
        }
    )


def code_answer(since: CodeSince) -> Json:
    """Which files changed since the checkpoint before; each is asked for by its place."""
    base = since.base
    return shown(
        {
            "type": "code",
            "since": base and {"id": base.checkpoint_id, "label": label(base.number)},
            "reason": since.reason,
            "files": [
                {
                    "path": each.path,
                    "change": each.change,
                    "lines_added": each.lines_added,
                    "lines_removed": each.lines_removed,
                    "old_path": each.old_path,
                }
                for each in since.files
            ],
        }
    )


def patch_answer(patch: bytes) -> Json:
    """The patch of one file, a sign and a text for each line; `more` were left off."""
    lines = [each for each in patch.split(b"\n") if each[:1] in _SIGNS]
    first = next((i for i, each in enumerate(lines) if each[:1] == b"@"), len(lines))
    told = lines[first : first + _MOST_LINES]
    return shown(
        {
            "type": "patch",
            "lines": [
                [each[:1].decode(), each[1:].decode("utf-8", "replace")[:_MOST_SIGNS]]
                for each in told
            ],
            "more": len(lines) - first - len(told),
        }
    )


def forget_answer(plan: ForgetPlan) -> Json:
    """What would go for good, and what would stay."""
    stays = ["The agent's own transcripts are not changed."]
    if plan.same_session:
        many = counted(plan.same_session, "other checkpoint")
        stays.append(f"{many} of the same session may contain the same.")
    if plan.carriers:
        many = counted(len(plan.carriers), "later checkpoint")
        stays.append(f"What {many} inherited from it is removed, too.")
    return shown(
        {
            "type": "would_forget",
            "ids": list(plan.order.checkpoint_ids),
            "checkpoints": [
                {
                    "label": label(each.number),
                    "name": each.name,
                    "title": one_line(each.draft.content.title, _TITLE),
                }
                for each in plan.doomed
            ],
            "code": len(plan.order.trees),
            "notes": stays,
        }
    )


def _relatives(relatives: Sequence[Relative]) -> list[Json]:
    return [
        {
            "id": row.outline.checkpoint_id,
            "label": label(row.outline.number),
            "machine": row.outline.machine,
            "title": one_line(row.outline.title, _TITLE),
            "made_by": kind_of(row.outline),
            "colour": row.colour,
            "how": how,
        }
        for row, how in relatives[:_MOST_RELATIVES]
    ]
