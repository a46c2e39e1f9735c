"""Transcripts as somebody sees them who may know some sessions only.

All of an agent's lie in one place, whatever the project: a session that is not known to the
store as one of theirs is not there. What a path is asked for came from here.
"""

from collections.abc import Callable, Collection

from holdfast.agents.port import TranscriptReading, Transcripts
from holdfast.domain.file_history import AgentStep
from holdfast.domain.session import Cursor


class SomeTranscripts:
    """Does what `port.Transcripts` says, for the sessions of which `is_known` is true."""

    def __init__(
        self, transcripts: Transcripts, is_known: Callable[[str], bool]
    ) -> None:
        self._transcripts = transcripts
        self._is_known = is_known

    @property
    def agent(self) -> str:
        return self._transcripts.agent

    def session_of(self, path: str) -> str | None:
        found = self._transcripts.session_of(path)
        return found if found and self._is_known(found) else None

    def find(self, session_id: str) -> str | None:
        known = self._is_known(session_id)
        return self._transcripts.find(session_id) if known else None

    def beginning_with(self, prefix: str) -> tuple[str, ...]:
        return tuple(filter(self._is_known, self._transcripts.beginning_with(prefix)))

    def newest(self, cwd: str | None = None) -> str | None:
        """The newest of somebody else is not looked for: who asks names a session."""
        del cwd
        return None

    def origin(self, path: str) -> str | None:
        found = self._transcripts.origin(path) if self.session_of(path) else None
        return found if found and self._is_known(found) else None

    def last_message_at(self, path: str) -> int:
        return self._transcripts.last_message_at(path)

    def read(self, path: str, since: Cursor | None = None) -> TranscriptReading:
        return self._transcripts.read(path, since)

    def begun_in(self, cwd: str) -> tuple[str, ...]:
        return tuple(filter(self.session_of, self._transcripts.begun_in(cwd)))

    def steps(self, path: str, naming: Collection[str]) -> tuple[AgentStep, ...] | None:
        return self._transcripts.steps(path, naming) if self.session_of(path) else None
