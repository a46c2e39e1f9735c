"""Who may come in: the one place that every request passes.

A browser brings what any page tells it to, so each request must name this host, come from
no other origin, and have the cookie that the address on the terminal was exchanged for.
That address works once. What changes something carries a token besides, which only our
own page can read.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse

from holdfast.domain.access import Grant
from holdfast.kernel.connections import connections, is_from_another
from holdfast.surfaces.web.access import ENTER, is_same

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from holdfast.surfaces.web.access import Access, WebSession

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
_FOR_PROGRAMS = ("/api/", "/mcp")  # answered in JSON
_WHO = 401
_BAD_TOKEN = {
    "unknown": "no such token is known here: make one with `holdfast token create`\n",
    "expired": "this token has expired: ask who runs this server for a new one\n",
    "revoked": "this token was revoked: ask who runs this server for another\n",
}
_NO_COOKIE = (
    "this page is for whoever started it: open the address that `holdfast serve` printed; "
    "it works once, and a new one comes with the next `holdfast serve`\n"
)


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
        if strange := self._strange(request):
            return strange
        if request.url.path.startswith(ENTER):
            return self._entered(request)
        if (told := request.headers.get("authorization")) is not None:
            return self._by_token(request, told)
        return self._by_cookie(request)

    def _strange(self, request: Request) -> Response | None:
        """A name that somebody leads here, or another page in the user's browser."""
        if request.headers.get("host", "") not in self._access.hosts:
            return _refused(request, 421, "this is not the host you asked for\n")
        origin = request.headers.get("origin")
        if origin is not None and not self._is_ours(origin):
            return _refused(request, 403, "another page asked for this\n")
        return None

    def _by_cookie(self, request: Request) -> Response | None:
        session = self._access.session(request.cookies.get(self._access.cookie, ""))
        if session is None:
            return _refused(request, 401, _NO_COOKIE)
        _let_in(request, session.grant, session)
        return self._unasked(request, session)

    def _by_token(self, request: Request, told: str) -> Response | None:
        """A program says itself who it is: no other page can make it send this."""
        kind, _, presented = told.partition(" ")
        found = (
            self._access.bearer(presented.strip())
            if kind.lower() == "bearer"
            else "unknown"
        )
        if isinstance(found, Grant):
            _let_in(request, found)
            return None
        return _refused(request, 401, _BAD_TOKEN[found])

    def _unasked(self, request: Request, session: WebSession) -> Response | None:
        is_page = not request.url.path.startswith("/api/")
        if not is_page and request.headers.get("sec-fetch-site", "") not in _OURS:
            return _refused(request, 403, "another page asked for this\n")
        if request.method in _READING:
            return None
        if is_same(request.headers.get(TOKEN_HEADER, ""), session.token):
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


def _let_in(request: Request, grant: Grant, session: WebSession | None = None) -> None:
    """Put what whoever asks may do where every handler finds it."""
    request.state.grant = grant
    request.state.is_bearer = session is None
    request.state.session = session


def _refused(request: Request, status: int, why: str) -> Response:
    if request.url.path.startswith(_FOR_PROGRAMS):
        message = {"type": "error", "code": f"HTTP_{status}", "message": why.strip()}
        headers = {"www-authenticate": "Bearer"} if status == _WHO else None
        return JSONResponse(message, status, headers)
    return PlainTextResponse(why, status)
