"""Where a save waits when the store cannot take it."""

from collections.abc import Callable
from typing import Protocol

from holdfast.domain.checkpoint import Draft


class Spool(Protocol):
    def prepare(self) -> None:
        """Set room aside while there is some, so that a full disk can still be told.

        Does nothing if that is done already or cannot be.
        """
        ...

    def add(self, draft: Draft, reason: str) -> None:
        """Keep a draft durably until the store takes it. Adding a key again changes
        nothing.

        Raises:
            OSError: the spool cannot be written either.
        """
        ...

    def waiting(self) -> int:
        """Return how many drafts wait."""
        ...

    def drain(self, put: Callable[[Draft], object]) -> int:
        """Put each waiting draft in the order they came, then forget it.

        Stops at the first that `put` raises on, which stays with all after it. An
        entry that cannot be read is set aside, never deleted. Returns how many went.
        """
        ...
