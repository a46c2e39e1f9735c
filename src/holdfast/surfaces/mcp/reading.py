"""What reads: the tools get, search, resume, list, status, diff, blame and the older latest,
the brief as a document, and the prompts.
"""

from functools import partial
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult, InputRequiredResult
from pydantic import Field

from holdfast.app.branch_answers import blame_answer
from holdfast.app.checkpoints.approval import how_to_approve, preview_answer, quoted
from holdfast.app.checkpoints.compare import NOW, compare
from holdfast.app.checkpoints.find import (
    Offer,
    find,
    if_kept,
    list_checkpoints,
    offer_of,
)
from holdfast.app.checkpoints.resume import Resumed, resume
from holdfast.app.checkpoints.search import SearchRequest, search
from holdfast.app.checkpoints.status import status
from holdfast.app.checkpoints.which_session import begin_from
from holdfast.app.code.blame import blame, file_and_lines
from holdfast.app.json_answers import (
    Shape,
    diff_answer,
    list_answer,
    resume_answer,
    search_answer,
    status_answer,
)
from holdfast.app.notes.named import resume_named
from holdfast.bootstrap import Container
from holdfast.brief.card import quoted_title
from holdfast.domain.query import Scope
from holdfast.domain.record import record
from holdfast.domain.record_content import Json
from holdfast.domain.record_parts import lean, part_names, parts, record_head
from holdfast.kernel.errors import CheckpointNotFound, StoreNotFound, UsageWrong
from holdfast.kernel.ids import label, reference
from holdfast.kernel.lazy_values import dataclass
from holdfast.surfaces.mcp.calls import Calls, Marks
from holdfast.surfaces.mcp.dialogue import agrees
from holdfast.surfaces.mcp.replies import reply

Answer = CallToolResult | InputRequiredResult
Level = Literal["summary", "context", "full"]
Ref = Annotated[
    str, Field(description="42, ccp-…, name, latest, latest~1 or session:ID")
]
Limit = Annotated[int, Field(ge=1, le=100)]
Path = str

_MOST_LINES = 200  # of a file, told to an agent at once
# `context` is the budget the user configured.
BUDGETS: dict[str, int | None] = {"summary": 300, "context": None, "full": 8000}

# The words of the tool that had these names first.
_NONE_FOUND = "No checkpoints found"
_READY = "Ready to continue from checkpoint. What would you like to work on?"

_HOW_TO_SAVE = """\
Save a checkpoint of this session with the `checkpoint_save` tool.{title}
Files, commands, errors, todos and the user's own words are taken from the transcript: \
do not repeat them. Write into `notes` what only you know, one short sentence each:
1. What was done: `key_outcomes` (3 to 7), `discoveries`.
2. What was decided and why: `decisions`; what you tried that failed: `dead_ends`.
3. What is open: `pending`, `open_questions`.
4. What comes next, the first command included: `next_steps`.
5. How the parts fit together, as you understand it now: `mental_model`.
Give `summary` 3 to 5 sentences. Leave out what is not so. Then tell the user the label."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which checkpoint to continue from, and how much of it is told."""

    ref: str
    level: Level
    project: str


