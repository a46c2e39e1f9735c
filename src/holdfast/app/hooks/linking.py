"""Which session came from which: through the client's process, never by a guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.which_session import link

if TYPE_CHECKING:
    from holdfast.app.hooks.event import HookContext, HookEvent
    from holdfast.app.ports import Ports
    from holdfast.domain.client import Client
    from holdfast.store.port import Sessions, Store


def note_start(event: HookEvent, context: HookContext, store: Store) -> str | None:
    """Keep which session the client is in now; return the one it cleared, if any."""
    client = context.client(event)
    if client is None:
        return None
    before = store.note_client(client)
    if event.source != "clear":
        return None
    cleared = before.session_id if before else _asked_for(client, context)
    if not cleared or cleared == event.session_id:
        return None
    link(event.session_id, cleared, context.ports, store)
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
    return session_id in asked or (record is not None and record.ended_at is not None)


def _asked_for(client: Client, context: HookContext) -> str | None:
    """A client that was there before us: the end of its session tells who it was."""
    me = (client.pid, client.started)
    ended = (r for r in context.requests.waiting() if (r.pid, r.started) == me)
    return next((request.session_id for request in ended), None)
