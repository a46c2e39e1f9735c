"""Store a draft: allocate and write everything in one transaction.

    key → last checkpoint → name → number, sequence, id → chain, record, index → COMMIT

Killed before the commit, nothing is there; after it, nothing is missing. A name has one
owner in a project; how it changes hands is here, too.
"""

from holdfast.domain.checkpoint import Checkpoint, Draft, PutResult, adds_nothing
from holdfast.domain.text import storable
from holdfast.kernel.errors import IdCollision
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import replace
from holdfast.store.chain import ChainHead
from holdfast.store.index_terms import IndexEntry, entry
from holdfast.store.lookup_errors import (
    name_taken,
    removed,
    same_record,
    taken_place,
    unknown,
)
from holdfast.store.prepare_draft import (
    Allocation,
    adopted,
    cleaned,
    completed,
    sealed,
    session_of,
)
from holdfast.store.sqlite import sessions
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.rows import (
    checkpoint_of,
    columns_of,
    tombstone_of,
    whole_checkpoint,
)
from holdfast.store.sqlite.search import indexing

_MOST_TRIES = 1000
_IS_OFF = """
    SELECT 1 FROM switch
    WHERE (until IS NULL OR until > :now_ms)
        AND (kind, value) IN (
            VALUES ('all', ''), ('project', :project_id), ('session', :session_id)
        )
"""
_BY_KEY = "SELECT checkpoint_id FROM checkpoint WHERE key = :key AND key <> ''"
_LAST_OF_SESSION = """
    SELECT checkpoint_id, state_key
    FROM checkpoint
    WHERE session_id = :session_id
    ORDER BY sequence DESC
    LIMIT 1
"""
_BY_ID = """
    SELECT body, hash, previous_hash, name, next_checkpoint
    FROM kept
    WHERE checkpoint_id = :checkpoint_id
"""
# Records that are lost without a trace of their project may have been of this one: none
# of their numbers is given again.
_NEXT_NUMBER = """
    INSERT INTO project (project_id, root, remote, number)
    VALUES (:project_id, :root, :remote, 1 + (
        SELECT count(*) FROM tombstone WHERE project_id = ''
    ))
    ON CONFLICT DO UPDATE SET number = 1 + max(number, (
        SELECT count(*) FROM tombstone WHERE project_id = ''
    ))
    RETURNING number
"""
_KNOW_PROJECT = """
    INSERT INTO project (project_id, root, remote, number)
    VALUES (:project_id, :root, :remote, 0)
    ON CONFLICT DO NOTHING
"""
_KNOWN_PROJECT = "SELECT 1 FROM project WHERE project_id = :project_id"
_OWN_PATH = """
    INSERT INTO project_alias (kind, value, project_id)
    VALUES ('path', :root, :project_id)
    ON CONFLICT DO NOTHING
"""
_NEXT_SEQUENCE = """
    UPDATE session SET sequence = sequence + 1
    WHERE session_id = :session_id
    RETURNING sequence
"""
_AT_SEQUENCE = """
    SELECT 1 FROM checkpoint WHERE session_id = :session_id AND sequence = :sequence
"""
_REACH_SEQUENCE = """
    UPDATE session SET sequence = max(sequence, :sequence)
    WHERE session_id = :session_id
"""
_TOMBSTONE = """
    SELECT checkpoint_id, number, sequence, old_hash, reason, removed_at
    FROM tombstone
    WHERE checkpoint_id = :checkpoint_id
"""
_OBSERVATIONS = "SELECT observations FROM store"
_ID_TAKEN = """
    SELECT 1 FROM checkpoint WHERE checkpoint_id = :checkpoint_id
    UNION ALL
    SELECT 1 FROM tombstone WHERE checkpoint_id = :checkpoint_id
"""
_ADD_ENTRY = """
    INSERT INTO chain (position, kind, checkpoint_id, hash)
    VALUES (:position, 'record', :checkpoint_id, :hash)
"""
ADD_RECORD = """
    INSERT INTO checkpoint (
        position, checkpoint_id, session_id, sequence, project_id, number, workspace,
        key, state_key, type, trigger, created_at, name, body
    )
    VALUES (
        :position, :checkpoint_id, :session_id, :sequence, :project_id, :number,
        :workspace, :key, :state_key, :type, :trigger, :created_at, :name, :body
    )
"""
_MOVE_HEAD = """
    UPDATE store SET
        position = :position, hash = :hash, records = :records,
        observations = :observations
"""

