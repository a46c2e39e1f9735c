"""Records of the store in memory: the chain, what is kept, and what was removed."""

from collections.abc import Iterator

from holdfast.domain.checkpoint import Checkpoint, Draft, Tombstone
from holdfast.domain.forgetting import Rewrite
from holdfast.domain.query import Scope
from holdfast.domain.text import storable
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.store.chain import (
    GENESIS,
    ChainEntry,
    ChainWalk,
    EntryKind,
    link,
    rewrite_text,
    tombstone_text,
)
from holdfast.store.lookup_errors import name_taken, unknown
from holdfast.store.prepare_draft import (
    Allocation,
    adopted,
    called_as,
    completed,
    rewritten,
    sealed,
)
from tests.memory_store.matching import Tokens, tokens_of


@dataclass(slots=True)
class Record:
    """A kept checkpoint with what may change about it."""

    checkpoint: Checkpoint
    tokens: Tokens
    name: str | None
    is_consumed: bool = False


@dataclass(frozen=True, slots=True)
class Removed:
    tombstone: Tombstone
    project_id: str


class Records:
    def __init__(self) -> None:
        self.removed: dict[str, Removed] = {}
        self._records: dict[str, Record] = {}  # in the order they were kept
        self._chain: list[ChainEntry] = []
        self._numbers: dict[str, int] = {}
        self._sequences: dict[str, int] = {}
        self._observations = 0

    def __iter__(self) -> Iterator[Record]:
        return iter(tuple(self._records.values()))

    def __contains__(self, checkpoint_id: str) -> bool:
        return checkpoint_id in self._records

    def made_here(self, checkpoint_id: str) -> bool:
        found = self._records.get(checkpoint_id)
        return found is not None and found.checkpoint.foreign is None

    def add(self, draft: Draft, last: Checkpoint | None) -> Checkpoint:
        """Complete a draft with what only the store can give, and keep it."""
        project, session = draft.project_id, draft.session_id
        place = Allocation(
            number=self._numbers.get(project, 0) + 1,
            sequence=self._sequences.get(session, 0) + 1,
            observation=self._observations + 1,
            previous_checkpoint=last.checkpoint_id if last else None,
        )
        kept = completed(draft, place)
        if draft.name is not None:
            self.free(project, draft.name, replace_it=draft.replace_name)
        kept = self._keep(kept)
        self._numbers[project], self._sequences[session] = place.number, place.sequence
        return kept

    def adopt(self, checkpoint: Checkpoint) -> Checkpoint:
        """Keep a checkpoint of another store."""
        session = checkpoint.draft.session_id
        reached = max(self._sequences.get(session, 0), checkpoint.sequence)
        self._sequences[session] = reached
        return self._keep(
            adopted(checkpoint, len(self._chain) + 1, self._observations + 1)
        )

    def has_place(self, checkpoint: Checkpoint) -> bool:
        """Say whether another record has a checkpoint's place in its session."""
        wanted = (checkpoint.draft.session_id, checkpoint.sequence)
        return any(
            (each.checkpoint.draft.session_id, each.checkpoint.sequence) == wanted
            for each in self
        )

    def _keep(self, kept: Checkpoint) -> Checkpoint:
        checkpoint, text = sealed(kept, self._head())
        draft = checkpoint.draft
        self._observations += 1 + len(draft.details)
        self._append("record", checkpoint.checkpoint_id, checkpoint.content_hash, text)
        tokens = tokens_of(draft, len(self._chain))
        record = Record(checkpoint, tokens, checkpoint.name)
        self._records[checkpoint.checkpoint_id] = record
        return checkpoint

    def proof(self, checkpoint: Checkpoint) -> tuple[str, str, str]:
        """Return what an entry stands on, its text and its hash."""
        before = GENESIS
        for entry in self._chain:
            if entry.checkpoint_id == checkpoint.checkpoint_id:
                break
            before = entry.hash
        done = entry.rewrites[-1] if entry.rewrites else None
        digest = done.new_hash if done else entry.hash
        return (done.old_hash if done else before), str(entry.text), digest

    def bury(
        self, checkpoint_id: str, reason: str, removed_at: int | None
    ) -> Checkpoint:
        """Replace a record by its tombstone."""
        checkpoint = self._records.pop(checkpoint_id).checkpoint
        entry = next(e for e in self._chain if e.checkpoint_id == checkpoint_id)
        tombstone = Tombstone(
            checkpoint_id=checkpoint_id,
            number=checkpoint.foreign.place
            if checkpoint.foreign
            else checkpoint.number,
            sequence=checkpoint.sequence,
            old_hash=entry.hash,
            reason=reason,
            removed_at=removed_at,
        )
        text = tombstone_text(tombstone, checkpoint.draft.project_id)
        self._append("tombstone", checkpoint_id, link(self._head(), text), text)
        self.removed[checkpoint_id] = Removed(tombstone, checkpoint.draft.project_id)
        return checkpoint

    def rewrite(
        self, checkpoint_id: str, draft: Draft, reason: str, key: str | None
    ) -> Rewrite | None:
        """Let a record say `draft` instead, unless it does already."""
        record = self.record(checkpoint_id)
        before = record.checkpoint
        after, text = rewritten(before, draft, self._free_key(before, key))
        if after.draft == before.draft:
            return None
        return self._replace(record, after, text, reason)

    def rename(self, here: Checkpoint, came: Checkpoint) -> Checkpoint:
        """Let a record of another store be called what it is called there now."""
        named = called_as(here, came)
        if named != here:
            record = self.record(here.checkpoint_id)
            before = called_as(record.checkpoint, came)
            after, text = rewritten(before, before.draft)
            self._replace(record, after, text, "renamed where it was made")
        return named

    def _replace(
        self, record: Record, after: Checkpoint, text: str, reason: str
    ) -> Rewrite:
        before = record.checkpoint
        at, entry = next(
            (at, entry)
            for at, entry in enumerate(self._chain)
            if entry.checkpoint_id == before.checkpoint_id
        )
        done = Rewrite(
            before.checkpoint_id, before.content_hash, after.content_hash, reason
        )
        rewrites = (*entry.rewrites, done)
        self._chain[at] = entry._replace(text=text, rewrites=rewrites)
        told = rewrite_text(done)
        digest = link(self._head(), told)
        self._append("tombstone", before.checkpoint_id, digest, told)
        record.checkpoint = after
        record.tokens = tokens_of(after.draft, at + 1)
        return done

    def _free_key(self, before: Checkpoint, key: str | None) -> str | None:
        """Return none where another record has the key: that one answers retries."""
        others = (r.checkpoint.draft.key for r in self if r.checkpoint is not before)
        return "" if key and key in others else key

    def record(self, checkpoint_id: str) -> Record:
        found = self._records.get(storable(checkpoint_id))
        if found is None:
            raise unknown(checkpoint_id)
        return found

    def seen(self, record: Record) -> Checkpoint:
        """Return a checkpoint with what stands beside it now."""
        kept = record.checkpoint
        later = (
            other.checkpoint.checkpoint_id
            for other in self._records.values()
            if other.checkpoint.draft.session_id == kept.draft.session_id
            and other.checkpoint.sequence > kept.sequence
        )
        following = next(later, None)
        return replace(
            kept,
            name=record.name,
            next_checkpoint=following,
            latest_checkpoint=following is None,
        )

    def newest(self, scope: Scope) -> list[Checkpoint]:
        return [
            self.seen(record)
            for record in reversed(self._records.values())
            if scope.project_id in (None, record.checkpoint.draft.project_id)
            and scope.workspace in (None, record.checkpoint.draft.workspace)
        ]

    def last_of(self, session_id: str) -> Checkpoint | None:
        everywhere = self.newest(Scope())
        return next((c for c in everywhere if c.draft.session_id == session_id), None)

    def free(self, project_id: str, name: str, *, replace_it: bool) -> None:
        """Take a name from its owner, if it has one that may lose it.

        Raises:
            NameTaken: it may not.
        """
        for record in self._records.values():
            owner = record.checkpoint
            if owner.draft.project_id == project_id and record.name == name:
                if not (replace_it or record.is_consumed):
                    raise name_taken(name, owner.number)
                record.name, record.is_consumed = None, False

    def walk(self) -> ChainWalk:
        """Go over the chain as it stands."""
        walk = ChainWalk()
        for entry in self._chain:
            is_gone = (
                entry.kind == "record" and entry.checkpoint_id not in self._records
            )
            walk.step(self._without_text(entry) if is_gone else entry)
        return walk

    def since(self, position: int) -> tuple[ChainEntry, ...]:
        """Return the entries of the chain after a place."""
        return tuple(self._chain[position:])

    def _without_text(self, entry: ChainEntry) -> ChainEntry:
        buried = self.removed[entry.checkpoint_id].tombstone.old_hash
        return entry._replace(text=None, buried_hash=buried)

    def _head(self) -> str:
        return self._chain[-1].hash if self._chain else GENESIS

    def _append(self, kind: EntryKind, name: str, digest: str, text: str) -> None:
        self._chain.append(
            ChainEntry(len(self._chain) + 1, kind, name, digest, text, name)
        )
