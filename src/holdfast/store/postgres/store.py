"""The team's store on PostgreSQL, and the promises of store/port.py that a team needs.

    with open_team_store(dsn, tenant="team", create=True) as store: …

Folds, clients, deliveries and switches stay on each machine.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self

from holdfast.domain.checkpoint import Checkpoint, Draft, PutResult, Tombstone
from holdfast.domain.code import Project, ProjectIdentity
from holdfast.domain.foreign import RecordProof
from holdfast.domain.outline import Outline, Tally
from holdfast.domain.query import HealthResult, Hit, Query, Scope
from holdfast.domain.session import SessionRecord
from holdfast.domain.team import DEFAULT_TENANT, TeamNews
from holdfast.kernel.ids import Reference
from holdfast.store.postgres import (
    changing,
    exchanging,
    finding,
    indexing,
    keeping,
    projects,
    searching,
    sessions,
)
from holdfast.store.postgres.database import Limits, TeamDatabase
from holdfast.store.postgres.migrate import prepare
from holdfast.store.retention import RetentionRow


def open_team_store(
    dsn: str,
    *,
    create: bool,
    tenant: str = DEFAULT_TENANT,
    name: str = DEFAULT_TENANT,
    limits: Limits | None = None,
) -> "PostgresStore":
    """Return the store of a team; with `create`, its tables are made where they lack.

    Raises:
        TeamUnreachable, TeamRefused, StoreNewer
    """
    limits = limits or Limits()
    has_one_log = prepare(dsn, create=create, seconds=limits.connect)
    database = TeamDatabase(dsn, tenant, limits, has_one_log=has_one_log)
    return PostgresStore(database, name)


class PostgresStore:
    """Each method does what `team_port.TeamStore` says of it."""

    def __init__(self, database: TeamDatabase, name: str) -> None:
        self._database = database
        self._name = name

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
        return keeping.put(self._database, draft)

    def put_unless_off(self, draft: Draft, now_ms: int) -> PutResult | None:
        del now_ms  # what is off is off on a machine: nobody is asked here
        return keeping.put(self._database, draft)

    def get(self, checkpoint_id: str) -> Checkpoint:
        return finding.get(self._database, checkpoint_id)

    def rename(self, checkpoint_id: str, name: str | None) -> None:
        changing.rename(self._database, checkpoint_id, name)

    def consume(self, checkpoint_id: str) -> None:
        changing.consume(self._database, checkpoint_id)

    def remove(
        self,
        checkpoint_ids: Sequence[str],
        reason: str,
        removed_at: int | None = None,
    ) -> tuple[Tombstone, ...]:
        return changing.remove(self._database, checkpoint_ids, reason, removed_at)

    def retention_rows(self) -> Iterator[RetentionRow]:
        return changing.retention_rows(self._database)

    def proof(self, checkpoint_id: str) -> RecordProof:
        return finding.proof(self._database, checkpoint_id, self._name)

    def adopt(self, checkpoint: Checkpoint) -> PutResult:
        return keeping.adopt(self._database, checkpoint)

    def own_tombstones(self) -> Mapping[str, Tombstone]:
        return finding.own_tombstones(self._database)

    def give(self, proof: RecordProof, checkpoint: Checkpoint) -> PutResult:
        return exchanging.give(self._database, proof, checkpoint)

    def given(self, checkpoint_id: str) -> RecordProof | None:
        return exchanging.given(self._database, checkpoint_id)

    def news(self, project_id: str, after: int, limit: int) -> tuple[TeamNews, ...]:
        return exchanging.news(self._database, project_id, after, limit)

    def find(self, reference: Reference, scope: Scope) -> Checkpoint:
        return finding.find(self._database, reference, scope, self._name)

    def list(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        lineage: str | None = None,
        limit: int = 20,
        live: bool = False,
    ) -> tuple[Checkpoint, ...]:
        return finding.listed(
            self._database, scope, max(0, limit), of=(session, lineage), live=live
        )

    def count(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        lineage: str | None = None,
    ) -> int:
        return finding.count(self._database, scope, (session, lineage))

    def merged_into(self, session_id: str) -> tuple[Checkpoint, ...]:
        return finding.merged_into(self._database, session_id)

    def every(self, scope: Scope) -> Iterator[Checkpoint]:
        return finding.every(self._database, scope)

    def outlines(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        lineage: str | None = None,
    ) -> Iterator[Outline]:
        return finding.outlines(self._database, scope, (session, lineage))

    def damaged(self, checkpoint_ids: Sequence[str]) -> frozenset[str]:
        return finding.damaged(self._database, checkpoint_ids)

    def several(self, checkpoint_ids: Sequence[str]) -> Mapping[str, Checkpoint]:
        return finding.several(self._database, checkpoint_ids)

    def tallies(self, scope: Scope) -> Iterator[Tally]:
        return finding.tallies(self._database, scope)

    def search(self, query: Query, scope: Scope, limit: int) -> tuple[Hit, ...]:
        return searching.search(self._database, query, scope, limit)

    def reindex(
        self, progress: Callable[[int, int], None] | None = None, *, anew: bool = False
    ) -> int:
        return indexing.reindex(self._database, progress, anew=anew)

    def session(self, session_id: str) -> SessionRecord | None:
        return sessions.session(self._database, session_id)

    def sessions_like(self, prefix: str) -> tuple[str, ...]:
        return self._database.read(
            lambda run: tuple(sorted(sessions.sessions_like(run, prefix)))
        )

    def note_session(self, record: SessionRecord) -> SessionRecord:
        return sessions.note_session(self._database, record)

    def lineage(self, session_id: str) -> tuple[SessionRecord, ...]:
        return sessions.lineage(self._database, session_id)

    def sessions(self, scope: Scope, limit: int) -> tuple[SessionRecord, ...]:
        return sessions.sessions(self._database, scope, limit)

    def parents(self) -> Mapping[str, str]:
        return sessions.parents(self._database)

    def project(
        self, identity: ProjectIdentity, has_commit: Callable[[str], bool] | None = None
    ) -> Project:
        return projects.project(self._database, identity, has_commit)

    def known_project(
        self, identity: ProjectIdentity, has_commit: Callable[[str], bool] | None = None
    ) -> Project | None:
        return projects.known_project(self._database, identity, has_commit)

    def projects(self) -> tuple[Project, ...]:
        return projects.projects(self._database)

    def check(self) -> Iterator[HealthResult]:
        return changing.check(self._database)

    @property
    def machine(self) -> str:
        return self._name

    def close(self) -> None:
        self._database.close()
