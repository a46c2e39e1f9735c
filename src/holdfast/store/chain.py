"""The hash chain: each entry covers the one before, so nothing can change unseen.

Pure, and the same for every engine. A removed record keeps its entry; its tombstone is
an entry of its own, so the chain is only ever appended to.

A repair decides for each entry what can be trusted: its hash covers the hash before it and
its own text, so a damaged hash is told from a damaged text by the entry that follows.
"""

from collections.abc import Callable, Iterator, Set as AbstractSet
from typing import Literal

from holdfast.domain.checkpoint import Tombstone
from holdfast.domain.forgetting import Rewrite
from holdfast.kernel.digests import canonical, sha256
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

GENESIS = "0" * 64  # what the first entry stands on


EntryKind = Literal["record", "tombstone"]

LOST = "lost"  # the text that an entry without one is linked by

Verdict = Literal["keep", "rehash", "bury"]


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


class RepairDecision(NamedTuple):
    """What becomes of an entry: it stays, its hash is set right, or it is buried.

    A buried entry keeps its hash: what it said goes to the quarantine. The id that the
    chain has beside a hash is not in it: the text says whose entry it is.
    """

    position: int
    verdict: Verdict
    hash: str


def repair_decisions(
    count: int, entry_at: Callable[[int], ChainEntry], heads: AbstractSet[str]
) -> Iterator[RepairDecision]:
    """Decide for each entry, oldest first. `heads` are hashes kept elsewhere.

    A missing chain row is an entry with an empty hash.
    """
    before = GENESIS
    is_anew = False  # the hash before is not the one that this entry was made from
    entry = entry_at(1) if count else None
    while entry is not None:
        following = entry_at(entry.position + 1) if entry.position < count else None
        decision = _decided(entry, following, before, heads, is_anew=is_anew)
        yield decision
        is_anew = decision.hash != entry.hash and not _follows(
            following, decision.hash, heads
        )
        before, entry = decision.hash, following


def _decided(
    entry: ChainEntry,
    following: ChainEntry | None,
    before: str,
    heads: AbstractSet[str],
    *,
    is_anew: bool,
) -> RepairDecision:
    digest = link(before, entry.text or LOST)
    if entry.text is not None and entry.rewrites:
        return _rewritten(entry, entry.text, following, heads)
    if entry.text is not None and digest == entry.hash:
        return RepairDecision(entry.position, "keep", digest)
    if entry.text is None or entry.found_id != entry.checkpoint_id:
        return _without_text(entry, following, before, heads)
    # No hash to trust, or one that was made from a hash that is lost: the text is all
    # there is. Else the next entry tells which of the two is damaged.
    if not entry.hash or is_anew or _follows(following, digest, heads):
        return RepairDecision(entry.position, "rehash", digest)
    return RepairDecision(entry.position, "bury", entry.hash)


def _rewritten(
    entry: ChainEntry, text: str, following: ChainEntry | None, heads: AbstractSet[str]
) -> RepairDecision:
    """What the entry was made from is gone; its rewrites prove the text, and its hash."""
    true = entry.rewrites[0].old_hash
    entry = entry._replace(checkpoint_id=entry.rewrites[0].checkpoint_id)
    if is_whole("", text, entry):
        return RepairDecision(entry.position, "keep", entry.hash)
    is_proved = is_whole("", text, entry._replace(hash=true))
    if is_proved and _follows(following, true, heads):
        return RepairDecision(entry.position, "rehash", true)
    return RepairDecision(entry.position, "bury", entry.hash)


def _without_text(
    entry: ChainEntry,
    following: ChainEntry | None,
    before: str,
    heads: AbstractSet[str],
) -> RepairDecision:
    buried = entry.buried_hash if entry.kind == "record" else None
    if buried is not None and buried == entry.hash:
        return RepairDecision(entry.position, "keep", entry.hash)
    if buried is not None and _follows(following, buried, heads):
        return RepairDecision(entry.position, "rehash", buried)
    return RepairDecision(entry.position, "bury", entry.hash or link(before, LOST))


def _follows(
    following: ChainEntry | None, digest: str, heads: AbstractSet[str]
) -> bool:
    """Say whether what comes next was made from this hash."""
    if following is None:
        return digest in heads
    return following.text is not None and (
        link(digest, following.text) == following.hash
    )
