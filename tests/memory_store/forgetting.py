"""Forgetting in the store in memory; what is deleted there is gone at once."""

import threading
from collections.abc import Iterator, Sequence

from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.query import Scope
from holdfast.domain.session import KeptFold
from tests.memory_store.hooks import HooksInMemory
from tests.memory_store.records import Records
from tests.memory_store.sessions_and_projects import ProjectTable, SessionTable


class ForgettingInMemory(HooksInMemory):
    """Each method does what the port says of it."""

    def __init__(self) -> None:
        super().__init__()
        self._guard = threading.RLock()
        self._records = Records()
        self._sessions = SessionTable()
        self._projects = ProjectTable()
        self._folds: dict[str, KeptFold] = {}

    def every(self, scope: Scope) -> Iterator[Checkpoint]:
        with self._guard:
            newest = self._records.newest(scope)
        return reversed(newest)

    def told_of(self, checkpoint_ids: Sequence[str]) -> tuple[str, ...]:
        told = {
            delivery.session_id
            for delivery in self._deliveries
            if delivery.checkpoint_id in checkpoint_ids
        }
        return tuple(sorted(told))

    def drop_folds(self, session_ids: Sequence[str]) -> None:
        with self._guard:
            for session_id in session_ids:
                self._folds.pop(session_id, None)

    def blank_sessions(self, session_ids: Sequence[str]) -> None:
        with self._guard:
            self.drop_folds(session_ids)
            for session_id in session_ids:
                self._sessions.blank(session_id)
                self._costs.pop(session_id, None)
                self._pressures.pop(session_id, None)
            self._drop(sessions=set(session_ids), places=set())

    def blank_project(self, project_id: str) -> None:
        with self._guard:
            own = self._sessions.of_project(project_id)
            places = {record.workspace for record in own if record.workspace}
            self.blank_sessions([record.session_id for record in own])
            self._drop(sessions=set(), places=places)
            self._fresh -= places
            self._projects.blank(project_id)

    def wipe(self) -> None:
        """Nothing was kept of what is gone."""

    def wipe_log(self) -> bool:
        """There is none."""
        return True

    def _drop(self, *, sessions: set[str], places: set[str]) -> None:
        self._clients = {
            key: client
            for key, client in self._clients.items()
            if client.session_id not in sessions and client.workspace not in places
        }
        self._deliveries = [
            delivery
            for delivery in self._deliveries
            if delivery.session_id not in sessions and delivery.workspace not in places
        ]
