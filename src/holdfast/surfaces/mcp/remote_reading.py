"""What reads over HTTP: the tools get, search, resume, list, diff and the older latest, and
the brief as a document.

A brief is told as such to the token by which the checkpoint was told. Every other gets it
quoted, one of the same name, too: that their user approved it, this server cannot know.
"""

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult
from pydantic import Field

from holdfast.app.checkpoints.approval import preview, preview_answer
from holdfast.app.checkpoints.compare import NOW, compare
from holdfast.app.checkpoints.find import find
from holdfast.app.checkpoints.resume import Resumed, resume_checkpoint
from holdfast.app.checkpoints.search import SearchRequest, search
from holdfast.app.checkpoints.told import is_told_by
from holdfast.app.json_answers import (
    diff_answer,
    list_answer,
    resume_answer,
    search_answer,
)
from holdfast.app.ports import Caller as Worker, Ports
from holdfast.bootstrap import Container
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.query import Query, Scope
from holdfast.domain.record import record
from holdfast.domain.record_content import Json
from holdfast.domain.record_parts import lean, record_head
from holdfast.domain.text import beginning, plain
from holdfast.kernel.errors import (
    CheckpointNotFound,
    ReferenceAmbiguous,
    UsageWrong,
)
from holdfast.kernel.ids import IdPrefix, SessionPrefix, reference
from holdfast.surfaces.mcp.reading import BUDGETS, Level, Limit, Ref, chosen_parts
from holdfast.surfaces.mcp.remote import Asker, Remote
from holdfast.surfaces.mcp.replies import reply

ProjectPath = Annotated[
    str, Field(description="a project of this server: id, path, remote or name")
]
_SHOWN = 100
_QUOTED = "it is quoted as somebody else's, because this server cannot know whose it is"


class RemoteReadTools:
    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    async def checkpoint_get(
        self,
        ctx: Context[Any, Any],
        checkpoint_id: Ref = "latest",
        fields: Annotated[
            list[str] | None,
            Field(description="only these, such as commands errors files_referenced"),
        ] = None,
        project_path: ProjectPath = "",
    ) -> CallToolResult:
        def got(asker: Asker, _: Container, ports: Ports) -> Json:
            whole = record(found_by(checkpoint_id, project_path, asker, ports))
            return lean(whole) if fields is None else chosen_parts(whole, fields)

        return reply(await self._remote.read(ctx, got))

    async def checkpoint_search(
        self,
        ctx: Context[Any, Any],
        *,
        query: Annotated[
            str,
            Field(description="words; file: tag: branch: session: after:2026-01-31 …"),
        ],
        limit: Limit = 10,
        all_projects: bool = False,
        project_path: ProjectPath = "",
    ) -> CallToolResult:
        def searched(asker: Asker, container: Container, ports: Ports) -> Json:
            asked = SearchRequest(
                text=query,
                now_ms=container.clock.now_ms(),
                zone=container.zone,
                limit=limit,
            )
            scopes = _scopes(asker, project_path, everywhere=all_projects)
            store = ports.open_store()
            hits = [hit for scope in scopes for hit in search(store, asked, scope).hits]
            if len(scopes) > 1:
                hits.sort(key=lambda hit: -hit.score)
            return search_answer(hits[:limit], record_head)

        return reply(_counted(await self._remote.read(ctx, searched)))

    async def checkpoint_resume(
        self,
        ctx: Context[Any, Any],
        checkpoint_id: Ref = "latest",
        level: Level = "context",
        project_path: ProjectPath = "",
        tenant_id: Annotated[str, Field(description="ignored")] = "",
    ) -> CallToolResult:
        del tenant_id  # whose it is, the token says

        def told(asker: Asker, container: Container, ports: Ports) -> Json:
            found = found_by(checkpoint_id, project_path, asker, ports)
            resumed = resumed_from(found, level, container, ports)
            return _told(resumed, asker, ports) | {"level": level}

        return reply(await self._remote.read(ctx, told))

    async def checkpoint_list(  # noqa: PLR0913  # the parameters are the tool's
        self,
        ctx: Context[Any, Any],
        *,
        session_id: str = "",
        project_path: ProjectPath = "",
        limit: Limit = 20,
        auto_only: bool = False,
        all_projects: bool = False,
        tenant_id: Annotated[str, Field(description="ignored")] = "",
    ) -> CallToolResult:
        del tenant_id  # whose it is, the token says

        def listed(asker: Asker, _: Container, ports: Ports) -> Json:
            scopes = _scopes(asker, project_path, everywhere=all_projects)
            session = session_id or None
            found = [
                one
                for scope in scopes
                for one in _newest(ports, scope, session, limit, auto_only=auto_only)
            ]
            if len(scopes) > 1:
                found.sort(key=lambda one: -one.draft.created_at)
            return list_answer(found[:limit], 0, record_head)

        return reply(_counted(await self._remote.read(ctx, listed)))

    async def checkpoint_diff(
        self,
        ctx: Context[Any, Any],
        *,
        older: Ref,
        newer: Ref,
        project_path: ProjectPath = "",
    ) -> CallToolResult:
        def compared(asker: Asker, container: Container, ports: Ports) -> Json:
            if newer.strip() == NOW:
                raise UsageWrong(
                    "this server cannot see your current code",
                    hint="name two checkpoints",
                )
            named = [
                found_by(one, project_path, asker, ports) for one in (older, newer)
            ]
            first, second = (IdPrefix(one.checkpoint_id) for one in named)
            worker = Worker(
                directory="", scope=Scope(project_id=named[0].draft.project_id), key=""
            )
            del container
            return diff_answer(compare(first, second, worker, ports))

        return reply(await self._remote.read(ctx, compared))

    async def get_latest_checkpoint(
        self, ctx: Context[Any, Any], project_path: ProjectPath = ""
    ) -> CallToolResult:
        def latest(asker: Asker, container: Container, ports: Ports) -> Json:
            found = found_by("latest", project_path, asker, ports)
            resumed = resumed_from(found, "full", container, ports)
            whole = {"checkpoint": lean(record(found))}
            return _told(resumed, asker, ports) | whole

        return reply(await self._remote.read(ctx, latest))


