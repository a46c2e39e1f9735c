"""The end of a session: asked for durably first, carried out after.

The client gives this hook a second and a half. The request is on disk before any work
begins; whoever comes next carries out what was not finished.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.care.switches import is_off
from holdfast.app.checkpoints.transcript_file import size_of
from holdfast.app.hooks.linking import bare_record, link_fork
from holdfast.domain.client import Client, EndRequest
from holdfast.domain.query import Scope
from holdfast.kernel.errors import STORE_TROUBLE, HoldfastError
from holdfast.kernel.lazy_values import replace

if TYPE_CHECKING:
    from holdfast.app.hooks.event import Hands, HookEvent
    from holdfast.store.ports.store import Store


# The start after a clear waits for the save, and other windows for its turn; what is not
# kept by then, the next save keeps.
_CODE_SECONDS = {"clear": 0.4, "exit": 5.0}


def end_request(event: HookEvent, hands: Hands) -> EndRequest | None:
    """Return what the end of a session asks for; None if the user wants nothing.

    Opens no store: this must be quick whatever the store's state.
    """
    if hands.is_headless and hands.wishes.headless == "off":
        return None
    is_clear = event.reason == "clear"
    is_captured = hands.is_quiet and not is_clear
    ending = "clear" if is_clear else "exit"
    return EndRequest(
        key=f"{ending}-{event.session_id}-{size_of(event.transcript)}",
        session_id=event.session_id,
        transcript=event.transcript,
        directory=event.directory,
        type="before-clear" if is_clear else "auto",
        trigger="headless" if is_captured else "clear" if is_clear else "exit",
        saves=not is_clear or hands.wishes.save_on_clear is not False,
        pid=hands.client_pid,
        started=hands.processes.started(hands.client_pid) or "",
        ends_client=event.reason not in ("clear", "resume"),
        budget=hands.wishes.budget,
    )


def finish(hands: Hands, patience: float) -> bool:
    """Carry out what waits; say False if somebody else is still at it."""
    if not hands.requests.waiting():
        return True
    with hands.requests.working(patience) as is_ours:
        if not is_ours:
            return False
        for request in hands.requests.waiting():
            if is_settled(request, hands):
                hands.requests.done(request)
    return True


def tidy(hands: Hands) -> None:
    """Let retention do its daily work, in a process that nobody waits for."""
    try:
        hands.tidy()
    except Exception as problem:  # noqa: BLE001  # what stays is removed another day
        hands.log(problem)


def is_settled(request: EndRequest, hands: Hands) -> bool:
    """Carry out a request; say False if it has to be tried again. Never raises."""
    try:
        with hands.unhurried():  # what is kept is worth more than a quick look
            return carry_out(request, hands)
    except Exception as problem:  # noqa: BLE001  # one bad request must not stop a start
        hands.log(problem)
        return False


def carry_out(request: EndRequest, hands: Hands) -> bool:
    """Save what a request asks for; say False only if trying again could help."""
    try:
        store = hands.tools.open_store()
        if _is_off(request, hands, store):
            return True
        if request.started:
            _note_end(request, hands, store)
    except STORE_TROUBLE:
        pass  # the save below goes to the spool
    return not request.saves or _save(request, hands)


def _is_off(request: EndRequest, hands: Hands, store: Store) -> bool:
    """Ask about the ended session's own project: a hook of another may be carrying on."""

    def there() -> Scope:
        project = store.known_project(hands.tools.code.signs(request.directory))
        return Scope(project_id=project.project_id if project else "")

    return is_off(store, request.session_id, there, hands.tools.clock.now_ms())


def _save(request: EndRequest, hands: Hands) -> bool:
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
        result = save(wanted, hands.tools)
    except STORE_TROUBLE:
        return False  # the spool failed, too
    except HoldfastError:
        return True  # no transcript, nothing valid: it will not get better
    if isinstance(result, Saved) and result.outcome == "unchanged":
        _keep_end(request, hands)  # there is no record that would tell
    return True


def _keep_end(request: EndRequest, hands: Hands) -> None:
    """Keep that a session ended whose end found everything saved."""
    if request.trigger in ("clear", "exit"):
        record = bare_record(request.session_id, hands.tools)
        now = hands.tools.clock.now_ms()
        is_clear = request.trigger == "clear"
        ended = replace(record, ended_at=now, cleared=is_clear)
        hands.tools.open_store().note_session(ended)


def _note_end(request: EndRequest, hands: Hands, store: Store) -> None:
    """Link a fork that ends before another event, and keep whose end this was."""
    known = store.client(request.pid, request.started)
    link_fork(request.session_id, request.transcript, known, hands.tools, store)
    if request.ends_client:
        store.end_client(request.pid, request.started)
    elif known is None:
        # A client that was there before us: the start that follows asks who it was.
        client = Client(
            pid=request.pid,
            started=request.started,
            session_id=request.session_id,
            transcript=request.transcript,
            workspace=hands.workspace,
            directory=request.directory,
            headless=hands.is_quiet,
            seen_at=hands.tools.clock.now_ms(),
        )
        store.note_client(client)
