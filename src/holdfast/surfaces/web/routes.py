"""Every route there is, as one list: a pattern, and who answers it.

A page of its own brings a line here and a module of handlers beside `timeline_handlers`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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
from holdfast.surfaces.web.live import changes
from holdfast.surfaces.web.timeline_handlers import (
    asset,
    checkpoint,
    page,
    projects,
    rows,
)

if TYPE_CHECKING:
    from starlette.requests import Request


class WebRoute(NamedTuple):
    """A pattern, who answers it, and how it is asked."""

    path: str
    handler: Callable[[Request], Any]
    methods: tuple[str, ...] = ("GET",)


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
    *(WebRoute(path, page) for path in PAGES),
    WebRoute("/assets/{name:path}", asset),
    WebRoute("/api/projects", projects),
    WebRoute("/api/rows", rows),
    WebRoute("/api/checkpoint/{ref}", checkpoint),
    WebRoute("/api/checkpoint/{ref}/code", code),
    WebRoute("/api/checkpoint/{ref}/code/{place}", patch),
    WebRoute("/api/checkpoint/{ref}/around", around),
    WebRoute("/api/checkpoint/{ref}/name", name, ("POST",)),
    WebRoute("/api/checkpoint/{ref}/forget", forgetting, ("POST",)),
    WebRoute("/api/session/{session}", session),
    WebRoute("/api/session/{session}/spoken", spoken),
    WebRoute("/api/compare/{a}/{b}", compared),
    WebRoute("/api/merge/{a}/{b}", merge_planned),
    WebRoute("/api/merge", merge, methods=("POST",)),
    WebRoute("/api/file/{path:path}", file),
    WebRoute("/api/search", found),
    WebRoute("/api/stats", statistics),
    WebRoute("/api/events", changes),
)


def starlette_routes() -> list[Route]:
    return [Route(each.path, each.handler, methods=[*each.methods]) for each in ROUTES]
