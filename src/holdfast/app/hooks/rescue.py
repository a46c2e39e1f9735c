"""Save the sessions of clients that crashed."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.app.checkpoints.which_session import is_over
from holdfast.app.hooks.end import try_carry_out
from holdfast.app.hooks.event import (
    is_transcript_there,
    transcript_mark,
    transcript_size,
)
from holdfast.domain.client import Client, EndRequest
from holdfast.kernel.lazy_values import dataclass, replace

if TYPE_CHECKING:
    from holdfast.app.hooks.event import HookContext
    from holdfast.store.hook_port import Folds
    from holdfast.store.port import Store

_MOST_MILLISECONDS = 1_500  # of a start that somebody waits for; the rest comes after
_MOST_AT_ONCE = 5_000_000  # unread bytes of a transcript; more is left to a process


@dataclass(frozen=True, slots=True)
class Rescued:
    sessions: frozenset[str] = frozenset()  # whose end nobody saw
    is_late: bool = False  # some of them are still to be saved


def rescue(context: HookContext, store: Store) -> Rescued:
    """Save what crashed in this workspace; what is too much for now is asked for."""
    gone = _gone(context, store)
    clock = context.ports.clock
    until = clock.now_ms() + _MOST_MILLISECONDS
    later = [
        client
        for client in gone
        if clock.now_ms() >= until
        or _unread(client, store) > _MOST_AT_ONCE
        or not try_carry_out(_request(client, context), context)
    ]
    with suppress(OSError):  # a disk that takes no request: the next start tries again
        for client in later:
            context.requests.add(_request(client, context))
    crashed = frozenset(client.session_id for client in gone if not client.headless)
    return Rescued(crashed, bool(later))


def rescue_cleared(client: Client, context: HookContext, store: Store) -> bool:
    """Save a cleared session whose end did not reach us; say whether it is still to do.

    The client kills a hook that is slow to start, and then nobody else knows.
    """
    record = store.session(client.session_id)
    if context.settings.save_on_clear is False or (
        record is not None and record.cleared
    ):
        return False
    waiting = context.requests.waiting()
    if any(request.session_id == client.session_id for request in waiting):
        return False
    request = replace(
        _request(client, context),
        key=f"clear-{client.session_id}-{transcript_mark(client.transcript)}",
        type="before-clear",
        trigger="clear",
        ends_client=False,
    )
    if _unread(client, store) <= _MOST_AT_ONCE and try_carry_out(request, context):
        return False
    with suppress(OSError):
        context.requests.add(request)
    return True


def save_left(client: Client, context: HookContext, store: Store) -> bool:
    """Save a session whose process began another one without a word of its end; say
    whether it is still to do.

    Codex CLI has one process for all its windows, which stays when they are closed.
    """
    waiting = context.requests.waiting()
    is_asked = any(request.session_id == client.session_id for request in waiting)
    if client.headless or is_asked or is_over(client, store):
        return False
    request = replace(
        _request(client, context),
        key=f"left-{client.session_id}-{transcript_mark(client.transcript)}",
        trigger="exit",
        started="",  # its process is another session's now
        ends_client=False,
    )
    if _unread(client, store) <= _MOST_AT_ONCE and try_carry_out(request, context):
        return False
    with suppress(OSError):
        context.requests.add(request)
    return True


def _gone(context: HookContext, store: Store) -> list[Client]:
    """Return the clients that crashed.

    One whose session goes on elsewhere did not, nor did one whose end is only not carried
    out yet.
    """
    asked = {(request.pid, request.started) for request in context.requests.waiting()}
    known = [c for c in store.clients() if (c.pid, c.started) not in asked]
    if not known:
        return []
    running = [client for client in known if context.is_running(client)]
    going_on = {client.session_id for client in running}
    gone = []
    for client in known:
        if client in running or client.workspace != context.workspace:
            continue
        if client.session_id in going_on or is_over(client, store):
            store.end_client(client.pid, client.started)
        else:
            gone.append(client)
    return gone


def _request(client: Client, context: HookContext) -> EndRequest:
    return EndRequest(
        key=f"rescue-{client.session_id}-{transcript_mark(client.transcript)}",
        session_id=client.session_id,
        transcript=client.transcript,
        directory=client.directory,
        type="auto",
        trigger="headless" if client.headless else "rescue",
        saves=not client.headless and is_transcript_there(client.transcript),
        pid=client.pid,
        started=client.started,
        ends_client=True,
        budget=context.settings.budget,
    )


def _unread(client: Client, store: Folds) -> int:
    """Return what a save would have to read; the fold is only asked for if it matters."""
    size = transcript_size(client.transcript)
    if client.headless or size <= _MOST_AT_ONCE:
        return 0
    kept = store.fold(client.session_id, late=True)
    is_ours = kept is not None and kept.transcript == client.transcript
    return size - kept.cursor.main.offset if kept and is_ours else size
