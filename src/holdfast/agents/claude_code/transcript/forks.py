"""Where a forked transcript was copied from.

The client copies the lines with their ids and names no origin, so the ids tell: the
origin is the transcript beside it that has most of them, and fewest others.
"""

import os
from collections.abc import Iterator

from holdfast.agents.claude_code.transcript import places
from holdfast.kernel.files import open_to_read
from holdfast.kernel.ids import is_session_id
from holdfast.kernel.lazy_patterns import pattern

_LINE_ID = pattern(rb'"uuid":\s?"([0-9a-f-]{36})"')
_MOST_READ = 256 * 1024 * 1024  # bytes of transcripts beside it, the newest first
_PIECE = 1024 * 1024
_OVERLAP = 64  # an id that two pieces share is whole in one of them


def origin(path: str) -> str | None:
    """Return the session a transcript was copied from; None if it was not."""
    own = frozenset(_ids(path))
    first = next(_ids(path), None)
    if first is None:
        return None
    best: tuple[int, int] = (0, 0)
    found = None
    for other in _beside(path):
        theirs = frozenset(_ids(other))
        rank = (len(own & theirs), -len(theirs))
        if first in theirs and rank > best:
            best, found = rank, places.stem_of(other).lower()
    return found


def _beside(path: str) -> Iterator[str]:
    """Yield the other transcripts of the directory, the newest first, within reason."""
    try:
        with os.scandir(os.path.dirname(path)) as entries:
            files = [
                (entry.stat().st_mtime_ns, entry.stat().st_size, entry.path)
                for entry in entries
                if entry.path != path and is_session_id(places.stem_of(entry.path))
            ]
    except (OSError, ValueError):
        return
    left = _MOST_READ
    for _, size, other in sorted(files, reverse=True):
        left -= size
        if left < 0:
            return
        yield other


def _ids(path: str) -> Iterator[bytes]:
    try:
        with open(open_to_read(path), "rb") as file:
            rest = b""
            while piece := file.read(_PIECE):
                yield from _LINE_ID.findall(rest + piece)
                rest = piece[-_OVERLAP:]
    except (OSError, ValueError):
        return
