"""OpenCode's sessions: rows of one database, which is only ever read.

A session has no file of its own: it is named by the database and its id, as if that were
a file in it (`…/opencode.db/ses_…`). What was read is known again by when the session's
rows were last changed, and by how many they are; if anything did, all of it is read anew.
"""

from __future__ import annotations

import json
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any
from zlib import crc32

from holdfast.agents.call_inputs import text_at
from holdfast.agents.found_sessions import FoundSessions, is_same_place
from holdfast.domain.event import Located, Passed, Titled
from holdfast.domain.session import Cursor, Mark
from holdfast.domain.text import visible
from holdfast.kernel.errors import SaveFailed
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

    from holdfast.agents.redact_events import Cleaner, Redact
    from holdfast.domain.event import Event

_ID = pattern(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")
_PATIENCE_MS = 2_000
_SESSION = (
    "SELECT id, directory, title, version, parent_id, revert FROM session WHERE id = ?"
)
_ROWS = """
    SELECT m.id, m.time_created, m.data, p.id, p.data
    FROM message AS m LEFT JOIN part AS p ON p.message_id = m.id
    WHERE m.session_id = ? ORDER BY m.time_created, m.id, p.id
"""
_CHANGED = """
    SELECT max(coalesce((SELECT time_updated FROM session WHERE id = ?1), 0),
               coalesce((SELECT max(time_updated) FROM message WHERE session_id = ?1), 0),
               coalesce((SELECT max(time_updated) FROM part WHERE session_id = ?1), 0)),
           (SELECT count(*) FROM message WHERE session_id = ?1),
           (SELECT count(*) FROM part WHERE session_id = ?1)
"""
_NEWEST = "SELECT id, directory FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC"
_BEGINNING = "SELECT id FROM session WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id"
_LAST = "SELECT max(time_created) FROM message WHERE session_id = ?"


class OpenCodeTranscripts(FoundSessions):
    """The sessions of one database (`Transcripts`)."""

    def __init__(self, database: str, redact: Redact) -> None:
        super().__init__(database, redact)
        self._database = database

    @property
    def agent(self) -> str:
        return "opencode"

    def session_of(self, path: str) -> str | None:
        database, session = _split(path)
        found = self.rows(_SESSION, session, database=database)
        return str(found[0][0]) if found else None

    def find(self, session_id: str) -> str | None:
        if not _ID.fullmatch(session_id) or not os.path.exists(self._database):
            return None
        found = self.rows(_SESSION, session_id)
        return f"{self._database}/{session_id}" if found else None

    def beginning_with(self, prefix: str) -> tuple[str, ...]:
        if not os.path.exists(self._database):
            return ()
        return tuple(str(row[0]) for row in self.rows(_BEGINNING, prefix))

    def origin(self, path: str) -> str | None:
        """A session with a parent is a sub-agent's or a fork, which cannot be told."""
        del path
        return None

    def last_message_at(self, path: str) -> int:
        database, session = _split(path)
        try:
            ((latest,),) = self.rows(_LAST, session, database=database)
        except SaveFailed:
            return 0
        return latest if isinstance(latest, int) else 0

    def read(self, path: str, since: Cursor | None = None) -> OpenCodeReading:
        database, session = _split(path)
        found = self.rows(_SESSION, session, database=database)
        if not found:
            raise SaveFailed(
                f"OpenCode has no session `{visible(session)}`",
                hint="`holdfast save --agent opencode` takes the newest one here",
            )
        ((changed, messages, parts),) = self.rows(_CHANGED, session, database=database)
        counted = format(crc32(f"{messages} {parts}".encode()), "08x")
        mark = Mark(int(changed), counted, "")
        before = (since or Cursor()).main
        is_same = before == mark
        rows = [] if is_same else self.rows(_ROWS, session, database=database)
        return OpenCodeReading(
            found[0],
            rows,
            Cursor(mark),
            self._clean,
            restarted=bool(before.offset) and not is_same,
        )

    def _newest_first(self, cwd: str | None) -> Iterator[str]:
        if not os.path.exists(self._database):
            return
        for session, directory in self.rows(_NEWEST):
            if cwd is None or is_same_place(str(directory), cwd):
                yield f"{self._database}/{session}"

    def rows(
        self, query: str, *values: str, database: str = ""
    ) -> list[tuple[Any, ...]]:
        """Return what the database answers.

        Raises:
            SaveFailed: it is missing, locked, or of a form that nobody here knows.
        """
        import apsw

        path = database or self._database
        if not os.path.isfile(path):
            raise SaveFailed(
                f"OpenCode's database `{visible(path)}` does not exist",
                hint="set `OPENCODE_DB` if it is elsewhere",
            )
        try:
            connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
            try:
                connection.set_busy_timeout(_PATIENCE_MS)
                return [*connection.execute(query, values)]
            finally:
                connection.close()
        except (apsw.BusyError, apsw.LockedError):
            raise SaveFailed(
                f"OpenCode's database `{visible(path)}` is locked",
                hint="nothing is lost: try again when OpenCode has finished its step",
            ) from None
        except apsw.Error as problem:
            raise _unknown(path, problem) from None

    @cached_property
    def _clean(self) -> Cleaner:
        from holdfast.agents.opencode.messages import PLAIN_ID
        from holdfast.agents.redact_events import Cleaner

        return Cleaner(self._redact, PLAIN_ID)


class OpenCodeReading:
    """What a session says (`TranscriptReading`): all of it, or nothing where nothing is
    new."""

    def __init__(
        self,
        session: tuple[Any, ...],
        rows: list[tuple[Any, ...]],
        cursor: Cursor,
        clean: Cleaner,
        *,
        restarted: bool,
    ) -> None:
        self._session = session
        self._rows = rows
        self._clean = clean
        self.cursor = cursor
        self.restarted = restarted
        self.half_written = 0

    def __iter__(self) -> Iterator[Event]:
        from holdfast.agents.opencode.messages import MessageEvents

        if not self._rows:
            return
        own, directory, title, version, _, revert = self._session
        clean = self._clean
        yield Located(
            clean.identifier(str(own)),
            clean.places[str(directory or "")],
            "",
            clean.names[str(version or "")],
            "",
        )
        if isinstance(title, str) and title.strip():
            yield Titled(clean.text(title, 400))
        else:
            yield Passed("session")
        reader = MessageEvents(clean, text_at(_object(revert), "messageID"))
        for message_id, at, data, part_id, part in self._rows:
            yield from reader.row(
                str(message_id), at, _object(data), str(part_id or ""), _object(part)
            )


def _object(text: object) -> dict[str, Any]:
    try:
        found = json.loads(text) if isinstance(text, (str, bytes)) else None
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _split(path: str) -> tuple[str, str]:
    """Return the database and the session that a path names."""
    database, _, session = path.rpartition("/")
    return (database, session) if _ID.fullmatch(session) else (path, "")


def _unknown(path: str, problem: apsw.Error) -> SaveFailed:
    return SaveFailed(
        f"OpenCode's database `{visible(path)}` has a format that this version cannot"
        f" read: {visible(str(problem))[:100]}",
        hint="nothing was changed in it; upgrade holdfast, or check whether it is damaged",
    )
