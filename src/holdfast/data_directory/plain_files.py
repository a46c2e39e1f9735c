"""Small files that may repeat what a session said: cleaned as text, or forgotten."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator

from holdfast.data_directory.directories import private_directory
from holdfast.data_directory.markers import PENDING, FileMarkers
from holdfast.domain.forgetting import Order
from holdfast.kernel.lazy_patterns import pattern

_FOLDERS = ("log", "pending", "notices", "requests", "env", "spool")
_QUARANTINE = "quarantine"
_SKIPPED = (".lock", ".tmp", "reserve")
_WAITING = ".json"  # of the spool: a draft with its checksum, which a drain reads
_MOST_BYTES = 16_000_000
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_LOG = "log"
_QUOTING = pattern(
    r"hook\.log(?:\.1)?|bug-\d+\.md"
)  # the audit has ids and moments only
_HALF = pattern(r"\.[0-9A-Za-z-]+\.\d+\.tmp")


class HomeFiles:
    """Does what `port.PlainFiles` says."""

    def __init__(self, home: str) -> None:
        self._home = home

    def clean(self, redact: Callable[[str], str]) -> tuple[str, ...]:
        return tuple(path for path in self._paths() if _clean_file(path, redact))

    def beyond_reach(self) -> tuple[str, ...]:
        place = f"{self._home}/{_QUARANTINE}"
        return tuple(f"{place}/{name}" for name in _names(place))

    def _paths(self) -> Iterator[str]:
        for folder in _FOLDERS:
            place = f"{self._home}/{folder}"
            for name in _names(place):
                is_entry = folder == "spool" and name.endswith(_WAITING)
                if not name.endswith(_SKIPPED) and not is_entry:
                    yield f"{place}/{name}"


class SessionTraces:
    """Marks, variables and logs in the data directory."""

    def __init__(self, home: str) -> None:
        self._home = home

    def forget(self, order: Order) -> tuple[str, ...]:
        """Drop marks and variables of the sessions, and every log that quotes.

        What an error quoted cannot be told afterwards, so none of our logs and reports
        stays; what others keep beside them does.
        """
        marks = FileMarkers(self._home)
        for session_id in {*order.sessions, *order.kin}:
            marks.drop(session_id)
        own = {f"{session_id}.sh" for session_id in order.sessions}
        logs = filter(_QUOTING.fullmatch, _names(f"{self._home}/{_LOG}"))
        return (
            *self._removed("env", own),
            *self._removed(_LOG, logs),
            *self._removed(PENDING, self._halves()),
        )

    def _halves(self) -> set[str]:
        """Return marks that a killed hook left half-written: `.NAME.PID.tmp`."""
        return set(filter(_HALF.fullmatch, _names(f"{self._home}/{PENDING}")))

    def _removed(self, folder: str, names: Iterable[str]) -> Iterable[str]:
        for name in sorted(names):
            path = f"{self._home}/{folder}/{name}"
            try:
                os.unlink(path)
            except FileNotFoundError:
                continue
            except OSError as problem:
                yield f"`{path}`: {problem.strerror}"


def _names(place: str) -> list[str]:
    try:
        return sorted(os.listdir(place))
    except OSError:
        return []


def _clean_file(path: str, redact: Callable[[str], str]) -> bool:
    """Take out what has to go, and say whether there was any; what cannot be read stays."""
    try:
        text = _text(path)
        clean = redact(text) if text else text
        if clean == text or clean is None:
            return False
        _replace(path, clean.encode("utf-8", "surrogateescape"))
    except OSError:
        return False
    return True


def _text(path: str) -> str | None:
    with open(os.open(path, _READ), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        data = file.read(_MOST_BYTES + 1)
    too_long = len(data) > _MOST_BYTES
    return None if too_long else data.decode("utf-8", "surrogateescape")


def _replace(path: str, data: bytes) -> None:
    half = f"{path}.{os.getpid()}.tmp"
    private_directory(os.path.dirname(path))
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with open(os.open(half, flags, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(half, path)
