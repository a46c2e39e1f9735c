"""What the page about one checkpoint shows: its record, its brief, and what stands around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.page_answers import shown
from holdfast.brief.brief import brief, subject_of_checkpoint
from holdfast.brief.fit import fit
from holdfast.domain.record import record

if TYPE_CHECKING:
    from holdfast.app.page_answers import Json
    from holdfast.domain.checkpoint import Checkpoint

# What a record says of where it was read is of no use on a page, and a file is sent around.
_LEFT_OUT = ("origin",)


def checkpoint_answer(checkpoint: Checkpoint, *, budget: int, now_ms: int) -> Json:
    """One checkpoint: its record, and the brief that a session would be told."""
    told = brief(
        subject_of_checkpoint(checkpoint), budget=budget, now_ms=now_ms, fit=fit
    )
    whole = record(checkpoint)
    at = f"@{checkpoint.machine}" if checkpoint.machine else ""
    return shown(
        {
            "type": "checkpoint",
            "checkpoint": {k: v for k, v in whole.items() if k not in _LEFT_OUT},
            "brief": told.text,
            "tokens": told.tokens,
            "receipt": {kind: list(pair) for kind, pair in told.receipt.items()},
            "reference": f"{checkpoint.number}{at}",
        }
    )
