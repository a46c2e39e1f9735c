"""The small files of the data directory, read and replaced as text."""

import os
import stat
from collections.abc import Callable, Iterator

from holdfast.data_directory.directories import private_directory

_FOLDERS = ("log", "pending", "notices", "requests", "env", "spool")
_QUARANTINE = "quarantine"
_SKIPPED = (".lock", ".tmp", "reserve")
_WAITING = ".json"  # of the spool: a draft with its checksum, which a drain reads
_MOST_BYTES = 16_000_000
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class HomeFiles:
    """Does what `ports.plain_files.PlainFiles` says."""

    def __init__(self, home: str) -> None:
        self._home = home

    def clean(self, redact: Callable[[str], str]) -> tuple[str, ...]:
        return tuple(path for path in self._paths() if _is_cleaned(path, redact))

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


def _names(place: str) -> list[str]:
    try:
        return sorted(os.listdir(place))
    except OSError:
        return []


def _is_cleaned(path: str, redact: Callable[[str], str]) -> bool:
    """Say whether a file had something to take out; what cannot be read stays."""
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