_OWNER = """
    SELECT checkpoint_id, consumed, number
    FROM checkpoint
    WHERE project_id = :project_id AND name = :name
"""
_PROJECT_OF = "SELECT project_id FROM checkpoint WHERE checkpoint_id = :checkpoint_id"
_SET_NAME = """
    UPDATE checkpoint SET name = :name, consumed = 0
    WHERE checkpoint_id = :checkpoint_id
    RETURNING position
"""
_CONSUME_NAME = """
    UPDATE checkpoint SET consumed = 1
    WHERE checkpoint_id = :checkpoint_id AND name IS NOT NULL
"""


class _Prepared(NamedTuple):
    """A draft with all that needs no lock."""

    draft: Draft
    entry: IndexEntry


def put(database: Database, draft: Draft) -> PutResult:
    """Keep a draft, or return the checkpoint that already says it."""
    try:
        return _put(database, draft)
    except UnicodeError:
        return _put(database, cleaned(draft))


def put_unless_off(database: Database, draft: Draft, now_ms: int) -> PutResult | None:
    """Keep a draft unless it is off there; whoever turns it off waits for the lock."""
    try:
        return _put_unless_off(database, draft, now_ms)
    except UnicodeError:
        return _put_unless_off(database, cleaned(draft), now_ms)


def adopt(database: Database, checkpoint: Checkpoint) -> PutResult:
    """Keep a checkpoint of another store, or return the one that is here."""
    from holdfast.store.sqlite.write.rewriting import rename_foreign  # noqa: PLC0415  # no hook adopts

    draft = cleaned(checkpoint.draft)  # text of others is never taken as it is
    found = entry(draft)
    wanted = {"checkpoint_id": checkpoint.checkpoint_id}
    with database.writing():
        row = database.row(_BY_ID, wanted)
        if row is not None:
            here = same_record(checkpoint_of(row), checkpoint)
            return PutResult("repeated", rename_foreign(database, here, checkpoint))
        place = {"session_id": draft.session_id, "sequence": checkpoint.sequence}
        if database.row(_AT_SEQUENCE, place):
            raise taken_place(checkpoint)
        gone = database.row(_TOMBSTONE, wanted)
        if gone is not None:
            raise removed(tombstone_of(gone))
        sessions.note(database, session_of(draft))
        database.rows(_KNOW_PROJECT, _project_values(draft))
        database.rows(_REACH_SEQUENCE, place)
        kept = adopted(
            replace(checkpoint, draft=draft),
            position=database.head().position + 1,
            observation=database.one(_OBSERVATIONS)[0] + 1,
        )
        return PutResult("saved", _appended(database, kept, found))


def _free_name(
    database: Database, project_id: str, name: str, *, replace: bool
) -> None:
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
    _set_name(database, checkpoint_id, None)


def _set_name(database: Database, checkpoint_id: str, name: str | None) -> None:
    named = {"checkpoint_id": checkpoint_id, "name": name}
    for (position,) in database.rows(_SET_NAME, named):
        database.note_changed(position)


def rename(database: Database, checkpoint_id: str, name: str | None) -> None:
    """Give a checkpoint a name, or take it away."""
    with database.writing():
        project_id = _project_of(database, checkpoint_id)
        if name is not None:
            name = storable(name)
            owner = database.row(_OWNER, {"project_id": project_id, "name": name})
            if owner is not None and owner[0] == checkpoint_id:
                return
            _free_name(database, project_id, name, replace=False)
        _set_name(database, checkpoint_id, name)


def consume(database: Database, checkpoint_id: str) -> None:
    """Let the next save that wants the name have it."""
    with database.writing():
        _project_of(database, checkpoint_id)
        database.rows(_CONSUME_NAME, {"checkpoint_id": checkpoint_id})


def _put(database: Database, draft: Draft) -> PutResult:
    prepared = _Prepared(draft, entry(draft))
    with database.writing():
        return _kept(database, prepared)


def _put_unless_off(database: Database, draft: Draft, now_ms: int) -> PutResult | None:
    prepared = _Prepared(draft, entry(draft))
    where = {"project_id": draft.project_id, "session_id": draft.session_id}
    with database.writing():
        off = database.row(_IS_OFF, {**where, "now_ms": now_ms})
        return None if off else _kept(database, prepared)


