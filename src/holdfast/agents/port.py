"""The promises of a coding agent: its transcripts, its memory, being called by it.

An agent is a folder beside this file whose `agent.py` keeps `CodingAgent`, and one line in
`bootstrap/agents.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from holdfast.agents.past_port import NativeSessions, PastSessions
    from holdfast.domain.code import DeniedFiles
    from holdfast.domain.event import Event, Role
    from holdfast.domain.file_history import AgentStep
    from holdfast.domain.query import HealthResult
    from holdfast.domain.session import Cursor, Turn
    from holdfast.kernel.shared_files import Changed

InstallScope = Literal["user", "project"]
WiringDeed = Literal["plugin", "written", "changed", "removed"]


class WiringChange(NamedTuple):
    """One thing that installing or uninstalling did, or would do."""

    what: WiringDeed
    path: str
    detail: str


class Wiring(Protocol):
    """The wiring into one agent. Doing either twice changes nothing the second time."""

    def install(
        self,
        *,
        scope: InstallScope,
        mcp: bool,
        dry_run: bool,
        permissions: bool = True,
    ) -> tuple[WiringChange, ...]:
        """Make the agent call us, and return what changed. With `permissions` it may
        call what only reads without asking.

        What others wrote stays as it is, byte for byte. With `dry_run` nothing changes.
        Where the user's own settings are a link to another file of theirs, that one is
        changed and the link stays one; a project's link is not followed.

        Raises:
            WiringFailed: a file is not ours to change; nothing of it was changed.
        """
        ...

    def uninstall(self, *, dry_run: bool) -> tuple[WiringChange, ...]:
        """Undo every install, wherever it was, and return what changed.

        No trace stays but the data. An install whose record is lost is known by the
        names that only we use, in the settings of the user and of this project.

        Raises:
            WiringFailed: a file is not ours to change.
        """
        ...

    def check(self) -> Iterator[HealthResult]:
        """Yield whether the wiring is there and answers, end to end."""
        ...

    @property
    def advice(self) -> str:
        """Return what the user still has to do in the client; mostly nothing."""
        ...


class TranscriptReading(Protocol):
    """One pass over what is new in a transcript. Iterate once, then ask the rest."""

    @property
    def restarted(self) -> bool:
        """The file was truncated or replaced: this pass began at zero again."""
        ...

    def __iter__(self) -> Iterator[Event]:
        """Yield each new event: the main file's in order, then each sub-agent's.

        No line can make this raise; an unreadable line is an event too.
        """
        ...

    @property
    def cursor(self) -> Cursor:
        """Where the next pass continues, once this one is exhausted.

        A half-written last line is left for the next pass.
        """
        ...

    @property
    def half_written(self) -> int:
        """Bytes at the end of the file that are not a whole line yet."""
        ...


class Transcripts(Protocol):
    """The transcripts of one agent."""

    @property
    def agent(self) -> str:
        """Return the agent's name as records carry it."""
        ...

    def session_of(self, path: str) -> str | None:
        """Return the session id a transcript says it belongs to.

        Raises:
            SaveFailed: the file is missing or unreadable.
        """
        ...

    def find(self, session_id: str) -> str | None:
        """Return the path of a session's transcript, or None."""
        ...

    def beginning_with(self, prefix: str) -> tuple[str, ...]:
        """Return the ids of the sessions with a transcript that begin like this, sorted.

        An id is told once, wherever its transcripts lie.
        """
        ...

    def newest(self, cwd: str | None = None) -> str | None:
        """Return the transcript written last, of sessions begun in `cwd` if given."""
        ...

    def origin(self, path: str) -> str | None:
        """Return the session a forked transcript was copied from; None if unknown."""
        ...

    def last_message_at(self, path: str) -> int:
        """Return when somebody last said something, as the transcript has it, in Unix
        milliseconds; 0 if it does not say. Clients touch the file when they open it."""
        ...

    def read(self, path: str, since: Cursor | None = None) -> TranscriptReading:
        """Read what is new since `since`, or everything.

        Raises:
            SaveFailed: the file is missing or unreadable.
        """
        ...

    def begun_in(self, cwd: str) -> tuple[str, ...]:
        """Return the transcripts of sessions begun in a directory, the newest first."""
        ...

    def steps(self, path: str, naming: Collection[str]) -> tuple[AgentStep, ...] | None:
        """Return what an agent did that changed files or may have, in order, its
        sub-agents' work included; None where nothing says one of the names, or where
        this version does not read what this agent does.

        A step has the prompt that was being answered, redacted, and texts of files as
        they are: nobody keeps it. An edit that failed is no step. No line can make this
        raise.

        Raises:
            SaveFailed: the file is missing or unreadable.
        """
        ...


