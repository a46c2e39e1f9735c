"""Actions of a page: name a checkpoint, or forget it.

An action is asked for with the page's token, which the door has looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool

from holdfast.app.forgetting.forget import ForgetRequest, finish, forget, plan_forget
from holdfast.app.notes.give_name import give_name
from holdfast.app.page_answers import shown
from holdfast.app.page_answers.checkpoint import forget_answer
from holdfast.domain.query import Scope
from holdfast.kernel.errors import UsageWrong
from holdfast.kernel.ids import reference
from holdfast.surfaces.web.answering import answer, site_of, told_by
from holdfast.surfaces.web.timeline_handlers import meant

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


async def name(request: Request) -> Response:
    """Name a checkpoint: `{"name": "api-design"}`, or nothing to take it away."""
    told = await told_by(request)
    text = told.get("name", "")
    if not isinstance(text, str):
        raise UsageWrong("a name is a text")

    def done() -> dict[str, Any]:
        kept = give_name(meant(request), text, site_of(request).ports)
        return shown({"type": "named", "name": kept})

    return answer(await run_in_threadpool(done))


async def forgetting(request: Request) -> Response:
    """Forget a checkpoint: without `ids` it is told what would go; with them, exactly
    those go, or it is told anew."""
    told = await told_by(request)
    return answer(await run_in_threadpool(_forgotten, request, told.get("ids")))


def _forgotten(request: Request, ids: object) -> dict[str, Any]:
    site = site_of(request)
    found = meant(request)
    ports = (site.whole or site).ports  # what inherited it goes too, wherever it is
    means = site.forgetting()
    if ids is not None:
        finish(ports, means)
    wanted = ForgetRequest(reference=reference(found.checkpoint_id))
    plan = plan_forget(wanted, Scope(project_id=found.draft.project_id), ports)
    if ids != list(plan.order.checkpoint_ids):
        return forget_answer(plan)
    done = forget(plan, ports, means)
    gone = {"checkpoints": list(done.checkpoint_ids), "kept": list(done.kept)}
    return shown({"type": "forgotten", **gone})
