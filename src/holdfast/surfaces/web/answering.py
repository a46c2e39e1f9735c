"""How a handler answers, and what it says if it cannot."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response

from holdfast.bootstrap.bug_reports import keep_bug_report
from holdfast.domain.access import LOCAL
from holdfast.kernel.errors import FileNotShown, HoldfastError, UsageWrong
from holdfast.surfaces.web.guard import grant_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from holdfast.surfaces.web.site import Site, Sites

_STATUS = {1: 400, 2: 400, 4: 409, 11: 503, 12: 404}  # of an exit status
_STATUS_OF = {"TOKN_001": 503, "TOKN_003": 403}  # of a code, where that says more

_FOR_PROGRAMS = ("/api/", "/mcp")  # answered in JSON
_WHO = 401
_BUG = "tell whoever runs this server; a report is in its log"


def site_of(request: Request) -> Site:
    """Return what this request works with: what its grant may see, and nothing else."""
    return cast("Sites", request.app.state.sites).of(grant_of(request))


def refuse_elsewhere(site: Site) -> None:
    """Raises:
    FileNotShown: the files here are of a project that whoever asks may not know.
    """
    if not site.is_here:
        raise FileNotShown(
            "this server was started outside your project, so it does not show its files",
            hint="its checkpoints are shown; start `holdfast serve` in the project to see files, too",
        )


def answer(value: Any, status: int = 200) -> Response:
    """Return an answer as JSON."""
    return JSONResponse(value, status)


def refused(_: Request, problem: Exception) -> Response:
    """Tell what went wrong as the command line does; nothing else is told."""
    assert isinstance(problem, HoldfastError)  # noqa: S101  # it is registered for these
    told = {
        "type": "error",
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
    }
    usual = _STATUS.get(problem.exit_status, 500)
    return answer(told, _STATUS_OF.get(problem.code, usual))


def refusal(
    request: Request, status: int, why: str, headers: dict[str, str] | None = None
) -> Response:
    """Return why something is not answered, to a program as JSON."""
    more = {"www-authenticate": "Bearer"} if status == _WHO else {}
    told = {**more, **(headers or {})}
    if not request.url.path.startswith(_FOR_PROGRAMS):
        return PlainTextResponse(f"{why}\n", status, told)
    message = {"type": "error", "code": f"HTTP_{status}", "message": why}
    return JSONResponse(message, status, told)


def turned_away(request: Request, problem: Exception) -> Response:
    """No such address, not asked like this, or too long."""
    assert isinstance(problem, HTTPException)  # noqa: S101  # it is registered for these
    headers = dict(problem.headers or {})
    return refusal(request, problem.status_code, problem.detail, headers)


def gone(_: Request, problem: Exception) -> Response:
    """Whoever asked went before everything was said: nobody hears this."""
    del problem
    return Response(status_code=400)


def failed(request: Request, problem: Exception) -> Response:
    """A bug: its report stays on this machine, and who started the server is told where."""
    sites = cast("Sites", request.app.state.sites)
    kept = keep_bug_report(problem, sites.whole.environ)
    grant = getattr(request.state, "grant", None)  # none: the door itself failed
    hint = f"a report you can paste is in `{kept}`" if kept else ""
    if grant is None or grant.token_id != LOCAL:
        hint = _BUG
    told = {
        "type": "error",
        "code": "BUG_001",
        "message": f"holdfast has a bug: {type(problem).__name__}",
        "hint": hint,
    }
    return answer(told, 500)


def number_of(text: str | None) -> int | None:
    """Return a number that was asked for, or None if it is none."""
    is_number = text is not None and text.isascii() and text.isdecimal()
    return int(text[:12]) if text and is_number else None


async def told_by(request: Request) -> dict[str, Any]:
    """Return what an action was told.

    Raises:
        UsageWrong: it is not what a page says.
    """
    try:
        told = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise UsageWrong("an action must be sent as JSON")
    return told
