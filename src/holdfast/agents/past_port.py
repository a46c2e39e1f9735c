"""The promises of a coding agent about sessions that are over: what lies on disk, and the
agent's own format, in which one can be brought back or begun anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from holdfast.domain.session import Mark


class PastTranscript(NamedTuple):
    """A transcript that lies on disk, as its directory shows it."""

    path: str
    size: int
    stamp: str  # another one, once it or what its sub-agents wrote has changed
    dies_at: int = 0  # Unix ms: when its client deletes it; 0: never


class PastSession(NamedTuple):
    """What the first lines of a transcript and its last one tell."""

    transcript: PastTranscript
    session_id: str
    began_at: int  # Unix ms, 0 where no line says
    last_at: int
    directory: str  # where it began
    first_line: str = ""  # the id of its first line
    forked_from: str | None = None  # as the client itself noted
    is_after_clear: bool = False  # it began with clearing another
    is_headless: bool = False  # nobody sat in front of it

    @property
    def freshness(self) -> tuple[int, int, str]:
        """Return what copies of a session are ordered by: what was said last, how much."""
        return self.last_at, self.transcript.size, self.transcript.path


class PastFile(NamedTuple):
    """A file that a session is made of, or the beginning of one."""

    name: str  # of its own: by it the archive knows it
    path: str
    end: int | None = None  # bytes, unpacked; none: all of it


class PastParent(NamedTuple):
    """The session that another came from."""

    session_id: str
    is_fork: bool  # with its lines; else it was cleared
    shared_until: int = 0  # Unix ms: the time of the last line that a fork has of it


class PastSessions(Protocol):
    """The sessions of one agent that lie on disk, whoever saw them."""

    def every(self, directory: str | None = None) -> Iterator[PastTranscript]:
        """Yield every session's transcript, or every one below a directory.

        Sub-agents' are part of their session's, and empty files are none. A directory
        that cannot be read is passed by.
        """
        ...

    def glance(self, transcript: PastTranscript) -> PastSession | None:
        """Return what its first and last lines tell; None where it names no session or
        cannot be read. What a file says is bounded: a giant costs what a small one does.
        """
        ...

    def files(self, transcript: PastTranscript) -> Iterator[PastFile]:
        """Yield the files of a session: the transcript first, then the part of others
        that it goes on from, what its sub-agents wrote, and results kept apart."""
        ...

    def raw_lines(self, file: PastFile) -> Iterator[bytes]:
        """Yield the lines of such a file as they are, newlines included.

        Raises:
            OSError: it cannot be read, or is compressed and ends early.
        """
        ...

    def parents(self, sessions: Sequence[PastSession]) -> Mapping[str, PastParent]:
        """Return which session each one came from, as far as the files tell.

        By the client's own note of a fork, by lines that were copied, by a clear where
        only one session can have been cleared. Never a guess, and never a ring.
        """
        ...


class BranchCut(NamedTuple):
    """Where a conversation is cut for a new one to begin there: where it was read to, if
    the file is still the one, else at the last line of a moment; or before the first
    compaction from that moment on, else the last one."""

    at: int  # Unix ms
    read_to: Mark
    before_compaction: bool = False


class NativeSessions(Protocol):
    """Conversations in an agent's own format. No file that is there is ever changed."""

    def is_found(self, transcript: str, session_id: str, directory: str) -> bool:
        """Say whether the client, started in a directory, finds a session where it lies."""
        ...

    def bring(self, transcript: str, session_id: str, directory: str) -> str:
        """Bring a session, with its sub-agents, to where its client finds it from a
        directory, and return the path. One that is there already stays as it is.

        Raises:
            NativeRefused: it cannot be read or written, or its client keeps it from being
                found.
        """
        ...

    def is_lines(self, name: str) -> bool:
        """Say whether a file, by the name that `PastSessions.files` gives it, is cleaned
        line by line; else what it says is one text, and cleaned as a whole."""
        ...

    def cleaned(self, line: bytes, redact: Callable[[Any], Any]) -> bytes:
        """Return a line without its secrets, such that its client still reads it: what
        links it, and what only the client understands, is as it was."""
        ...

    def unpack(
        self, session_id: str, directory: str, files: Sequence[tuple[str, bytes]]
    ) -> str:
        """Write the files of a session, by the names that `PastSessions.files` gave them,
        to where the client finds it from a directory; return the transcript's path.

        Raises:
            NativeRefused: one is there already, has a name that is none, or cannot be
                written.
        """
        ...

    def branch(
        self, transcript: str, directory: str, new_id: str, cut: BranchCut
    ) -> str:
        """Write what a conversation was up to a cut as a new session, and return its path.

        Raises:
            NativeRefused: there is nothing before the cut, no compaction where one is
                asked for, or it cannot be read or written.
        """
        ...
