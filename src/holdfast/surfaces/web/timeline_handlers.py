"""Handlers for the timeline: the page, its files, projects, rows, a checkpoint.

Handlers are plain functions, which the server runs in a thread: the store may take a moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from holdfast.app.checkpoints.find import find
from holdfast.app.checkpoints.lineage import Family
from holdfast.app.checkpoints.timeline import EVERY_PROJECT
from holdfast.app.page_answers.checkpoint import checkpoint_answer
from holdfast.app.page_answers.timeline import projects_answer, rows_answer
from holdfast.domain.access import LOCAL
from holdfast.domain.query import Scope
from holdfast.kernel.errors import CheckpointNotFound
from holdfast.kernel.ids import reference
from holdfast.surfaces.web.answering import answer, number_of, site_of
from holdfast.surfaces.web.assets import assets, index_page
from holdfast.surfaces.web.guard import grant_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.surfaces.web.site import Site

_MOST_ROWS = 500  # of one answer
_USUAL_ROWS = 250


def page(request: Request) -> Response:
    """Every address that people see is the same page; its modules read the address."""
    session = request.state.session
    token = session.token if session else ""  # whoever brings one needs no other
    grant = grant_of(request)
    guest = "" if grant.token_id == LOCAL else grant.scope
    return Response(index_page(token, guest), media_type="text/html")


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
    limit = min(number_of(asked.get("limit")) or _USUAL_ROWS, _MOST_ROWS)
    found = site_of(request).timelines.page(
        project, number_of(asked.get("before")), limit
    )
    return answer(rows_answer(project, found))


def meant(request: Request) -> Checkpoint:
    """Return the checkpoint that a path names; a bare number is of `?project=`."""
    site = site_of(request)
    scope = Scope(project_id=request.query_params.get("project") or site.here)
    return find(site.store, reference(request.path_params["ref"]), scope)


def checkpoint(request: Request) -> Response:
    site, found = site_of(request), meant(request)
    lineage = family_of(site, found).of(found.checkpoint_id)
    now_ms = site.clock.now_ms()
    return answer(
        checkpoint_answer(found, budget=site.budget, now_ms=now_ms, lineage=lineage)
    )


def family_of(site: Site, found: Checkpoint) -> Family:
    """Return the rows of a checkpoint's project, by who came from whom."""
    try:
        return Family(site.timelines.rows(found.draft.project_id))
    except CheckpointNotFound:  # it was forgotten just now
        return Family(())
