"""What a hook works with: what the client said, what the user wishes, and the ports."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from holdfast.app.administration.switches import is_off
from holdfast.domain.client import Client
from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from holdfast.app.ports import Ports
    from holdfast.data_directory.port import EndRequests, Markers, Processes
    from holdfast.domain.query import Scope
    from holdfast.start.decision import Mode
    from holdfast.store.port import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class HookEvent:
    """One event of a client, already read. Missing fields are empty."""

    name: str
    session_id: str
    transcript: str = ""
    directory: str = ""
    source: str = ""
    reason: str = ""
    prompt: str = ""
    model: str = ""
    last_message: str = ""
    headless: bool | None = None  # nobody is there, where the client says so
    is_deaf: bool = False  # what is said at this start does not reach the model
    has_windows: bool = False  # the client's process may run several sessions at once


@dataclass(frozen=True, slots=True, kw_only=True)
class HookSettings:
    """The settings that hooks follow."""

    resume: Mode = True
    save_on_clear: bool | Literal["prompt"] = True
    threshold: int = 70
    verify: bool = True
    headless: Literal["off", "capture", "full"] = "capture"
    nudge: bool = False
    budget: int = 1000
    guard: bool = False
    allow_force: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class HookContext:
    """One set per hook."""

    ports: Ports
    markers: Markers
    processes: Processes
    requests: EndRequests
    settings: HookSettings
    scope: Callable[[], Scope]  # asks the store
    workspace: str
    client_pid: int
    is_headless: bool  # nobody is there
    may_lose_lines: Callable[[], bool]  # at the start after a clear: it reads files
    close_store: Callable[[], None]  # before a process is split off
    write_variables: Callable[[str], None]  # of a session's own shell
    audit: Callable[[str], None]  # an entry that stays
    log: Callable[[BaseException], None]  # what went wrong, for whoever looks
    tidy: Callable[[], None]  # retention, once a day
    unhurried: Callable[[], AbstractContextManager[None]]  # git may take its time
    agent: str = ""  # whose hook this is
    has_windows: bool = False  # its process may run several sessions at once
    # Of the agent that a request or a transcript names: any hook carries out what waits.
    ports_of: Callable[[str, str], Ports] | None = None

    def ports_for(self, agent: str, transcript: str) -> Ports:
        """Return what reads a transcript, which may be another agent's."""
        if self.ports_of is None or agent == self.agent != "":
            return self.ports
        return self.ports_of(agent, transcript)

    @property
    def is_quiet(self) -> bool:
        """Nobody is there, and the user did not ask for everything."""
        return self.is_headless and self.settings.headless != "full"

    def started(self, session_id: str) -> str | None:
        """Return what tells the client, or its window with a session, from others of the
        same process id; None if it is gone."""
        process = self.processes.started(self.client_pid)
        if process is None or not self.has_windows:
            return process
        from holdfast.domain.client import window_of  # noqa: PLC0415  # for few agents

        return window_of(process, session_id)

    def is_running(self, client: Client) -> bool:
        """Say whether the process of a client is there."""
        return self.processes.started(client.pid) == client.process

    def client(self, event: HookEvent) -> Client | None:
        """Return the client this hook was started by, in the event's session."""
        started = self.started(event.session_id)
        if started is None:
            return None
        return Client(
            pid=self.client_pid,
            started=started,
            session_id=event.session_id,
            transcript=event.transcript,
            workspace=self.workspace,
            # What leads nowhere may be any words, and could not be used later.
            directory=event.directory
            if os.path.isdir(event.directory)
            else self.workspace,
            source=event.source,
            headless=self.is_quiet,
            seen_at=self.ports.clock.now_ms(),
        )

    def is_off(self, store: Store, session_id: str) -> bool:
        return is_off(store, session_id, self.scope, self.ports.clock.now_ms())


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a hook answers: to the model, to the user, and to the client."""

    context: str = ""
    line: str = ""
    left_out: tuple[str, ...] = ()  # of a brief; the line ends with it
    blocked: str = ""  # the reason, where a guard holds a prompt back
    finish_later: bool = False  # requests wait that did not fit into this hook
    octets: int = 0  # read from the transcript
    tokens: int = 0


def transcript_size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def transcript_mark(path: str) -> int:
    """Return a number that is another one once a transcript has grown: its size, or of a
    session in a database when that was last written."""
    try:
        return os.stat(path).st_size
    except NotADirectoryError:
        database = os.path.dirname(path)
        files = (one for one in (database, f"{database}-wal") if os.path.isfile(one))
        return max((os.stat(one).st_mtime_ns for one in files), default=0)
    except (OSError, ValueError):
        return 0


def is_transcript_there(path: str) -> bool:
    """Say whether a transcript's file is there, or the database that it is in."""
    return os.path.exists(path) or os.path.isfile(os.path.dirname(path))
