"""Names of checkpoints: one owner per project, and how a name changes hands."""

from holdfast.domain.text import storable
from holdfast.store.answers import name_taken, unknown
from holdfast.store.sqlite.database import Database

_OWNER = """
    SELECT checkpoint_id, consumed, number
    FROM checkpoint
    WHERE project_id = :project_id AND name = :name
"""
_PROJECT_OF = "SELECT project_id FROM checkpoint WHERE checkpoint_id = :checkpoint_id"
_SET = """
    UPDATE checkpoint SET name = :name, consumed = 0
    WHERE checkpoint_id = :checkpoint_id
"""
_CONSUME = """
    UPDATE checkpoint SET consumed = 1
    WHERE checkpoint_id = :checkpoint_id AND name IS NOT NULL
"""


def free(database: Database, project_id: str, name: str, *, replace: bool) -> None:
    """Take a name from its owner, if it has one that may lose it.

    Raises:
        NameTaken: it may not.
    """
    owner = database.row(_OWNER, {"project_id": project_id, "name": name})
    if owner is None:
        return
    checkpoint_id, consumed, number = owner
    if not (replace or consumed):
        raise name_taken(name, number)
    database.rows(_SET, {"checkpoint_id": checkpoint_id, "name": None})


def rename(database: Database, checkpoint_id: str, name: str | None) -> None:
    """Give a checkpoint a name, or take it away."""
    with database.writing():
        project_id = _project_of(database, checkpoint_id)
        if name is not None:
            name = storable(name)
            owner = database.row(_OWNER, {"project_id": project_id, "name": name})
            if owner is not None and owner[0] == checkpoint_id:
                return
            free(database, project_id, name, replace=False)
        database.rows(_SET, {"checkpoint_id": checkpoint_id, "name": name})


def consume(database: Database, checkpoint_id: str) -> None:
    """Let the next save that wants the name have it."""
    with database.writing():
        _project_of(database, checkpoint_id)
        database.rows(_CONSUME, {"checkpoint_id": checkpoint_id})


def _project_of(database: Database, checkpoint_id: str) -> str:
    found = database.row(_PROJECT_OF, {"checkpoint_id": storable(checkpoint_id)})
    if found is None:
        raise unknown(checkpoint_id)
    return str(found[0])
