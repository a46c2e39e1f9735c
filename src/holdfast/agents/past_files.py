"""Sessions that lie on disk, each in a file that says in its first lines whose it is.

What such files share, whoever wrote them: which changed since somebody looked, and when
the last thing in one was said. A fork is one that the agent itself noted; whatever it has
from before it began is its origin's.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Protocol
from zlib import crc32

from holdfast.agents.call_inputs import text_at
from holdfast.agents.json_lines import LineFile, lines_with, raw_lines
from holdfast.agents.past_port import (
    PastFile,
    PastParent,
    PastSession,
    PastTranscript,
)
from holdfast.kernel.clock import parse_iso
from holdfast.kernel.errors import SaveFailed
from holdfast.kernel.files import open_to_read
from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_MARKED = 1024
_MOST_TEXT = 64 * 1024 * 1024  # bytes
_TAIL = 256 * 1024  # bytes in which the last message is looked for


class PastHead(NamedTuple):
    """What the beginning of a session tells of it."""

    began: str = ""  # RFC 3339
    directory: str = ""
    forked_from: str | None = None
    is_headless: bool = False


class SessionFiles(Protocol):
    """What an agent's reader knows of its files."""

    def every(self, directory: str | None) -> Iterator[str]:
        """Yield the files of sessions, below a directory if one is given."""
        ...

    def head(self, path: str) -> PastHead: ...

    def session_of(self, path: str) -> str | None: ...

    def last_message_at(self, path: str) -> int: ...

    def parts(self, path: str) -> Iterator[PastFile]:
        """Yield what a session is made of, the file itself first."""
        ...

    def dies_at(self, path: str, end: bytes) -> int:
        """Return when the client deletes a file, by how it ends (Unix ms); 0: never."""
        ...


class PastFiles:
    """Does what `PastSessions` says, for an agent with a file per session."""

    def __init__(self, files: SessionFiles) -> None:
        self._files = files

    def every(self, directory: str | None = None) -> Iterator[PastTranscript]:
        for path in sorted(self._files.every(directory)):
            if found := self._seen(path, is_named=directory is not None):
                yield found

    def glance(self, transcript: PastTranscript) -> PastSession | None:
        path = transcript.path
        try:
            session = self._files.session_of(path)
            if session is None:
                return None
            head = self._files.head(path)
        except (OSError, ValueError, SaveFailed):
            return None
        began = parse_iso(head.began) if head.began else 0
        return PastSession(
            transcript,
            session,
            began_at=began,
            last_at=_last_at(path) or self._files.last_message_at(path) or began,
            directory=head.directory,
            forked_from=head.forked_from if head.forked_from != session else None,
            is_headless=head.is_headless,
        )

    def files(self, transcript: PastTranscript) -> Iterator[PastFile]:
        return self._files.parts(transcript.path)

    def raw_lines(self, file: PastFile) -> Iterator[bytes]:
        return raw_lines(file)

    def parents(self, sessions: Sequence[PastSession]) -> Mapping[str, PastParent]:
        return noted_forks(sessions)

    def _seen(self, path: str, *, is_named: bool) -> PastTranscript | None:
        """Clients touch a file when they open it: its time says nothing of its lines."""
        try:
            descriptor = open_to_read(path)
        except (OSError, ValueError):
            return None
        try:
            size = os.fstat(descriptor).st_size
            end = os.pread(descriptor, _MARKED, max(0, size - _MARKED))
        except OSError:
            return None
        finally:
            os.close(descriptor)
        if not size:
            return None
        dies_at = 0 if is_named else self._files.dies_at(path, end)
        return PastTranscript(path, size, f"{size}-{crc32(end):08x}", dies_at)


def noted_forks(sessions: Sequence[PastSession]) -> dict[str, PastParent]:
    """Return the forks that the agent itself noted; of a ring, all but one."""
    found: dict[str, PastParent] = {}
    for session in sorted(sessions, key=lambda s: (s.began_at, s.session_id)):
        parent = session.forked_from
        if parent and not _leads_to(parent, session.session_id, found):
            found[session.session_id] = PastParent(parent, True, session.began_at)  # noqa: FBT003  # a tuple
    return found


def below(directory: str) -> Iterator[str]:
    """Yield every file below a directory."""
    for place, inner, names in os.walk(directory):
        inner.sort()
        yield from (os.path.join(place, name) for name in names)


def is_one_text(path: str) -> bool:
    """Say whether a file is one that is held at once to be cleaned: a plain one, and not
    a giant."""
    try:
        seen = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISREG(seen.st_mode) and seen.st_size <= _MOST_TEXT


def _last_at(path: str) -> int:
    """Return the last time that the end of a file tells; 0 if it tells none."""
    try:
        start = max(0, os.stat(path).st_size - _TAIL)
    except OSError:
        return 0
    tail = LineFile(path, "", start)
    told = (
        text_at(line, "timestamp") for _, line in lines_with(tail, (b'"timestamp"',))
    )
    return max((parse_iso(at) for at in told if at), default=0)


def _leads_to(start: str, wanted: str, parents: Mapping[str, PastParent]) -> bool:
    while start != wanted and start in parents:
        start = parents[start].session_id
    return start == wanted
