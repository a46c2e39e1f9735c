"""Repair the rows beside the records, in the caller's transaction.

What a record says wins over the columns that repeat it. A row that no record can vouch
for and whose seal does not match is moved to the quarantine. Sessions, projects and places
that records tell of are set right by these; sessions and projects stay in any case, because
records hang on them. Rewrites prove records, and so are set right before the chain is.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from holdfast.domain.checkpoint import Checkpoint, Draft
from holdfast.domain.forgetting import Rewrite
from holdfast.domain.record import checkpoint_from
from holdfast.kernel.errors import NameInvalid
from holdfast.kernel.ids import name as checked
from holdfast.kernel.lazy_values import replace
from holdfast.store.chain import GENESIS, link, rewrite_text
from holdfast.store.prepare_draft import session_of
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite import sessions
from holdfast.store.sqlite.database import Database, batches
from holdfast.store.sqlite.repair.checking import COLUMNS, last_observation
from holdfast.store.sqlite.rows import columns_of, place_of
from holdfast.store.sqlite.schema.seals import SEALED, broken, seal_anew
from holdfast.store.sqlite.write.projects import FOUND_AGAIN

_WHY_MOVED = "its seal does not match"
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

_WHY_REWRITE_MOVED = "it does not match its entry in the chain"
_ALL = "SELECT position, checkpoint_id, old_hash, new_hash, reason, record FROM rewrite"
_AT = """
    SELECT checkpoint_id, old_hash, new_hash, reason FROM rewrite
    WHERE position = :position
"""
_OF = """
    SELECT checkpoint_id, old_hash, new_hash, reason FROM rewrite
    WHERE record = :position ORDER BY position
"""
_SET = """
    UPDATE rewrite SET
        checkpoint_id = :checkpoint_id, old_hash = :old_hash, new_hash = :new_hash,
        reason = :reason
    WHERE position = :position
"""
_SET_RECORD = """
    UPDATE rewrite SET record = entry.position
    FROM chain AS entry
    WHERE entry.checkpoint_id = rewrite.checkpoint_id AND entry.kind = 'record'
"""
_DELETE = "DELETE FROM rewrite WHERE position = :position"
_HASH_AT = "SELECT hash, checkpoint_id FROM chain WHERE position = :position"
_BODY_OF = "SELECT body FROM checkpoint WHERE checkpoint_id = :checkpoint_id"
_HASHES_OF = """
    SELECT hash FROM chain WHERE checkpoint_id = :checkpoint_id AND kind = 'record'
    UNION SELECT new_hash FROM rewrite WHERE checkpoint_id = :checkpoint_id
"""
_REASONS = "SELECT DISTINCT reason FROM rewrite"


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


def repair_rows(database: Database, quarantine: Quarantine) -> Iterator[str]:
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
            quarantine.keep_row("checkpoint", values, "it is not a name")
            database.rows(_UNNAME, {"position": position})
            fixed += 1
        fixed += count_up(database, kept, last_observation(raw))
        vouched.set_right(database, kept.draft)
    database.rows(FOUND_AGAIN)
    yield from _moved_aside(database, changed, vouched, quarantine)
    database.rows(_ORPHANS)
    for table in _ANCHORS:
        seal_anew(database, table)
    if fixed:
        yield f"{fixed:,} rows were made again from what their records say"


def rewrite_at(database: Database, position: int) -> Rewrite | None:
    """Return the rewrite that an entry stands for, if it stands for one."""
    row = database.row(_AT, {"position": position})
    return Rewrite(*row) if row else None


def rewrites_of(database: Database, position: int) -> tuple[Rewrite, ...]:
    """Return how the record of an entry was rewritten, oldest first."""
    rows = database.rows(_OF, {"position": position})
    return tuple(Rewrite(*row) for row in rows)


def repair_rewrites(database: Database, quarantine: Quarantine) -> Iterator[str]:
    """Yield what was done; a row that stays damaged is moved to the quarantine."""
    for position, *told, record in database.rows(_ALL):
        found = Rewrite(*told)
        if _is_proved(database, position, found):
            continue
        true = next(_candidates(database, position, found), None)
        values = {"position": position, **_values(true or found)}
        if true is not None:
            database.rows(_SET, values)
            yield f"the rewrite at entry {position} was set right"
        else:
            quarantine.keep_row(
                "rewrite", {**values, "record": record}, _WHY_REWRITE_MOVED
            )
            database.rows(_DELETE, values)
            yield f"the rewrite at entry {position} was moved to the quarantine"
    before = database.rows(_ALL)
    database.rows(_SET_RECORD)
    if database.rows(_ALL) != before:
        yield "rewrites name the entries of their records again"


def _moved_aside(
    database: Database,
    changed: Mapping[str, Sequence[Values]],
    vouched: _Vouched,
    quarantine: Quarantine,
) -> Iterator[str]:
    for table, rows in changed.items():
        alone = [row for row in rows if not vouched.has(database, table, row)]
        for row in alone:
            quarantine.keep_row(table, row, _WHY_MOVED)
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


def count_up(database: Database, kept: Checkpoint, observation: int) -> bool:
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
            "number": max(0, place_of(kept)),
        },
    )
    database.rows(_COUNT_UP_STORE, {"observations": observation})
    return is_missing


def _is_proved(database: Database, position: int, told: Rewrite) -> bool:
    entry = database.row(_HASH_AT, {"position": position})
    before = database.row(_HASH_AT, {"position": position - 1})
    stands_on = before[0] if before else GENESIS
    return entry is not None and link(stands_on, rewrite_text(told)) == entry[0]


def _candidates(database: Database, position: int, told: Rewrite) -> Iterator[Rewrite]:
    """Yield what the row may have said, where the chain proves it: one part differs."""
    entry = database.row(_HASH_AT, {"position": position})
    name = {"checkpoint_id": entry[1] if entry else told.checkpoint_id}
    hashes = [row[0] for row in database.rows(_HASHES_OF, name)]
    body = database.row(_BODY_OF, name)
    guesses = [replace(told, checkpoint_id=name["checkpoint_id"])]
    guesses += [replace(told, old_hash=each) for each in hashes]
    guesses += [replace(told, reason=row[0]) for row in database.rows(_REASONS)]
    if body and isinstance(body[0], str):
        guesses.append(replace(told, new_hash=link(told.old_hash, body[0])))
    yield from (guess for guess in guesses if _is_proved(database, position, guess))


def _values(told: Rewrite) -> dict[str, object]:
    return {
        "checkpoint_id": told.checkpoint_id,
        "old_hash": told.old_hash,
        "new_hash": told.new_hash,
        "reason": told.reason,
    }
