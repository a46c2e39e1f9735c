"""What a store promises, in roles of at most a dozen methods. A new engine keeps these.

Each sentence of a method's docstring is a test in `tests/contract`, one file for each role,
run on every engine. What hooks keep is in `hook_port`. Only annotations name these types,
so that no hook imports them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from holdfast.domain.checkpoint import Checkpoint, Draft, PutResult, Tombstone
from holdfast.domain.code import Project, ProjectIdentity
from holdfast.domain.foreign import RecordProof
from holdfast.domain.forgetting import Rewrite
from holdfast.domain.outline import Outline, Tally
from holdfast.domain.query import HealthResult, Hit, Query, Scope
from holdfast.domain.session import SessionRecord
from holdfast.kernel.ids import Reference
from holdfast.store.hook_port import (
    Clients,
    Deliveries,
    Folds,
    HookAccounts,
    Switches,
)
from holdfast.store.outbox_port import Outbox
from holdfast.store.retention import RetentionRow


class Checkpoints(Protocol):
    """Keeping one, getting it back by its id, and letting it go."""

    def put(self, draft: Draft) -> PutResult:
        """Keep `draft`: number, sequence, id, hash and index in one transaction.

        Putting a draft with the same key again returns the same checkpoint
        ("repeated"). A draft that adds nothing to its session's last checkpoint makes
        no record and returns that one ("unchanged"). Numbers count 1, 2, 3… within a
        project and sequences within a session, without gap or repeat, however many
        processes save at once; neither is ever reused. When it returns, the checkpoint
        survives a power cut. The session's record is created or brought up to date in
        the same transaction.

        Raises:
            NameTaken: the name belongs to another checkpoint of the project and
                `replace_name` is not set. When it is, the name moves.
            StoreBusy, StoreDamaged, StoreNotFound
        """
        ...

    def put_unless_off(self, draft: Draft, now_ms: int) -> PutResult | None:
        """Keep `draft` as `put` does, unless everything, its project or its session is
        switched off now.

        Looked at in the same transaction: nothing can be switched off in between.
        """
        ...

    def get(self, checkpoint_id: str) -> Checkpoint:
        """Return a checkpoint by its exact id, its hash verified.

        Raises:
            CheckpointNotFound: there is none, or a tombstone (the message says so).
            StoreDamaged: the record does not match its hash.
        """
        ...

    def rename(self, checkpoint_id: str, name: str | None) -> None:
        """Give a checkpoint a name, or take it away. The record's hash stays."""
        ...

    def consume(self, checkpoint_id: str) -> None:
        """Free a checkpoint's name: a new save may take it without asking.

        Until one does, the name still finds this record.
        """
        ...

    def remove(
        self,
        checkpoint_ids: Sequence[str],
        reason: str,
        removed_at: int | None = None,
    ) -> tuple[Tombstone, ...]:
        """Remove records, leaving a tombstone in the chain for each: when and why.

        Nothing of a removed record can be found again; numbers are not reused; the
        rest of the chain stays whole. Removing twice changes nothing.
        """
        ...

    def retention_rows(self) -> Iterator[RetentionRow]:
        """Yield what retention needs to know of every checkpoint, without bodies."""
        ...


class ForeignRecords(Protocol):
    """Records that other stores made, and what proves ours to them."""

    def proof(self, checkpoint_id: str) -> RecordProof:
        """Return the text of a record of this store with what it was hashed with.

        Raises:
            CheckpointNotFound: there is none, or it is of another store.
            StoreDamaged: the record does not match its hash.
        """
        ...

    def adopt(self, checkpoint: Checkpoint) -> PutResult:
        """Keep a checkpoint of another store; adopting it again changes nothing
        ("repeated"), also if this store made it.

        It keeps its id and number, and takes neither a number nor a name of the
        project; `latest` never means it. Its sessions, observations and place in the
        chain are this store's. What it is called there is brought up to date.

        Raises:
            CheckpointNotFound: it was removed here, and does not come back.
            RecordRefused: another one is here under its id, or in its place.
            StoreBusy, StoreDamaged, StoreNotFound
        """
        ...

    def own_tombstones(self) -> Mapping[str, Tombstone]:
        """Return what stays of each record that this store made and removed, by its id,
        of every project."""
        ...


