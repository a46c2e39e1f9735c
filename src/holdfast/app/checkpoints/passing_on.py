"""Decide which work a session continues: its own, or one that it only passes on.

A session is a candidate by its own work, never by what it inherited. One that did none, a
question about something else or a bare "continue", passes its parent's on. Whether one
that was told the short brief goes on with that work shows in what it does: it changes a
file of it, or fetches the whole.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.app.checkpoints.which_session import begin_from
from holdfast.domain.event import EDITING
from holdfast.domain.query import Scope
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.app.ports import Ports
    from holdfast.branches.beginnings import Lines
    from holdfast.domain.checkpoint import Checkpoint, Draft
    from holdfast.domain.session import Inherited, SessionState
    from holdfast.store.port import Finding, Store

_MOST_GENERATIONS = 30
_MOST_SAVES = 20  # of one session


@dataclass(frozen=True, slots=True)
class WorkBefore:
    """The newest checkpoint of the session that worked, and what passed it on since."""

    checkpoint: Checkpoint | None = None
    sessions: tuple[str, ...] = ()  # the nearest first
    said: tuple[Checkpoint, ...] = ()  # their newest checkpoints


def work_before(
    session_id: str | None, store: Store, lines: Lines | None = None
) -> WorkBefore:
    """Return the work that a session, or the nearest one it came from, did itself.

    A copy of it, which has some of its lines, goes on with what it has seen and not with
    what that came to since.
    """
    passed: list[str] = []
    said: list[Checkpoint] = []
    while session_id and session_id not in passed and len(passed) < _MOST_GENERATIONS:
        newest = newest_of(session_id, store, lines)
        if newest and has_worked(newest, store):
            return WorkBefore(newest, tuple(passed), tuple(said))
        passed.append(session_id)
        said += [newest] if newest else []
        record = store.session(session_id)
        session_id = record.parent_session if record else None
    return WorkBefore(None, tuple(passed), tuple(said))


def newest_of(
    session_id: str, store: Store, lines: Lines | None = None
) -> Checkpoint | None:
    """Return the newest checkpoint of a session; for a copy of it that has these lines,
    the newest that it has seen."""
    newest = store.list(Scope(), session=session_id, limit=1)
    if not newest or lines is None:
        return newest[0] if newest else None
    from holdfast.branches.beginnings import newest_seen  # noqa: PLC0415  # for heirs

    return newest_seen(lines, _line_of(newest[0], store))


def _line_of(newest: Checkpoint, store: Store) -> Iterator[Checkpoint]:
    """Yield a checkpoint and those of its session before it, each when asked for; one
    that cannot be read says nothing."""
    yield newest
    record = store.session(newest.draft.session_id)
    for checkpoint_id in reversed(record.checkpoints[:-1] if record else ()):
        with suppress(HoldfastError):
            yield store.get(checkpoint_id)


def forked_at(draft: Draft, store: Store) -> str | None:
    """Return which checkpoint of its parent a copy has seen last, empty: none of them;
    None where a session is no copy."""
    if before := newest_of(draft.session_id, store):
        return before.draft.forked_at
    record = store.session(draft.session_id)
    parent = record.parent_session if record else None
    newest = newest_of(parent, store) if parent else None
    if parent is None or newest is None:
        return None
    from holdfast.branches.beginnings import asked_lines, is_copy  # noqa: PLC0415  # for heirs

    lines = asked_lines(draft)
    if not is_copy(lines, newest):
        return None
    seen = newest_of(parent, store, lines)
    return seen.checkpoint_id if seen else ""


def has_worked(newest: Checkpoint, store: Finding) -> bool:
    """Say whether a session is a candidate, by its newest checkpoint, or because it was
    saved by hand before."""
    from holdfast.start.decision import is_anybodys, is_by_hand, is_candidate  # noqa: PLC0415  # for heirs

    if is_candidate(newest):
        return True
    if not is_anybodys(newest):
        return False
    session = newest.draft.session_id
    saves = store.list(Scope(), session=session, limit=_MOST_SAVES)
    return any(map(is_by_hand, saves)) or _changed_code(newest, store)


def _changed_code(newest: Checkpoint, store: Finding) -> bool:
    """Say whether commands of a session changed what nobody saw but the snapshot."""
    draft = newest.draft
    if not draft.content.commands or draft.code.tree is None:  # what only looks is none
        return False
    here = Scope(project_id=draft.project_id, workspace=draft.workspace)
    before = (
        one
        for one in store.list(here, limit=_MOST_SAVES)
        if one.number < newest.number and one.draft.session_id != draft.session_id
    )
    last = next(before, None)
    if last is None or last.draft.code.tree is None:
        return draft.code.dirty
    return last.draft.code.tree != draft.code.tree


def merged_here(
    session_id: str, state: SessionState, store: Finding
) -> tuple[Inherited, ...]:
    """Return what merges brought to a session: its later checkpoints carry that on."""
    merges = store.merged_into(session_id)
    if not merges:
        return ()
    from holdfast.facts.work.inheritance import brought_by  # noqa: PLC0415  # for few

    return brought_by(merges, state.inherited)


def take_up(session_id: str, state: SessionState, ports: Ports, store: Store) -> bool:
    """Link a session to the work it was told of in short, once it changes a file of it;
    say whether that was done now."""
    edited = {call.target for call in state.live_calls() if call.role in EDITING}
    told = _told_in_short(session_id, store) if edited and not state.inherited else None
    if told is None or edited.isdisjoint(_places(told)):
        return False
    begin_from(told, session_id, ports)
    return True


def _told_in_short(session_id: str, store: Store) -> Checkpoint | None:
    """Return what a session that came from no other was told of."""
    record, offered = store.session(session_id), store.offered(session_id)
    is_linked = record is not None and record.parent_session is not None
    if is_linked or offered is None or offered.delivered != "short":
        return None
    from holdfast.app.checkpoints.find import if_kept  # noqa: PLC0415  # for few

    return if_kept(offered.checkpoint_id, store)


def _places(checkpoint: Checkpoint) -> set[str]:
    """Return the files that a work changed, as a client names them."""
    content, began = checkpoint.draft.content, checkpoint.draft.working_directory
    changed = [file.path for file in content.files if file.change != "read"]
    paths = {*changed, *content.uncommitted}
    roots = (began, checkpoint.draft.workspace)
    return paths | {f"{root.rstrip('/')}/{path}" for path in paths for root in roots}


def is_at_work(state: SessionState) -> bool:
    """Say whether a session that goes on has done work of its own already."""
    from holdfast.start.decision import ENOUGH_CALLS  # noqa: PLC0415  # for heirs

    calls = [*state.live_calls()]
    return len(calls) >= ENOUGH_CALLS or any(call.role in EDITING for call in calls)