class ReadTools:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def checkpoint_get(
        self,
        checkpoint_id: Ref = "latest",
        fields: Annotated[
            list[str] | None,
            Field(description="only these, such as commands errors files_referenced"),
        ] = None,
        project_path: Path = "",
    ) -> CallToolResult:
        def get(container: Container) -> Json:
            store = container.ports().open_store()
            found = find(store, reference(checkpoint_id), container.scope())
            told = (
                lean(record(found))
                if fields is None
                else chosen_parts(record(found), fields)
            )
            return self._calls.marks(container).on(told, found)

        return reply(await self._calls.in_container(get, project_path))

    async def checkpoint_search(
        self,
        *,
        query: Annotated[
            str,
            Field(description="words; file: tag: branch: session: after:2026-01-31 …"),
        ],
        limit: Limit = 10,
        all_projects: bool = False,
        project_path: Path = "",
    ) -> CallToolResult:
        def answer(container: Container) -> Json:
            request = SearchRequest(
                text=query,
                now_ms=container.clock.now_ms(),
                zone=container.zone,
                limit=limit,
            )
            scope = Scope() if all_projects else container.scope()
            hits = search(container.store(), request, scope).hits
            return search_answer(hits, self._calls.marks(container).head)

        return reply(_counted(await self._calls.in_container(answer, project_path)))

    async def checkpoint_resume(
        self,
        ctx: Context[Any, Any],
        checkpoint_id: Ref = "",
        level: Level = "context",
        project_path: Path = "",
        tenant_id: Annotated[str, Field(description="ignored")] = "",
    ) -> Answer:
        del tenant_id  # there is one user
        wanted = _Wanted(checkpoint_id, level, project_path)
        answer = await self._brought(wanted, ctx)
        return answer if isinstance(answer, InputRequiredResult) else reply(answer)

    async def _brought(
        self, wanted: _Wanted, ctx: Context[Any, Any], *, is_whole: bool = False
    ) -> Json | InputRequiredResult:
        """Return the brief, with the checkpoint's head or all of it."""

        def look(container: Container) -> tuple[Resumed, Offer, Json]:
            marks = self._calls.marks(container)
            session = self._calls.session("", container)
            named_or_offered = wanted.ref.strip() or _offered(session, container)
            resumed = resumed_at(named_or_offered, wanted.level, container, marks)
            named = resumed.checkpoint.checkpoint_id
            shape = marks.whole if is_whole else marks.head
            answer = _told(resumed, shape, container)
            return resumed, offer_of(session, named, container.ports()), answer

        resumed, offer, answer = await self._calls.in_container(look, wanted.project)
        if not resumed.is_approved:
            return answer
        if offer == "asked":
            agreed = await agrees(ctx, _question(resumed), unasked=True)
            if isinstance(agreed, InputRequiredResult):
                return agreed
            if not agreed:
                return _left(resumed)
        if offer != "none":
            begin = partial(self._begin, resumed)
            await self._calls.in_container(begin, wanted.project)
        return answer | {
            "level": wanted.level,
            "checkpoint_id": resumed.checkpoint.checkpoint_id,
            "session_id": resumed.checkpoint.draft.session_id,
            "token_count": resumed.tokens,
        }

    def _begin(self, resumed: Resumed, container: Container) -> None:
        session = self._calls.session("", container)
        if session:
            begin_from(resumed.checkpoint, session, container.ports())

    async def checkpoint_list(
        self,
        *,
        session_id: str = "",
        project_path: Path = "",
        limit: Limit = 20,
        auto_only: bool = False,
        all_projects: bool = False,
        tenant_id: Annotated[str, Field(description="ignored")] = "",
    ) -> CallToolResult:
        del tenant_id  # there is one user

        def listed(container: Container) -> Json:
            ports = container.ports()
            found = list_checkpoints(
                container.scope,
                ports,
                everywhere=all_projects,
                session=session_id or None,
                limit=limit,
                auto_only=auto_only,
            )
            marks = self._calls.marks(container)
            return list_answer(found, ports.spool.waiting(), marks.head)

        return reply(_counted(await self._calls.in_container(listed, project_path)))

    async def checkpoint_status(
        self, session_id: str = "", project_path: Path = ""
    ) -> CallToolResult:
        def counted(container: Container) -> Json:
            session = self._calls.session(session_id, container)
            ports = container.ports()
            found = status(session, container.scope(), ports)
            told = status_answer(found, ports.spool.waiting())
            return self._calls.marks(container).on(told, found.last)

        return reply(await self._calls.in_container(counted, project_path))

    async def checkpoint_diff(
        self,
        *,
        older: Ref,
        newer: Annotated[str, Field(description="or `now`, the code as it is")] = NOW,
        project_path: Path = "",
    ) -> CallToolResult:
        def compared(container: Container) -> Json:
            second = None if newer.strip() == NOW else reference(newer)
            found = compare(
                reference(older), second, container.caller(), container.ports()
            )
            marks = self._calls.marks(container)
            return marks.on(diff_answer(found), found.older, found.newer)

        return reply(await self._calls.in_container(compared, project_path))

    async def checkpoint_blame(
        self,
        *,
        file: Annotated[str, Field(description="a.py, or a.py:40-60")],
        project_path: Path = "",
    ) -> CallToolResult:
        """The lines themselves are left out: whoever may read the file has them."""

        def told(container: Container) -> Json:
            path, span = file_and_lines(file, container.directory)
            found = blame(path, container.caller(), container.ports(), span)
            lines = [
                {name: part for name, part in line.items() if part and name != "text"}
                for line in blame_answer(found)["lines"][:_MOST_LINES]
            ]
            left_out = max(0, len(found.lines) - _MOST_LINES)
            return blame_answer(found) | {"lines": lines, "left_out": left_out}

        return reply(await self._calls.in_container(told, project_path))

    async def get_latest_checkpoint(
        self, ctx: Context[Any, Any], project_path: Path = ""
    ) -> Answer:
        wanted = _Wanted("", "full", project_path)
        try:
            answer = await self._brought(wanted, ctx, is_whole=True)
        except (StoreNotFound, CheckpointNotFound) as missing:
            if isinstance(missing, StoreNotFound) and not missing.was_never_made:
                raise  # it is there and cannot be read
            none = {"type": "none", "error": _NONE_FOUND, "reason": missing.message}
            return reply(none)
        if isinstance(answer, InputRequiredResult):
            return answer
        return reply(answer | ({"say": _READY} if "brief" in answer else {}))


