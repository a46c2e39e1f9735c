"""Where a conversation was copied from another session, and how much of it.

The client copies the lines of a fork with their ids. So a fork goes on from the newest
checkpoint of its parent whose last request it has too, however often the parent was saved
since. A session without a line in common is no copy, and its lines say nothing. Pure, and
asked by hooks: little is imported here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfast.domain.checkpoint import Checkpoint, Draft
    from holdfast.domain.session import SessionState

    Lines = Mapping[
        str, str
    ]  # those with which something was asked, each with its words

_LETTERS = 16  # of what was asked: how it begins is told alike by whoever keeps it


def lines_of(state: SessionState) -> Lines:
    """Return the lines of all that was asked in a session and not taken back."""
    return {turn.uuid: turn.prompt for turn in state.live_turns() if turn.uuid}


def asked_lines(draft: Draft) -> Lines:
    """Return the lines of the requests that a checkpoint's own session asked."""
    requests = (item for item in draft.content.requests if not item.origin)
    return {line: item.text for item in requests for line in item.evidence[:1] if line}


def last_line(checkpoint: Checkpoint) -> str:
    """Return the line of what was asked last; empty: nobody knows."""
    requests = checkpoint.draft.content.requests
    return next(iter(requests[-1].evidence), "") if requests else ""


def is_copy(lines: Lines, checkpoint: Checkpoint) -> bool:
    """Say whether a session has lines of a checkpoint that another one made: not every
    agent's ids are unlike those of all its sessions, so they must say the same, too."""
    asked = asked_lines(checkpoint.draft)
    return any(
        _begins(lines[one]) == _begins(asked[one]) for one in asked if one in lines
    )


def newest_seen(lines: Lines, newest_first: Iterable[Checkpoint]) -> Checkpoint | None:
    """Return what a session with these lines can go on from; None: all came later."""
    return next((one for one in newest_first if _has_seen(lines, one)), None)


def _has_seen(lines: Lines, checkpoint: Checkpoint) -> bool:
    last = last_line(checkpoint)
    return not last or last in lines or not is_copy(lines, checkpoint)


def _begins(text: str) -> str:
    return "".join(filter(str.isalnum, text[: _LETTERS * 8]))[:_LETTERS].casefold()
