"""OpenCode's sessions that lie on disk: those of its database, or of databases below a
directory. A session with a parent is a sub-agent's or a fork, which cannot be told: it is
none."""

from __future__ import annotations

import fnmatch
import os
from typing import TYPE_CHECKING

from holdfast.agents.past_files import below, noted_forks
from holdfast.agents.past_port import (
    PastFile,
    PastParent,
    PastSession,
    PastTranscript,
)
from holdfast.kernel.errors import SaveFailed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from holdfast.agents.opencode.sessions import OpenCodeTranscripts

_NAMED = "opencode*.db"
_EVERY = """
    SELECT s.id, s.time_updated,
           (SELECT count(*) FROM message WHERE session_id = s.id),
           (SELECT count(*) FROM part WHERE session_id = s.id),
           (SELECT coalesce(max(time_updated), 0) FROM part WHERE session_id = s.id),
           (SELECT coalesce(sum(length(data)), 0) FROM part WHERE session_id = s.id)
    FROM session AS s WHERE s.parent_id IS NULL ORDER BY s.id
"""
_ABOUT = """
    SELECT s.directory, s.time_created,
           (SELECT max(time_created) FROM message WHERE session_id = s.id)
    FROM session AS s WHERE s.id = ?
"""


class OpenCodePast:
    """Does what `PastSessions` says; a database that cannot be read is refused."""

    def __init__(self, transcripts: OpenCodeTranscripts, database: str) -> None:
        self._transcripts = transcripts
        self._database = database

    def every(self, directory: str | None = None) -> Iterator[PastTranscript]:
        """Yield every session that has messages.

        Raises:
            SaveFailed: a database is locked, or of a form that nobody here knows.
        """
        named = fnmatch.filter(below(directory), f"*/{_NAMED}") if directory else ()
        for database in sorted(named) if directory else (self._database,):
            if os.path.isfile(database):
                yield from self._in(database)

    def glance(self, transcript: PastTranscript) -> PastSession | None:
        database, _, session = transcript.path.rpartition("/")
        try:
            found = self._transcripts.rows(_ABOUT, session, database=database)
        except SaveFailed:
            return None
        for directory, created, last in found:
            began = created if isinstance(created, int) else 0
            until = last if isinstance(last, int) else began
            return PastSession(transcript, session, began, until, str(directory or ""))
        return None

    def files(self, transcript: PastTranscript) -> Iterator[PastFile]:
        """Yield none: a session is rows of a file that many share."""
        del transcript
        yield from ()

    def raw_lines(self, file: PastFile) -> Iterator[bytes]:
        del file
        yield from ()

    def parents(self, sessions: Sequence[PastSession]) -> Mapping[str, PastParent]:
        return noted_forks(sessions)

    def _in(self, database: str) -> Iterator[PastTranscript]:
        for own, changed, *counts, size in self._transcripts.rows(
            _EVERY, database=database
        ):
            if counts[0]:
                stamp = "-".join(map(str, (changed, *counts)))
                yield PastTranscript(f"{database}/{own}", int(size), stamp)
