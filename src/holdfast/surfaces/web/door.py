"""Authentication: the one place that every request passes.

A browser brings what any page tells it to, so each request must name this server, come
from no other origin, and have the cookie that the address on the terminal, or a token, was
exchanged for. That address works once. What changes something carries a token besides,
which only our own page can read. A program brings its token with each request, in the
header for it, which no page can make a browser send.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from starlette.requests import Request
from starlette.responses import RedirectResponse

from holdfast.domain.access import Grant
from holdfast.kernel.connections import connections, is_from_another
from holdfast.kernel.errors import TokensUnreadable
from holdfast.surfaces.web.access import ENTER, NewCookie, is_same
from holdfast.surfaces.web.answering import refusal
from holdfast.surfaces.web.exposure import is_loopback_request
from holdfast.surfaces.web.failures import WINDOW_MS, Failures
from holdfast.surfaces.web.guard import FOR_PROGRAMS
from holdfast.surfaces.web.login import (
    LOGIN,
    LOGIN_STYLE,
    let_in,
    login_page,
    login_style,
    told_on_the_page,
)
from holdfast.surfaces.web.request_log import RequestLog

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from holdfast.domain.access import Refused
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
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_REFERRER = (b"referrer-policy", b"no-referrer")  # an answer may say otherwise
_READING = ("GET", "HEAD")
_OURS = ("same-origin", "none", "")  # `none`: typed, or opened by another program
_SECRETS = (b"hft_", b"access_token=")  # how a token in an address begins
_PROGRAMS = "/mcp"
_BAD_TOKEN = {
    "unknown": "this is not a token of this server",
    "expired": "this token has expired: ask whoever runs this server for a new one",
    "revoked": "this token was revoked: ask whoever runs this server for another one",
}
_NO_COOKIE = (
    "this page is only for whoever started it: open the address that `holdfast serve` printed; "
    "it works once, so for a new one start `holdfast serve` again"
)
_BRING_ONE = (
    "this server needs a token: send it as `Authorization: Bearer TOKEN`, "
    "or open a page and type it there"
)
_IN_ADDRESS = (
    "a token must not be in an address, because logs and histories keep it: revoke it with "
    "`holdfast token revoke`, and send the next one as `Authorization: Bearer TOKEN`"
)
_UNREADABLE = "this server cannot read its tokens now: whoever runs it has been told"


class Door:
    """The middleware around every route."""

    def __init__(
        self, app: ASGIApp, access: Access, tell: Callable[[str], None] | None = None
    ) -> None:
        """`tell` is told one line about each request, and what is wrong here."""
        self._app = app
        self._access = access
        self._exposure = access.exposure
        self._failures = Failures()
        self._log = RequestLog(tell, access.clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # nothing here speaks through a socket
        scope.setdefault("state", {})
        with self._log.request(scope) as seen:

            async def send_guarded(message: Message) -> None:
                if message["type"] == "http.response.start":
                    seen(message["status"])
                    message["headers"] = _guarded(message["headers"])
                await send(message)

            answer = await self._answer(Request(scope, receive)) or self._app
            await answer(scope, receive, send_guarded)

    async def _answer(self, request: Request) -> Response | None:
        """Return what the door says itself, or None: come in."""
        try:
            if self._exposure.is_open and request.url.path == LOGIN_STYLE:
                return self._strange(request) or login_style()
            if self._exposure.is_open and request.url.path == LOGIN:
                return self._strange(request) or await self._logged_in(request)
            return self._refusal(request)
        except TokensUnreadable as problem:
            self._log.trouble(problem)  # with its path, which is nobody else's business
            return refusal(request, 503, _UNREADABLE)

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
        """A name that somebody leads here, another page in the user's browser, a token
        where others can read it, or two of them."""
        host = request.headers.get("host", "").lower()
        server = request.scope.get("server") or ("", 0)
        if not self._exposure.answers_to(host, str(server[0])):
            return refusal(request, 421, "this is not the host you asked for")
        origin = request.headers.get("origin")
        if origin is not None and not self._exposure.is_own_page(origin, host):
            return refusal(request, 403, "this request came from another page")
        if _has_secret(request.scope["path"].encode(), request.scope["query_string"]):
            return refusal(request, 400, _IN_ADDRESS)
        if len(request.headers.getlist("authorization")) > 1:
            return refusal(request, 400, "a request must have one token, not two")
        return None

    def _by_token(self, request: Request, told: str) -> Response | None:
        """A program says itself who it is: no other page can make it send this."""
        kind, _, presented = told.partition(" ")
        is_bearer = kind.lower() == "bearer"
        found = self._access.bearer(presented.strip()) if is_bearer else "unknown"
        if isinstance(found, Grant):
            _let_in(request, found)
            return None
        return self._failed(request, found)

    def _failed(self, request: Request, why: Refused) -> Response:
        if self._has_tried_enough(request):
            return self._too_many(request)
        return refusal(request, 401, _BAD_TOKEN[why])

    def _too_many(self, request: Request) -> Response:
        self._log.leave_out(request.scope)
        seconds = str(WINDOW_MS // 1000)
        return refusal(
            request,
            429,
            "too many wrong tokens: wait",
            {"retry-after": seconds},
        )

    def _by_cookie(self, request: Request) -> Response | None:
        session = self._access.session(self._cookie(request))
        if session is None:
            return self._unknown(request)
        _let_in(request, session.grant, session)
        return self._unasked(request, session)

    def _cookie(self, request: Request) -> str:
        host = request.headers.get("host", "").lower()
        return request.cookies.get(self._exposure.cookie(host), "")

    def _unknown(self, request: Request) -> Response:
        is_browser = "text/html" in request.headers.get("accept", "")
        if request.url.path == _PROGRAMS:
            return refusal(request, 401, FOR_PROGRAMS)
        if not self._exposure.is_open:
            return refusal(request, 401, _NO_COOKIE)
        if is_browser and request.method == "GET":
            return login_page(request.url.path)
        return refusal(request, 401, _BRING_ONE)

    async def _logged_in(self, request: Request) -> Response:
        """A browser shows a token: it gets a cookie, or the page again."""
        if request.method in _READING:
            return login_page("/", status=200)
        if request.method != "POST":
            return refusal(request, 405, "only a token can be sent here")
        told = await told_on_the_page(request)
        going_to = told.get("next", "/")
        found = self._access.log_in(told.get("token", "").strip())
        if isinstance(found, NewCookie):
            self._access.log_out(self._cookie(request))
            host = request.headers.get("host", "").lower()
            return let_in(self._exposure, host, found.value, going_to)
        if self._has_tried_enough(request):
            return self._too_many(request)
        return login_page(going_to, _BAD_TOKEN[found])

    def _has_tried_enough(self, request: Request) -> bool:
        now_ms = self._access.clock.now_ms()
        return self._failures.add(self._exposure.peer(request), now_ms)

    def _unasked(self, request: Request, session: WebSession) -> Response | None:
        is_page = not request.url.path.startswith("/api/")
        if not is_page and request.headers.get("sec-fetch-site", "") not in _OURS:
            return refusal(request, 403, "this request came from another page")
        if request.method in _READING:
            return None
        if is_same(request.headers.get(TOKEN_HEADER, ""), session.token):
            return None
        return refusal(request, 403, "an action needs the token of its page")

    def _entered(self, request: Request) -> Response:
        access = self._access
        known = access.session(self._cookie(request))
        if request.method != "GET":
            return refusal(request, 405, "this address can only be opened")
        is_strange = not known and self._is_from_another(request)
        once = "" if known or is_strange else request.url.path[len(ENTER) :]
        cookie = access.enter(once) if once else None
        if not known and cookie is None:
            return refusal(request, 401, _NO_COOKIE)
        if cookie is None:
            return RedirectResponse("/", 303)
        return let_in(self._exposure, request.headers.get("host", ""), cookie, "/")

    def _is_from_another(self, request: Request) -> bool:
        """Say whether another user asks: whoever starts a browser hands it the address
        where every user of the machine can read it, among its arguments."""
        host = request.headers.get("host", "").lower()
        if not (self._exposure.is_from_here(host) and is_loopback_request(request)):
            return True
        port, peer = self._exposure.port, request.client.port if request.client else 0
        return is_from_another(port, peer, connections(), os.getuid())


def _has_secret(path: bytes, query: bytes) -> bool:
    """Say whether an address brings a token, its letters as numbers or not; a path has
    none of those left."""
    address = path + query
    is_named = any(each in address for each in _SECRETS)
    return is_named or _SECRETS[0] in unquote_to_bytes(query)


def _let_in(request: Request, grant: Grant, session: WebSession | None = None) -> None:
    """Put what whoever asks may do where every handler finds it."""
    request.state.grant = grant
    request.state.is_bearer = session is None
    request.state.session = session


def _guarded(theirs: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer with ours, which nobody takes away."""
    ours = [(k.encode(), v.encode()) for k, v in HEADERS.items()]
    known = dict(ours)
    kept = [pair for pair in theirs if pair[0] not in known]
    has_referrer = any(name == _REFERRER[0] for name, _ in kept)
    return [*kept, *ours, *(() if has_referrer else (_REFERRER,))]
