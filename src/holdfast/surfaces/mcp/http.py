"""MCP over HTTP for authenticated callers: one request, one answer.

There are no sessions: nothing is kept between two requests, so there is nothing to steal, to
expire or to lose when the server is started again. The SDK is imported at the first request;
who only looks at the page pays nothing for it.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
from anyio.to_thread import run_sync
from starlette.responses import JSONResponse

from holdfast.kernel.errors import HoldfastError
from holdfast.surfaces.mcp.places import TokenPlaces

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from anyio.abc import TaskGroup, TaskStatus
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from holdfast.bootstrap import Container
    from holdfast.surfaces.mcp.remote import Remote

MOST_BYTES = 256_000  # of a request: notes are some thousand characters
MOST_AT_ONCE = 64  # requests that are being answered
PATIENCE = 20.0  # seconds for a request to have its turn and be said
_OF_THIS_ONE = 429  # by its status a client sees whose doing it is
_LAST_WORDS = 5.0  # seconds for answers under way when the server ends


class McpOverHttp:
    """An application for one address, to be run for as long as the server."""

    def __init__(self, container: Container, *, patience: float = PATIENCE) -> None:
        self._container = container
        self._patience = patience
        self._tasks: TaskGroup | None = None
        self._manager: StreamableHTTPSessionManager | None = None
        self._remote: Remote | None = None
        self._places = TokenPlaces()
        self._at_work = 0
        self._idle = anyio.Event()
        self._is_ending = False
        self._starting = anyio.Lock()

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Answer requests meanwhile; in the end, what is under way is finished."""
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            try:
                yield
            finally:
                self._is_ending = True
                with anyio.move_on_after(_LAST_WORDS, shield=True):
                    while self._at_work:
                        self._idle = anyio.Event()
                        await self._idle.wait()
                tasks.cancel_scope.cancel()
        if self._remote is not None:
            self._remote.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            # Nothing is ever said unasked, so there is no stream to listen to.
            await _refused(405, "send a POST with one JSON-RPC message", allow="POST")(
                scope, receive, send
            )
            return
        until = anyio.current_time() + self._patience
        async with self._places.one_of(_token(scope), until) as is_placed:
            if not is_placed:
                await _too_much(_OF_THIS_ONE)(scope, receive, send)
                return
            said = await self._heard(scope, receive, until)
            if isinstance(said, bytes):
                await self._worked(said, scope, receive, send)
            else:
                await said(scope, receive, send)

    async def _worked(
        self, said: bytes, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer what was said. Only that takes one of everybody's places: whoever has
        not said it yet holds nothing that another one needs."""
        if self._is_ending or self._at_work >= MOST_AT_ONCE:
            await _too_much(503)(scope, receive, send)
            return
        self._at_work += 1
        try:
            await self._answered(said, scope, receive, send)
        finally:
            self._at_work -= 1
            self._idle.set()

    async def _answered(
        self, said: bytes, scope: Scope, receive: Receive, send: Send
    ) -> None:
        manager = await self._started()
        was_given = False

        async def again() -> Message:
            nonlocal was_given
            if was_given:
                return await receive()
            was_given = True
            return {"type": "http.request", "body": said, "more_body": False}

        await manager.handle_request(scope, again, send)

    async def _heard(
        self, scope: Scope, receive: Receive, until: float
    ) -> bytes | ASGIApp:
        """Return what a request says, or why it is not heard."""
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if length.isdigit() and int(length) > MOST_BYTES:
            return _too_long()
        said = bytearray()
        with anyio.CancelScope(deadline=until):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return _refused(400, "the request ended before it was said")
                said += message.get("body", b"")
                if len(said) > MOST_BYTES:
                    return _too_long()
                if not message.get("more_body", False):
                    return bytes(said)
        return _refused(408, "the request took too long to say")

    async def _started(self) -> StreamableHTTPSessionManager:
        async with self._starting:
            if self._manager is None:
                manager, remote = await run_sync(_made, self._container)
                if self._tasks is None:
                    raise RuntimeError("it is run before it is asked")
                await self._tasks.start(_running, manager)
                self._manager, self._remote = manager, remote
        return self._manager


async def _running(
    manager: StreamableHTTPSessionManager,
    *,
    task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED,
) -> None:
    async with manager.run():
        task_status.started()
        await anyio.sleep_forever()


def _made(container: Container) -> tuple[StreamableHTTPSessionManager, Remote]:
    from mcp.server.transport_security import (  # takes a second
        TransportSecuritySettings,
    )

    from holdfast.bootstrap.serving import another
    from holdfast.surfaces.mcp.calls import Calls  # the same
    from holdfast.surfaces.mcp.remote import Remote  # the same
    from holdfast.surfaces.mcp.remote_server import remote_server  # the same

    remote = Remote(another(container), another(container))
    calls = Calls(environ=container.environ, client_pid=0)
    ours = remote_server(remote, calls, is_on=_is_on(container))
    no_door = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # ours
    ours.streamable_http_app(
        json_response=True,
        stateless_http=True,
        max_request_body_size=MOST_BYTES,
        transport_security=no_door,
    )
    return ours.session_manager, remote


def _is_on(container: Container) -> bool:
    try:
        return container.config.enabled
    except HoldfastError:
        return False


def _token(scope: Scope) -> str:
    """Return which token asks, as the door found out; who asks without is one, too."""
    grant = scope.get("state", {}).get("grant")
    return str(getattr(grant, "token_id", ""))


def _too_much(status: int) -> JSONResponse:
    whose = " with this token" if status == _OF_THIS_ONE else ""
    return _refused(
        status, f"too much at once{whose}; try again", **{"retry-after": "1"}
    )


def _too_long() -> JSONResponse:
    return _refused(413, f"a request has at most {MOST_BYTES:,} bytes")


def _refused(status: int, why: str, **headers: str) -> JSONResponse:
    error: Mapping[str, Any] = {"code": -32600, "message": why}
    told = {"jsonrpc": "2.0", "id": None, "error": error}
    return JSONResponse(told, status, headers)
