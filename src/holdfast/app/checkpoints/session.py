"""Bring a session's state up to date: continue the kept fold by what is new.

The state is kept again with its place in the transcript, so the next call costs only
what the agent has written since. A fold that is missing, damaged or of a transcript that
was replaced is made again from the beginning: the transcript is the source of truth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.session import KeptFold
from holdfast.kernel.errors import HoldfastError, SessionDamaged
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.session.fold import begin, fold

if TYPE_CHECKING:
    from holdfast.agents.port import Transcripts
    from holdfast.domain.session import Inherited, SessionState
    from holdfast.store.hook_port import Folds
    from holdfast.store.port import Store


@dataclass(frozen=True, slots=True)
class SessionReading:
    state: SessionState
    kept: KeptFold
    half_written: int  # bytes at the end of the transcript that are not a line yet
    restarted: bool  # the transcript was truncated or replaced since the last time
    read_from: int = 0  # where in the transcript this pass began


def read_session(
    session_id: str, path: str, transcripts: Transcripts, store: Store | None
) -> SessionReading:
    """Return the session's state as of the transcript's last whole line.

    Raises:
        SaveFailed: the transcript is missing or unreadable.
    """
    before = store.fold(session_id) if store else None
    return _continued(session_id, path, transcripts, store, before)


def update_session(
    session_id: str, path: str, transcripts: Transcripts, store: Store
) -> SessionReading:
    """Keep the fold as of the transcript's last whole line, and return it.

    Old turns are read only where what is new looks at them: it costs what is new.

    Raises:
        SaveFailed: the transcript is missing or unreadable.
    """
    try:
        before = store.fold(session_id, late=True)
        remembered = _continued(session_id, path, transcripts, store, before)
        keep_session(session_id, remembered, store)
    except SessionDamaged:
        remembered = read_session(session_id, path, transcripts, store)
        keep_session(session_id, remembered, store)
    return remembered


def _continued(
    session_id: str,
    path: str,
    transcripts: Transcripts,
    store: Store | None,
    before: KeptFold | None,
) -> SessionReading:
    if before is not None and before.transcript != path:
        before = None
    reading = transcripts.read(path, before.cursor if before else None)
    start = (
        before.state
        if before and not reading.restarted
        else begin(session_id, transcripts.agent, ())
    )
    state = fold(start, reading)
    if store and not state.inherited:
        state = replace(state, inherited=left_open(session_id, store, state))
    kept = KeptFold(path, reading.cursor, state)
    is_going_on = before is not None and not reading.restarted
    began = before.cursor.main.offset if before and is_going_on else 0
    return SessionReading(state, kept, reading.half_written, reading.restarted, began)


def keep_session(session_id: str, remembered: SessionReading, store: Folds) -> None:
    """Keep the fold; failing to is no loss, since it can be made again."""
    try:
        store.keep_fold(session_id, remembered.kept)
    except HoldfastError:
        return


def left_open(
    session_id: str, store: Store, heir: SessionState | None = None
) -> tuple[Inherited, ...]:
    """Return what the work that a session goes on with leaves open, and the rules that
    were laid down where nothing was done but passing it on. A copy of a conversation has
    nothing of what that came to since."""
    record = store.session(session_id)
    if record is None or record.parent_session is None:
        return ()
    from holdfast.app.checkpoints.passing_on import work_before  # noqa: PLC0415  # for few
    from holdfast.branches.beginnings import lines_of  # noqa: PLC0415  # for few
    from holdfast.facts.work.inheritance import inherited_from, own_rules  # noqa: PLC0415  # for few

    lines = None if heir is None else lines_of(heir)
    work = work_before(record.parent_session, store, lines)
    if work.checkpoint is None:  # nobody worked: what the nearest one said is all
        return inherited_from(work.said[0]) if work.said else ()
    rules = (rule for said in reversed(work.said) for rule in own_rules(said))
    return (*inherited_from(work.checkpoint), *rules)
