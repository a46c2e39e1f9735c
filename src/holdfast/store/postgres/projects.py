"""Projects of the team and their aliases. Which one it is: store/project_identity.py.

Two machines may ask about a new one in the same moment: whoever reads what another is
about to write does it again, and neither waits for the other.
"""

import os
from collections.abc import Callable

from holdfast.domain.code import Project, ProjectIdentity
from holdfast.domain.text import storable
from holdfast.kernel.lazy_values import replace
from holdfast.store.postgres.database import TeamDatabase, Transaction
from holdfast.store.project_identity import (
    Alias,
    aliases,
    choose_project,
    clean_identity,
    project_knows,
    project_of,
)

HasCommit = Callable[[str], bool]
_SHARING = """
    SELECT DISTINCT a.project_id
    FROM unnest(%(kinds)s::text[], %(values)s::text[]) AS wanted (kind, value)
    JOIN project_alias AS a ON a.kind = wanted.kind AND a.value = wanted.value
    ORDER BY a.project_id
"""
_PROJECTS = """
    SELECT project_id, root, remote FROM project
    WHERE %(projects)s::text[] IS NULL OR project_id = ANY(%(projects)s)
    ORDER BY project_id
"""
_ALIASES = """
    SELECT project_id, kind, value FROM project_alias
    WHERE %(projects)s::text[] IS NULL OR project_id = ANY(%(projects)s)
"""
_KEEP = """
    INSERT INTO project (project_id, root, remote)
    VALUES (%(project_id)s, %(root)s, %(remote)s)
    ON CONFLICT (project_id, tenant) DO UPDATE SET
        root = excluded.root, remote = coalesce(excluded.remote, project.remote)
"""
_LEAVE_PATH = """
    DELETE FROM project_alias
    WHERE kind = 'path' AND value = %(value)s AND project_id <> %(project_id)s
"""
ADD_ALIAS = """
    INSERT INTO project_alias (project_id, kind, value)
    VALUES (%(project_id)s, %(kind)s, %(value)s)
    ON CONFLICT DO NOTHING
"""
OWN_PATH = """
    INSERT INTO project_alias (project_id, kind, value)
    SELECT %(project_id)s, 'path', %(root)s
    WHERE NOT EXISTS (
        SELECT 1 FROM project_alias WHERE kind = 'path' AND value = %(root)s
    )
    ON CONFLICT DO NOTHING
"""


def project(
    database: TeamDatabase, identity: ProjectIdentity, has_commit: HasCommit | None
) -> Project:
    """Return the project a directory belongs to, creating it if it is new."""
    identity = clean_identity(identity)
    known = known_project(database, identity, has_commit)
    if known is not None and project_knows(known, identity):
        return known  # the usual case writes nothing
    # Random: an id must not follow from a path, which may change.
    fresh = os.urandom(8).hex()

    def placed(run: Transaction) -> Project:
        chosen = _chosen(run, identity, has_commit)
        return _placed(run, identity, chosen or fresh)

    return database.write(placed, serializable=True)


def known_project(
    database: TeamDatabase, identity: ProjectIdentity, has_commit: HasCommit | None
) -> Project | None:
    """Return the project a directory belongs to, writing nothing."""
    identity = clean_identity(identity)

    def known(run: Transaction) -> Project | None:
        chosen = _chosen(run, identity, has_commit)
        if chosen is None:
            return None
        return _seen_from(identity, _projects(run, [chosen])[0])

    return database.read(known)


def projects(database: TeamDatabase) -> tuple[Project, ...]:
    """Return every project, by id."""
    return database.read(lambda run: tuple(_projects(run, None)))


def named(run: Transaction, project_id: str) -> Project | None:
    found = _projects(run, [storable(project_id)])
    return found[0] if found else None


def _placed(run: Transaction, identity: ProjectIdentity, project_id: str) -> Project:
    root = {"root": identity.path, "remote": identity.remote}
    run.do(_KEEP, {"project_id": project_id, **root})
    for kind, value in aliases(identity):
        alias = {"kind": kind, "value": value, "project_id": project_id}
        if kind == "path":
            run.do(_LEAVE_PATH, alias)
        run.do(ADD_ALIAS, alias)
    return _seen_from(identity, _projects(run, [project_id])[0])


def _seen_from(identity: ProjectIdentity, known: Project) -> Project:
    """A project may be checked out twice: its root is the one that was asked about."""
    return replace(known, root=identity.path)


def _chosen(
    run: Transaction, identity: ProjectIdentity, has_commit: HasCommit | None
) -> str | None:
    shown = aliases(identity)
    wanted = {"kinds": [a.kind for a in shown], "values": [a.value for a in shown]}
    ids = [row[0] for row in run.rows(_SHARING, wanted)]
    candidates = _projects(run, ids) if ids else []
    return choose_project(identity, candidates, has_commit)


def _projects(run: Transaction, ids: list[str] | None) -> list[Project]:
    known: dict[str, list[Alias]] = {}
    for project_id, kind, value in run.rows(_ALIASES, {"projects": ids}):
        known.setdefault(project_id, []).append(Alias(kind, value))
    return [
        project_of(project_id, root, remote, known.get(project_id, ()))
        for project_id, root, remote in run.rows(_PROJECTS, {"projects": ids})
    ]
