"""Marks and notices as files in the data directory: one file each, named by what it is.

A hook looks for a mark with one `stat`, before it imports anything. An empty file remembers
when the work of a day was done.
"""

import os

from holdfast.kernel.digests import sha256
from holdfast.kernel.directories import make_own_directory
from holdfast.kernel.files import (
    create_file,
    read_beginning,
    remove_quietly,
    replace_unlocked,
    touch,
)

PENDING = "pending"
NOTICES = "notices"
_MOST = 4_096  # characters
_MOST_UTF8 = 4  # bytes of one
_DAY_MS = 86_400_000


class FileMarkers:
    """Does what `port.Markers` says."""

    def __init__(self, home: str) -> None:
        self._home = home

    def set(self, session_id: str, text: str = "") -> None:
        path = self._mark(session_id)
        try:
            make_own_directory(os.path.dirname(path))
            replace_unlocked(path, text[:_MOST].encode(), durable=False)
        except OSError:
            return

    def text(self, session_id: str) -> str | None:
        try:
            data = read_beginning(self._mark(session_id), _MOST * _MOST_UTF8)
        except OSError:
            return None
        return data.decode("utf-8", "replace")[:_MOST]

    def drop(self, session_id: str) -> None:
        remove_quietly(self._mark(session_id))

    def claim_notice(self, notice: str) -> bool:
        path = self._notice(notice)
        try:
            make_own_directory(os.path.dirname(path))
            create_file(path, b"")
        except FileExistsError:
            return False
        except OSError:
            return True  # better twice than never
        return True

    def forget_notice(self, notice: str) -> None:
        remove_quietly(self._notice(notice))

    def _mark(self, session_id: str) -> str:
        name = session_id if _is_plain(session_id) else _digest(session_id)
        return f"{self._home}/{PENDING}/{name}"

    def _notice(self, notice: str) -> str:
        return f"{self._home}/{NOTICES}/{_digest(notice)}"


def claim_daily_run(path: str, now_ms: int) -> bool:
    """Claim today's run: True for the first who asks in a day, who then does it.

    A clock that was set back makes it due, too. Where the file cannot be written it is
    never due: then nothing else can be, either.
    """
    try:
        done = os.stat(path).st_mtime_ns // 1_000_000
    except OSError:
        done = 0
    if 0 <= now_ms - done < _DAY_MS:
        return False
    try:
        touch(path, now_ms * 1_000_000)
    except OSError:
        return False
    return True


def _is_plain(name: str) -> bool:
    return name.replace("-", "").isalnum() and name.isascii()


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:24]
