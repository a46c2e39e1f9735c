"""The tools that save, and `checkpoint_configure`: the switches of automatic saving.

`checkpoint_save` is ours, `store_checkpoint` is as an older tool had it.
"""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult, InputRequiredResult
from pydantic import Field

from holdfast.app.checkpoints.drafting import (
    SaveRequest,
    clean_name,
    clean_tags,
    clean_title,
)
from holdfast.app.checkpoints.save import NothingToSave, Saved, SaveResult, save
from holdfast.app.json_answers import save_answer
from holdfast.bootstrap import Container
from holdfast.bootstrap.hooks import refresh_variables
from holdfast.bootstrap.redacting import redactor_for_words
from holdfast.domain.record_content import Json
from holdfast.domain.record_parts import record_head
from holdfast.domain.text import one_line, visible
from holdfast.facts.statements.notes import Notes, parse_notes
from holdfast.kernel.errors import NameTaken
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.surfaces.mcp.calls import OFF, Calls, is_switched_off
from holdfast.surfaces.mcp.dialogue import agrees, while_telling
from holdfast.surfaces.mcp.replies import reply

Answer = CallToolResult | InputRequiredResult
_TOOL_USE = "claudecode/toolUseId"
_MOST_KEY = 200

_KEYS = (
    "auto_checkpoint_on_clear", "auto_resume_on_start", "checkpoint_threshold_percent",
    "verify_before_clear",
)  # fmt: skip
Percent = Annotated[int | None, Field(ge=70, le=95)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveCall:
    """A save as an agent asks for it, its session still to be found."""

    notes: Notes | None
    title: str = ""
    name: str = ""
    tags: tuple[str, ...] = ()
    session_id: str = ""
    project_path: str = ""
    is_auto: bool = False
    summary_only: bool = False
    include_files: bool = False
    force: bool = False
    tool_use: str = ""

    def save(self, calls: Calls, container: Container) -> SaveResult:
        if container.config.is_off_in(container.directory):
            return NothingToSave(OFF)
        ports = container.ports(create=True)
        found = calls.located(self.session_id, container, ports.transcripts)
        if is_switched_off(found.session_id, container, ports):
            return NothingToSave(OFF)
        request = SaveRequest(
            session_id=found.session_id,
            transcript=container.absolute(found.transcript),
            directory=container.directory,
            directory_given=container.project_given,
            key=self._key(found.session_id) or container.new_key(),
            type="auto" if self.is_auto else "manual",
            title=clean_title(self.title),
            name=clean_name(self.name, ports.redactor) if self.name.strip() else None,
            replace_name=self.force,
            tags=clean_tags(self.tags),
            notes=self.notes,
            summary_only=self.summary_only,
            include_files=self.include_files,
            budget=container.budget(None),
            only_in=calls.only_in(found.session_id, container),
        )
        result = save(request, ports)
        if isinstance(result, Saved):
            refresh_variables(container, found.session_id)
        return result

    def _key(self, session_id: str) -> str:
        """The client repeats a call under the id of its tool use."""
        use = one_line(visible(self.tool_use), _MOST_KEY)
        return f"mcp:{session_id}:{use}" if use else ""


class SaveTools:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

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
        session_id: Annotated[str, Field(description="default: this one")] = "",
        project_path: Annotated[str, Field(description="default: here")] = "",
        description: str = "",
        context: Annotated[str, Field(description="kept as a detail")] = "",
        full_state: str = "",
        metadata: dict[str, Any] | None = None,
        auto_created: bool = False,
        token_count: int = 0,
        threshold: float = 0,
        tenant_id: Annotated[str, Field(description="ignored")] = "",
        summary_only: bool = False,
        include_files: bool = False,
        force: Annotated[bool, Field(description="move a taken name")] = False,
    ) -> Answer:
        del token_count, threshold, tenant_id  # counted from the transcript; one user
        extra = {
            "description": description,
            "summary": summary,
            "context": context,
            "full_state": full_state,
            "metadata": metadata,
        }
        wish = SaveCall(
            notes=notes_of(notes, extra),
            title=title,
            name=name,
            tags=tuple(tags or ()),
            session_id=session_id,
            project_path=project_path,
            is_auto=auto_created,
            summary_only=summary_only,
            include_files=include_files,
            force=force,
            tool_use=tool_use(ctx),
        )
        try:
            result = await self._save(wish, ctx)
        except NameTaken as taken:
            agreed = await agrees(ctx, f"{taken.message}. Move it?")
            if isinstance(agreed, InputRequiredResult):
                return agreed
            if not agreed:
                raise
            result = await self._save(replace(wish, force=True), ctx)
        redact = redactor_for_words(self._calls.environ).text
        unknown = map(redact, wish.notes.unknown) if wish.notes else ()
        return reply(save_answer(result, unknown, record_head))

    async def store_checkpoint(
        self,
        ctx: Context[Any, Any],
        content: Annotated[str, Field(description="what was done, state, next steps")],
        session_id: str = "",
        project_path: str = "",
    ) -> CallToolResult:
        wish = SaveCall(
            notes=notes_of(None, {"summary": content}),
            session_id=session_id,
            project_path=project_path,
            tool_use=tool_use(ctx),
        )
        answer = save_answer(await self._save(wish, ctx), shape=record_head)
        return reply(with_older_names(answer))

    async def _save(self, wish: SaveCall, ctx: Context[Any, Any]) -> SaveResult:
        work = partial(
            self._calls.in_container, partial(wish.save, self._calls), wish.project_path
        )
        return await while_telling(ctx, "reading the transcript", work)


