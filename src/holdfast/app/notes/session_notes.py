"""Collect what a session leaves for the handoff and memory files."""

from holdfast.app.checkpoints.passing_on import merged_here
from holdfast.app.checkpoints.session import read_session
from holdfast.app.checkpoints.which_session import LocatedSession
from holdfast.app.checkpoints.whose_session import refuse_foreign
from holdfast.app.ports import Ports
from holdfast.domain.checkpoint import Checkpoint, Content, FileRef
from holdfast.domain.code import ProjectIdentity
from holdfast.domain.query import Scope
from holdfast.domain.session import SessionState
from holdfast.facts.content import content_of, facts_of
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.project_notes.handoff.document import owner
from holdfast.project_notes.handoff.handover import (
    Handover,
    before_own_call,
    handover_of,
)
from holdfast.store.port import Store

_MOST_ANCESTORS = 50
# A checkpoint is recommended where all three hold.
TOKENS, TOOL_CALLS, HOURS = 5_000, 3, 24
_HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionNotes:
    """A session as the handoff and the memory files see it; paths from `workspace`."""

    state: SessionState
    content: Content
    handover: Handover
    owner: str
    ancestors: tuple[str, ...]
    workspace: str
    uncommitted: tuple[str, ...] | None
    why_save: str = ""  # nothing where no checkpoint is recommended


def gather_notes(
    found: LocatedSession,
    ports: Ports,
    directory: str,
    *,
    directory_given: bool,
    only_in: ProjectIdentity | None = None,
) -> SessionNotes:
    """Return what a session leaves behind, and the project it belongs to.

    The project is the one given, else the one the session worked in, else `directory`.

    Raises:
        SaveFailed: the transcript is missing or unreadable.
        ProjectForeign: the session is of another project than `only_in`.
    """
    store = _store(ports)
    read = read_session(found.session_id, found.transcript, ports.transcripts, store)
    state = before_own_call(read.state)
    kept = store.list(Scope(), session=found.session_id, limit=1) if store else ()
    last = kept[0] if kept else None
    merged = merged_here(found.session_id, state, store) if store else ()
    known = replace(state, inherited=(*state.inherited, *merged))
    content = content_of(known, before=last)
    own = state.cwd if state.cwd and ports.code.exists(state.cwd) else directory
    if not directory_given:
        directory = own
    if only_in:
        refuse_foreign(found.session_id, {own, directory}, only_in, ports, store)
    workspace = ports.code.identity(directory).workspace
    handover = handover_of(state, content)
    return SessionNotes(
        state=state,
        content=replace(content, files=_files(content.files, state.cwd, workspace)),
        handover=replace(
            handover,
            changed=tuple(
                (_from_root(path, state.cwd, workspace), name)
                for path, name in handover.changed
            ),
        ),
        owner=owner(found.session_id),
        ancestors=_ancestors(found.session_id, store),
        workspace=workspace,
        uncommitted=ports.code.uncommitted(workspace),
        why_save=_why_save(state, last, ports.clock.now_ms()),
    )


def _why_save(state: SessionState, last: Checkpoint | None, now_ms: int) -> str:
    facts = facts_of(state)
    return why_save(
        Accumulated(
            tokens=facts.context_tokens,
            tool_calls=sum(tool.count for tool in facts.tools),
            now_ms=now_ms,
            last_saved_at=last.draft.created_at if last else None,
        )
    )


def _store(ports: Ports) -> Store | None:
    """Return the store if there is one that can be read: files can do without."""
    try:
        return ports.open_store()
    except HoldfastError:
        return None


def _ancestors(session_id: str, store: Store | None) -> tuple[str, ...]:
    """Return the sessions this one continues, the nearest first."""
    found: list[str] = []
    record = store.session(session_id) if store else None
    while store and record and record.parent_session and len(found) < _MOST_ANCESTORS:
        name = owner(record.parent_session)
        if name in found:
            break
        found.append(name)
        record = store.session(record.parent_session)
    return tuple(found)


def _files(files: tuple[FileRef, ...], cwd: str, workspace: str) -> tuple[FileRef, ...]:
    return tuple(
        replace(file, path=_from_root(file.path, cwd, workspace)) for file in files
    )


def _from_root(path: str, cwd: str, workspace: str) -> str:
    """Return a path as seen from the project's root, where it lies inside."""
    whole = path if path.startswith("/") else f"{cwd}/{path}"
    inside = whole.removeprefix(f"{workspace}/")
    return path if inside == whole else inside


@dataclass(frozen=True, slots=True, kw_only=True)
class Accumulated:
    """What a session came to. `last_saved_at` is its newest checkpoint, if it has one."""

    tokens: int
    tool_calls: int
    now_ms: int
    last_saved_at: int | None


def why_save(seen: Accumulated) -> str:
    """Return why a checkpoint is recommended,  or nothing where none is.

    A session that was never saved was not saved for long enough.
    """
    if seen.tokens < TOKENS or seen.tool_calls < TOOL_CALLS:
        return ""
    if seen.last_saved_at is None:
        return "none was made of this session"
    is_old = seen.now_ms - seen.last_saved_at >= HOURS * _HOUR_MS
    return "none was made for a day" if is_old else ""
