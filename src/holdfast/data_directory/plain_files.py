"""Small files that may contain text of a session: written, cleaned and forgotten.

What went wrong is logged redacted, in two files that do not grow; and each forced clear.
"""

import os
import traceback
from collections.abc import Callable, Iterable, Iterator

from holdfast.data_directory.markers import PENDING, FileMarkers
from holdfast.domain.forgetting import Order
from holdfast.domain.text import storable
from holdfast.kernel.clock import SystemClock, iso
from holdfast.kernel.directories import make_own_directory
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.files import HALF, append_to, read_file, replace_file
from holdfast.kernel.lazy_patterns import pattern

_MOST_LOGGED = 256 * 1024
_MOST_ENTRY = 4_000

_FOLDERS = ("log", "pending", "notices", "requests", "env", "spool")
_QUARANTINE = "quarantine"
_SKIPPED = (".lock", ".tmp", "reserve")
_WAITING = ".json"  # of the spool: a draft with its checksum, which a drain reads
_MOST_CLEANED = 16_000_000

_LOG = "log"
# The audit has ids and moments only.
_QUOTING = pattern(r"hook\.log(?:\.1)?|bug-\d[\d-]*\.md")
_HALF = pattern(r"\.[0-9A-Za-z-]+\.\d+\.tmp")


def log(
    home: str,
    name: str,
    problem: BaseException | str,
    redact: Callable[[str], str],
) -> None:
    """Write one entry; a log that cannot be written is no reason to fail."""
    if isinstance(problem, HoldfastError):
        text = f"{problem.code}: {problem.message}"  # expected: the place says nothing
    elif isinstance(problem, BaseException):
        text = "".join(traceback.format_exception(problem)).strip()
    else:
        text = problem
    clean = redact(storable(text))[-_MOST_ENTRY:]
    entry = f"{iso(SystemClock().now_ms())} {name}: {clean}\n"
    path = f"{home}/log/hook.log"
    try:
        make_own_directory(os.path.dirname(path))
        if append_to(path, entry.encode()) > _MOST_LOGGED:
            os.replace(path, f"{path}.1")
    except OSError:
        return


def audit(home: str, entry: str, now_ms: int) -> None:
    """Keep that a guard was passed by force, or held."""
    path = f"{home}/log/audit.log"
    try:
        make_own_directory(os.path.dirname(path))
        append_to(path, f"{iso(now_ms)} {entry}\n".encode())
    except OSError:
        return


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
        text = read_file(path, limit=_MOST_CLEANED).decode("utf-8", "surrogateescape")
        clean = redact(text) if text else text
        if clean == text:
            return False
        make_own_directory(os.path.dirname(path))
        half = f"{path}.{os.getpid()}{HALF}"
        replace_file(path, clean.encode("utf-8", "surrogateescape"), half=half)
    except OSError:
        return False
    return True
