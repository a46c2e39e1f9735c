"""What a restore would do or did, for people."""

from collections.abc import Iterable, Iterator, Sequence

from holdfast.brief.listing import SHORT_HASH, age, branch_mark, counted
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.restore import NEWER, Plan, Remove, Write
from holdfast.domain.snapshot import FileChange, LeftOut
from holdfast.domain.text import visible
from holdfast.kernel.ids import label

_MOST_NAMED = 5


def preview_title(checkpoint: Checkpoint, now_ms: int) -> str:
    """Return what is about to be restored: `CHECKPOINT-00042 "…" · 2 hours ago · main`."""
    draft = checkpoint.draft
    parts = [
        f'{label(checkpoint.number)} "{visible(draft.content.title)}"',
        age(now_ms, draft.created_at),
        branch_mark(draft.code),
    ]
    return " · ".join(filter(None, parts))


def preview_rows(plan: Plan, changes: Iterable[FileChange]) -> list[list[str]]:
    """Return a row per step: what is done, the path, and lines if it is text."""
    lines = {change.path: change for change in changes}
    rows = []
    for step in sorted(plan.steps, key=lambda step: step.path):
        is_new = isinstance(step, Write) and step.before is None
        mark = "D" if isinstance(step, Remove) else "A" if is_new else "M"
        known = lines.get(step.path)
        more = f"+{known.lines_added}" if known and known.lines_added else ""
        less = f"−{known.lines_removed}" if known and known.lines_removed else ""
        rows.append([mark, step.path, more, less])
    return rows


def sum_of(plan: Plan, *, is_done: bool) -> str:
    """Return the numbers: `3 files written, 1 removed, 2 newer files kept`."""
    newer = sum(1 for kept in plan.kept if kept.reason == NEWER)
    written = counted(len(plan.written), "file")
    parts = [f"{written} {'written' if is_done else 'to write'}"]
    if plan.removed:
        parts.append(f"{len(plan.removed)} {'removed' if is_done else 'to remove'}")
    if newer:
        parts.append(f"{counted(newer, 'newer file')} kept (`--exact` removes them)")
    return ", ".join(parts)


def kept_remarks(kept: Sequence[LeftOut]) -> Iterator[str]:
    """Yield a line for each reason why files stay as they are, newer ones apart."""
    by_reason: dict[str, list[str]] = {}
    for left in kept:
        if left.reason != NEWER:
            by_reason.setdefault(left.reason, []).append(visible(left.path))
    for reason, paths in by_reason.items():
        more = (
            f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
        )
        yield f"left as it is: {', '.join(paths[:_MOST_NAMED])}{more} ({reason})"


def head_remark(then: str | None, now: str | None) -> str:
    """Return what to know where HEAD is not where it was; empty: it is."""
    if then is None or then == now:
        return ""
    here = now[:SHORT_HASH] if now else "unborn"
    return f"HEAD is {here} now and was {then[:SHORT_HASH]} then; it stays where it is"
