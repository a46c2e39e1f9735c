"""What a mirror promises: another memory system that gets a copy of each checkpoint.

Each sentence is a test in `tests/contract`, run against the real systems. Whatever one of
them answers is a stranger's text: it is counted, compared and shown, and never told to a
session by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.outbox import ObservationText, Parcel, ParcelDone


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorEntry:
    """A parcel with what it is about; a record that was removed has no text any more."""

    parcel: Parcel
    checkpoint: Checkpoint | None = None
    texts: tuple[ObservationText, ...] = ()  # the master summary first
    previous: str = ""  # what the mirror calls the checkpoint before it


class Delivered(NamedTuple):
    """What came of entries; what is in neither is to be tried again."""

    done: tuple[ParcelDone, ...]
    refused: Mapping[str, str]  # by checkpoint id, why


class MirrorHit(NamedTuple):
    """Something that a mirror found, in its own words."""

    remote: str
    title: str
    text: str
    checkpoint_id: str = ""  # empty: it is none of ours


class Mirror(Protocol):
    """Another memory system."""

    @property
    def most_at_once(self) -> int:
        """Return how many entries one delivery may have."""
        ...

    def check(self) -> str:
        """Return which version answers.

        Raises:
            MirrorDown: none does, or something else sits there.
        """
        ...

    def deliver(self, entries: Sequence[MirrorEntry]) -> Delivered:
        """Bring entries to the mirror, in order.

        What is sent again is there once. What is replaced says only the new text. What
        is removed is gone, and removing what is not there is done, too. One that is
        refused does not keep the others from it.

        Raises:
            MirrorDown: it does not answer, or not as itself; delivering again finishes.
        """
        ...

    def search(self, words: str, limit: int) -> tuple[MirrorHit, ...]:
        """Return what the mirror itself finds, best first.

        Raises:
            MirrorDown: it does not answer.
        """
        ...
