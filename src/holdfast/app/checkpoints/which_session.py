"""Which session is meant, or a client is in right now, and which it goes on from (A1).

Never a guess. Hooks link sessions: nothing heavy is imported here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.session import SessionRecord
from holdfast.domain.text import visible
from holdfast.kernel.errors import HoldfastError, SaveFailed, SessionUnknown
from holdfast.kernel.ids import session_id as checked
from holdfast.kernel.lazy_values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from holdfast.agents.port import Transcripts
    from holdfast.app.ports import Ports
    from holdfast.data_directory.port import Processes
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.store.hook_port import Clients
    from holdfast.store.port import Sessions


@dataclass(frozen=True, slots=True)
class LocatedSession:
    session_id: str
    transcript: str


def locate(
    session: str | None,
    transcript: str | None,
    environ: Mapping[str, str],
    transcripts: Transcripts,
    directory: str | None = None,
) -> LocatedSession:
    """Return the session and its transcript; without one, say which was last here.

    Order: the id given; the transcript's own; the client's `CLAUDE_CODE_SESSION_ID`;
    `CLAUDE_SESSION_ID` set by hand.

    Raises:
        SessionUnknown: no id, or one that is not an id.
        SaveFailed: there is no transcript of that session, or it names none.
    """
    agent = transcripts.agent
    if transcript is not None:
        own = transcripts.session_of(transcript)
        if not (session or own):
            raise SaveFailed(
                f"the transcript `{visible(transcript)}` names no session",
                hint="pass `--session ID`, or the transcript that the agent wrote",
            )
        return LocatedSession(checked(session or own, agent=agent), transcript)
    named = session or _from_environment(environ)
    if not (named or "").strip() and directory is not None:
        _name_newest(directory, transcripts)
    wanted = checked(named, agent=agent)
    path = transcripts.find(wanted)
    if path is None:
        raise SaveFailed(
            f"no transcript of session `{wanted}` was found",
            hint="pass `--transcript FILE` if it lies somewhere else",
        )
    return LocatedSession(wanted, path)


def _name_newest(directory: str, transcripts: Transcripts) -> None:
    """Name the session that was last at work here, for whoever has to choose.

    Raises:
        SessionUnknown: there is one; taking it unasked would be a guess.
    """
    newest = transcripts.newest(directory)
    own = transcripts.session_of(newest) if newest else None
    if own:
        raise SessionUnknown(
            "no session id", hint=f"the newest session here: pass `--session {own}`"
        )


def known_session(environ: Mapping[str, str], agent: str) -> str | None:
    """Return the session this process belongs to, if the environment says one."""
    try:
        return checked(_from_environment(environ), agent=agent)
    except SessionUnknown:
        return None


def _from_environment(environ: Mapping[str, str]) -> str | None:
    return environ.get("CLAUDE_CODE_SESSION_ID") or environ.get("CLAUDE_SESSION_ID")


def current_session(
    pid: int,
    processes: Processes,
    open_clients: Callable[[], Clients],
    own_note: Callable[[int, str], str | None],
) -> str | None:
    """Return the session of a client, by what hooks kept, else by the client's own note.

    The start of a fork names the session it was copied from: there the note knows
    better. None if the process is gone or neither knows it; never a guess.
    """
    started = processes.started(pid)
    if started is None:
        return None
    try:
        known = open_clients().client(pid, started)
    except HoldfastError:
        known = None  # a store in trouble must not keep a save from being spooled
    if known is None:
        return own_note(pid, started)
    may_be_fork = known.source == "resume"
    return (own_note(pid, started) if may_be_fork else None) or known.session_id


def link(session_id: str, parent: str, ports: Ports, store: Sessions) -> None:
    """Make one session the child of another; a parent, once set, stays."""
    store.note_session(replace(bare_record(session_id, ports), parent_session=parent))


def begin_from(checkpoint: Checkpoint, session_id: str, ports: Ports) -> None:
    """Make a session go on from a checkpoint: it inherits what that left open.

    Sessions of one family stay as they are, so that no chain can become a ring.
    """
    earlier = checkpoint.draft.session_id
    try:
        store = ports.open_store()
        family = {record.session_id for record in store.lineage(earlier)}
        if session_id not in family | {earlier}:
            link(session_id, earlier, ports, store)
    except HoldfastError:
        return  # the brief was read, and that is what was asked for


def bare_record(session_id: str, ports: Ports) -> SessionRecord:
    """Return what is known of a session by its name alone; the store keeps the rest."""
    return SessionRecord(
        session_id=session_id,
        agent=ports.transcripts.agent,
        agent_version="",
        project_id="",
        workspace="",
        working_directory="",
        hostname=ports.hostname,
    )
