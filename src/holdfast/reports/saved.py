"""What a save tells the person who asked for it: the whole report, or one line."""

from collections.abc import Sequence

from holdfast.brief.phrases import told_name
from holdfast.brief.receipt import receipt_text
from holdfast.domain.amounts import counted, duration
from holdfast.domain.checkpoint import Checkpoint, Content, Detail
from holdfast.domain.code import NOT_LISTED, LeftOut, branch_mark
from holdfast.domain.text import one_line, plain, visible
from holdfast.kernel.clock import iso, local_time
from holdfast.kernel.ids import label
from holdfast.reports.listing import branch_with_count

_MOST_SHOWN = 8
_SHORT_ID = 8
_MOST_LEFT_OUT = 5


def report(checkpoint: Checkpoint, numbers: Sequence[int] = ()) -> str:
    """Return what was saved: the session, what was found in it, ids, how to restore.

    `numbers` are what a mirror that is asked by them calls the observations.
    """
    draft = checkpoint.draft
    blocks = (
        _session(checkpoint),
        _analysis(draft.content, [tool.tool for tool in draft.facts.tools]),
        _created(checkpoint),
        _observations(checkpoint, numbers),
        _restoring(checkpoint),
    )
    return visible("\n\n".join(blocks))


def one_line_report(checkpoint: Checkpoint) -> str:
    """Return the save in one line: `✓ Checkpoint saved: "title" · 00042 · 3 files`."""
    content = checkpoint.draft.content
    parts = [
        f'✓ Checkpoint saved: "{one_line(plain(content.title), 120)}"',
        f"{checkpoint.number:05d}",
    ]
    if changed := work_done(content):
        parts.append(changed)
    return " · ".join(parts)


def two_line_report(checkpoint: Checkpoint) -> str:
    """Return the save in two lines: what was saved, then where, and how to go on."""
    draft = checkpoint.draft
    where = [branch_with_count(draft.code), f"session {draft.session_id[:_SHORT_ID]}"]
    then = f"continue with: holdfast resume {checkpoint.number}"
    told = " · ".join(filter(None, (*where, then)))
    return f"{one_line_report(checkpoint)}\n  {visible(told)}"


def named_report(name: str) -> str:
    """Return a save by name in one line: it often runs where context is short."""
    return f'Checkpoint "{name}" saved. Resume anytime: `continue {name}`'


def went_in(checkpoint: Checkpoint) -> str:
    """Say what a save that had to wait became, now that it has a number and an id."""
    title = one_line(visible(checkpoint.draft.content.title), 80)
    return (
        f'the waiting save "{title}" is now {label(checkpoint.number)}:'
        f" {checkpoint.checkpoint_id}, sequence {checkpoint.sequence}"
    )


def left_out_remarks(left_out: Sequence[LeftOut]) -> tuple[str, ...]:
    """Say which files a snapshot does not hold; the record lists them all."""
    shown = left_out[:_MOST_LEFT_OUT]
    told = [
        f"not in the snapshot: `{told_name(left.path)}`: {left.reason}"
        for left in shown
    ]
    rest = left_out[_MOST_LEFT_OUT:]
    if not rest:
        return tuple(told)
    more = f"{len(rest)} more"
    if rest[-1].path == NOT_LISTED:  # which says how many are not even listed
        more = f"{len(rest) - 1} more, and {rest[-1].reason}"
    return (*told, f"not in the snapshot: {more}; see `holdfast show --json`")


def work_done(content: Content) -> str:
    """Return how much was changed: `3 files, +127 −9`, or nothing."""
    changed = [file for file in content.files if file.change != "read"]
    if not changed:
        return ""
    added = sum(file.lines_added for file in changed)
    removed = sum(file.lines_removed for file in changed)
    return f"{counted(len(changed), 'file')}, +{added} −{removed}"


def _session(checkpoint: Checkpoint) -> str:
    draft, facts = checkpoint.draft, checkpoint.draft.facts
    rows = [
        f"Session ID: {draft.session_id}",
        f"Started: {local_time(facts.started_at)}" if facts.started_at else "",
        f"Started (Unix): {facts.started_at}" if facts.started_at else "",
        f"Duration: {duration(facts.duration_seconds)} ({facts.duration_seconds} seconds)",
        f"Messages: {facts.message_count}",
        f"Working Directory: {plain(draft.working_directory)}",
        f"Branch: {branch_mark(draft.code)}" if branch_mark(draft.code) else "",
        f"Checkpoints: {checkpoint.sequence - 1} → {checkpoint.sequence}",
    ]
    told = [row for row in rows if row]
    lines = [f"├─ {row}" for row in told[:-1]] + [f"└─ {told[-1]}"]
    return "\n".join(("Session Information:", *lines))


def _analysis(content: Content, tools: list[str]) -> str:
    edited = [file.path for file in content.files if file.change != "read"]
    read = len(content.files) - len(edited)
    files = _some(edited) + (f" (and {read} read)" if read else "")
    return "\n".join(
        (
            "Analysis:",
            f"  Title: {plain(content.title)}",
            f"  Kind: {plain(content.work_type)} · {plain(content.domain)}",
            f"  Topics identified: {_some(content.topics)}",
            f"  Files referenced: {files.strip()}",
            f"  Tools used: {_some(tools)}",
        )
    )


def _created(checkpoint: Checkpoint) -> str:
    draft = checkpoint.draft
    first = " (first checkpoint)" if checkpoint.sequence == 1 else ""
    name = [f"Name: {plain(checkpoint.name)}"] if checkpoint.name else []
    return "\n".join(
        (
            f"Checkpoint Created: {label(checkpoint.number)}",
            f"Checkpoint ID: {checkpoint.checkpoint_id}",
            *name,
            f"Session ID: {draft.session_id}",
            f"Sequence: {checkpoint.sequence}{first}",
            f"Created: {iso(draft.created_at)}",
            receipt_text(draft.receipt),
        )
    )


def _observations(checkpoint: Checkpoint, numbers: Sequence[int]) -> str:
    details = checkpoint.draft.details
    own = (checkpoint.master_summary_id, *(detail.detail_id for detail in details))
    ids = [f"observation {number}" for number in own]
    ids[: len(numbers)] = [f"#{number}" for number in numbers[: len(ids)]]
    topics = ("Master Summary", *map(_topic, details))
    told = [
        f"  {place}. {name} - {topic}"
        for place, (name, topic) in enumerate(zip(ids, topics, strict=True), 1)
    ]
    return "\n".join(("Observations:", *told))


def _restoring(checkpoint: Checkpoint) -> str:
    return "\n".join(
        (
            "Restore this checkpoint:",
            f"  holdfast resume {checkpoint.number}",
            "",
            "View all session checkpoints:",
            f"  holdfast list --session {checkpoint.draft.session_id}",
        )
    )


def _topic(detail: Detail) -> str:
    return one_line(plain(detail.topic), 80)


def _some(names: list[str] | tuple[str, ...]) -> str:
    if not names:
        return "none"
    shown = ", ".join(map(plain, names[:_MOST_SHOWN]))
    more = len(names) - _MOST_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
