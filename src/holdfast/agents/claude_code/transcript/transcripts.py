"""Claude Code's transcripts: find one, and read what is new in it.

What reads is imported when something is read; many hooks ask only which agent this is.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.agents.claude_code.transcript import locations
from holdfast.agents.growing_files import (
    Oversized,
    Tail,
    continues,
    open_file,
    unreadable,
)
from holdfast.domain.session import Cursor, Mark
from holdfast.kernel.errors import SaveFailed
from holdfast.kernel.ids import is_session_id

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from holdfast.agents.claude_code.transcript.lines import (
        Decoder,
        Line,
    )
    from holdfast.agents.claude_code.transcript.reading import (
        ClaudeCodeReading,
    )
    from holdfast.agents.redact_events import Cleaner, Redact
    from holdfast.domain.file_history import AgentStep

_HEAD = 1024 * 1024  # a session says its id and its place in its first lines


class ClaudeCodeTranscripts:
    """The transcripts below one configuration directory (`Transcripts`)."""

    def __init__(
        self, config_dir: str, redact: Redact, *, bulk: bool = False, bulk_from: int = 0
    ) -> None:
        """Read with the standard library, or in bulk: ready later, three times faster.

        `bulk_from` is how many bytes must have been asked for until then.
        """
        self._config_dir = config_dir
        self._redact = redact
        self._bulk_from = bulk_from if bulk else None
        self._asked_for = 0  # bytes, of all that this one read

    @property
    def agent(self) -> str:
        return "claude-code"

    def session_of(self, path: str) -> str | None:
        for line in _head(path):
            if line.session_id and is_session_id(line.session_id):
                return line.session_id.lower()
        stem = locations.stem_of(path).lower()
        return stem if is_session_id(stem) else None

    def find(self, session_id: str) -> str | None:
        return locations.transcript_of(self._config_dir, session_id)

    def beginning_with(self, prefix: str) -> tuple[str, ...]:
        return locations.sessions_beginning(self._config_dir, prefix)

    def newest(self, cwd: str | None = None) -> str | None:
        for path in locations.newest_first(self._config_dir, cwd):
            if cwd is None or _began_in(path, cwd):
                return path
        return None

    def origin(self, path: str) -> str | None:
        return locations.copied_from(path)

    def last_message_at(self, path: str) -> int:
        return locations.last_message_at(path)

    def read(self, path: str, since: Cursor | None = None) -> ClaudeCodeReading:
        from holdfast.agents.claude_code.transcript.reading import (
            ClaudeCodeReading,
            Source,
        )

        since = since or Cursor()
        is_named = is_session_id(locations.stem_of(path))
        session = None if is_named else self.session_of(path)
        agents = locations.sub_agent_files(path, session)
        known = dict(since.agents)
        restarted = not _is_same(path, since.main) or any(
            not _is_same_agent(agent, known.get(os.path.basename(agent), Mark()))
            for agent in agents
        )
        begin = Cursor() if restarted else since
        return ClaudeCodeReading(
            Source(path, tuple(agents)),
            begin,
            self._decoder(_new_bytes(path, agents, begin)),
            self._clean,
            restarted=restarted,
        )

    def begun_in(self, cwd: str) -> tuple[str, ...]:
        found = locations.newest_first(self._config_dir, cwd)
        return tuple(path for path in found if _began_in(path, cwd))

    def steps(self, path: str, naming: Collection[str]) -> tuple[AgentStep, ...] | None:
        from holdfast.agents.claude_code.transcript.file_steps import (
            StepReader,
            names_any,
        )

        session_id = self.session_of(path) or ""
        if not names_any(path, naming):
            return None
        return StepReader(session_id, self._clean).read(path)

    @cached_property
    def _clean(self) -> Cleaner:
        from holdfast.agents.claude_code.transcript.lines import PLAIN_ID
        from holdfast.agents.redact_events import Cleaner

        return Cleaner(self._redact, PLAIN_ID)

    def _decoder(self, new_bytes: int) -> Decoder:
        self._asked_for += new_bytes
        if self._bulk_from is not None and self._asked_for >= self._bulk_from:
            from holdfast.agents.claude_code.transcript.bulk_lines import BULK

            return BULK
        from holdfast.agents.claude_code.transcript.lines import (
            STANDARD,
        )

        return STANDARD


def _new_bytes(path: str, agents: Iterable[str], since: Cursor) -> int:
    """Return how much is to be read; of a file that cannot be asked, nothing."""
    marks = dict(since.agents)
    known = [(path, since.main)]
    known += ((each, marks.get(os.path.basename(each), Mark())) for each in agents)
    new = 0
    for each, mark in known:
        with suppress(OSError):
            new += max(0, os.stat(each).st_size - mark.offset)
    return new


def _is_same(path: str, mark: Mark) -> bool:
    descriptor = open_file(path, locations.MISSING)
    try:
        return continues(descriptor, mark)
    except OSError as problem:
        raise unreadable(path, problem) from problem
    finally:
        os.close(descriptor)


def _is_same_agent(path: str, mark: Mark) -> bool:
    """There can be hundreds of sub-agents: those that did not grow are not opened."""
    try:
        return os.stat(path).st_size == mark.offset or _is_same(path, mark)
    except (OSError, SaveFailed):
        return True


def _head(path: str) -> Iterator[Line]:
    from holdfast.agents.claude_code.transcript.lines import (
        Line,
        objects,
    )

    descriptor = open_file(path, locations.MISSING)
    try:
        tail = Tail(descriptor, 0, _HEAD)
        for raw in tail.lines():
            if not isinstance(raw, Oversized):
                yield from (x for x in objects(raw) if isinstance(x, Line))
        yield from (x for x in objects(tail.rest) if isinstance(x, Line))
    except OSError as problem:
        raise unreadable(path, problem) from problem
    finally:
        os.close(descriptor)


def _began_in(path: str, cwd: str) -> bool:
    """Ask a transcript where it began; one that does not say is taken at its name."""
    try:
        said = next((x.cwd for x in _head(path) if x.cwd is not None), cwd)
    except SaveFailed:
        return False
    return said == cwd or os.path.realpath(said) == os.path.realpath(cwd)
