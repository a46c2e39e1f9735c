"""What one hook leaves for the next: whose session it is, and what waits for a prompt.

Which session came from which is told through the client's process, never by a guess. What
waits for a session's next prompt is kept in its mark, which costs a hook one look.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.app.checkpoints.which_session import link
from holdfast.domain.client import process_of
from holdfast.kernel.lazy_values import dataclass, replace

if TYPE_CHECKING:
    from holdfast.app.hooks.event import HookContext, HookEvent
    from holdfast.app.ports import Ports
    from holdfast.data_directory.port import Markers
    from holdfast.domain.client import Client
    from holdfast.store.port import Sessions, Store


_LATE_STOP_MS = 60_000  # after the end of its session; what comes later is work


def session_before(
    event: HookEvent, context: HookContext, store: Store
) -> Client | None:
    """Return what is kept of the session that a client was in before this start."""
    client = context.client(event)
    if client is None:
        return None
    if not context.has_windows:
        return store.client(client.pid, client.started)
    beside = _windows_beside(client, store)
    if event.source == "clear":
        # The client says of none that it ended before the next one began.
        here = [one for one in beside if one.directory == client.directory]
        return here[0] if len(here) == 1 else None
    return beside[0] if beside else None


def left_beside(
    event: HookEvent, context: HookContext, store: Store
) -> tuple[Client, ...]:
    """Return the other windows of this process here: nobody says when one is closed."""
    client = context.client(event)
    is_told = client is None or not context.has_windows or event.source == "clear"
    return () if client is None or is_told else _windows_beside(client, store)


def _windows_beside(client: Client, store: Store) -> tuple[Client, ...]:
    me = (client.pid, client.process)
    return tuple(
        one
        for one in store.clients(client.workspace)
        if (one.pid, one.process) == me and one.session_id != client.session_id
    )


def note_start(
    event: HookEvent, context: HookContext, store: Store, before: Client | None
) -> str | None:
    """Keep which session the client is in now; return the one it cleared, if any."""
    client = context.client(event)
    if client is None:
        return None
    store.note_client(client)
    if event.source != "clear":
        return None
    cleared = before.session_id if before else _asked_for(client, context)
    if not cleared or cleared == event.session_id:
        return None
    link(event.session_id, cleared, context.ports, store)
    if before and before.started != client.started:
        store.end_client(before.pid, before.started)  # no other window comes from it
    return cleared


def note_event(event: HookEvent, context: HookContext, store: Store) -> None:
    """Notice what no start told: a fork, or a client that was there before us."""
    client = context.client(event)
    if client is None:
        return
    known = store.client(client.pid, client.started)
    is_fork = known is not None and may_be_forked(known, event.session_id)
    if known and known.session_id == event.session_id and not is_fork:
        return
    if _has_ended(event.session_id, context, store):
        return  # nobody waits for a Stop: it may come after the end of its session
    link_fork(event.session_id, event.transcript, known, context.ports, store)
    store.note_client(client)


def may_be_forked(known: Client, session_id: str) -> bool:
    """Say whether a session may be a fork that is not linked yet.

    Older clients start a fork as `resume` with the old id, and the next event has the
    new one; newer ones start it as `fork` with the new id.
    """
    if known.source == "fork":
        return True
    return known.source == "resume" and known.session_id != session_id


def link_fork(
    session_id: str,
    transcript: str,
    known: Client | None,
    ports: Ports,
    store: Sessions,
) -> None:
    """Link a fork to the session it was copied from, if that can be told."""
    if known is None or not may_be_forked(known, session_id):
        return
    origin: str | None = known.session_id
    if origin == session_id:
        origin = ports.transcripts.origin(transcript)
    if origin is not None:
        link(session_id, origin, ports, store)


def _has_ended(session_id: str, context: HookContext, store: Sessions) -> bool:
    """Say whether the end of a session is kept, or asked for and about to be."""
    asked = {request.session_id for request in context.requests.waiting()}
    record = store.session(session_id)
    if record is None or record.ended_at is None:
        return session_id in asked
    # A window that was taken for one that was left may go on.
    now = context.ports.clock.now_ms()
    return not context.has_windows or now - record.ended_at < _LATE_STOP_MS


def _asked_for(client: Client, context: HookContext) -> str | None:
    """A client that was there before us: the end of its session tells who it was."""
    me = (client.pid, client.process)
    waiting = context.requests.waiting()
    ended = (r for r in waiting if (r.pid, process_of(r.started)) == me)
    return next((request.session_id for request in ended), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    late: bool = False  # the save that the start is about was not finished yet
    unseen: bool = False  # nobody knows whether the start's line was drawn
    left_out: tuple[str, ...] = ()  # which that line ends with
    words: str = ""  # for the model
    line: str = ""  # for the user


def read_pending(session_id: str, markers: Markers) -> Pending | None:
    """Return what waits for a session; None if nothing does."""
    mark = markers.text(session_id)
    if mark is None:
        return None
    try:
        kept = json.loads(mark or "{}")
        return Pending(
            late=bool(kept.get("late")),
            unseen=bool(kept.get("unseen")),
            left_out=tuple(map(str, kept.get("left_out", ()))),
            words=str(kept.get("words", "")),
            line=str(kept.get("line", "")),
        )
    except (ValueError, AttributeError, TypeError, RecursionError):
        return Pending()  # a mark that cannot be read still says: look at the offer


def keep_pending(waiting: Pending, session_id: str, markers: Markers) -> None:
    kept = {
        "late": waiting.late,
        "unseen": waiting.unseen,
        "left_out": waiting.left_out,
        "words": waiting.words,
        "line": waiting.line,
    }
    markers.set(
        session_id, json.dumps({key: value for key, value in kept.items() if value})
    )


def add_pending(
    session_id: str, markers: Markers, *, words: str = "", line: str = ""
) -> None:
    """Leave a word beside what waits already; a newer one replaces an older one."""
    before = read_pending(session_id, markers) or Pending()
    after = replace(before, words=words or before.words, line=line or before.line)
    keep_pending(after, session_id, markers)
