"""Which session a running client is in right now: its environment may be long out of date."""

from collections.abc import Callable

from holdfast.kernel.errors import HoldfastError
from holdfast.store.ports.clients import Clients, Processes


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