class RemoteResources:
    """The brief as a document, quoted where it is somebody else's."""

    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    async def one(self, ref: str, ctx: Context[Any, Any]) -> str:
        def told(asker: Asker, container: Container, ports: Ports) -> str:
            found = found_by(ref, "", asker, ports)
            resumed = resumed_from(found, "context", container, ports)
            answer = _told(resumed, asker, ports)
            return str(answer.get("brief") or answer["preview"])

        return await self._remote.read(ctx, told)


def found_by(text: str, project_path: str, asker: Asker, ports: Ports) -> Checkpoint:
    """Return what a reference names, of the projects of whoever asks.

    Ids are looked up in all that whoever asks may know, whatever `project_path` says.

    Raises:
        CheckpointNotFound, ReferenceAmbiguous, UsageWrong
    """
    wanted = reference(text)
    store = ports.open_store()
    if not isinstance(wanted, IdPrefix | SessionPrefix):
        project = asker.project(project_path)
        return find(store, wanted, Scope(project_id=project.project_id))
    try:
        return store.find(wanted, Scope())
    except CheckpointNotFound:
        raise _not_there(text) from None
    except ReferenceAmbiguous:
        raise _not_there(text, "alone ") from None


def resumed_from(
    found: Checkpoint, level: Level, container: Container, ports: Ports
) -> Resumed:
    """Return its brief; the code on this machine is not looked at."""
    scope = Scope(project_id=found.draft.project_id)
    budget = container.budget(BUDGETS[level])
    return resume_checkpoint(found, scope, ports, budget=budget)


def _told(resumed: Resumed, asker: Asker, ports: Ports) -> Json:
    found = resumed.checkpoint
    named = {
        "checkpoint_id": found.checkpoint_id,
        "session_id": found.draft.session_id,
        "token_count": resumed.tokens,
    }
    if is_told_by(asker.grant.token_id, found):
        return resume_answer(resumed, record_head) | named
    quoted = preview(resumed, ports.clock.now_ms(), ports.open_store().machine)
    return preview_answer(found, quoted, _QUOTED) | named


def _scopes(asker: Asker, project_path: str, *, everywhere: bool) -> list[Scope]:
    if not everywhere:
        return [Scope(project_id=asker.project(project_path).project_id)]
    if not asker.grant.projects:
        return [Scope()]
    return [Scope(project_id=one.project_id) for one in asker.mine]


def _newest(
    ports: Ports, scope: Scope, session: str | None, limit: int, *, auto_only: bool
) -> tuple[Checkpoint, ...]:
    store = ports.open_store()
    if auto_only:
        asked = Query(type="auto", session=session, sort="desc")
        return tuple(hit.checkpoint for hit in store.search(asked, scope, limit))
    return store.list(scope, session=session, limit=limit)


def _not_there(text: str, alone: str = "") -> CheckpointNotFound:
    said = beginning(plain(text), _SHOWN)
    return CheckpointNotFound(f"`{said}` {alone}is not a checkpoint that you may read")


def _counted(answer: Json) -> Json:
    return answer | {"count": len(answer["checkpoints"])}
