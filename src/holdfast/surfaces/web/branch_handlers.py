"""Handlers that compare and merge two checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool

from holdfast.app.branch_answers import dry_run_answer, merge_answer
from holdfast.app.checkpoints.compare import NOW, compare
from holdfast.app.checkpoints.merge import (
    MergeRequest,
    carry_out,
    merged_before,
    plan_merge,
)
from holdfast.app.json_answers import diff_answer
from holdfast.app.page_answers import shown
from holdfast.domain.record_parts import record_head
from holdfast.kernel.errors import UsageWrong
from holdfast.kernel.ids import reference
from holdfast.surfaces.web.answering import answer, refuse_elsewhere, site_of, told_by

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.surfaces.web.site import Site

_MOST_CHOICES = 500


def compared(request: Request) -> Response:
    """Answer what `holdfast diff` does; the second may be `now`."""
    site = site_of(request)
    a, b = request.path_params["a"], request.path_params["b"]
    second = None if b == NOW else reference(b)
    if second is None:
        refuse_elsewhere(site)
    found = compare(reference(a), second, site.caller(), site.ports)
    newer = found.newer
    heads = {
        "older": _head(found.older),
        "newer": None if newer is None else _head(newer),
    }
    return answer(shown(diff_answer(found) | heads))


def merge_planned(request: Request) -> Response:
    """Answer what merging would make; nothing is kept."""
    site = site_of(request)
    wanted = _wanted(request.path_params["a"], request.path_params["b"])
    plan = plan_merge(wanted, site.caller(), site.ports)
    told = dry_run_answer(plan, merged_before(plan, site.ports))
    return answer(shown(told | {"home": _head(plan.home)}))


async def merge(request: Request) -> Response:
    """Merge two checkpoints as the page chose; code is not touched."""
    given = await told_by(request)
    choices = given.get("choices")
    named = [given.get("a"), given.get("b")]
    if not all(isinstance(one, str) for one in named) or not _are_texts(choices):
        raise UsageWrong("a merge needs two checkpoints and a list of choices")
    wanted = _wanted(str(named[0]), str(named[1]), tuple(choices or ()))
    return answer(await run_in_threadpool(_merged, site_of(request), wanted))


def _merged(site: Site, wanted: MergeRequest) -> dict[str, Any]:
    caller = site.caller()
    plan = plan_merge(wanted, caller, site.ports)
    return shown(merge_answer(carry_out(plan, caller, site.ports), record_head))


def _head(checkpoint: Checkpoint) -> dict[str, Any]:
    named = {
        "reference": checkpoint.reference,
        "project": checkpoint.draft.project_id,
    }
    return record_head(checkpoint) | named


def _wanted(a: str, b: str, choices: tuple[str, ...] = ()) -> MergeRequest:
    return MergeRequest(references=(reference(a), reference(b)), choices=choices)


def _are_texts(choices: object) -> bool:
    if choices is None:
        return True
    return (
        isinstance(choices, list)
        and len(choices) <= _MOST_CHOICES
        and all(isinstance(choice, str) for choice in choices)
    )
