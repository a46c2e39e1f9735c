"""Repair a broken chain: decide for each entry what can be trusted. Pure.

An entry's hash covers the hash before it and its own text, so a damaged hash is told
from a damaged text by the entry that follows: it was made from the true hash.
"""

from collections.abc import Callable, Iterator, Set as AbstractSet
from typing import Literal

from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.store.chain import GENESIS, ChainEntry, is_whole, link

LOST = "lost"  # the text that an entry without one is linked by

Verdict = Literal["keep", "rehash", "bury"]


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
