"""Who may come in: the one place that every request passes.

A browser brings what any page tells it to, so each request must name this host, come from
no other origin, and have the cookie that the address on the terminal was exchanged for.
That address works once. What changes something carries a token besides, which only our
own page can read.
"""

from __future__ import annotations

import hmac
import os
import secrets
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse

from holdfast.kernel.connections import connections, is_from_another
from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from holdfast.kernel.clock import Clock

ENTER = "/enter/"
TOKEN_HEADER = "x-holdfast-token"  # noqa: S105  # its name
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; require-trusted-types-for 'script'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_READING = ("GET", "HEAD")
_OURS = ("same-origin", "none", "")  # `none`: typed, or opened by another program
_LIFETIME_MS = 12 * 3_600_000
_NO_COOKIE = (
    "this page is for whoever started it: open the address that `holdfast serve` printed; "
    "it works once, and a new one comes with the next `holdfast serve`\n"
)


@dataclass(frozen=True, slots=True)
class WebSession:
    """A browser that was let in."""

    token: str  # for what changes something
    until_ms: int


class Access:
    """Who was let in, and what the next one has to show."""

    def __init__(self, port: int, clock: Clock) -> None:
        self.cookie = (
            f"holdfast-{port}"  # a cookie knows no port: two servers, two names
        )
        self.hosts = frozenset(
            f"{host}:{port}" for host in ("127.0.0.1", "localhost", "[::1]")
        )
        self.port = port
        self._clock = clock
        self._once: str | None = secrets.token_urlsafe(32)
        self._sessions: dict[str, WebSession] = {}

    @property
    def path(self) -> str:
        """Return where the first browser comes in, and no second one."""
        return f"{ENTER}{self._once or ''}"

    def enter(self, once: str) -> str | None:
        """Return a new cookie for the one-time word, which is then spent."""
        if self._once is None or not _same(once, self._once):
            return None
        self._once = None
        cookie = secrets.token_urlsafe(32)
        until = self._clock.now_ms() + _LIFETIME_MS
        self._sessions[cookie] = WebSession(secrets.token_urlsafe(32), until)
        return cookie

    def session(self, cookie: str) -> WebSession | None:
        """Return whom a cookie belongs to, if it is still good."""
        for known, session in self._sessions.items():
            if _same(cookie, known):
                return session if self._clock.now_ms() < session.until_ms else None
        return None


class Door:
    """The middleware around every route."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # nothing here speaks through a socket

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                ours = [(k.encode(), v.encode()) for k, v in HEADERS.items()]
                theirs = [
                    pair for pair in message["headers"] if pair[0] not in dict(ours)
                ]
                message["headers"] = [*theirs, *ours]
            await send(message)

        answer = self._refusal(Request(scope)) or self._app
        await answer(scope, receive, send_guarded)

    def _refusal(self, request: Request) -> Response | None:
        """Return why a request is not answered, or None."""
        headers = request.headers
        if headers.get("host", "") not in self._access.hosts:
            return _refused(request, 421, "this is not the host you asked for\n")
        origin = headers.get("origin")
        if origin is not None and not self._is_ours(origin):
            return _refused(request, 403, "another page asked for this\n")
        if request.url.path.startswith(ENTER):
            return self._entered(request)
        session = self._access.session(request.cookies.get(self._access.cookie, ""))
        if session is None:
            return _refused(request, 401, _NO_COOKIE)
        request.scope["holdfast.session"] = session
        return self._unasked(request, session)

    def _unasked(self, request: Request, session: WebSession) -> Response | None:
        is_page = not request.url.path.startswith("/api/")
        if not is_page and request.headers.get("sec-fetch-site", "") not in _OURS:
            return _refused(request, 403, "another page asked for this\n")
        if request.method in _READING:
            return None
        if _same(request.headers.get(TOKEN_HEADER, ""), session.token):
            return None
        return _refused(request, 403, "an action needs the token of its page\n")

    def _entered(self, request: Request) -> Response:
        access = self._access
        known = access.session(request.cookies.get(access.cookie, ""))
        if request.method != "GET":
            return _refused(request, 405, "an address is opened, nothing else\n")
        is_strange = not known and self._is_from_another(request)
        once = "" if known or is_strange else request.url.path[len(ENTER) :]
        cookie = access.enter(once) if once else None
        if not known and cookie is None:
            return _refused(request, 401, _NO_COOKIE)
        answer = RedirectResponse("/", 303)
        if cookie:
            answer.set_cookie(access.cookie, cookie, httponly=True, samesite="strict")
        return answer

    def _is_from_another(self, request: Request) -> bool:
        """Say whether another user asks: whoever starts a browser hands it the address
        where every user of the machine can read it, among its arguments."""
        port, peer = self._access.port, request.client.port if request.client else 0
        return is_from_another(port, peer, connections(), os.getuid())

    def _is_ours(self, origin: str) -> bool:
        return origin.removeprefix("http://") in self._access.hosts


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())


def _refused(request: Request, status: int, why: str) -> Response:
    if request.url.path.startswith("/api/"):
        message = {"type": "error", "code": f"HTTP_{status}", "message": why.strip()}
        return JSONResponse(message, status)
    return PlainTextResponse(why, status)