class ClientMemory(Protocol):
    """Files of one directory by their bare names, never through a symbolic link."""

    @property
    def directory(self) -> str:
        """Return where it is."""
        ...

    @property
    def is_indexed(self) -> bool:
        """Say whether the client reads the index: its auto memory is on."""
        ...

    def names(self) -> tuple[str, ...]:
        """Return the names of the regular files in it; none where there is none.

        Raises:
            FileOutOfReach: the machine could not look.
        """
        ...

    def read(self, name: str) -> str | None:
        """Return a file's text, or None where there is none.

        Raises:
            FileRefused: it is a link, no regular file, or unreadable.
        """
        ...

    def change(self, name: str, rewrite: Callable[[str | None], str | None]) -> Changed:
        """Put what `rewrite` makes of the text in its place, whole or not at all.

        Two calls at once, also of two processes, come one after the other. `rewrite`
        gives None to leave the file alone, and may be called more than once.

        Raises:
            FileRefused: nothing was changed.
        """
        ...

    def remove(self, name: str, may_go: Callable[[str], bool]) -> bool:
        """Remove a file whose text may go; say whether it went.

        `may_go` gets the text as it is at that moment, while nobody else may change or
        remove anything here. A file that changed under our hands stays.

        Raises:
            FileRefused: it is a link, no regular file, or cannot be removed.
        """
        ...

    def plan(self, path: str) -> str | None:
        """Return the text of a plan, if it is the client's or lies in the project."""
        ...


class CodingAgent(Protocol):
    """One coding agent on this machine; what it promises is made when asked for."""

    @property
    def name(self) -> str:
        """Return its name as records carry it."""
        ...

    @property
    def title(self) -> str:
        """Return its name as people read it."""
        ...

    @property
    def inside(self) -> tuple[str, ...]:
        """Return the variables that tell a program that its client started it."""
        ...

    @property
    def hook_events(self) -> Mapping[str, str]:
        """Return the events it calls us at, by its own names: which of ours each is."""
        ...

    def hook_input(self, given: Mapping[str, Any], pid: int) -> Mapping[str, Any]:
        """Return what its process says in a hook, under the names that we read.

        Among them `headless`: nobody sits in front of it; `is_deaf`: what is said at
        this start does not reach its model; and `has_windows`: its process may run
        several sessions at once.
        """
        ...

    def role_of(self, tool: str) -> Role:
        """Return what a tool of its is for."""
        ...

    def tool_for(self, role: Role) -> str:
        """Return what it calls a tool that is for this; nothing if it has none."""
        ...

    def transcripts(self, redact: Callable[[str], str], *, bulk: bool) -> Transcripts:
        """Return its transcripts; every text of them passes `redact`.

        With `bulk` they are ready later and read faster.
        """
        ...

    def past(self) -> PastSessions:
        """Return its sessions that lie on disk."""
        ...

    def native(self) -> NativeSessions | None:
        """Return its conversations in its own format; None where that is not written."""
        ...

    def going_on(self, session_id: str) -> tuple[str, ...]:
        """Return the words that continue a session in its client, where it began."""
        ...

    def beginning_with(self, brief: str) -> tuple[str, ...]:
        """Return the words that begin a session with the brief that a file holds; nothing
        where its client takes none."""
        ...

    def wiring(self, *, home: str, workspace: str, python: str) -> Wiring:
        """Return the wiring of the installation whose data are in `home`."""
        ...

    def memory(self, project: str, workspace: str) -> ClientMemory | None:
        """Return where it remembers a project; None where it is not installed."""
        ...

    def live_session(self, pid: int, started: str) -> str | None:
        """Return the session that its process is in right now, if that can be told."""
        ...

    def denied_files(self, roots: Sequence[str]) -> DeniedFiles:
        """Return what the user forbids it to read in some directories."""
        ...

    def skill_directories(self, workspace: str) -> tuple[str, ...]:
        """Return where it looks for skills: the user's own, then a project's."""
        ...

    def standing_texts(self, tools: Sequence[str]) -> tuple[str, ...]:
        """Return what of ours the agent puts into every session of one who installed us.

        The descriptions of the skills, and the names it gives to `tools`.
        """
        ...

    def may_lose_lines(self, workspace: str, pid: int) -> bool:
        """Say whether it may show a message without its first lines."""
        ...

    def health(self) -> HealthResult:
        """Say whether its transcripts are where they are looked for."""
        ...

    def upgraded(self, turn: Turn) -> Turn:
        """Return a turn that was kept in an older form as it would be kept today."""
        ...
