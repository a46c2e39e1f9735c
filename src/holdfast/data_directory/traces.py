"""Small files beside the store that may repeat what a session said."""

import os
from collections.abc import Iterable

from holdfast.data_directory.markers import PENDING, FileMarkers
from holdfast.domain.forgetting import Order
from holdfast.kernel.lazy_patterns import pattern

_LOG = "log"
_QUOTING = pattern(
    r"hook\.log(?:\.1)?|bug-\d+\.md"
)  # the audit has ids and moments only
_HALF = pattern(r"\.[0-9A-Za-z-]+\.\d+\.tmp")


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


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
