"""The list of all routes: a pattern and its handler.

A page of its own brings a line here and a module of handlers beside `timeline_handlers`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from starlette.middleware import Middleware
from starlette.routing import Route

from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.surfaces.web.action_handlers import forgetting, name
from holdfast.surfaces.web.branch_handlers import compared, merge, merge_planned
from holdfast.surfaces.web.checkpoint_handlers import (
    around,
    code,
    patch,
    session,
    spoken,
)
from holdfast.surfaces.web.finding_handlers import file, found, statistics
from holdfast.surfaces.web.guard import RouteGuard
from holdfast.surfaces.web.live import changes
from holdfast.surfaces.web.programs import ForPrograms
from holdfast.surfaces.web.timeline_handlers import (
    asset,
    checkpoint,
    page,
    projects,
    rows,
)

if TYPE_CHECKING:
    from holdfast.domain.access import AccessScope


class WebRoute(NamedTuple):
    """A pattern, who answers it, what a token needs for it, and how it is asked.

    Each says itself how far whoever asks must be trusted: there is no default.
    """

    path: str
    handler: Callable[..., Any]  # of a request, or an application of its own
    needs: AccessScope
    methods: tuple[str, ...] = ("GET",)
    most_told: int = 65_536  # bytes of a body
    is_for_programs: bool = False  # a bearer token is asked for, no browser's cookie


_ANY = ("GET", "POST", "DELETE")  # what is none of its own it refuses by itself
_MOST_OF_A_SAVE = 256_000  # bytes: notes are some thousand characters
PAGES = (
    "/",
    "/p/{project}",
    "/c/{ref}",
    "/s/{session}",
    "/compare/{a}/{b}",
    "/file/{path:path}",
    "/search",
    "/stats",
)
ROUTES: tuple[WebRoute, ...] = (
    *(WebRoute(path, page, "read") for path in PAGES),
    WebRoute("/assets/{name:path}", asset, "read"),
    WebRoute("/api/projects", projects, "read"),
    WebRoute("/api/rows", rows, "read"),
    WebRoute("/api/checkpoint/{ref}", checkpoint, "read"),
    WebRoute("/api/checkpoint/{ref}/code", code, "read"),
    WebRoute("/api/checkpoint/{ref}/code/{place}", patch, "read"),
    WebRoute("/api/checkpoint/{ref}/around", around, "read"),
    WebRoute("/api/checkpoint/{ref}/name", name, "write", ("POST",)),
    WebRoute("/api/checkpoint/{ref}/forget", forgetting, "admin", ("POST",)),
    WebRoute("/api/session/{session}", session, "read"),
    WebRoute("/api/session/{session}/spoken", spoken, "read"),
    WebRoute("/api/compare/{a}/{b}", compared, "read"),
    WebRoute("/api/merge/{a}/{b}", merge_planned, "read"),
    WebRoute("/api/merge", merge, "write", ("POST",)),
    WebRoute("/api/file/{path:path}", file, "read"),
    WebRoute("/api/search", found, "read"),
    WebRoute("/api/stats", statistics, "read"),
    WebRoute("/api/events", changes, "read"),
    # Each of its tools says what it needs besides.
    WebRoute(
        "/mcp", ForPrograms(), "read", _ANY, _MOST_OF_A_SAVE, is_for_programs=True
    ),
)


def starlette_routes() -> list[Route]:
    return [_route(each) for each in ROUTES]


def _route(each: WebRoute) -> Route:
    guard = Middleware(RouteGuard, route=each)
    return Route(each.path, each.handler, methods=[*each.methods], middleware=[guard])
