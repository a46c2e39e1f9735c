"""The end of a session: the save is first requested on disk, then done.

The client gives this hook a second and a half. The request is on disk before any work
begins; whoever comes next carries out what was not finished.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.administration.switches import is_off
from holdfast.app.checkpoints.which_session import bare_record
from holdfast.app.hooks.continuity import link_fork
from holdfast.app.hooks.event import transcript_mark
from holdfast.domain.client import Client, EndRequest, process_of
from holdfast.domain.query import Scope
from holdfast.kernel.errors import STORE_TROUBLE, HoldfastError
from holdfast.kernel.lazy_values import replace

if TYPE_CHECKING:
    from holdfast.app.hooks.event import HookContext, HookEvent
    from holdfast.store.port import Store


# The start after a clear waits for the save, and other windows for its turn; what is not
# kept by then, the next save keeps.
_CODE_SECONDS = {"clear": 0.4, "exit": 5.0}


def end_request(event: HookEvent, context: HookContext) -> EndRequest | None:
    """Return what the end of a session asks for; None if the user wants nothing.

    Opens no store: this must be quick whatever the store's state.
    """
    if context.is_headless and context.settings.headless == "off":
        return None
    is_clear = event.reason == "clear"
    is_captured = context.is_quiet and not is_clear
    ending = "clear" if is_clear else "exit"
    return EndRequest(
        key=f"{ending}-{event.session_id}-{transcript_mark(event.transcript)}",
        session_id=event.session_id,
        transcript=event.transcript,
        directory=event.directory,
        type="before-clear" if is_clear else "auto",
        trigger="headless" if is_captured else "clear" if is_clear else "exit",
        saves=not is_clear or context.settings.save_on_clear is not False,
        pid=context.client_pid,
        started=context.started(event.session_id) or "",
        # Who does not say why may go on in another session.
        ends_client=event.reason not in ("", "clear", "resume"),
        budget=context.settings.budget,
        agent=context.agent,
    )


def finish(context: HookContext, patience: float) -> bool:
    """Carry out what waits; say False if somebody else is still at it.

    Who calls knows that something does: what waits is read once, under the lock.
    """
    with context.requests.working(patience) as is_ours:
        if not is_ours:
            return False
        for request in context.requests.waiting():
            if try_carry_out(request, context):
                context.requests.done(request)
    return True


def tidy(context: HookContext) -> None:
    """Let retention do its daily work, in a process that nobody waits for."""
    try:
        context.tidy()
    except Exception as problem:  # noqa: BLE001  # what stays is removed another day
        context.log(problem)


def fold_log(context: HookContext) -> None:
    """Bring what sessions wrote into the database, in a process that nobody waits for.

    A log is read up to its first damaged byte only: the less is in it, the better.
    """
    try:
        context.ports.open_store().wipe_log()
    except Exception as problem:  # noqa: BLE001  # the next end, or the engine, does it
        context.log(problem)


def try_carry_out(request: EndRequest, context: HookContext) -> bool:
    """Carry out a request; say False if it has to be tried again. Never raises."""
    try:
        with context.unhurried():  # what is kept is worth more than a quick look
            return carry_out(request, context)
    except Exception as problem:  # noqa: BLE001  # one bad request must not stop a start
        context.log(problem)
        return False


def carry_out(request: EndRequest, context: HookContext) -> bool:
    """Save what a request asks for; say False only if trying again could help."""
    try:
        store = context.ports.open_store()
        if _is_off(request, context, store):
            return True
        if request.started:
            _note_end(request, context, store)
    except STORE_TROUBLE:
        pass  # the save below goes to the spool
    return not request.saves or _save(request, context)


def _is_off(request: EndRequest, context: HookContext, store: Store) -> bool:
    """Ask about the ended session's own project: a hook of another may be carrying on."""

    def there() -> Scope:
        project = store.known_project(context.ports.code.identity(request.directory))
        return Scope(project_id=project.project_id if project else "")

    return is_off(store, request.session_id, there, context.ports.clock.now_ms())


def _save(request: EndRequest, context: HookContext) -> bool:
    from holdfast.app.checkpoints.drafting import SaveRequest  # noqa: PLC0415  # 40 ms, only to save
    from holdfast.app.checkpoints.save import Saved, save  # noqa: PLC0415  # the same

    wanted = SaveRequest(
        session_id=request.session_id,
        transcript=request.transcript,
        directory=request.directory,
        key=request.key,
        type=request.type,
        trigger=request.trigger,
        budget=request.budget,
        code_seconds=_CODE_SECONDS.get(request.trigger),
    )
    try:
        result = save(wanted, context.ports_for(request.agent, request.transcript))
    except STORE_TROUBLE:
        return False  # the spool failed, too
    except HoldfastError:
        return True  # no transcript, nothing valid: it will not get better
    if isinstance(result, Saved) and result.outcome == "unchanged":
        _keep_end(request, context)  # there is no record that would tell
    return True


def _keep_end(request: EndRequest, context: HookContext) -> None:
    """Keep that a session ended whose end found everything saved."""
    if request.trigger in ("clear", "exit"):
        ports = context.ports_for(request.agent, request.transcript)
        record = bare_record(request.session_id, ports)
        now = context.ports.clock.now_ms()
        is_clear = request.trigger == "clear"
        ended = replace(record, ended_at=now, cleared=is_clear)
        context.ports.open_store().note_session(ended)


def _note_end(request: EndRequest, context: HookContext, store: Store) -> None:
    """Link a fork that ends before another event, and keep whose end this was."""
    known = store.client(request.pid, request.started)
    ports = context.ports_for(request.agent, request.transcript)
    link_fork(request.session_id, request.transcript, known, ports, store)
    if request.ends_client:
        store.end_client(request.pid, request.started)
    elif known is None and process_of(request.started) == request.started:
        # A client that was there before us: the start that follows asks who it was.
        client = Client(
            pid=request.pid,
            started=request.started,
            session_id=request.session_id,
            transcript=request.transcript,
            workspace=context.workspace,
            directory=request.directory,
            headless=context.is_quiet,
            seen_at=context.ports.clock.now_ms(),
        )
        store.note_client(client)
