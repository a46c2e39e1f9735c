"""What the page of a file shows: its lines, and for each run of them who made it.

Thousands of lines come from a few prompts: each maker is told once, and runs of lines point
at it. Lines are cut where no screen shows more.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from holdfast.app.page_answers import shown
from holdfast.domain.text import visible
from holdfast.kernel.ids import label

if TYPE_CHECKING:
    from collections.abc import Hashable

    from holdfast.app.page_answers import Json
    from holdfast.domain.file_history import Blame, LineMade

_MOST_LINES = 50_000
_MOST_OF_A_LINE = 2_000  # characters
_MOST_OF_A_PROMPT = 2_000


def file_answer(found: Blame) -> Json:
    """`runs` are `[lines, maker, commit]` from the first line on; `makers` in the order
    in which they were at work, those whom nobody knows last."""
    lines = found.lines[:_MOST_LINES]
    of: dict[Hashable, LineMade] = {}
    for line in lines:
        of.setdefault(_maker(line), line)
    order = sorted(of, key=lambda key: _age(of[key]))
    place = {key: at for at, key in enumerate(order)}
    counts = dict.fromkeys(order, 0)
    runs = []
    for (key, commit), run in groupby(lines, lambda one: (_maker(one), one.commit)):
        many = sum(1 for _ in run)
        counts[key] += many
        runs.append([many, place[key], commit])
    return shown(
        {
            "type": "file",
            "path": found.path,
            "texts": [_text(line.text) for line in lines],
            "runs": runs,
            "makers": [_told(of[key]) | {"lines": counts[key]} for key in order],
            "left_out": len(found.lines) - len(lines),
            "checkpoints": found.checkpoints,
            "unreadable": found.unreadable,
        }
    )


def _maker(line: LineMade) -> Hashable:
    """Return what lines of one maker have in common: a prompt, or why there is none."""
    origin, step = line.origin, line.origin.step
    if origin.by != "agent" or step is None:
        return origin.by, origin.why
    checkpoint = line.checkpoint
    known = checkpoint.checkpoint_id if checkpoint else ""
    return origin.by, step.session_id, step.prompt.uuid or step.prompt.text, known


def _age(line: LineMade) -> tuple[int, int]:
    step = line.origin.step
    if line.origin.by == "agent" and step is not None:
        return 0, step.begun
    return (1, 0) if line.origin.by == "user" else (2, 0)


def _told(line: LineMade) -> Json:
    origin, checkpoint = line.origin, line.checkpoint
    step = origin.step if origin.by == "agent" else None
    is_kept = checkpoint is not None and step is not None
    return {
        "by": origin.by,
        "prompt": step.prompt.text[:_MOST_OF_A_PROMPT] if step else None,
        "session": step.session_id if step else None,
        "at_ms": step.begun or None if step else None,
        "checkpoint": checkpoint.checkpoint_id if checkpoint and is_kept else None,
        "number": checkpoint.number if checkpoint and is_kept else None,
        "label": label(checkpoint.number) if checkpoint and is_kept else None,
        "title": checkpoint.draft.content.title if checkpoint and is_kept else None,
        "why": origin.why or None,
    }


def _text(text: str) -> str:
    """Return a line as a screen has it: one line, whatever ends it elsewhere."""
    cut = text if len(text) <= _MOST_OF_A_LINE else f"{text[:_MOST_OF_A_LINE]}…"
    return visible(cut).replace("\n", " ")
