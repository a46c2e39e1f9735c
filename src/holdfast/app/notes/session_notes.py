"""Everything a session leaves behind, brought together for the files people read."""

from typing import Any

from holdfast.app.checkpoints.session import read_session
from holdfast.app.checkpoints.which_session import LocatedSession
from holdfast.app.ports import Ports
from holdfast.domain.checkpoint import Checkpoint, Content, FileRef
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

# What an agent's notes say that no transcript does, as long as they are fresh.
_NOTED = ("next_steps", "open_questions", "dead_ends", "decisions", "discoveries")
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
    found: LocatedSession, ports: Ports, directory: str, *, directory_given: bool
) -> SessionNotes:
    """Return what a session leaves behind, and the project it belongs to.

    The project is the one given, else the one the session worked in, else `directory`.

    Raises:
        SaveFailed: the transcript is missing or unreadable.
    """
    store = _store(ports)
    read = read_session(found.session_id, found.transcript, ports.transcripts, store)
    state = before_own_call(read.state)
    kept = store.list(Scope(), session=found.session_id, limit=1) if store else ()
    last = kept[0] if kept else None
    content = _with_fresh_notes(content_of(state), last)
    own = state.cwd
    if not directory_given and own and ports.code.exists(own):
        directory = own
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


def _with_fresh_notes(content: Content, last: Checkpoint | None) -> Content:
    """Return the content with the notes of the session's newest checkpoint, unless the
    user asked for something else since."""
    if last is None or not last.draft.given_notes or not _is_fresh(content, last):
        return content
    noted = last.draft.content
    more: dict[str, Any] = {
        kind: tuple(
            {
                item.text: item
                for item in (*getattr(noted, kind), *getattr(content, kind))
            }.values()
        )
        for kind in _NOTED
    }
    return replace(content, mental_model=noted.mental_model, **more)


def _is_fresh(content: Content, checkpoint: Checkpoint) -> bool:
    asked = checkpoint.draft.content.requests
    if not asked or not content.requests:
        return not content.requests
    return asked[-1].evidence == content.requests[-1].evidence


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
    """Return why a checkpoint is recommended, or nothing where none is.

    A session that was never saved was not saved for long enough.
    """
    if seen.tokens < TOKENS or seen.tool_calls < TOOL_CALLS:
        return ""
    if seen.last_saved_at is None:
        return "none was made of this session"
    is_old = seen.now_ms - seen.last_saved_at >= HOURS * _HOUR_MS
    return "none was made for a day" if is_old else ""
