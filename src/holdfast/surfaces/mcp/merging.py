"""The tool that merges checkpoints, and lets the agent's user choose in a conflict."""

from typing import Annotated

from mcp.types import CallToolResult
from pydantic import Field

from holdfast.app.branch_answers import merge_answer
from holdfast.app.checkpoints.drafting import clean_title
from holdfast.app.checkpoints.merge import (
    MergeRequest,
    carry_out,
    plan_merge,
)
from holdfast.bootstrap import Container
from holdfast.domain.record_content import Json
from holdfast.kernel.errors import ProjectForeign, UsageWrong
from holdfast.kernel.ids import reference
from holdfast.surfaces.mcp.calls import OFF, Calls, is_switched_off
from holdfast.surfaces.mcp.replies import reply

_MOST = 20  # checkpoints at once


class MergeTool:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def checkpoint_merge(
        self,
        *,
        checkpoints: Annotated[
            list[str], Field(description="the one to merge into first")
        ],
        title: str = "",
        choose: Annotated[
            list[str] | None,
            Field(description="as conflicts offer: `1=42`, `all=42`; ask the user"),
        ] = None,
        project_path: str = "",
    ) -> CallToolResult:
        def merge(container: Container) -> Json:
            if container.config.is_off_in(container.directory):
                return _nothing(OFF)
            if not 1 <= len(checkpoints) <= _MOST:
                raise UsageWrong(
                    f"1 to {_MOST} checkpoints can be merged at once",
                    hint="pass references such as `42`; see `checkpoint_list`",
                )
            request = MergeRequest(
                references=tuple(map(reference, checkpoints)),
                title=clean_title(title),
                choices=tuple(choose or ()),
            )
            return self._merged(request, container)

        return reply(await self._calls.in_container(merge, project_path))

    def _merged(self, request: MergeRequest, container: Container) -> Json:
        caller, ports = container.caller(), container.ports()
        plan = plan_merge(request, caller, ports)
        marks = self._calls.marks(container)
        draft = plan.home.draft
        if draft.project_id != marks.own_project:
            raise ProjectForeign(
                "these checkpoints belong to another project, and an agent writes only"
                " into its own",
                hint="the user can merge them with `holdfast merge`",
            )
        if is_switched_off(draft.session_id, container, ports):
            return _nothing(OFF)
        return merge_answer(carry_out(plan, caller, ports), marks.head)


def _nothing(reason: str) -> Json:
    return {"type": "unchanged", "checkpoint": None, "reason": reason}
