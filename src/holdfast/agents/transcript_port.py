"""Reading someone else's log."""

from collections.abc import Iterator
from typing import Protocol

from holdfast.domain.event import Event
from holdfast.domain.fold import Cursor


class Reading(Protocol):
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

    def newest(self, cwd: str | None = None) -> str | None:
        """Return the transcript written last, of sessions begun in `cwd` if given."""
        ...

    def origin(self, path: str) -> str | None:
        """Return the session a forked transcript was copied from; None if unknown."""
        ...

    def read(self, path: str, since: Cursor | None = None) -> Reading:
        """Read what is new since `since`, or everything.

        Raises:
            SaveFailed: the file is missing or unreadable.
        """
        ...
