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

    def can_be_written(self) -> bool:
        """Say whether a draft could wait here now."""
        ...

    def waiting(self) -> int:
        """Return how many drafts wait."""
        ...

    def set_aside(self) -> int:
        """Return how many entries could not be read: they are kept, and wait no more."""
        ...

    def give_up_unreadable(self) -> int:
        """Set aside what the disk does not give back, so that the rest can go in.

        For a repair alone: all else waits, because a disk may only fail for a moment.
        Nothing is deleted. Returns how many entries there were.

        Raises:
            OSError: the machine could not get at what waits.
        """
        ...

    def drain(self, put: Callable[[Draft], object]) -> int:
        """Put each waiting draft in the order they came, then forget it.

        Stops at the first that `put` raises store trouble or an OSError on, which stays
        with all after it. An entry that is damaged, or that is refused for what it is,
        is set aside, never deleted. Returns how many went.

        Raises:
            OSError: the machine could not get at what waits.
        """
        ...