class Finding(Protocol):
    """Which checkpoints answer a reference, a scope or a query."""

    def find(self, reference: Reference, scope: Scope) -> Checkpoint:
        """Return the one checkpoint a reference names.

        `latest`, numbers and names look inside the scope's project; `ccp-…` ids and
        `session:` look everywhere. `42@laptop` is that store's number, and `42` ours. An exact name wins over a prefix; a consumed or
        moved name belongs to its newest owner.

        Raises:
            CheckpointNotFound: nothing answers.
            ReferenceAmbiguous: several do; the hint names candidates.
        """
        ...

    def list(
        self, scope: Scope, *, session: str | None = None, lineage: str | None = None,
        limit: int = 20, live: bool = False,
    ) -> tuple[Checkpoint, ...]:  # fmt: skip
        """Return checkpoints, newest first: what was saved while it happened by the order
        it was kept in, what tells of an earlier time (a backfill, an import, another
        machine's) between, where its time is.

        `session` is an id or its prefix; `lineage` a session id whose whole chain and
        forks are listed. With `live` only what was saved while it happened: not what a
        backfill or an import brought.
        """
        ...

    def count(
        self, scope: Scope, *, session: str | None = None, lineage: str | None = None
    ) -> int:
        """Return how many checkpoints `list` would return without a limit."""
        ...

    def merged_into(self, session_id: str) -> tuple[Checkpoint, ...]:
        """Return the checkpoints of a session that merged others into it, oldest first.

        One that does not match its hash is left out.
        """
        ...

    def every(self, scope: Scope) -> Iterator[Checkpoint]:
        """Yield every whole checkpoint of a scope, oldest first, one at a time."""
        ...

    def outlines(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        lineage: str | None = None,
    ) -> Iterator[Outline]:
        """Yield what `list` would return without a limit, in outline, oldest first.

        A record that cannot be read is there, too, without what it says; whether it is
        what was kept is not asked.
        """
        ...

    def damaged(self, checkpoint_ids: Sequence[str]) -> frozenset[str]:
        """Return which of these do not match their hash."""
        ...

    def several(self, checkpoint_ids: Sequence[str]) -> Mapping[str, Checkpoint]:
        """Return, in one question, those of these that are there and match their hash."""
        ...

    def tallies(self, scope: Scope) -> Iterator[Tally]:
        """Yield the numbers of every whole checkpoint of a scope that this store made,
        oldest first."""
        ...

    def search(self, query: Query, scope: Scope, limit: int) -> tuple[Hit, ...]:
        """Return what matches, best first; ties go to the newer. Never raises on text.

        Where words or phrases are asked for, a hit has the passage that answered.
        """
        ...

    def reindex(
        self, progress: Callable[[int, int], None] | None = None, *, anew: bool = False
    ) -> int:
        """Index every record that is not indexed yet, and return how many there were.

        `progress` is told how many of how many are done. A rebuild that was interrupted
        goes on where it stopped; `anew` starts one where none is under way. What is
        found afterwards is what was found before.
        """
        ...


class Sessions(Protocol):
    """What is known of sessions, and who came from whom."""

    def session(self, session_id: str) -> SessionRecord | None:
        """Return what is known of a session, its checkpoints' ids oldest first."""
        ...

    def sessions_like(self, prefix: str) -> tuple[str, ...]:
        """Return the ids that begin with a prefix, sorted, or the one that is it exactly.

        Capital letters do not matter, and an empty prefix is the beginning of none.
        """
        ...

    def note_session(self, record: SessionRecord) -> SessionRecord:
        """Create a session's record or bring it up to date, and return it as kept.

        A parent, once set, stays; the root is the parent's root. A field that is empty
        or zero in `record` leaves what is kept alone; `cleared` only ever becomes true.
        """
        ...

    def lineage(self, session_id: str) -> tuple[SessionRecord, ...]:
        """Return the whole family of a session: root first, then by generation.

        Any depth, up and down, forks included; a cycle in damaged data ends, too.
        """
        ...

    def sessions(self, scope: Scope, limit: int) -> tuple[SessionRecord, ...]:
        """Return sessions, the one that kept or was noted last first."""
        ...

    def parents(self) -> Mapping[str, str]:
        """Return the parent of each session that has one."""
        ...


class Projects(Protocol):
    """Which project a directory belongs to."""

    def project(
        self, identity: ProjectIdentity, has_commit: Callable[[str], bool] | None = None
    ) -> Project:
        """Return the project a directory belongs to, creating it if it is new.

        Its aliases are brought up to date in the same transaction: an id never
        changes, and two ids never share a path. `has_commit` says whether the
        directory's repository still has a commit that the store knows.
        """
        ...

    def known_project(
        self, identity: ProjectIdentity, has_commit: Callable[[str], bool] | None = None
    ) -> Project | None:
        """Return the project a directory belongs to, writing nothing."""
        ...

    def projects(self) -> tuple[Project, ...]:
        """Return every project, by id."""
        ...


class Forgetting(Protocol):
    """Taking out of a store what should no longer be in it."""

    def rewrite(
        self, checkpoint_id: str, draft: Draft, reason: str, key: str | None = None
    ) -> Rewrite | None:
        """Let a record say `draft` instead; its old hash and the reason stay.

        Its id, number, sequence, place, name and retry key are what they were, and so
        must `draft`'s session, project and moment be. Nothing that only the old text
        said can be found again, the session's fold goes, and the chain stays whole. A
        draft that says the same makes no entry and returns None.

        With `key` the retry key is that one, or none where another record has it.

        Raises:
            CheckpointNotFound: there is none, or a tombstone.
            StoreDamaged: the record does not match its hash: it is left as evidence.
            StoreBusy, StoreNotFound
        """
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


class Health(Protocol):
    """Whether the store is whole, and what it knows of itself."""

    def check(self) -> Iterator[HealthResult]:
        """Check structure, hash chain, head and index; one finding each."""
        ...

    @property
    def moment(self) -> str:
        """Return a mark that changes with the store, whoever changes it; cheap to ask."""
        ...

    @property
    def machine(self) -> str:
        """Return the name of the machine that made this store."""
        ...

    @property
    def redaction_key(self) -> bytes:
        """Return the store's own key for stable placeholders."""
        ...

    def close(self) -> None:
        """Release files and locks. Closing twice is fine."""
        ...


class Store(
    Checkpoints,
    ForeignRecords,
    Finding,
    Sessions,
    Folds,
    Projects,
    Clients,
    Deliveries,
    HookAccounts,
    Switches,
    Forgetting,
    Health,
    Protocol,
):
    """Where checkpoints live: every role together."""

    @property
    def outbox(self) -> Outbox: ...
