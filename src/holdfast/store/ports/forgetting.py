"""Forgetting: what a store, and everything beside it, lets go of for good."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.forgetting import Order
from holdfast.domain.query import Scope


class Forgetful(Protocol):
    """A store's part. Each sentence is a contract test."""

    def every(self, scope: Scope) -> Iterator[Checkpoint]:
        """Yield every whole checkpoint of a scope, oldest first, one at a time."""
        ...

    def told_of(self, checkpoint_ids: Sequence[str]) -> tuple[str, ...]:
        """Return the sessions that were offered one of these, or got its brief."""
        ...

    def drop_folds(self, session_ids: Sequence[str]) -> None:
        """Let the kept folds of sessions go; they are made again when needed."""
        ...

    def blank_sessions(self, session_ids: Sequence[str]) -> None:
        """Leave of sessions only what links them: id, parent, root, and when.

        Where they ran, what hooks did for them, and their folds go. Families stay as
        they were. Blanking twice changes nothing.
        """
        ...

    def blank_project(self, project_id: str) -> None:
        """Forget where a project lies and what it is recognised by.

        Its id and the last number it was given stay; a save in the same directory
        makes a new project.
        """
        ...

    def wipe_log(self) -> bool:
        """Leave nothing in the log of changes; False if a reader still needs it."""
        ...

    def wipe(self) -> None:
        """Leave no byte of anything that was removed in any file of the store.

        Raises:
            StoreBusy: somebody reads for too long; wiping again finishes.
        """
        ...


class Orders(Protocol):
    """What was asked to be forgotten, until nothing of it is left."""

    def add(self, order: Order) -> None:
        """Keep an order durably. Adding it again changes nothing.

        Raises:
            OSError: it cannot be written.
        """
        ...

    def waiting(self) -> tuple[Order, ...]:
        """Return what is not done; one that cannot be read is not among it."""
        ...

    def done(self, order: Order) -> None:
        """Drop an order. Dropping twice changes nothing."""
        ...


class Aside(Protocol):
    """What nobody can read, and so nobody can sift."""

    def saying(self, text: str) -> tuple[str, ...]:
        """Say where some text may still stand, whatever the case."""
        ...


class Shelf(Protocol):
    """Something beside the store that may repeat what a record said."""

    def forget(self, order: Order) -> Sequence[str]:
        """Let go of what an order names; return what has to stay, and why.

        Forgetting again finds nothing more to do.
        """
        ...
