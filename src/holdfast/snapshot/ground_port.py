"""What the code is now, as far as somebody speaks of it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from holdfast.domain.drift import DriftState
from holdfast.domain.project import CodeState
from holdfast.domain.snapshot import Entry


class Ground(Protocol):
    """Looks only at the files it is asked about: the size of a repository is nothing."""

    def stands(self, root: str) -> CodeState:
        """Return branch and head; whether anything is uncommitted is not looked at."""
        ...

    def states(self, root: str, entries: Iterable[Entry]) -> Mapping[str, DriftState]:
        """Say of each file whether it is as its entry says, by path."""
        ...

    def there(self, root: str, paths: Iterable[str]) -> frozenset[str]:
        """Return those of the paths at which something lies; no link is followed."""
        ...

    def commits(self, root: str, since: str, paths: Sequence[str]) -> Mapping[str, str]:
        """Return the newest commit after `since` that changed each path.

        A path that none changed, or of which that cannot be told, has no entry.
        """
        ...
