"""The store on SQLite: one file in the data directory, and the promise of store/port.py.

with open_store("/home/me/.local/share/holdfast", create=True) as store: …

What every hook asks for is imported with it, the rest by the method that needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from holdfast.store.sqlite import sessions
from holdfast.store.sqlite.schema.opening import PATIENCE, open_database
from holdfast.store.sqlite.write import clients, deliveries
from holdfast.store.sqlite.write.folds import FoldTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import TracebackType

    from holdfast.domain.checkpoint import Checkpoint, Draft, PutResult, Tombstone
    from holdfast.domain.client import (
        Client,
        Delivery,
        Given,
        HookCost,
        Pressure,
        Switch,
        SwitchKind,
    )
    from holdfast.domain.code import Project, ProjectIdentity
    from holdfast.domain.foreign import RecordProof
    from holdfast.domain.forgetting import Rewrite
    from holdfast.domain.outline import Outline, Tally
    from holdfast.domain.query import HealthResult, Hit, Query, Scope
    from holdfast.domain.session import KeptFold, SessionRecord
    from holdfast.kernel.ids import Reference
    from holdfast.session.state_codec import Upgrade
    from holdfast.store.outbox_port import Outbox
    from holdfast.store.retention import RetentionRow
    from holdfast.store.sqlite.database import Database


def open_store(
    home: str,
    *,
    create: bool,
    machine: str | None = None,
    patience: float = PATIENCE,
    upgrade: Upgrade | None = None,
) -> SqliteStore:
    """Return the store of a data directory; a reader passes `create=False`.

    `patience` is how many seconds a write waits for others; `upgrade` makes of a turn
    that was kept in an older form what it would be today.

    Raises:
        StoreNotFound, StoreNewer, StoreDamaged, StoreBusy
    """
    database = open_database(home, create=create, machine=machine, patience=patience)
    return SqliteStore(database, upgrade)


class SqliteStore:
    """Each method does what `port.Store` says of it."""

    def __init__(self, database: Database, upgrade: Upgrade | None = None) -> None:
        self._database = database
        self._folds = FoldTable(database, upgrade)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def put(self, draft: Draft) -> PutResult:
        from holdfast.store.sqlite.write import insert_checkpoint

        return insert_checkpoint.put(self._database, draft)

    def put_unless_off(self, draft: Draft, now_ms: int) -> PutResult | None:
        from holdfast.store.sqlite.write import insert_checkpoint

        return insert_checkpoint.put_unless_off(self._database, draft, now_ms)

    def proof(self, checkpoint_id: str) -> RecordProof:
        from holdfast.store.sqlite import finding

        return finding.proof(self._database, checkpoint_id)

    def adopt(self, checkpoint: Checkpoint) -> PutResult:
        from holdfast.store.sqlite.write import insert_checkpoint

        return insert_checkpoint.adopt(self._database, checkpoint)

    def own_tombstones(self) -> Mapping[str, Tombstone]:
        from holdfast.store.sqlite import finding

        return finding.own_tombstones(self._database)

    def get(self, checkpoint_id: str) -> Checkpoint:
        from holdfast.store.sqlite import finding

        return finding.get(self._database, checkpoint_id)

    def find(self, reference: Reference, scope: Scope) -> Checkpoint:
        from holdfast.store.sqlite import finding

        return finding.find(self._database, reference, scope)

    def list(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        lineage: str | None = None,
        limit: int = 20,
        live: bool = False,
    ) -> tuple[Checkpoint, ...]:
        from holdfast.store.sqlite import finding, listing

        with self._database.reading():
            of = finding.sessions_of(self._database, session=session, lineage=lineage)
            return listing.listed(self._database, scope, of, limit, live=live)

    def count(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        lineage: str | None = None,
    ) -> int:
        from holdfast.store.sqlite import finding, listing

        with self._database.reading():
            of = finding.sessions_of(self._database, session=session, lineage=lineage)
            return len(listing.places(self._database, scope, of, -1))

    def search(self, query: Query, scope: Scope, limit: int) -> tuple[Hit, ...]:
        from holdfast.store.sqlite.search import searching

        return searching.search(self._database, query, scope, limit)

    def reindex(
        self, progress: Callable[[int, int], None] | None = None, *, anew: bool = False
    ) -> int:
        from holdfast.store.sqlite.search import indexing

        return indexing.reindex(self._database, progress, anew=anew)

    def remove(
        self,
        checkpoint_ids: Sequence[str],
        reason: str,
        removed_at: int | None = None,
    ) -> tuple[Tombstone, ...]:
        from holdfast.store.sqlite.write import forgetting

        return forgetting.remove(self._database, checkpoint_ids, reason, removed_at)

    def merged_into(self, session_id: str) -> tuple[Checkpoint, ...]:
        from holdfast.store.sqlite import finding

        return finding.merged_into(self._database, session_id)

    def every(self, scope: Scope) -> Iterator[Checkpoint]:
        from holdfast.store.sqlite import finding

        return finding.every(self._database, scope)

    def outlines(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        lineage: str | None = None,
    ) -> Iterator[Outline]:
        from holdfast.store.sqlite import outlining

        return outlining.outlines(self._database, scope, session, lineage)

    def damaged(self, checkpoint_ids: Sequence[str]) -> frozenset[str]:
        from holdfast.store.sqlite import outlining

        return outlining.damaged(self._database, checkpoint_ids)

    def several(self, checkpoint_ids: Sequence[str]) -> Mapping[str, Checkpoint]:
        from holdfast.store.sqlite import outlining

        return outlining.several(self._database, checkpoint_ids)

    def tallies(self, scope: Scope) -> Iterator[Tally]:
        from holdfast.store.sqlite import outlining

        return outlining.tallies(self._database, scope)

    def parents(self) -> Mapping[str, str]:
        from holdfast.store.sqlite import outlining

        return outlining.parents(self._database)

    def told_of(self, checkpoint_ids: Sequence[str]) -> tuple[str, ...]:
        return deliveries.told_of(self._database, checkpoint_ids)

    def drop_folds(self, session_ids: Sequence[str]) -> None:
        from holdfast.store.sqlite.write import forgetting

        forgetting.drop_folds(self._database, session_ids)

    def blank_sessions(self, session_ids: Sequence[str]) -> None:
        from holdfast.store.sqlite.write import forgetting

        forgetting.blank_sessions(self._database, session_ids)

    def blank_project(self, project_id: str) -> None:
        from holdfast.store.sqlite.write import forgetting

        forgetting.blank_project(self._database, project_id)

    def wipe(self) -> None:
        from holdfast.store.sqlite.write import forgetting

        forgetting.wipe(self._database)

    def wipe_log(self) -> bool:
        return self._database.wipe_log()

    def rewrite(
        self, checkpoint_id: str, draft: Draft, reason: str, key: str | None = None
    ) -> Rewrite | None:
        from holdfast.store.sqlite.write import rewriting

        return rewriting.rewrite(self._database, checkpoint_id, draft, reason, key)

    def drop_unclean_folds(self, is_clean: Callable[[Any], bool]) -> int:
        from holdfast.store.sqlite.write import forgetting

        return forgetting.drop_unclean_folds(self._database, is_clean)

    def consume(self, checkpoint_id: str) -> None:
        from holdfast.store.sqlite.write import insert_checkpoint

        insert_checkpoint.consume(self._database, checkpoint_id)

    def retention_rows(self) -> Iterator[RetentionRow]:
        from holdfast.store.sqlite.write import forgetting

        return forgetting.retention_rows(self._database)

    def rename(self, checkpoint_id: str, name: str | None) -> None:
        from holdfast.store.sqlite.write import insert_checkpoint

        insert_checkpoint.rename(self._database, checkpoint_id, name)

    def session(self, session_id: str) -> SessionRecord | None:
        return sessions.session(self._database, session_id)

    def note_session(self, record: SessionRecord) -> SessionRecord:
        return sessions.note_session(self._database, record)

    def lineage(self, session_id: str) -> tuple[SessionRecord, ...]:
        return sessions.lineage(self._database, session_id)

    def sessions_like(self, prefix: str) -> tuple[str, ...]:
        from holdfast.store.sqlite import finding

        return tuple(sorted(finding.sessions_like(self._database, prefix)))

    def sessions(self, scope: Scope, limit: int) -> tuple[SessionRecord, ...]:
        return sessions.sessions(self._database, scope, limit)

    def fold(self, session_id: str, *, late: bool = False) -> KeptFold | None:
        return self._folds.fold(session_id, late=late)

    def keep_fold(self, session_id: str, fold: KeptFold) -> None:
        self._folds.keep(session_id, fold)

    def project(
        self, identity: ProjectIdentity, has_commit: Callable[[str], bool] | None = None
    ) -> Project:
        from holdfast.store.sqlite.write import projects

        return projects.project(self._database, identity, has_commit)

    def known_project(
        self, identity: ProjectIdentity, has_commit: Callable[[str], bool] | None = None
    ) -> Project | None:
        from holdfast.store.sqlite.write import projects

        return projects.known_project(self._database, identity, has_commit)

    def projects(self) -> tuple[Project, ...]:
        from holdfast.store.sqlite.write import projects

        return projects.projects(self._database)

    def note_client(self, client: Client) -> Client | None:
        return clients.note_client(self._database, client)

    def client(self, pid: int, started: str) -> Client | None:
        return clients.client(self._database, pid, started)

    def clients(self, workspace: str | None = None) -> tuple[Client, ...]:
        return clients.clients(self._database, workspace)

    def end_client(self, pid: int, started: str) -> None:
        clients.end_client(self._database, pid, started)

    def offer(self, delivery: Delivery) -> None:
        deliveries.offer(self._database, delivery)

    def offered(self, session_id: str) -> Delivery | None:
        return deliveries.offered(self._database, session_id)

    def newest_offer(self, workspace: str) -> Delivery | None:
        return deliveries.newest_offer(self._database, workspace)

    def deliver(
        self, session_id: str, what: Given, *, tokens: int = 0, sign: str = ""
    ) -> bool:
        return deliveries.deliver(self._database, session_id, what, tokens, sign)

    def deliveries(self) -> tuple[Delivery, ...]:
        return deliveries.delivered(self._database)

    def receivers(self, checkpoint_id: str) -> tuple[str, ...]:
        return deliveries.receivers(self._database, checkpoint_id)

    def add_cost(self, session_id: str, cost: HookCost) -> None:
        deliveries.add_cost(self._database, session_id, cost)

    def hook_cost(self, session_id: str) -> HookCost:
        return deliveries.hook_cost(self._database, session_id)

    def hook_costs(self) -> Mapping[str, HookCost]:
        return deliveries.hook_costs(self._database)

    def pressure(self, session_id: str) -> Pressure:
        return deliveries.pressure(self._database, session_id)

    def keep_pressure(self, session_id: str, pressure: Pressure) -> None:
        deliveries.keep_pressure(self._database, session_id, pressure)

    def switch_off(self, switch: Switch) -> None:
        clients.switch_off(self._database, switch)

    def switch_on(self, kind: SwitchKind, value: str = "") -> bool:
        return clients.switch_on(self._database, kind, value)

    def switches(self) -> tuple[Switch, ...]:
        return clients.switches(self._database)

    def ask_fresh(self, workspace: str) -> None:
        clients.ask_fresh(self._database, workspace)

    def is_fresh(self, workspace: str) -> bool:
        return clients.is_fresh(self._database, workspace)

    def spend_fresh(self, workspace: str) -> None:
        clients.spend_fresh(self._database, workspace)

    @property
    def outbox(self) -> Outbox:
        from holdfast.store.sqlite.write.outbox import SqliteOutbox

        return SqliteOutbox(self._database)

    def check(self) -> Iterator[HealthResult]:
        from holdfast.store.sqlite.repair import checking

        return checking.check(self._database)

    @property
    def moment(self) -> str:
        return self._database.moment()

    @property
    def machine(self) -> str:
        from holdfast.store.sqlite import finding

        return finding.machine(self._database)

    @property
    def redaction_key(self) -> bytes:
        from holdfast.store.sqlite.schema.opening import redaction_key

        return redaction_key(self._database)

    def close(self) -> None:
        self._database.close()