def _kept(database: Database, prepared: _Prepared) -> PutResult:
    draft = prepared.draft
    repeated = database.row(_BY_KEY, {"key": draft.key})
    if repeated is not None:
        row = database.one(_BY_ID, {"checkpoint_id": repeated[0]})
        return PutResult("repeated", checkpoint_of(row))
    last = database.row(_LAST_OF_SESSION, {"session_id": draft.session_id})
    previous, state_key = last or (None, None)
    if previous is not None and state_key == draft.state_key:
        same = _whole(database, previous)
        if same is not None and adds_nothing(draft, same):
            return PutResult("unchanged", same)
    return PutResult("saved", _added(database, prepared, previous))


def _whole(database: Database, checkpoint_id: str) -> Checkpoint | None:
    """Return a checkpoint unless it is damaged: that must not stand in a save's way."""
    row = database.row(_BY_ID, {"checkpoint_id": checkpoint_id})
    return whole_checkpoint(row) if row else None


def _added(database: Database, prepared: _Prepared, previous: str | None) -> Checkpoint:
    draft = prepared.draft
    if draft.name is not None:
        _free_name(database, draft.project_id, draft.name, replace=draft.replace_name)
    place = _place(database, draft, previous)
    return _appended(database, _with_free_id(database, draft, place), prepared.entry)


def _appended(
    database: Database, completed: Checkpoint, found: IndexEntry
) -> Checkpoint:
    """Write a checkpoint that has all it needs as the newest entry of the chain."""
    head = database.head()
    checkpoint, text = sealed(completed, head.hash)
    draft = checkpoint.draft
    after = ChainHead(head.position + 1, checkpoint.content_hash, head.records + 1)
    entry = {"position": after.position, "hash": after.hash}
    database.rows(_ADD_ENTRY, {**entry, "checkpoint_id": checkpoint.checkpoint_id})
    database.rows(
        ADD_RECORD,
        {
            **columns_of(checkpoint),
            "position": after.position,
            "name": checkpoint.name,
            "body": text,
        },
    )
    indexing.add(database, draft, after.position, found)
    observations = checkpoint.master_summary_id + len(draft.details)
    database.rows(
        _MOVE_HEAD, {**entry, "records": after.records, "observations": observations}
    )
    database.move_head(after)
    return checkpoint


def _place(database: Database, draft: Draft, previous: str | None) -> Allocation:
    """Allocate what only the store can give."""
    sessions.note(database, session_of(draft))
    return Allocation(
        number=_next_number(database, draft),
        sequence=database.one(_NEXT_SEQUENCE, {"session_id": draft.session_id})[0],
        observation=database.one(_OBSERVATIONS)[0] + 1,
        previous_checkpoint=previous,
    )


def _with_free_id(database: Database, draft: Draft, place: Allocation) -> Checkpoint:
    """Complete a draft, with a later timestamp if a forged row has its id."""
    for later in range(_MOST_TRIES):
        moved = replace(draft, created_at=draft.created_at + later) if later else draft
        checkpoint = completed(moved, place)
        if not database.rows(_ID_TAKEN, {"checkpoint_id": checkpoint.checkpoint_id}):
            return checkpoint
    raise IdCollision(
        f"session `{draft.session_id}` has {_MOST_TRIES} records that were never stored",
        hint="run `holdfast doctor` to see what is wrong",
    )


def _project_values(draft: Draft) -> dict[str, str | None]:
    return {
        "project_id": draft.project_id,
        "root": draft.project_root,
        "remote": draft.project_remote,
    }


def _next_number(database: Database, draft: Draft) -> int:
    project = _project_values(draft)
    is_known = database.row(_KNOWN_PROJECT, project) is not None
    (number,) = database.one(_NEXT_NUMBER, project)
    if not is_known or number == 1:
        # A project this store has never seen came with a draft: its path finds it.
        database.rows(_OWN_PATH, project)
    return int(number)


def _project_of(database: Database, checkpoint_id: str) -> str:
    found = database.row(_PROJECT_OF, {"checkpoint_id": storable(checkpoint_id)})
    if found is None:
        raise unknown(checkpoint_id)
    return str(found[0])
