"""How a call reaches the verbs: each gets a container of its own, in a worker thread.

Settings are read anew and nothing stays open between calls, so the server can live for
days beside hooks and commands that change both.
"""

import os
from collections.abc import Callable, Mapping
from typing import TypeVar

from anyio.to_thread import run_sync

from holdfast.agents.port import Transcripts
from holdfast.app.administration.switches import is_off
from holdfast.app.checkpoints.which_session import LocatedSession, locate
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.bootstrap.projects import is_users_project
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import ProjectIdentity
from holdfast.domain.record import record
from holdfast.domain.record_content import Json
from holdfast.domain.record_parts import lean, record_head
from holdfast.domain.text import visible
from holdfast.kernel.errors import STORE_TROUBLE, ProjectRefused
from holdfast.kernel.lazy_values import dataclass

T = TypeVar("T")
# What the client sets when it starts the server stays as it was after `/clear`.
_STALE = frozenset(["CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_PARENT"])
# An agent may write on its own account; what the user turned off stays off for it.
FROM_PROJECT = "from_project"
OFF = "the user turned holdfast off here; `holdfast on` turns it on again"


@dataclass(frozen=True, slots=True)
class Marks:
    """Says of what is read where it is from, if that is not the server's own project."""

    own_project: str | None

    def on(self, answer: Json, *checkpoints: Checkpoint | None) -> Json:
        for found in filter(None, checkpoints):
            if found.draft.project_id != self.own_project:
                return answer | {FROM_PROJECT: visible(found.draft.project_root)}
        return answer

    def head(self, checkpoint: Checkpoint) -> Json:
        return self.on(record_head(checkpoint), checkpoint)

    def whole(self, checkpoint: Checkpoint) -> Json:
        return self.on(lean(record(checkpoint)), checkpoint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    environ: Mapping[str, str]
    client_pid: int
    project: str | None = None
    store: str | None = None
    agent: str = ""  # whose sessions are meant; nothing: those of Claude Code

    async def in_container(
        self, work: Callable[[Container], T], project_path: str = ""
    ) -> T:
        """Do `work` with a container in the named project, else in the server's own."""
        return await run_sync(self._do, work, project_path)

    def container(self, project_path: str = "") -> Container:
        """Return a container in the named project, else in the server's own.

        Raises:
            HomeRefused: the data directory lies inside one of the two.
            ProjectRefused: the named directory is not one of the user's projects.
        """
        if not project_path:
            return self._container(self.project)
        own = self._container(self.project)
        _ = own.places  # whoever set our environment owns that project
        there = self._container(project_path)
        if there.workspace() != own.workspace() and not is_users_project(there):
            there.close()
            raise ProjectRefused(
                f"`{there.directory}` is not one of the user's projects",
                hint="leave `project_path` out, or name a git repository of the user's"
                " own; only the user can run `holdfast save --project DIR`",
            )
        return there

    def _container(self, directory: str | None) -> Container:
        made = Container(
            environ=self.environ, project=directory, store=self.store, tolerant=True
        )
        made.agent_name = self.agent or made.agent_name
        return made

    def session(self, given: str, container: Container) -> str | None:
        """Return the session that is meant: the one named, else the client's own.

        Asked anew at each call: the client changes its session at `/clear`.
        """
        return given or container.client_session(self.client_pid)

    def located(
        self, given: str, container: Container, transcripts: Transcripts
    ) -> LocatedSession:
        """Return the session and its transcript.

        Raises:
            SessionUnknown: no id was given and the client's cannot be told.
            SaveFailed: there is no transcript of that session.
        """
        return locate(
            self.session(given, container), None, container.environ, transcripts
        )

    def only_in(self, session_id: str, container: Container) -> ProjectIdentity | None:
        """Return the one project that a call may write into.

        None: the session is the one the client is in, and goes where it belongs.
        """
        own = self._container(self.project)
        if container.directory != own.directory:
            return own.identity
        is_own = session_id == container.client_session(self.client_pid)
        return None if is_own else container.identity

    def marks(self, container: Container) -> Marks:
        """Return what says of a checkpoint that it is of another project."""
        own = self._container(self.project)
        if container.directory == own.directory:
            return Marks(container.scope().project_id)
        try:
            return Marks(own.scope().project_id)
        finally:
            own.close()

    def _do(self, work: Callable[[Container], T], project_path: str) -> T:
        container = self.container(project_path)
        try:
            return work(container)
        finally:
            container.close()


def calls_from(
    environ: Mapping[str, str],
    *,
    project: str | None,
    store: str | None,
    agent: str = "",
) -> Calls:
    """Return how calls are made by the client that started this process."""
    fresh = {name: value for name, value in environ.items() if name not in _STALE}
    pid = os.getppid()
    return Calls(
        environ=fresh, client_pid=pid, project=project, store=store, agent=agent
    )


def is_switched_off(session_id: str, container: Container, ports: Ports) -> bool:
    try:
        store = ports.open_store()
        return is_off(store, session_id, container.scope, container.clock.now_ms())
    except STORE_TROUBLE:
        return False  # a store in trouble must not keep a save from being spooled
