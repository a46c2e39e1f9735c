"""What a team's store promises beyond the roles it shares with a machine's own.

Records, sessions, projects and search are promised as `port` says. Folds, clients, deliveries
and switches are one machine's, and are not here.
"""

from collections.abc import Iterator
from typing import Protocol

from holdfast.domain.checkpoint import Checkpoint, PutResult
from holdfast.domain.foreign import RecordProof
from holdfast.domain.query import HealthResult
from holdfast.domain.team import TeamNews
from holdfast.store.port import (
    Checkpoints,
    Finding,
    ForeignRecords,
    Projects,
    Sessions,
)


class Exchange(Protocol):
    """What machines of a team give each other."""

    def give(self, proof: RecordProof, checkpoint: Checkpoint) -> PutResult:
        """Keep a record that another store made, for everybody, with what proves it.

        Giving it again changes nothing ("repeated") but what it is called there.

        Raises:
            CheckpointNotFound: it was removed, and does not come again.
            RecordRefused: another one is there under its id, or in its place.
        """
        ...

    def given(self, checkpoint_id: str) -> RecordProof | None:
        """Return what proves a record that a machine gave; None if none did."""
        ...

    def news(self, project_id: str, after: int, limit: int) -> tuple[TeamNews, ...]:
        """Return what was given or removed in a project since a change, oldest first.

        Whoever asks again after the newest change that came misses nothing.
        """
        ...


class TeamStore(
    Checkpoints, ForeignRecords, Finding, Sessions, Projects, Exchange, Protocol
):
    """Where a team keeps its checkpoints together.

    The chain is a project's, not the store's. A tenant sees nothing of another's.
    """

    @property
    def machine(self) -> str:
        """Return what the store is called in `42@NAME`."""
        ...

    def check(self) -> Iterator[HealthResult]:
        """Check the chain of each project; one finding for all of them."""
        ...

    def close(self) -> None:
        """Release connections. Closing twice is fine."""
        ...
