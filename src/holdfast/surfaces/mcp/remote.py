"""Calls over HTTP: who asks, in which project, and the store that answers.

Whoever may know one project only is answered from a store in which no other is, so no tool
has to think of it.

There is no transcript and no directory of the caller on this machine. What is read is what
the store has, within the projects of the token; what is saved is what the caller says, as
said by the token's name. No argument leads to a file.
"""

from collections.abc import Callable
from threading import Lock
from typing import Any, Protocol, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from mcp.server.mcpserver import Context

from holdfast.app.checkpoints.asked_project import asked_project, usable
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.bootstrap.serving import ports_of_project
from holdfast.domain.access import AccessScope, Grant, has_scope
from holdfast.domain.code import Project
from holdfast.kernel.errors import AccessRefused
from holdfast.kernel.lazy_values import dataclass

T = TypeVar("T")
_AT_ONCE = 2  # threads of each kind: more only wait for the interpreter


class Asks(Protocol):
    """The part of a call's context that says who asks."""

    @property
    def request_context(self) -> Any: ...


def grant_of(ctx: Asks | None) -> Grant:
    """Return what the door found out about whoever asks.

    Raises:
        AccessRefused: it found nothing.
    """
    request = ctx.request_context.request if ctx else None
    state = request.scope.get("state", {}) if request is not None else {}
    grant = state.get("grant")
    if not isinstance(grant, Grant):
        raise AccessRefused(
            "the request has no token", hint="send a token: `Authorization: Bearer …`"
        )
    return grant


def refuse_unless(grant: Grant, needed: AccessScope) -> None:
    """Raises:
    AccessRefused: the grant does not go as far.
    """
    if not has_scope(grant, needed):
        raise AccessRefused(
            f"this needs a token with the scope `{needed}`, and yours has"
            f" `{grant.scope}`",
            hint="tell the user to ask whoever runs this server for one:"
            f" `holdfast token create --scope {needed}`",
        )


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, and where: one project, or all that the grant is for."""

    grant: Grant
    mine: tuple[Project, ...]  # that the grant is for
    here: str  # the project the server was started in

    @property
    def author(self) -> str:
        """Whose words a save is; never nobody's, which would be this user's."""
        return self.grant.name or f"token-{self.grant.token_id}"

    def project(self, text: str) -> Project:
        """Return the project that is meant.

        Raises:
            UsageWrong
        """
        return asked_project(text, self.mine, self.here)


class _Views:
    """What each grant gets to see of a store: everything, or one project."""

    def __init__(self, whole: Ports) -> None:
        self._whole = whole
        self._guard = Lock()
        self._limited: dict[str, Ports] = {}  # as many as tokens name projects

    def of(self, grant: Grant) -> Ports:
        if not grant.projects:
            return self._whole
        (project,) = grant.projects
        with self._guard:
            if project not in self._limited:
                self._limited[project] = ports_of_project(self._whole, project)
            return self._limited[project]


Work = Callable[[Asker, Container, Ports], T]


class Remote:
    """One server's side of the calls: a store to read and one to write, so that no
    reader waits for a disk."""

    def __init__(self, reading: Container, writing: Container) -> None:
        self.environ = reading.environ
        self._reading, self._writing = reading, writing
        self._views = {id(each): _Views(each.ports()) for each in (reading, writing)}
        self._limits: dict[int, CapacityLimiter] = {}
        self._here = reading.scope().project_id or ""

    async def read(self, ctx: Context[Any, Any], work: Work[T]) -> T:
        return await self._done(grant_of(ctx), work, self._reading)

    async def write(self, ctx: Context[Any, Any], work: Work[T]) -> T:
        return await self._done(grant_of(ctx), work, self._writing)

    def close(self) -> None:
        self._reading.close()
        self._writing.close()

    async def _done(self, grant: Grant, work: Work[T], container: Container) -> T:
        which = id(container)
        limit = self._limits.setdefault(which, CapacityLimiter(_AT_ONCE))

        def done() -> T:
            ports = self._views[which].of(grant)
            mine = usable(grant, ports.open_store().projects())
            return work(Asker(grant, mine, self._here), container, ports)

        return await run_sync(done, limiter=limit)
