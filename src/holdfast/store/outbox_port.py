"""What waits for other systems, promised as `port` promises the rest.

A target is a plain name: `claude-mem`, `memora`, `team`, `git`. Nothing is written for
one that nobody follows, and a save writes nothing for any: what was kept, rewritten or
removed is in the chain, and a claim brings it into the outbox.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from holdfast.domain.outbox import OutboxState, Parcel, ParcelDone


class Outbox(Protocol):
    """What each target has still to be told, and what it calls what it has."""

    def follow(self, target: str, *, everything: bool = False) -> None:
        """Let a target have what is kept from now on; following twice changes nothing.

        With `everything` also what was kept before, except what it has already.
        """
        ...

    def claim(
        self,
        target: str,
        *,
        now_ms: int,
        lease_ms: int,
        limit: int,
    ) -> tuple[Parcel, ...]:
        """Return the next parcels of a target, oldest first, for nobody else until the
        lease is over.

        A record that was rewritten is to be replaced, one that was removed is to be
        removed, and one that was removed before anybody claimed it is no parcel. What
        failed is not returned before it is due. A target that nobody follows has none,
        and what another store made is nobody's parcel.
        """
        ...

    def release(self, target: str, *, make_due: bool = False) -> None:
        """End every lease of a target: for whoever knows that nobody is at it any more.

        With `make_due` what failed may be claimed at once, too.
        """
        ...

    def acknowledge(self, target: str, done: Sequence[ParcelDone]) -> None:
        """Keep that a target has these, and what it calls them.

        What happened to a record after its parcel was claimed still waits. The target's
        failures are over. Acknowledging twice changes nothing.
        """
        ...

    def fail(
        self, target: str, parcels: Sequence[Parcel], error: str, due_at: int = 0
    ) -> None:
        """Let parcels wait until they are due, and count the attempt."""
        ...

    def pause(self, target: str, error: str, due_at: int) -> None:
        """Keep that a target itself did not answer, and when to ask it again."""
        ...

    def states(self) -> tuple[OutboxState, ...]:
        """Return how things stand with each target that is followed, by name.

        What was kept since the last claim waits, too.
        """
        ...

    def remotes(self, checkpoint_ids: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        """Return what each target calls each of these records, where it has it."""
        ...
