"""Changed files and items, for people: between two checkpoints, and by a restore."""

from collections.abc import Iterable, Iterator, Sequence

from holdfast.domain.amounts import age, counted
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import (
    SHORT_HASH,
    CodeChange,
    FileChange,
    LeftOut,
    branch_mark,
)
from holdfast.domain.kinds import KIND_OF
from holdfast.domain.restore import NEWER, Remove, RestorePlan, Write
from holdfast.domain.text import one_line, plain, visible

_SHOWN = 200
_MARKS: dict[CodeChange, str] = {
    "created": "A",
    "edited": "M",
    "deleted": "D",
    "renamed": "R",
    "mode": "m",
}
_MOST_NAMED = 5
_STYLES = {"@": "cyan", "+": "green", "-": "red"}
Styled = tuple[str, str]  # text and how it looks: a style, `lane 3`, or nothing


def kind_word(kind: str) -> str:
    """Return what one item of a kind is called."""
    return KIND_OF[kind].word


def item_text(text: str) -> str:
    return one_line(plain(text), _SHOWN)


def total(files: Sequence[FileChange]) -> str:
    """Return the sum: `3 files, +127 −9`."""
    if not files:
        return "the same"
    added = sum(change.lines_added for change in files)
    removed = sum(change.lines_removed for change in files)
    return f"{counted(len(files), 'file')}, +{added} −{removed}"


def file_rows(files: Sequence[FileChange]) -> list[list[str]]:
    """Return a row per file: what happened, the path, lines added and removed."""
    rows = []
    for change in files:
        path = plain(change.path)
        if change.old_path is not None:
            path = f"{plain(change.old_path)} → {path}"
        more = f"+{change.lines_added}" if change.lines_added else ""
        less = f"−{change.lines_removed}" if change.lines_removed else ""
        rows.append([_MARKS[change.change], path, more, less])
    return rows


def patch_lines(patch: bytes) -> Iterator[tuple[Styled, ...]]:
    """Yield a patch as a terminal may show it: no sign in a file moves the cursor."""
    is_head = True
    for raw in patch.split(b"\n")[:-1]:
        line = visible(raw.decode("utf-8", "replace"))
        if line.startswith("diff --git "):
            is_head = True
        elif line.startswith("@@ "):
            is_head = False
        yield ((line, "bold" if is_head else _STYLES.get(line[:1], "")),)


def preview_title(checkpoint: Checkpoint, now_ms: int) -> str:
    """Return what is restored or compared: `CHECKPOINT-00042 "…" · 2 hours ago · main`,
    and who said it where that is not the user."""
    draft = checkpoint.draft
    parts = [
        f'{checkpoint.label} "{plain(draft.content.title)}"',
        f"by {plain(draft.author)}" if draft.author else "",
        age(now_ms, draft.created_at),
        branch_mark(draft.code),
    ]
    return " · ".join(filter(None, parts))


def preview_rows(plan: RestorePlan, changes: Iterable[FileChange]) -> list[list[str]]:
    """Return a row per step: what is done, the path, and lines if it is text."""
    lines = {change.path: change for change in changes}
    rows = []
    for step in sorted(plan.steps, key=lambda step: step.path):
        is_new = isinstance(step, Write) and step.before is None
        mark = "D" if isinstance(step, Remove) else "A" if is_new else "M"
        known = lines.get(step.path)
        more = f"+{known.lines_added}" if known and known.lines_added else ""
        less = f"−{known.lines_removed}" if known and known.lines_removed else ""
        rows.append([mark, plain(step.path), more, less])
    return rows


def sum_of(plan: RestorePlan, *, is_done: bool) -> str:
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
            by_reason.setdefault(left.reason, []).append(plain(left.path))
    for reason, paths in by_reason.items():
        more = (
            f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
        )
        yield f"left unchanged: {', '.join(paths[:_MOST_NAMED])}{more} ({reason})"


def head_remark(then: str | None, now: str | None) -> str:
    """Return what to know where HEAD is not where it was; empty: it is."""
    if then is None or then == now:
        return ""
    here = now[:SHORT_HASH] if now else "unborn"
    return f"HEAD is {here} now and was {then[:SHORT_HASH]} then; it stays where it is"
