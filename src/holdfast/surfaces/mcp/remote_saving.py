"""What writes over HTTP: the tools that save what the caller tells, and the switches.

A save is in the store when it is answered; the client's tool-use id makes a repeated call
the same save, for the same token only.
"""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult
from pydantic import Field

from holdfast.app.checkpoints.drafting import clean_name, clean_tags, clean_title
from holdfast.app.checkpoints.save import Saved
from holdfast.app.checkpoints.told import Telling, tell
from holdfast.app.json_answers import save_answer
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.domain.record_content import Json
from holdfast.domain.record_parts import record_head
from holdfast.domain.text import one_line, visible
from holdfast.kernel.errors import AccessRefused
from holdfast.kernel.lazy_values import dataclass
from holdfast.surfaces.mcp.remote import Asker, Remote, grant_of
from holdfast.surfaces.mcp.remote_reading import ProjectPath
from holdfast.surfaces.mcp.replies import reply
from holdfast.surfaces.mcp.saving import (
    Percent,
    configured,
    raw_notes,
    tool_use,
    with_older_names,
)

_MOST_ID = 200
SessionId = Annotated[
    str, Field(description="your session's id; without it, each save stands alone")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """A save as a caller tells it."""

    notes: Mapping[str, Any]
    title: str = ""
    name: str = ""
    tags: tuple[str, ...] = ()
    session_id: str = ""
    project_path: str = ""
    is_auto: bool = False
    summary_only: bool = False
    tool_use: str = ""

    def kept(self, asker: Asker, container: Container, ports: Ports) -> Json:
        alone = container.new_key()
        use = one_line(visible(self.tool_use), _MOST_ID)
        session = one_line(visible(self.session_id), _MOST_ID)
        named = session or (f"call {use}" if use else alone)
        telling = Telling(
            teller=asker.grant.token_id,
            author=asker.author,
            key=use or alone,
            session=named,
            project=asker.project(self.project_path),
            notes=self.notes,
            title=clean_title(self.title) or "",
            name=clean_name(self.name, ports.redactor) if self.name.strip() else None,
            tags=clean_tags(self.tags),
            type="auto" if self.is_auto else "manual",
            summary_only=self.summary_only,
        )
        kept = tell(telling, ports)
        unknown = kept.checkpoint.draft.extra_notes if isinstance(kept, Saved) else ()
        return save_answer(kept, unknown, record_head)


class RemoteSaveTools:
    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    async def checkpoint_save(  # noqa: PLR0913  # the signature is the tool's parameters
        self,
        ctx: Context[Any, Any],
        *,
        title: str = "",
        name: Annotated[str, Field(description="to find it by: api-design")] = "",
        summary: Annotated[str, Field(description="3-5 sentences")] = "",
        notes: Annotated[
            dict[str, Any] | None,
            Field(
                description="lists of texts: key_outcomes decisions discoveries"
                " pending next_steps open_questions dead_ends topics; texts:"
                " mental_model work_type domain"
            ),
        ] = None,
        tags: list[str] | None = None,
        session_id: SessionId = "",
        project_path: ProjectPath = "",
        description: str = "",
        context: Annotated[str, Field(description="kept as a detail")] = "",
        full_state: str = "",
        metadata: dict[str, Any] | None = None,
        auto_created: bool = False,
        token_count: int = 0,
        threshold: float = 0,
        tenant_id: Annotated[str, Field(description="ignored")] = "",
        summary_only: bool = False,
    ) -> CallToolResult:
        del token_count, threshold, tenant_id  # nobody here can count
        extra = {
            "description": description,
            "summary": summary,
            "context": context,
            "full_state": full_state,
            "metadata": metadata,
        }
        told = _Told(
            notes=raw_notes(notes, extra),
            title=title,
            name=name,
            tags=tuple(tags or ()),
            session_id=session_id,
            project_path=project_path,
            is_auto=auto_created,
            summary_only=summary_only,
            tool_use=tool_use(ctx),
        )
        return reply(await self._remote.write(ctx, told.kept))

    async def store_checkpoint(
        self,
        ctx: Context[Any, Any],
        content: Annotated[str, Field(description="what was done, state, next steps")],
        session_id: SessionId = "",
        project_path: ProjectPath = "",
    ) -> CallToolResult:
        told = _Told(
            notes=raw_notes(None, {"summary": content}),
            session_id=session_id,
            project_path=project_path,
            tool_use=tool_use(ctx),
        )
        return reply(with_older_names(await self._remote.write(ctx, told.kept)))


class RemoteSettingsTool:
    """The switches are of whoever runs the server, for every project of theirs."""

    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    async def checkpoint_configure(
        self,
        ctx: Context[Any, Any],
        *,
        auto_checkpoint_on_clear: Literal[True, False, "prompt"] | None = None,
        auto_resume_on_start: Literal[True, False, "prompt", "always"] | None = None,
        checkpoint_threshold_percent: Percent = None,
        checkpoint_threshold: Percent = None,
        verify_before_clear: bool | None = None,
    ) -> CallToolResult:
        if not grant_of(ctx).allows("admin"):
            raise AccessRefused(
                "settings apply to every project, and this token is for only some",
                hint="use a token with the scope `admin`, made without `--project`",
            )
        wanted = {
            "auto_checkpoint_on_clear": auto_checkpoint_on_clear,
            "auto_resume_on_start": auto_resume_on_start,
            "checkpoint_threshold_percent": checkpoint_threshold
            if checkpoint_threshold_percent is None
            else checkpoint_threshold_percent,
            "verify_before_clear": verify_before_clear,
        }
        given = {k: str(v).lower() for k, v in wanted.items() if v is not None}
        return reply(await self._remote.write(ctx, partial(_set, given)))


def _set(
    given: dict[str, str], asker: Asker, container: Container, ports: Ports
) -> Json:
    del asker, ports  # who may was asked before
    return configured(given, container)
