"""Is there something to continue in a checkpoint, and was it left unfinished? Pure."""

from holdfast.domain.checkpoint import Checkpoint, is_open

_ENOUGH_CALLS = 5


def is_candidate(checkpoint: Checkpoint) -> bool:
    """Say whether a session did enough to be continued."""
    if not is_anybodys(checkpoint):
        return False
    draft = checkpoint.draft
    content = draft.content
    calls = sum(tool.count for tool in draft.facts.tools)
    return (
        is_by_hand(checkpoint)
        or calls >= _ENOUGH_CALLS
        or _has_edits(checkpoint)
        or _has_open_items(checkpoint)
        or any("git commit" in command.command for command in content.commands)
    )


def is_anybodys(checkpoint: Checkpoint) -> bool:
    """Say whether somebody sat there, at this machine. Headless ones are nobody's."""
    return checkpoint.draft.trigger != "headless" and checkpoint.machine is None


def is_by_hand(checkpoint: Checkpoint) -> bool:
    """Say whether somebody asked for it: then so is its session, whatever came after."""
    return checkpoint.draft.trigger == "command"


def is_unfinished(checkpoint: Checkpoint) -> bool:
    """Say whether work was left: uncommitted, open, or cut off in the middle."""
    return (
        (checkpoint.draft.code.dirty and _has_edits(checkpoint))
        or _has_open_items(checkpoint)
        or bool(checkpoint.draft.content.in_flight)
    )


def last_active(checkpoint: Checkpoint) -> int:
    """Return when the session was last at work; a rescue comes later than its crash."""
    facts = checkpoint.draft.facts
    if checkpoint.draft.trigger != "rescue" or not facts.started_at:
        return checkpoint.draft.created_at
    return facts.started_at + facts.duration_seconds * 1000


def is_related(one: str, other: str) -> bool:
    """Say whether two directories are one, or one lies in the other."""
    a, b = f"{one.rstrip('/')}/", f"{other.rstrip('/')}/"
    return a.startswith(b) or b.startswith(a)


def _has_edits(checkpoint: Checkpoint) -> bool:
    return any(file.change != "read" for file in checkpoint.draft.content.files)


def _has_open_items(checkpoint: Checkpoint) -> bool:
    content = checkpoint.draft.content
    return bool(
        content.pending
        or content.open_questions
        or any(is_open(error) for error in content.errors)
    )
