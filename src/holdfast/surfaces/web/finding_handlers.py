"""Handlers for search, statistics, and who made a file's lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.history import read_statistics
from holdfast.app.checkpoints.search import SearchRequest, search
from holdfast.app.checkpoints.timeline import EVERY_PROJECT
from holdfast.app.code.shown_files import blame_shown
from holdfast.app.history_answers import stats_answer
from holdfast.app.page_answers import shown
from holdfast.app.page_answers.file import file_answer
from holdfast.app.page_answers.search import search_page_answer
from holdfast.domain.query import Scope
from holdfast.surfaces.web.answering import answer, refuse_elsewhere, site_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_MOST_HITS = 30
_MOST_ASKED = 400  # characters: nobody types more


def found(request: Request) -> Response:
    """Answer a search as `holdfast search` does; nothing asked is nothing found."""
    site = site_of(request)
    text = request.query_params.get("q", "")[:_MOST_ASKED]
    if not text.strip():
        return answer(
            {"type": "search", "hits": [], "misread": [], "is_elsewhere": False}
        )
    asked = SearchRequest(
        text=text, now_ms=site.clock.now_ms(), zone=site.zone, limit=_MOST_HITS
    )
    scope = _scope(request)
    return answer(
        search_page_answer(search(site.store, asked, scope), scope.project_id or "")
    )


def statistics(request: Request) -> Response:
    """Answer what `holdfast stats` does, of a project or of every one."""
    site, scope = site_of(request), _scope(request)
    numbers = read_statistics(
        site.ports,
        lambda: scope,
        site.disk_octets(),
        everywhere=scope.project_id is None,
    )
    return answer(shown(stats_answer(numbers)))


def file(request: Request) -> Response:
    """Answer who made each line of a file of the project that this was started in."""
    site = site_of(request)
    asked = request.path_params["path"]
    refuse_elsewhere(site)
    return answer(file_answer(blame_shown(asked, site.caller(), site.ports)))


def _scope(request: Request) -> Scope:
    project = request.query_params.get("project") or site_of(request).here
    return Scope() if project == EVERY_PROJECT else Scope(project_id=project)
