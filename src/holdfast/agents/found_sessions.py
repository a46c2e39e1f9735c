"""What agents' sessions are found by alike: their age, and where they began."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from holdfast.agents.call_inputs import text_at
from holdfast.agents.json_lines import LineFile, lines_with
from holdfast.kernel.clock import parse_iso

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from holdfast.agents.past_port import PastFile
    from holdfast.agents.redact_events import Redact


class FoundSessions(ABC):
    """The part of `Transcripts` that says which sessions there are."""

    def __init__(self, directory: str, redact: Redact) -> None:
        self._directory = directory
        self._redact = redact

    @abstractmethod
    def _newest_first(self, cwd: str | None) -> Iterator[str]:
        """Yield the sessions that people began, in one directory or in any."""

    def newest(self, cwd: str | None = None) -> str | None:
        return next(self._newest_first(cwd), None)

    def begun_in(self, cwd: str) -> tuple[str, ...]:
        return tuple(self._newest_first(cwd))

    def steps(self, path: str, naming: Collection[str]) -> None:
        """What it did to files is not read for that."""
        del path, naming

    def origin(self, path: str) -> str | None:
        """Return the session that one was forked from: none, where that is not told."""
        del path
        return None

    def parts(self, path: str) -> Iterator[PastFile]:
        """Yield what a session is made of (`SessionFiles`): its one file."""
        from holdfast.agents.past_port import PastFile  # noqa: PLC0415  # no hook archives

        yield PastFile(os.path.basename(path), path)

    def dies_at(self, path: str, end: bytes) -> int:
        """Its client deletes none (`SessionFiles`)."""
        del path, end
        return 0


def newest_first(paths: Iterator[str]) -> list[str]:
    """Return files by their age; one that went meanwhile is the oldest."""
    return sorted(paths, key=by_age, reverse=True)


def by_age(path: str) -> tuple[float, str]:
    """Return what files are ordered by, from the oldest to the newest."""
    try:
        return os.stat(path).st_mtime, path
    except OSError:
        return 0.0, path


def is_same_place(began: str, cwd: str) -> bool:
    """Say whether two paths lead to one directory; an empty one leads nowhere."""
    try:
        return bool(began) and os.path.realpath(began) == os.path.realpath(cwd)
    except (OSError, ValueError):
        return False


def latest_line(path: str, signs: tuple[bytes, ...]) -> int:
    """Return when the last of the lines was written that hold one of the signs."""
    told = (text_at(line, "timestamp") for _, line in lines_with(LineFile(path), signs))
    return max((parse_iso(at) for at in told if at), default=0)
