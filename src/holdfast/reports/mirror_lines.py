"""What people are told of mirrors: what they call a record, and that one is down.

Only words of ours: what a mirror itself says stays out of every report.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.outbox import OutboxState
from holdfast.domain.text import visible
from holdfast.kernel.clock import iso

_RULE = "=" * 62


def mirror_names(remotes: Mapping[str, Any]) -> Iterator[str]:
    """Yield what each mirror calls a record: `claude-mem: Observation #8047, #8048`."""
    for target, told in sorted(remotes.items()):
        parts = told if isinstance(told, dict) else {}
        numbers = parts.get("observations") or parts.get("memories") or ()
        word = "Observation" if "observations" in parts else "Memory"
        listed = ", ".join(f"#{number}" for number in numbers)
        if listed:
            yield f"{target}: {word} {listed}"


def down_lines(states: Iterable[OutboxState]) -> Iterator[str]:
    """Yield a line for each mirror that did not answer when it was last asked."""
    for state in _down(states):
        yield (
            f"{state.target} is down ({visible(state.error)}): nothing is lost,"
            f" {_waits(state.waiting)};"
            f" `holdfast sync {state.target}` tries now"
        )


def _waits(count: int) -> str:
    if count == 1:
        return "1 change for it is kept here and will be sent automatically"
    return f"{count:,} changes for it are kept here and will be sent automatically"


def fallback_report(checkpoint: Checkpoint, states: Sequence[OutboxState]) -> str:
    """Return what a whole report says first while a mirror is down; nothing if none is.

    It is the fallback of those who keep checkpoints there, with nothing assumed: the
    sequence is the real one, the record is whole, and nothing has to be migrated.
    """
    down = list(_down(states))
    if not down:
        return ""
    names = ", ".join(state.target for state in down)
    lines = [
        _RULE,
        f"Checkpoint Created (Fallback Mode - {names} unavailable)",
        _RULE,
        "",
        *(f"⚠  WARNING: {state.target}: {visible(state.error)}" for state in down),
        "",
        f"Checkpoint ID: {checkpoint.checkpoint_id}",
        f"Session ID: {checkpoint.draft.session_id}",
        f"Sequence: {checkpoint.sequence}",
        f"Created: {iso(checkpoint.draft.created_at)}",
        "",
        "The checkpoint is complete here: list, search and resume work as always.",
        *(f"Waiting for {state.target}: {state.waiting}" for state in down),
        "",
        "Next Steps",
        f"1. Start {names}: waiting checkpoints are sent with the next save",
        *(
            f"{place}. Or send it now: holdfast sync {state.target}"
            for place, state in enumerate(down, 2)
        ),
        "",
        _RULE,
    ]
    return "\n".join(lines)


def _down(states: Iterable[OutboxState]) -> Iterator[OutboxState]:
    return (state for state in states if state.failures and state.waiting)
