"""Decide which session is meant, or is running now, and which one it continues (A1).

Never a guess: by hand, the newest session of the directory is taken, and that is said.
Hooks link sessions: nothing heavy is imported here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.session import SessionRecord
from holdfast.domain.text import visible
from holdfast.kernel.errors import (
    HoldfastError,
    ReferenceAmbiguous,
    SaveFailed,
    SessionUnknown,
    StoreNotFound,
)
from holdfast.kernel.ids import is_session_id, session_id as checked
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.agents.port import Transcripts
    from holdfast.app.ports import Ports
    from holdfast.data_directory.port import Processes
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.client import Client
    from holdfast.store.hook_port import Clients
    from holdfast.store.port import Sessions, Store

INSIDE_A_CLIENT = "CLAUDECODE"  # the client sets it for all that it starts
_CANDIDATES = 5
_MAY_BEGIN = pattern(r"[0-9a-f][0-9a-f-]{0,35}")


@dataclass(frozen=True, slots=True)
class LocatedSession:
    session_id: str
    transcript: str
    is_newest: bool = False  # nobody named it: it was last at work here


def locate(
    session: str | None,
    transcript: str | None,
    environ: Mapping[str, str],
    transcripts: Transcripts,
    directories: Sequence[str] = (),
) -> LocatedSession:
    """Return the session and its transcript.

    Order: the id given; the transcript's own; the client's `CLAUDE_CODE_SESSION_ID`;
    `CLAUDE_SESSION_ID` set by hand. Who works by hand passes where that is: there an id
    may be a unique beginning, and without one the newest session is meant. What runs
    inside a client has a session of its own, and gets no other.

    Raises:
        SessionUnknown: no id, or one that is not an id.
        ReferenceAmbiguous: several ids begin like this.
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
    named = session or _from_environment(environ, agent)
    if not (named or "").strip():
        newest = newest_session(directories, transcripts)
        if newest and not environ.get(INSIDE_A_CLIENT):
            return newest
        if newest or directories:
            raise _unnamed(newest)
    if session and directories:
        named = whole_id(session, transcripts.beginning_with, agent)
    wanted = checked(named, agent=agent)
    path = transcripts.find(wanted)
    if path is None:
        raise SaveFailed(
            f"no transcript of session `{wanted}` was found",
            hint="pass `--transcript FILE` if it is somewhere else",
        )
    return LocatedSession(wanted, path)


def newest_session(
    directories: Sequence[str], transcripts: Transcripts
) -> LocatedSession | None:
    """Return the session that was at work last in the first directory that has one."""
    for directory in directories:
        path = transcripts.newest(directory)
        own = transcripts.session_of(path) if path else None
        if path and own:
            return LocatedSession(
                checked(own, agent=transcripts.agent), path, is_newest=True
            )
    return None


def whole_id(
    text: str, beginning_with: Callable[[str], Sequence[str]], agent: str
) -> str:
    """Return the session id that text is, or is the only known beginning of.

    Raises:
        SessionUnknown: none begins like this.
        ReferenceAmbiguous: several do; the hint names them.
    """
    wanted = text.strip().lower()
    if is_session_id(wanted) or not wanted:
        return checked(wanted, agent=agent)
    found = beginning_with(wanted)
    if not found and _MAY_BEGIN.fullmatch(wanted):
        raise SessionUnknown(
            f"no session begins with `{wanted}`",
            hint="`holdfast session` shows the newest one here",
        )
    if not found:
        return checked(text, agent=agent)
    if len(found) > 1:
        raise ReferenceAmbiguous(
            f"`{visible(wanted)}` is ambiguous: {len(found)} sessions begin with it",
            hint="use more of the id: "
            + ", ".join(f"`{visible(one)}`" for one in found[:_CANDIDATES]),
        )
    return found[0]


def known_session(environ: Mapping[str, str], agent: str) -> str | None:
    """Return the session this process belongs to, if the environment says one."""
    try:
        return checked(_from_environment(environ, agent), agent=agent)
    except SessionUnknown:
        return None


def _unnamed(newest: LocatedSession | None) -> SessionUnknown:
    if newest:
        return SessionUnknown(
            "no session id",
            hint=f"the newest session here: pass `--session {newest.session_id}`",
        )
    return SessionUnknown(
        "no session of an agent began in this directory",
        hint="run it where you worked with the agent; or pass `--session ID`, or its transcript",
    )


def _from_environment(environ: Mapping[str, str], agent: str) -> str | None:
    """Return the session that the environment names: a client names none but its own."""
    own = environ.get("CLAUDE_CODE_SESSION_ID") if agent == "claude-code" else None
    return own or environ.get("CLAUDE_SESSION_ID")


def current_session(
    pid: int,
    processes: Processes,
    open_clients: Callable[[], Store],
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
        clients = open_clients()
        known = clients.client(pid, started) or _only_window(pid, started, clients)
    except HoldfastError:
        known = None  # a store in trouble must not keep a save from being spooled
    if known is None:
        return own_note(pid, started)
    may_be_fork = known.source == "resume"
    return (own_note(pid, started) if may_be_fork else None) or known.session_id


def is_open(
    session_id: str, processes: Processes, open_clients: Callable[[], Clients]
) -> bool:
    """Say whether a client that still runs is in a session, by what hooks kept."""
    try:
        clients = open_clients().clients()
    except StoreNotFound:
        return False
    except HoldfastError:
        return True  # a store in trouble knows nothing, and code too much is no loss
    return any(
        client.session_id == session_id
        and processes.started(client.pid) == client.process
        for client in clients
    )


def is_over(client: Client, store: Sessions) -> bool:
    """Say whether the end of a client's session is kept: a client that does not say why
    a session ends may live on, and nobody hears when it goes."""
    record = store.session(client.session_id)
    ended = record.ended_at if record else None
    return ended is not None and ended >= client.seen_at


def _only_window(pid: int, process: str, store: Store) -> Client | None:
    """Return the one window of a process; None where it has none, or several."""
    found = [c for c in store.clients() if (c.pid, c.process) == (pid, process)]
    still_open = [client for client in found if not is_over(client, store)]
    return still_open[0] if len(still_open) == 1 else None


def link(session_id: str, parent: str, ports: Ports, store: Sessions) -> None:
    """Make one session the child of another; a parent, once set, stays."""
    store.note_session(replace(bare_record(session_id, ports), parent_session=parent))


def begin_from(checkpoint: Checkpoint, session_id: str, ports: Ports) -> None:
    """Make a session go on from a checkpoint: it inherits what that left open.

    Sessions of one family stay as they are, so that no chain can become a ring. From
    work of somebody else nothing is inherited: its rules are not the user's.
    """
    if checkpoint.author:
        return
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
