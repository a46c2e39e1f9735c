"""Make what stands beside the records right again, in the caller's transaction.

What a record says wins over the columns that repeat it. A row that no record can vouch
for and whose seal does not match is moved to the quarantine. Sessions, projects and places
that records tell of are set right by these; sessions and projects stay in any case, because
records hang on them.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from holdfast.domain.checkpoint import Checkpoint, Draft
from holdfast.domain.record import checkpoint_from
from holdfast.kernel.errors import NameInvalid
from holdfast.kernel.ids import name as checked
from holdfast.store.keeping import session_of
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite.database import Database, batches
from holdfast.store.sqlite.repair.checking_index import COLUMNS, last_observation
from holdfast.store.sqlite.schema.seals import SEALED, broken, seal_anew
from holdfast.store.sqlite.write import sessions
from holdfast.store.sqlite.write.projects import FOUND_AGAIN
from holdfast.store.sqlite.write.rows import columns_of

WHY = "its seal does not match"
_RECORDS = f"""
    SELECT position, body, name, {", ".join(COLUMNS)} FROM checkpoint
    WHERE position > :after ORDER BY position LIMIT :batch
"""  # noqa: S608  # our own names
_SET_COLUMNS = f"""
    UPDATE checkpoint SET {", ".join(f"{name} = :{name}" for name in COLUMNS)}
    WHERE position = :position
"""  # noqa: S608  # our own names
_UNNAME = "UPDATE checkpoint SET name = NULL, consumed = 0 WHERE position = :position"
_COUNT_UP_SESSION = """
    UPDATE session SET sequence = max(sequence, :sequence)
    WHERE session_id = :session_id
"""
_HAS_SESSION = "SELECT 1 FROM session WHERE session_id = :session_id"
_COUNT_UP_PROJECT = """
    INSERT INTO project (project_id, root, remote, number)
    VALUES (:project_id, :root, :remote, :number)
    ON CONFLICT (project_id) DO UPDATE SET number = max(number, excluded.number)
"""
_COUNT_UP_STORE = "UPDATE store SET observations = max(observations, :observations)"
_SET_PROJECT = """
    UPDATE project SET root = :root, remote = :remote WHERE project_id = :project_id
"""
_ADD_ALIAS = """
    INSERT INTO project_alias (kind, value, project_id)
    VALUES (:kind, :value, :project_id)
    ON CONFLICT DO NOTHING
"""
_HAS_ALIAS = """
    SELECT 1 FROM project_alias
    WHERE kind = :kind AND value = :value AND project_id = :project_id
"""
_ANCHORS = ("session", "project", "store", "checkpoint")
_ORPHANS = "DELETE FROM fold_turn WHERE session_id NOT IN (SELECT session_id FROM fold)"

Values = dict[str, object]


def mend_rows(database: Database, quarantine: Quarantine) -> Iterator[str]:
    """Yield what was done."""
    changed = {table: [*_unsealed(database, table)] for table in SEALED}
    _drop(database, "project_alias", changed["project_alias"])
    vouched = _Vouched(changed)
    fixed = 0
    for position, body, name, *columns in batches(database, _RECORDS):
        raw = json.loads(body)
        kept = checkpoint_from(raw, content_hash="", name=None, next_checkpoint=None)
        said = columns_of(kept)
        if dict(zip(COLUMNS, columns, strict=True)) != said:
            database.rows(_SET_COLUMNS, {**said, "position": position})
            fixed += 1
        if name is not None and not _is_name(name):
            values = {"position": position, "name": name}
            quarantine.keep_row("checkpoint", values, "it is no name")
            database.rows(_UNNAME, {"position": position})
            fixed += 1
        fixed += _counted_up(database, kept, last_observation(raw))
        vouched.set_right(database, kept.draft)
    database.rows(FOUND_AGAIN)
    yield from _moved_aside(database, changed, vouched, quarantine)
    database.rows(_ORPHANS)
    for table in _ANCHORS:
        seal_anew(database, table)
    if fixed:
        yield f"{fixed:,} rows were made again from what their records say"


class _Vouched:
    """The changed rows that a record tells of, set right by what it says."""

    def __init__(self, changed: Mapping[str, Sequence[Values]]) -> None:
        self._sessions = {row["session_id"] for row in changed["session"]}
        self._projects = {row["project_id"] for row in changed["project"]}
        lost = changed["project_alias"]  # one of the two may be what was changed
        self._aliases = {row[name] for row in lost for name in ("value", "project_id")}
        self._keys: set[object] = set()

    def set_right(self, database: Database, draft: Draft) -> None:
        project = {
            "project_id": draft.project_id,
            "root": draft.project_root,
            "remote": draft.project_remote,
        }
        if draft.session_id in self._sessions:
            sessions.note(database, session_of(draft))
            self._keys.add(("session", draft.session_id))
        if draft.project_id in self._projects:
            database.rows(_SET_PROJECT, project)
            self._keys.add(("project", draft.project_id))
        for kind, value in (("path", project["root"]), ("remote", project["remote"])):
            if value and self._aliases & {value, draft.project_id}:
                alias = {"kind": kind, "value": value, "project_id": draft.project_id}
                database.rows(_ADD_ALIAS, alias)

    def has(self, database: Database, table: str, row: Values) -> bool:
        if table == "project_alias":
            return database.row(_HAS_ALIAS, row) is not None
        return (table, row.get(f"{table}_id")) in self._keys


def _moved_aside(
    database: Database,
    changed: Mapping[str, Sequence[Values]],
    vouched: _Vouched,
    quarantine: Quarantine,
) -> Iterator[str]:
    for table, rows in changed.items():
        alone = [row for row in rows if not vouched.has(database, table, row)]
        for row in alone:
            quarantine.keep_row(table, row, WHY)
        if table not in _ANCHORS:
            _drop(database, table, alone)
        if alone:
            what = "copied" if table in _ANCHORS else "moved"
            yield f"{len(alone)} changed rows of `{table}` were {what} to the quarantine"
        if len(alone) < len(rows):
            count = len(rows) - len(alone)
            yield f"{count} changed rows of `{table}` were set right by their records"


def _unsealed(database: Database, table: str) -> Iterator[Values]:
    for row in broken(database, table):
        yield dict(zip(SEALED[table], row, strict=True))


def _drop(database: Database, table: str, rows: Sequence[Values]) -> None:
    same = " AND ".join(f"{name} IS :{name}" for name in SEALED[table])
    for row in rows:
        database.rows(f"DELETE FROM {table} WHERE {same}", row)  # noqa: S608  # our own names


def _is_name(text: str) -> bool:
    try:
        return checked(text) == text
    except NameInvalid:
        return False


def _counted_up(database: Database, kept: Checkpoint, observation: int) -> bool:
    """See that the session and the project of a record are there; say if one was not."""
    draft = kept.draft
    wanted = {"session_id": draft.session_id, "sequence": kept.sequence}
    is_missing = database.row(_HAS_SESSION, wanted) is None
    if is_missing:
        sessions.note(database, session_of(draft))
    database.rows(_COUNT_UP_SESSION, wanted)
    database.rows(
        _COUNT_UP_PROJECT,
        {
            "project_id": draft.project_id,
            "root": draft.project_root,
            "remote": draft.project_remote,
            "number": kept.number,
        },
    )
    database.rows(_COUNT_UP_STORE, {"observations": observation})
    return is_missing
