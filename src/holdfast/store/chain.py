"""The hash chain: each entry covers the one before, so nothing can change unseen.

Pure, and the same for every engine. A removed record keeps its entry; its tombstone is
an entry of its own, so the chain is only ever appended to.
"""

from typing import Literal

from holdfast.domain.checkpoint import Tombstone
from holdfast.domain.forgetting import Rewrite
from holdfast.domain.record import canonical
from holdfast.kernel.digests import sha256
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

GENESIS = "0" * 64  # what the first entry stands on


def link(previous: str, text: str) -> str:
    """Return the hash of an entry: what stood before, then the text it stands for."""
    return sha256(previous.encode() + text.encode()).hexdigest()


def tombstone_text(tombstone: Tombstone, project_id: str) -> str:
    """Return the text a tombstone's entry stands for."""
    told = {
        "checkpoint_id": tombstone.checkpoint_id,
        "project_id": project_id,
        "number": tombstone.number,
        "sequence": tombstone.sequence,
        "old_hash": tombstone.old_hash,
        "reason": tombstone.reason,
    }
    if tombstone.removed_at is not None:
        told["removed_at"] = tombstone.removed_at
    return canonical(told)


def rewrite_text(rewrite: Rewrite) -> str:
    """Return the text the entry of a rewritten record stands for."""
    return canonical(
        {
            "checkpoint_id": rewrite.checkpoint_id,
            "old_hash": rewrite.old_hash,
            "new_hash": rewrite.new_hash,
            "reason": rewrite.reason,
        }
    )


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The newest entry, and how many records live."""

    position: int = 0
    hash: str = GENESIS
    records: int = 0


EntryKind = Literal["record", "tombstone"]


class ChainEntry(NamedTuple):
    """One entry as it was found, with the text it should stand for.

    `text` is None where a record is gone; then `buried_hash` must be its tombstone's.
    `found_id` is the id of the row that stands there. A record that was rewritten has
    a text that its last rewrite proves, and its first rewrite names the entry's hash.
    """

    position: int
    kind: EntryKind
    checkpoint_id: str
    hash: str
    text: str | None
    found_id: str | None
    buried_hash: str | None = None
    rewrites: tuple[Rewrite, ...] = ()


class ChainWalk:
    """One pass over the chain, entry by entry, that notes what does not fit."""

    def __init__(self) -> None:
        self.head = ChainHead()
        self.problems: list[str] = []

    def step(self, entry: ChainEntry) -> None:
        expected = self.head.position + 1
        if entry.position != expected:
            self.problems.append(f"entry {expected} of the chain is missing")
        if problem := self._problem(entry):
            self.problems.append(problem)
        is_alive = entry.kind == "record" and entry.text is not None
        self.head = ChainHead(entry.position, entry.hash, self.head.records + is_alive)

    def _problem(self, entry: ChainEntry) -> str:
        name = f"`{entry.checkpoint_id}`"
        if entry.text is not None:
            whole = is_whole(self.head.hash, entry.text, entry)
            is_own = entry.found_id == entry.checkpoint_id
            return "" if whole and is_own else f"{name} does not match its hash"
        if entry.kind == "tombstone":
            return f"the tombstone of {name} is missing"
        if entry.buried_hash is None:
            return f"{name} is missing"
        return (
            "" if entry.buried_hash == entry.hash else f"{name} was not the one removed"
        )


def is_whole(previous: str, text: str, entry: ChainEntry) -> bool:
    """Say whether a text is what an entry, or the rewrites that followed it, prove."""
    if not entry.rewrites:
        return link(previous, text) == entry.hash
    known = entry.hash
    for rewrite in entry.rewrites:
        if rewrite.old_hash != known or rewrite.checkpoint_id != entry.checkpoint_id:
            return False
        known = rewrite.new_hash
    return link(entry.rewrites[-1].old_hash, text) == known
