"""What one event leaves for the next: whose session it is, and what waits for a prompt.

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
    """Return what is kept of the session that the client was in before this start."""
    client = context.client(event)
    if client is None:
        return None
    if not context.has_windows:
        return store.client(client.pid, client.started)
    return _window_before(client, event, context, store)


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


def _window_before(
    client: Client, event: HookEvent, context: HookContext, store: Store
) -> Client | None:
    """Return the window that this one follows.

    A clear follows the end of a session: of several that ended in this directory, the one
    that did so last. Where none did, and for a session that is left without a word, it is
    what this process was last seen in here, if a clear has no other to mean.
    """
    beside = [
        one
        for one in store.clients(client.workspace)
        if (one.pid, one.process) == (client.pid, client.process)
        and one.session_id != client.session_id
    ]
    ends = {one.session_id: _ended_at(one, context, store) for one in beside}
    still_open = [one for one in beside if not ends[one.session_id]]
    if event.source != "clear":
        return next(iter(still_open), None)
    here = [one for one in beside if one.directory == client.directory]
    ended = [one for one in here or beside if ends[one.session_id]]
    if ended:
        return max(ended, key=lambda one: ends[one.session_id])
    return still_open[0] if len(still_open) == 1 else None


def _ended_at(client: Client, context: HookContext, store: Sessions) -> int:
    """Return when the end of a window's session was kept; one that is only asked for is
    the newest; 0: it goes on."""
    if any(r.session_id == client.session_id for r in context.requests.waiting()):
        return context.ports.clock.now_ms()
    record = store.session(client.session_id)
    ended = record.ended_at if record else None
    return ended if ended is not None and ended >= client.seen_at else 0


def note_event(event: HookEvent, context: HookContext, store: Store) -> None:
    """Notice what no start told: a fork, or a client that was there before us."""
    client = context.client(event)
    if client is None:
        return
    known = store.client(client.pid, client.started)
    is_fork = known is not None and may_be_forked(known, event.session_id)
    if known and known.session_id == event.session_id and not is_fork:
        if _lives_on(known, context, store):
            store.note_client(replace(known, seen_at=context.ports.clock.now_ms()))
        return
    if _has_ended(event.session_id, context, store):
        return  # nobody waits for a Stop: it may come after the end of its session
    link_fork(event.session_id, event.transcript, known, context.ports, store)
    store.note_client(client)


def _lives_on(client: Client, context: HookContext, store: Sessions) -> bool:
    """Say whether a window goes on that was taken for one that was left."""
    if not context.has_windows:
        return False
    ended, now = _ended_at(client, context, store), context.ports.clock.now_ms()
    return 0 < ended < now - _LATE_STOP_MS


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
    return session_id in asked or (record is not None and record.ended_at is not None)


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
