"""Sessions and projects of the store in memory."""

import os
from collections.abc import Callable, Iterable

from holdfast.domain.checkpoint import Draft
from holdfast.domain.code import Project, ProjectIdentity
from holdfast.domain.query import Scope
from holdfast.domain.session import SessionRecord
from holdfast.domain.text import storable
from holdfast.kernel.lazy_values import replace
from holdfast.store.project_identity import (
    Alias,
    aliases,
    choose_project,
    clean_identity,
    project_of,
)
from holdfast.store.session_tree import by_generation, clean_record, merged_record

HasCommit = Callable[[str], bool]


class SessionTable:
    """Session records, without their checkpoints."""

    def __init__(self) -> None:
        self._records: dict[str, SessionRecord] = {}  # in the order of first note
        self._touched: dict[str, None] = {}  # in the order of last note

    def known(self, session_id: str) -> SessionRecord | None:
        return self._records.get(storable(session_id))

    def note(self, news: SessionRecord) -> SessionRecord:
        record = merged_record(clean_record(news), self._records.get)
        self._records[record.session_id] = record
        self._touched.pop(record.session_id, None)
        self._touched[record.session_id] = None
        for below in self.descendants({record.session_id}) - {record.session_id}:
            self._records[below] = replace(
                self._records[below], root_session=record.root_session
            )
        return record

    def parents(self) -> dict[str, str]:
        records = self._records.values()
        return {r.session_id: r.parent_session for r in records if r.parent_session}

    def blank(self, session_id: str) -> None:
        """Leave only what links a session."""
        known = self._records.get(session_id)
        if known is not None:
            self._records[session_id] = replace(
                known,
                agent_version="",
                workspace="",
                working_directory="",
                hostname="",
                transcript="",
                message_count=0,
            )

    def of_project(self, project_id: str) -> list[SessionRecord]:
        return [r for r in self._records.values() if r.project_id == project_id]

    def newest(self, scope: Scope) -> list[SessionRecord]:
        records = (self._records[session_id] for session_id in reversed(self._touched))
        return [
            record
            for record in records
            if scope.project_id in (None, record.project_id)
            and scope.workspace in (None, record.workspace)
        ]

    def like(self, prefix: str) -> list[str]:
        """Return the ids that start with a prefix, or the one that is it exactly."""
        wanted = storable(prefix).lower()
        found = [i for i in self._records if wanted and i.lower().startswith(wanted)]
        return [i for i in found if i.lower() == wanted] or found

    def family(self, sessions: Iterable[str]) -> tuple[SessionRecord, ...]:
        """Return every recorded relative: root first, then by generation."""
        members = self.descendants(self._ancestors(sessions))
        return by_generation(r for i, r in self._records.items() if i in members)

    def descendants(self, sessions: set[str]) -> set[str]:
        """Return sessions with all that came of them."""
        found, fresh = set(sessions), set(sessions)
        while fresh:
            fresh = {
                record.session_id
                for record in self._records.values()
                if record.parent_session in fresh
            } - found
            found |= fresh
        return found

    def _ancestors(self, sessions: Iterable[str]) -> set[str]:
        found: set[str] = set()
        for session in sessions:
            at: str | None = session
            while at and at not in found:
                found.add(at)
                record = self._records.get(at)
                at = record.parent_session if record else None
        return found


class ProjectTable:
    """Projects by id, and who owns which alias."""

    def __init__(self) -> None:
        self._projects: dict[str, tuple[str, str | None]] = {}  # root, remote
        self._aliases: dict[str, set[Alias]] = {}

    def every(self) -> tuple[Project, ...]:
        return tuple(self._project(project_id) for project_id in sorted(self._projects))

    def known(
        self, identity: ProjectIdentity, has_commit: HasCommit | None
    ) -> Project | None:
        identity = clean_identity(identity)
        shown = set(aliases(identity))
        candidates = [p for p in self.every() if shown & self._aliases[p.project_id]]
        chosen = choose_project(identity, candidates, has_commit)
        return replace(self._project(chosen), root=identity.path) if chosen else None

    def place(self, identity: ProjectIdentity, has_commit: HasCommit | None) -> Project:
        identity = clean_identity(identity)
        known = self.known(identity, has_commit)
        project_id = known.project_id if known else os.urandom(8).hex()
        root, remote = self._projects.get(project_id, (identity.path, None))
        if Alias("path", identity.path) not in self._aliases.get(project_id, set()):
            root = identity.path
        self._projects[project_id] = (root, identity.remote or remote)
        for owned in self._aliases.values():
            owned.discard(Alias("path", identity.path))
        self._aliases.setdefault(project_id, set()).update(aliases(identity))
        return replace(self._project(project_id), root=identity.path)

    def meet(self, draft: Draft) -> None:
        """Take in a project that came with a draft; its path finds it."""
        if draft.project_id in self._projects:
            return
        path = Alias("path", draft.project_root)
        is_owned = any(path in owned for owned in self._aliases.values())
        self._projects[draft.project_id] = (draft.project_root, draft.project_remote)
        self._aliases[draft.project_id] = set() if is_owned else {path}

    def blank(self, project_id: str) -> None:
        """Forget where a project lies and what it is recognised by."""
        if project_id in self._projects:
            self._projects[project_id] = ("", None)
            self._aliases[project_id] = set()

    def _project(self, project_id: str) -> Project:
        root, remote = self._projects[project_id]
        return project_of(project_id, root, remote, self._aliases[project_id])
