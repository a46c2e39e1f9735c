"""Every route there is, as one list, and what answers it.

A handler asks the site for what it needs and returns an answer. Handlers are plain
functions, which the server runs in a thread: the store may take a moment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdfast.app.checkpoints.find import find
from holdfast.app.checkpoints.timeline import EVERY_PROJECT
from holdfast.app.timeline_answers import (
    checkpoint_answer,
    projects_answer,
    rows_answer,
)
from holdfast.bootstrap.bug_reports import keep_bug_report
from holdfast.domain.query import Scope
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.ids import reference
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.surfaces.web.assets import assets, index_page
from holdfast.surfaces.web.live import changes

if TYPE_CHECKING:
    from starlette.requests import Request

    from holdfast.surfaces.web.site import Site

_MOST_ROWS = 500  # of one answer
_USUAL_ROWS = 250


class WebRoute(NamedTuple):
    """A pattern, who answers it, and how it is asked."""

    path: str
    handler: Callable[[Request], Any]
    methods: tuple[str, ...] = ("GET",)


def site_of(request: Request) -> Site:
    """Return what this server works with."""
    return cast("Site", request.app.state.site)


def answer(value: Any, status: int = 200) -> Response:
    """Return an answer as JSON."""
    return JSONResponse(value, status)


def page(request: Request) -> Response:
    """Every address that people see is the same page; its modules read the address."""
    session = request.scope["holdfast.session"]
    return Response(index_page(session.token), media_type="text/html")


def asset(request: Request) -> Response:
    found = assets().get(request.path_params["name"])
    if found is None:
        return Response("there is no such file\n", 404, media_type="text/plain")
    return Response(found.text, media_type=found.media_type)


def projects(request: Request) -> Response:
    site = site_of(request)
    return answer(projects_answer(site.timelines.projects(), site.here, site.tilde))


def rows(request: Request) -> Response:
    """Rows that come before a place, newest first."""
    asked = request.query_params
    project = asked.get("project") or EVERY_PROJECT
    limit = min(_number(asked.get("limit")) or _USUAL_ROWS, _MOST_ROWS)
    found = site_of(request).timelines.page(
        project, _number(asked.get("before")), limit
    )
    return answer(rows_answer(project, found))


def checkpoint(request: Request) -> Response:
    """One checkpoint by any reference; a bare number is of the project `?project=`."""
    site = site_of(request)
    scope = Scope(project_id=request.query_params.get("project") or site.here)
    found = find(site.store, reference(request.path_params["ref"]), scope)
    return answer(
        checkpoint_answer(found, budget=site.budget, now_ms=site.clock.now_ms())
    )


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
    WebRoute("/api/events", changes),
)


def starlette_routes() -> list[Route]:
    return [Route(each.path, each.handler, methods=[*each.methods]) for each in ROUTES]


def refused(_: Request, problem: Exception) -> Response:
    """Tell what went wrong as the command line does; nothing else is told."""
    assert isinstance(problem, HoldfastError)  # noqa: S101  # it is registered for these
    told = {
        "type": "error",
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
    }
    return answer(told, _STATUS.get(problem.exit_status, 500))


def failed(request: Request, problem: Exception) -> Response:
    """A bug: its report stays on this machine, and the page is told where."""
    kept = keep_bug_report(problem, site_of(request).environ)
    told = {
        "type": "error",
        "code": "BUG_001",
        "message": f"holdfast has a bug: {type(problem).__name__}",
        "hint": f"a report you can paste is in `{kept}`" if kept else "",
    }
    return answer(told, 500)


_STATUS = {1: 400, 2: 400, 11: 503, 12: 404}


def _number(text: str | None) -> int | None:
    is_number = text is not None and text.isascii() and text.isdecimal()
    return int(text[:12]) if text and is_number else None
