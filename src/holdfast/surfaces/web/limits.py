"""Limits on slow and large requests.

uvicorn bounds how long an idle connection stays and how long headers may be. It waits
for ever for the rest of a request that was begun, and for somebody to take an answer, which
takes nobody to do slowly: here a request has to be there, with its body, within a time, an
answer has to be taken, and there are so many connections and no more. How long a body may
be each route says.
"""

from __future__ import annotations

import socket
import struct
from typing import TYPE_CHECKING, Any

import h11
from starlette.exceptions import HTTPException
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

    from starlette.types import Message, Receive, Scope

MOST_CONNECTIONS = 500
MOST_HEADERS = 16_384  # bytes of a request's headers
WHOLE_REQUEST = 25.0  # seconds from its first byte, or from the connection, to its last
UNTAKEN = 60.0  # seconds in which some of an answer that waits has to be taken
_LEAST_TAKEN = 8_192  # bytes of it
_DROPPED = struct.pack("ii", 1, 0)  # what waits in a connection that is closed
_TOO_LONG = "this request is too large"


class TakenTransport:
    """A transport that knows whether what it is given is taken at the other end."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        self._written = 0
        self._taken = 0  # when it was looked at last
        self._was_waiting = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        self._written += len(data)
        self._transport.write(data)

    def is_stuck(self) -> bool:
        """Say whether something has waited since the last look, and next to nothing was
        taken meanwhile."""
        waiting = int(self._transport.get_write_buffer_size())
        before, was_waiting = self._taken, self._was_waiting
        self._taken, self._was_waiting = self._written - waiting, waiting > 0
        return waiting > 0 and was_waiting and self._taken - before < _LEAST_TAKEN


class BoundedRequests(H11Protocol):
    """A connection that is closed when a request takes too long to come, or an answer to
    be taken."""

    _deadline: asyncio.TimerHandle | None = None
    _look: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        taken: Any = TakenTransport(transport)
        super().connection_made(taken)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self._wait()
            self._look_later(taken)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        is_whole = self.conn.their_state in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED)
        if is_whole:
            self._stop_waiting()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self._look is not None:
            self._look.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(WHOLE_REQUEST, self._over)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _look_later(self, taken: TakenTransport) -> None:
        self._look = self.loop.call_later(UNTAKEN, self._look_again, taken)

    def _look_again(self, taken: TakenTransport) -> None:
        if taken.is_stuck():
            # Else the system would keep it, and try on for minutes.
            connection = self.transport.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _DROPPED)
            self._over()
        else:
            self._look_later(taken)

    def _over(self) -> None:
        self.transport.abort()


def bounded(scope: Scope, receive: Receive, most: int) -> Receive:
    """Return what hands over a body up to a size.

    Raises:
        HTTPException: it says itself that it is longer; what is returned raises it, too.
    """
    told = dict(scope["headers"]).get(b"content-length", b"0")
    if told.isdigit() and int(told[:20]) > most:
        raise HTTPException(413, _TOO_LONG)
    received = 0

    async def receive_bounded() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > most:
            raise HTTPException(413, _TOO_LONG)
        return message

    return receive_bounded
