"""Authorisation before each route: does the grant of the request allow it?

The door has found out who asks and put the grant where a request finds it. Which scope is
needed the route says itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from starlette.exceptions import HTTPException

from holdfast.domain.access import has_scope
from holdfast.kernel.errors import AccessRefused
from holdfast.surfaces.web.limits import bounded

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from holdfast.domain.access import AccessScope, Grant
    from holdfast.surfaces.web.routes import WebRoute

FOR_PROGRAMS = (
    "this address is for programs: send a token of `holdfast token create` as"
    " `Authorization: Bearer TOKEN`"
)


def grant_of(request: Request) -> Grant:
    """Return what whoever asks may do."""
    return cast("Grant", request.state.grant)


def refuse_unless_scope(grant: Grant, needed: AccessScope) -> None:
    """Raises:
    AccessRefused: the grant does not go as far.
    """
    if not has_scope(grant, needed):
        raise AccessRefused(
            f"this needs a token with the scope `{needed}`, and yours has `{grant.scope}`",
            hint=f"ask whoever runs this server for one: `holdfast token create --scope {needed}`",
        )


class RouteGuard:
    """The middleware of one route."""

    def __init__(self, app: ASGIApp, route: WebRoute) -> None:
        self._app = app
        self._route = route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        state = scope["state"]
        state["route"] = self._route.path  # what a log may say of an address
        if self._route.is_for_programs and not state["is_bearer"]:
            raise HTTPException(401, FOR_PROGRAMS)
        refuse_unless_scope(state["grant"], self._route.needs)
        most = self._route.most_told
        await self._app(scope, bounded(scope, receive, most), send)