def notes_of(given: Mapping[str, Any] | None, extra: Mapping[str, Any]) -> Notes | None:
    """Return the notes with what older tools pass beside them, or None if all is empty.

    Raises:
        NotesInvalid: a field has the wrong type.
    """
    raw = raw_notes(given, extra)
    return parse_notes(raw) if raw else None


def raw_notes(
    given: Mapping[str, Any] | None, extra: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of the notes with what older tools pass beside them."""
    raw: dict[str, Any] = dict(given or {})
    for field in ("summary", "metadata"):
        if extra.get(field):
            raw.setdefault(field, extra[field])
    if extra.get("description"):
        raw.setdefault("title", extra["description"])
    details = [
        {"topic": topic.replace("_", " "), "text": extra[topic]}
        for topic in ("context", "full_state")
        if extra.get(topic)
    ]
    if details and isinstance(raw.get("details", []), list):
        raw["details"] = [*raw.get("details", []), *details]
    return raw


def tool_use(ctx: Context[Any, Any]) -> str:
    return str((ctx.request_context.meta or {}).get(_TOOL_USE) or "")


def with_older_names(answer: Json) -> Json:
    """Add the two fields that `store_checkpoint` answered with."""
    kept = answer.get("checkpoint")
    if not kept:
        return answer
    return answer | {"checkpointId": kept["label"], "created": kept["created_at"]}


class SettingsTool:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def checkpoint_configure(
        self,
        *,
        auto_checkpoint_on_clear: Literal[True, False, "prompt"] | None = None,
        auto_resume_on_start: Literal[True, False, "prompt", "always"] | None = None,
        checkpoint_threshold_percent: Percent = None,
        checkpoint_threshold: Percent = None,
        verify_before_clear: bool | None = None,
    ) -> CallToolResult:
        threshold = (
            checkpoint_threshold
            if checkpoint_threshold_percent is None
            else checkpoint_threshold_percent
        )
        wanted = {
            "auto_checkpoint_on_clear": auto_checkpoint_on_clear,
            "auto_resume_on_start": auto_resume_on_start,
            "checkpoint_threshold_percent": threshold,
            "verify_before_clear": verify_before_clear,
        }
        texts = {
            key: str(value).lower()
            for key, value in wanted.items()
            if value is not None
        }
        return reply(
            await self._calls.in_container(
                lambda container: configured(texts, container)
            )
        )


def configured(texts: dict[str, str], container: Container) -> Json:
    if texts:
        container.set_values(texts)
    found = {key: container.config.value_of(key) for key in _KEYS}
    values: dict[str, Any] = {
        f"hooks.{key}": {"value": setting.value, "from": setting.origin}
        for key, setting in found.items()
    }
    return {
        "type": "config",
        "success": True,
        "config": {key: setting.value for key, setting in found.items()},
        "values": values,
    }
