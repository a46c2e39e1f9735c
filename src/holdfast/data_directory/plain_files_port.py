"""The small files of the data directory: logs, reports, marks, requests, variables."""

from collections.abc import Callable
from typing import Protocol


class PlainFiles(Protocol):
    def clean(self, redact: Callable[[str], str]) -> tuple[str, ...]:
        """Put what `redact` makes of each text in its place, whole or not at all.

        Returns the paths that changed. The store, the spool's entries and the snapshots
        are not plain files; links are not followed.
        """
        ...

    def beyond_reach(self) -> tuple[str, ...]:
        """Return what may hold text but is kept as it is: the quarantine's things."""
        ...


class Copies(Protocol):
    """Copies of the store from before its structure changed."""

    def names(self) -> tuple[str, ...]:
        """Return what there is, the oldest first."""
        ...

    def drop(self) -> tuple[str, ...]:
        """Remove all of them; return what had to stay, and why."""
        ...