def _told(resumed: Resumed, shape: Shape, container: Container) -> Json:
    """Return the brief, or somebody else's quoted, if the user has not agreed to it."""
    if resumed.is_approved:
        return resume_answer(resumed, shape)
    text = quoted(resumed, container.ports())
    return preview_answer(resumed.checkpoint, text, how_to_approve(resumed.checkpoint))


def resumed_at(
    checkpoint_id: str, level: Level, container: Container, marks: Marks
) -> Resumed:
    """Return the brief of a checkpoint; without one, of this worktree's latest.

    Files of another project stay as they are: there only the record counts.
    """
    scope, ports = container.scope(), container.ports()
    wanted = reference(checkpoint_id) if checkpoint_id.strip() else None
    budget = container.budget(BUDGETS[level])
    if scope.project_id == marks.own_project:
        return resume_named(wanted, scope, ports, budget=budget)
    return resume(wanted, scope, ports, budget=budget, asked_in=marks.own_project)


def _offered(session: str | None, container: Container) -> str:
    """Return what this session's start spoke of: that is what its model asks for."""
    store = container.ports().open_store()
    offer = store.offered(session) if session else None
    if offer is None or offer.what not in ("short", "card", "brief"):
        return ""
    return offer.checkpoint_id if if_kept(offer.checkpoint_id, store) else ""


def _question(resumed: Resumed) -> str:
    found = resumed.checkpoint
    return f"Continue from {label(found.number)} {quoted_title(found)}?"


def _left(resumed: Resumed) -> Json:
    return {
        "type": "kept",
        "checkpoint": record_head(resumed.checkpoint),
        "reason": "the user does not want to continue it now; it stays stored",
    }


def chosen_parts(whole: Json, fields: list[str]) -> Json:
    chosen, unknown = parts(whole, fields)
    if unknown:
        raise UsageWrong(
            f"a checkpoint has no `{', '.join(unknown)[:100]}`",
            hint=f"use any of: {', '.join(part_names(whole))}",
        )
    return chosen


def _counted(answer: Json) -> Json:
    return answer | {"count": len(answer["checkpoints"])}


class ReadResources:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def latest(self) -> str:
        return await self._resumed("")

    async def one(self, ref: str) -> str:
        return await self._resumed(ref)

    async def checkpoint(self, title: str = "") -> str:
        asked = f" Its title is {title.strip()!r}." if title.strip() else ""
        return _HOW_TO_SAVE.format(title=asked)

    async def resume(self, ref: str = "") -> str:
        told = await self._resumed(ref)
        return f"{told}\n\nTell me in one sentence where this stands, then wait for me."

    async def _resumed(self, ref: str) -> str:
        def told(container: Container) -> str:
            marks = self._calls.marks(container)
            resumed = resumed_at(ref, "context", container, marks)
            if resumed.is_approved:
                return resumed.brief
            return quoted(resumed, container.ports())

        return await self._calls.in_container(told)
