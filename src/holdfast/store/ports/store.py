"""Keeping and finding. Written for two engines; each sentence is a contract test."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from holdfast.domain.checkpoint import Checkpoint, Draft, Kept, Tombstone
from holdfast.domain.fold import KeptFold
from holdfast.domain.project import Project, ProjectSigns
from holdfast.domain.query import Finding, Hit, Query, Scope
from holdfast.domain.session import SessionRecord
from holdfast.kernel.ids import Reference
from holdfast.store.ports.clients import Clients
from holdfast.store.ports.deliveries import Deliveries
from holdfast.store.ports.forgetting import Forgetful
from holdfast.store.ports.rewriting import Rewritable
from holdfast.store.ports.switches import Switches
from holdfast.store.retention import RetentionRow


class Checkpoints(Protocol):
    def put(self, draft: Draft) -> Kept:
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

    def put_unless_off(self, draft: Draft, now_ms: int) -> Kept | None:
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

    def find(self, reference: Reference, scope: Scope) -> Checkpoint:
        """Return the one checkpoint a reference names.

        `latest`, numbers and names look inside the scope's project; `ccp-…` ids and
        `session:` look everywhere. An exact name wins over a prefix; a consumed or
        moved name belongs to its newest owner.

        Raises:
            CheckpointNotFound: nothing answers.
            ReferenceAmbiguous: several do; the hint names candidates.
        """
        ...

    def list(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        lineage: str | None = None,
        limit: int = 20,
    ) -> tuple[Checkpoint, ...]:
        """Return checkpoints, newest first (by the order they were kept).

        `session` is an id or its prefix; `lineage` a session id whose whole chain and
        forks are listed.
        """
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

    def consume(self, checkpoint_id: str) -> None:
        """Free a checkpoint's name: a new save may take it without asking.

        Until one does, the name still finds this record.
        """
        ...

    def retention_rows(self) -> Iterator[RetentionRow]:
        """Yield what retention needs to know of every checkpoint, without bodies."""
        ...

    def rename(self, checkpoint_id: str, name: str | None) -> None:
        """Give a checkpoint a name, or take it away. The record's hash stays."""
        ...


class Sessions(Protocol):
    def session(self, session_id: str) -> SessionRecord | None:
        """Return what is known of a session, its checkpoints' ids oldest first."""
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


class Folds(Protocol):
    def fold(self, session_id: str, *, late: bool = False) -> KeptFold | None:
        """Return the kept fold of a session, or None if there is none or it is
        damaged or of another format: it can always be made again.

        With `late`, a turn may be read when it is first looked at, which then raises
        SessionDamaged if it is damaged or gone."""
        ...

    def keep_fold(self, session_id: str, fold: KeptFold) -> None:
        """Keep a fold, replacing the one before. Writes only turns that changed.

        One with turns that were never read is left if somebody else has kept another
        since: those turns are no longer there."""
        ...


class Projects(Protocol):
    def project(
        self, signs: ProjectSigns, has_commit: Callable[[str], bool] | None = None
    ) -> Project:
        """Return the project a directory belongs to, creating it if it is new.

        Its aliases are brought up to date in the same transaction: an id never
        changes, and two ids never share a path. `has_commit` says whether the
        directory's repository still has a commit that the store knows.
        """
        ...

    def known_project(
        self, signs: ProjectSigns, has_commit: Callable[[str], bool] | None = None
    ) -> Project | None:
        """Return the project a directory belongs to, writing nothing."""
        ...

    def projects(self) -> tuple[Project, ...]:
        """Return every project, by id."""
        ...


class Health(Protocol):
    def check(self) -> Iterator[Finding]:
        """Check structure, hash chain, head and index; one finding each."""
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
    Sessions,
    Folds,
    Projects,
    Health,
    Clients,
    Deliveries,
    Switches,
    Forgetful,
    Rewritable,
    Protocol,
):
    """Where checkpoints live."""
