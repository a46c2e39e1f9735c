"""Marks and notices as files in the data directory: one file each, named by what it is.

A hook looks for a mark with one `stat`, before it imports anything. An empty file remembers
when the work of a day was done.
"""

import os
import stat

from holdfast.data_directory.directories import private_directory
from holdfast.kernel.digests import sha256
from holdfast.kernel.files import replace_unlocked

PENDING = "pending"
NOTICES = "notices"
_MOST = 4_096
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK

_DAY_MS = 86_400_000


class FileMarkers:
    """Does what `port.Markers` says."""

    def __init__(self, home: str) -> None:
        self._home = home

    def set(self, session_id: str, text: str = "") -> None:
        path = self._mark(session_id)
        try:
            private_directory(os.path.dirname(path))
            replace_unlocked(path, text[:_MOST].encode(), durable=False)
        except OSError:
            return

    def text(self, session_id: str) -> str | None:
        try:
            with open(
                os.open(self._mark(session_id), _READ),
                encoding="utf-8",
                errors="replace",
            ) as file:
                is_file = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
                return file.read(_MOST) if is_file else None
        except OSError:
            return None

    def drop(self, session_id: str) -> None:
        _remove(self._mark(session_id))

    def claim_notice(self, notice: str) -> bool:
        path = self._notice(notice)
        try:
            private_directory(os.path.dirname(path))
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
            os.close(os.open(path, flags, 0o600))
        except FileExistsError:
            return False
        except OSError:
            return True  # better twice than never
        return True

    def forget_notice(self, notice: str) -> None:
        _remove(self._notice(notice))

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
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(path, flags, 0o600)
    except OSError:
        return False
    try:
        os.utime(descriptor, ns=(now_ms * 1_000_000, now_ms * 1_000_000))
    finally:
        os.close(descriptor)
    return True


def _is_plain(name: str) -> bool:
    return name.replace("-", "").isalnum() and name.isascii()


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:24]


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
