"""How much work there is since the last checkpoint, in numbers.

Files and lines are those that differ from the checkpoint's snapshot, by whatever hand.
Where there is none, counted is what the agent's tools and its commands changed: a checkpoint
knows how far the transcript was read, so what comes after that byte is new, and no clock is
asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.code import FileChange, LeftOut, Since
from holdfast.domain.query import Scope
from holdfast.domain.session import Cursor
from holdfast.kernel.errors import SaveFailed
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.session.fold import begin, fold

if TYPE_CHECKING:
    from holdfast.app.ports import Ports
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.session import SessionState
    from holdfast.store.port import Finding, Sessions


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    last: Checkpoint | None
    age_seconds: int | None
    session_id: str | None
    files: tuple[FileChange, ...] = ()
    exact: bool = False  # compared with the snapshot, not told by the transcript
    left_out: tuple[LeftOut, ...] = ()  # what a snapshot does not hold
    prompts: int = 0  # things the user said since
    reason: str = ""  # why nothing could be counted

    @property
    def changed(self) -> bool:
        return bool(self.files or self.prompts)

    @property
    def lines_added(self) -> int:
        return sum(file.lines_added for file in self.files)

    @property
    def lines_removed(self) -> int:
        return sum(file.lines_removed for file in self.files)


def status(session_id: str | None, scope: Scope, ports: Ports) -> Status:
    """Return the work since the last checkpoint of the session, or of this workspace."""
    store = ports.open_store()
    session_id = session_id or _newest_session(store, scope)
    last = _last_checkpoint(store, session_id, scope)
    told = since(last, session_id, ports)
    seen = _seen(last, scope, ports)
    if seen is None:
        return told
    left_out = tuple(
        replace(left, path=ports.redactor.text(left.path)) for left in seen.left_out
    )
    return replace(told, files=seen.changes, exact=True, left_out=left_out, reason="")


def since(
    last: Checkpoint | None,
    session_id: str | None,
    ports: Ports,
    *,
    path: str | None = None,
) -> Status:
    """Return a session's work since a checkpoint, as far as its transcript tells.

    `path` is where that is. Looks at no file of the project, so it is quick.
    """
    age = (ports.clock.now_ms() - last.draft.created_at) // 1000 if last else None
    state, reason = _work_since(session_id, last, ports, path)
    return Status(
        last=last,
        age_seconds=age,
        session_id=session_id,
        files=_changed_files(state),
        prompts=sum(1 for turn in state.live_turns() if turn.via == "typed"),
        reason=reason,
    )


def _seen(last: Checkpoint | None, scope: Scope, ports: Ports) -> Since | None:
    """Return what differs from the last snapshot, if there is one of this workspace."""
    if last is None or last.draft.code.tree is None or scope.workspace is None:
        return None
    if last.draft.workspace != scope.workspace:
        return None
    seen = ports.snapshots.since(last.draft.code.tree, scope.workspace, ports.limits)
    return None if seen.reason else seen


def _newest_session(store: Sessions, scope: Scope) -> str | None:
    newest = store.sessions(scope, 1)
    return newest[0].session_id if newest else None


def _last_checkpoint(
    store: Finding, session_id: str | None, scope: Scope
) -> Checkpoint | None:
    own = store.list(Scope(), session=session_id, limit=1) if session_id else ()
    found = own or store.list(scope, limit=1)
    return found[0] if found else None


def _work_since(
    session_id: str | None, last: Checkpoint | None, ports: Ports, path: str | None
) -> tuple[SessionState, str]:
    """Return what happened since `last`, and the reason if that cannot be told."""
    nothing = begin(session_id or "", ports.transcripts.agent, ())
    if session_id is None:
        return nothing, "no session is known here yet"
    is_own = last is not None and last.draft.session_id == session_id
    path = path or ports.transcripts.find(session_id)
    if path is None and last is not None and is_own:
        path = last.draft.transcript
    if not path:
        return nothing, f"the transcript of session {session_id} was not found"
    since = Cursor(main=last.draft.read_to) if last is not None and is_own else None
    try:
        return fold(nothing, ports.transcripts.read(path, since)), ""
    except SaveFailed as failed:
        return nothing, failed.message


def _changed_files(state: SessionState) -> tuple[FileChange, ...]:
    from holdfast.facts.work.touched_files import touched_files  # noqa: PLC0415  # not where a snapshot tells

    return tuple(
        FileChange(path, file.change, file.added, file.removed)
        for path, file in touched_files(state).items()
        if file.change != "read"
    )
