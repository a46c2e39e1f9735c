"""Where a copy of a conversation was made: what of the session it came from it has seen.

The client copies the lines of a fork with their ids. So a fork goes on from the newest
checkpoint of its parent whose last request it has too, however often the parent was saved
since. A session without a line in common is no copy, and its lines say nothing. Pure, and
asked by hooks: little is imported here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.checkpoint import Checkpoint, Draft
    from holdfast.domain.session import SessionState

    Lines = frozenset[str]  # of a transcript, those with which something was asked


def lines_of(state: SessionState) -> Lines:
    """Return the lines of all that was asked in a session and not taken back."""
    return frozenset(turn.uuid for turn in state.live_turns() if turn.uuid)


def asked_lines(draft: Draft) -> Lines:
    """Return the lines of the requests that a checkpoint knows."""
    requests = draft.content.requests
    return frozenset(line for item in requests for line in item.evidence[:1] if line)


def last_line(checkpoint: Checkpoint) -> str:
    """Return the line of what was asked last; empty: nobody knows."""
    requests = checkpoint.draft.content.requests
    return next(iter(requests[-1].evidence), "") if requests else ""


def is_copy(lines: Lines, checkpoint: Checkpoint) -> bool:
    """Say whether a session has lines of a checkpoint that another one made."""
    return not lines.isdisjoint(asked_lines(checkpoint.draft))


def newest_seen(lines: Lines, newest_first: Iterable[Checkpoint]) -> Checkpoint | None:
    """Return what a session with these lines can go on from; None: all came later."""
    return next((one for one in newest_first if _has_seen(lines, one)), None)


def _has_seen(lines: Lines, checkpoint: Checkpoint) -> bool:
    last = last_line(checkpoint)
    return not last or last in lines or not is_copy(lines, checkpoint)
