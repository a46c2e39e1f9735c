"""Projects and their aliases. Which one a directory belongs to: store/project_identity.py."""

import json
import os
from collections.abc import Callable, Iterator

from holdfast.domain.code import Project, ProjectIdentity
from holdfast.kernel.lazy_values import replace
from holdfast.store.project_identity import (
    Alias,
    aliases,
    choose_project,
    clean_identity,
    project_knows,
    project_of,
)
from holdfast.store.sqlite.database import Database

HasCommit = Callable[[str], bool]
_SHARING = """
    SELECT DISTINCT a.project_id
    FROM json_each(:aliases) AS wanted
    JOIN project_alias AS a
      ON a.kind = wanted.value ->> 0 AND a.value = wanted.value ->> 1
    ORDER BY a.project_id
"""
_PROJECT = "SELECT root, remote FROM project WHERE project_id = :project_id"
_ALIASES = """
    SELECT kind, value FROM project_alias
    WHERE project_id = :project_id
    ORDER BY kind, value
"""
_ALL = "SELECT project_id, root, remote FROM project ORDER BY project_id"
_ALL_ALIASES = """
    SELECT project_id, kind, value FROM project_alias
    ORDER BY project_id, kind, value
"""
_KEEP = """
    INSERT INTO project (project_id, root, remote)
    VALUES (:project_id, :root, :remote)
    ON CONFLICT (project_id) DO UPDATE SET
        root = excluded.root, remote = coalesce(excluded.remote, remote)
"""
_LEAVE_PATH = """
    DELETE FROM project_alias
    WHERE kind = 'path' AND value = :value AND project_id <> :project_id
"""
_ADD_ALIAS = """
    INSERT INTO project_alias (kind, value, project_id)
    VALUES (:kind, :value, :project_id)
    ON CONFLICT DO NOTHING
"""
# Places that nobody has are those of the projects that say so, the newest first: without
# one, a project's checkpoints are there and its directory has none. A project without
# checkpoints was forgotten, or nothing tells whether its row is as it was.
FOUND_AGAIN = """
    INSERT INTO project_alias (kind, value, project_id)
    SELECT place.kind, place.value, place.project_id
    FROM (
        SELECT 'path' AS kind, root AS value, project_id FROM project
        UNION ALL
        SELECT 'remote', remote, project_id FROM project WHERE remote IS NOT NULL
    ) AS place
    JOIN (
        SELECT project_id, max(position) AS newest FROM checkpoint GROUP BY project_id
    ) USING (project_id)
    ORDER BY newest DESC
    ON CONFLICT DO NOTHING
"""


def project(
    database: Database, identity: ProjectIdentity, has_commit: HasCommit | None
) -> Project:
    """Return the project a directory belongs to, creating it if it is new."""
    identity = clean_identity(identity)
    known = known_project(database, identity, has_commit)
    if known is not None and project_knows(known, identity):
        return known  # the usual case writes nothing and waits for nobody
    with database.writing():
        chosen = _chosen(database, identity, has_commit)
        # Random: an id must not follow from a path, which may change.
        project_id = chosen or os.urandom(8).hex()
        values = {
            "project_id": project_id,
            "root": identity.path,
            "remote": identity.remote,
        }
        database.rows(_KEEP, values)
        for kind, value in aliases(identity):
            alias = {"kind": kind, "value": value, "project_id": project_id}
            if kind == "path":
                database.rows(_LEAVE_PATH, alias)
            database.rows(_ADD_ALIAS, alias)
        return _seen_from(identity, _project(database, project_id))


def known_project(
    database: Database, identity: ProjectIdentity, has_commit: HasCommit | None
) -> Project | None:
    """Return the project a directory belongs to, writing nothing."""
    identity = clean_identity(identity)
    with database.reading():
        chosen = _chosen(database, identity, has_commit)
        return _seen_from(identity, _project(database, chosen)) if chosen else None


def projects(database: Database) -> tuple[Project, ...]:
    """Return every project, by id; two questions, however many there are: whoever asks
    over HTTP has it asked with each call."""
    with database.reading():
        rows, aliases = database.rows(_ALL), database.rows(_ALL_ALIASES)
    of: dict[str, list[Alias]] = {row[0]: [] for row in rows}
    for project_id, kind, value in aliases:
        if project_id in of:
            of[project_id].append(Alias(kind, value))
    return tuple(
        project_of(project_id, root, remote, of[project_id])
        for project_id, root, remote in rows
    )


def _seen_from(identity: ProjectIdentity, known: Project) -> Project:
    """A project may be checked out twice: its root is the one that was asked about."""
    return replace(known, root=identity.path)


def _chosen(
    database: Database, identity: ProjectIdentity, has_commit: HasCommit | None
) -> str | None:
    return choose_project(identity, tuple(_candidates(database, identity)), has_commit)


def _candidates(database: Database, identity: ProjectIdentity) -> Iterator[Project]:
    wanted = json.dumps(aliases(identity))
    for (project_id,) in database.rows(_SHARING, {"aliases": wanted}):
        yield _project(database, project_id)


def _project(database: Database, project_id: str) -> Project:
    wanted = {"project_id": project_id}
    root, remote = database.one(_PROJECT, wanted)
    found = [Alias(*row) for row in database.rows(_ALIASES, wanted)]
    return project_of(project_id, root, remote, found)
