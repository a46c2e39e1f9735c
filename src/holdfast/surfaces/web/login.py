"""The login page: a browser sends a token and gets a cookie.

It is there where others than the user of this machine may ask. A program sends its token
with each request and never comes here.
"""

from __future__ import annotations

import html
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse, Response

from holdfast.kernel.lazy_patterns import pattern
from holdfast.surfaces.web.assets import assets

if TYPE_CHECKING:
    from starlette.requests import Request

    from holdfast.surfaces.web.exposure import Exposure

LOGIN = "/login"
LOGIN_STYLE = "/login/style.css"
_MOST_TOLD = 4_096  # bytes: a token, and an address to go on to
_NEXT = pattern(r"/(?!/)[A-Za-z0-9._~%/@:+-]{0,512}")
_HEADERS = {
    # A form that is sent without a referrer says `Origin: null`, as a foreign page may.
    "referrer-policy": "same-origin",
}


def login_style() -> Response:
    return Response(assets()["style.css"].text, media_type="text/css")


def login_page(going_to: str, problem: str = "", status: int = 401) -> Response:
    """Return the page; after a good token it goes on to where somebody wanted to go."""
    root = files("holdfast.surfaces.web") / "page"
    text = (root / "login.html").read_text(encoding="utf-8")
    for place, told in (("next", _safe(going_to)), ("problem", problem)):
        text = text.replace(f"{{{{{place}}}}}", html.escape(told))
    return Response(text, status, dict(_HEADERS), "text/html")


async def told_on_the_page(request: Request) -> dict[str, str]:
    """Return what a browser sent from the page; nothing where it was too much."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > _MOST_TOLD:
                return {}
        fields = parse_qs(body.decode("ascii"), max_num_fields=4)
    except (ValueError, ClientDisconnect):
        return {}
    return {name: values[0] for name, values in fields.items()}


def let_in(exposure: Exposure, host: str, cookie: str, going_to: str) -> Response:
    """Give a browser its cookie, and send it where it wanted to go."""
    answer = RedirectResponse(_safe(going_to), 303)
    answer.set_cookie(
        exposure.cookie(host),
        cookie,
        httponly=True,
        samesite="strict",
        secure=exposure.is_secure(host),
    )
    return answer


def _safe(going_to: str) -> str:
    """Return a place of this server; anything else is its first page."""
    return going_to if _NEXT.fullmatch(going_to) else "/"
