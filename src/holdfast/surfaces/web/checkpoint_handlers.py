"""Who answers for what is behind a checkpoint, its code and its conversation, and for the
page of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.code_since import CodeSince, code_since, patch_of_file
from holdfast.app.checkpoints.session_view import session_named, session_view
from holdfast.app.page_answers.checkpoint import (
    code_answer,
    patch_answer,
)
from holdfast.app.page_answers.session import (
    around_answer,
    session_answer,
    spoken_answer,
)
from holdfast.surfaces.web.answering import answer, number_of, site_of
from holdfast.surfaces.web.timeline_handlers import family_of, meant

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.surfaces.web.site import Site


def code(request: Request) -> Response:
    """Which files changed since the checkpoint before."""
    return answer(code_answer(_since(site_of(request), meant(request))))


def patch(request: Request) -> Response:
    """The change of one of those files, by its place among them."""
    site, found = site_of(request), meant(request)
    place = number_of(request.path_params["place"])
    since = _since(site, found)
    where = -1 if place is None else place
    return answer(
        patch_answer(patch_of_file(found, since, where, site.ports.snapshots))
    )


def around(request: Request) -> Response:
    """What was said last before it was made."""
    site, found = site_of(request), meant(request)
    draft = found.draft
    spoken = site.conversations.of(draft.session_id, draft.agent)
    return answer(around_answer(found, None if found.machine else spoken))


def session(request: Request) -> Response:
    """A session by its id or the beginning of it."""
    site = site_of(request)
    asked = request.path_params["session"]
    return answer(session_answer(session_view(asked, site.ports, site.conversations)))


def spoken(request: Request) -> Response:
    """What was said in a session, from a place on."""
    site = site_of(request)
    record = session_named(request.path_params["session"], site.ports)
    said = site.conversations.of(record.session_id, record.agent) or ()
    start = number_of(request.query_params.get("start")) or 0
    return answer(spoken_answer(said, start, record.working_directory))


def _since(site: Site, found: Checkpoint) -> CodeSince:
    before = family_of(site, found).before(found.checkpoint_id)
    return code_since(found, before, site.store, site.ports.snapshots)
