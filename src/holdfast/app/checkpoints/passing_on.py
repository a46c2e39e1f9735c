"""Whose work a session goes on with: its own, or that which it only passes on.

A session is a candidate by its own work, never by what it inherited. One that did none, a
question about something else or a bare "continue", passes its parent's on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.event import EDITING
from holdfast.domain.query import Scope
from holdfast.kernel.lazy_values import dataclass
from holdfast.start.decision import ENOUGH_CALLS, is_anybodys, is_by_hand, is_candidate

if TYPE_CHECKING:
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.session import SessionState
    from holdfast.store.port import Finding, Store

_MOST_GENERATIONS = 30
_MOST_SAVES = 20  # of one session


@dataclass(frozen=True, slots=True)
class WorkBefore:
    """The newest checkpoint of the session that worked, and what passed it on since."""

    checkpoint: Checkpoint | None = None
    sessions: tuple[str, ...] = ()  # the nearest first
    said: tuple[Checkpoint, ...] = ()  # their newest checkpoints


def work_before(session_id: str | None, store: Store) -> WorkBefore:
    """Return the work that a session, or the nearest one it came from, did itself."""
    passed: list[str] = []
    said: list[Checkpoint] = []
    while session_id and session_id not in passed and len(passed) < _MOST_GENERATIONS:
        newest = store.list(Scope(), session=session_id, limit=1)
        if newest and has_worked(newest[0], store):
            return WorkBefore(newest[0], tuple(passed), tuple(said))
        passed.append(session_id)
        said += newest
        record = store.session(session_id)
        session_id = record.parent_session if record else None
    return WorkBefore(None, tuple(passed), tuple(said))


def has_worked(newest: Checkpoint, store: Finding) -> bool:
    """Say whether a session is a candidate, by its newest checkpoint, or because it was
    saved by hand before."""
    if is_candidate(newest):
        return True
    if not is_anybodys(newest):
        return False
    session = newest.draft.session_id
    return any(map(is_by_hand, store.list(Scope(), session=session, limit=_MOST_SAVES)))


def is_at_work(state: SessionState) -> bool:
    """Say whether a session that goes on has done work of its own already."""
    calls = [*state.live_calls()]
    return len(calls) >= ENOUGH_CALLS or any(call.role in EDITING for call in calls)
