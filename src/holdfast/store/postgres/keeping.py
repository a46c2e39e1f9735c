"""Keep a draft in the team's store: one transaction, two journeys to the server.

    lock the project → key, last checkpoint, session → record, session, head → COMMIT

The lock is one project's, and others of that project wait while it is held.
"""

from itertools import count

from holdfast.domain.checkpoint import Checkpoint, Draft, PutResult, adds_nothing
from holdfast.domain.text import storable
from holdfast.kernel.errors import IdCollision
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import replace
from holdfast.store.lookup_errors import (
    name_taken,
    removed,
    same_record,
    taken_place,
)
from holdfast.store.postgres import projects, sessions
from holdfast.store.postgres.database import Row, TeamDatabase, Transaction
from holdfast.store.postgres.rows import (
    BY_ID,
    TOMBSTONE,
    checkpoint_of,
    columns_of,
    tombstone_of,
    whole_checkpoint,
)
from holdfast.store.prepare_draft import (
    Allocation,
    adopted,
    called_as,
    cleaned,
    completed,
    sealed,
    session_of,
)

_MOST_TRIES = 1000
LOCK = """
    SELECT
        number, position, observations, hash,
        greatest(kept + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
    FROM project
    WHERE project_id = %(project_id)s
    FOR UPDATE
"""
_FOUND = """
    INSERT INTO project (project_id, root, remote)
    VALUES (%(project_id)s, %(root)s, %(remote)s)
    ON CONFLICT DO NOTHING
"""
# After the lock, in a statement of its own: it sees what the one before it committed.
# A row for each project that the session was in; without a session, one all the same.
_LOOK = f"""
    SELECT
        (
            SELECT c.checkpoint_id FROM checkpoint AS c
            WHERE c.project_id = %(project_id)s AND c.key = %(key)s AND c.key <> ''
        ),
        last.checkpoint_id, last.state_key, known.*
    FROM (VALUES (1)) AS always
    LEFT JOIN LATERAL (
        SELECT checkpoint_id, state_key FROM checkpoint
        WHERE session_id = %(session_id)s
        ORDER BY sequence DESC
        LIMIT 1
    ) AS last ON true
    LEFT JOIN LATERAL (
{sessions.KNOWN}
    ) AS known ON true
"""  # noqa: S608  # our own statement
_OWNER = """
    SELECT position, consumed, number FROM checkpoint
    WHERE project_id = %(project_id)s AND name = %(name)s
"""
_ID_TAKEN = """
    SELECT 1 FROM checkpoint WHERE checkpoint_id = %(checkpoint_id)s
    UNION ALL
    SELECT 1 FROM tombstone WHERE checkpoint_id = %(checkpoint_id)s
"""
_AT_SEQUENCE = """
    SELECT 1 FROM checkpoint
    WHERE session_id = %(session_id)s AND sequence = %(sequence)s
"""
SET_NAME = """
    UPDATE checkpoint SET name = %(name)s, consumed = false
    WHERE project_id = %(project_id)s AND position = %(position)s
"""
_ADD = """
    INSERT INTO checkpoint (
        project_id, position, kept, checkpoint_id, session_id, sequence, number,
        workspace, key, state_key, type, trigger, created_at, name, machine, given,
        called, hash, previous_hash, body
    )
    VALUES (
        %(project_id)s, %(position)s, %(kept)s, %(checkpoint_id)s, %(session_id)s,
        %(sequence)s, %(number)s, %(workspace)s, %(key)s, %(state_key)s, %(type)s,
        %(trigger)s, %(created_at)s, %(name)s, %(machine)s, %(given)s, %(called)s,
        %(hash)s, %(previous_hash)s, %(body)s
    )
"""
_CALL = """
    UPDATE checkpoint SET called = %(called)s
    WHERE project_id = %(project_id)s AND checkpoint_id = %(checkpoint_id)s
"""
_NOTE_CHANGE = """
    UPDATE project SET kept = %(kept)s WHERE project_id = %(project_id)s
"""
MOVE_HEAD = """
    UPDATE project SET
        number = %(number)s, position = %(position)s, hash = %(hash)s,
        observations = %(observations)s, kept = %(kept)s
    WHERE project_id = %(project_id)s
"""


class ProjectHead(NamedTuple):
    """What a locked project gave last, and the moment of the next entry."""

    number: int
    position: int
    observations: int
    hash: str
    kept: int


class _Found(NamedTuple):
    """What was asked with the lock."""

    head: ProjectHead
    repeated: str | None
    last: str | None
    state_key: str | None
    session: sessions.KnownSession | None


def put(database: TeamDatabase, draft: Draft) -> PutResult:
    """Keep a draft, or return the checkpoint that already says it."""
    looked_up = (draft.key, draft.session_id, draft.project_id, draft.name or "")
    if any(storable(text) != text for text in looked_up):
        draft = cleaned(draft)
    try:
        return _put(database, draft)
    except UnicodeError:
        return _put(database, cleaned(draft))


def adopt(database: TeamDatabase, checkpoint: Checkpoint) -> PutResult:
    """Keep a checkpoint of another store, or return the one that is here."""
    clean = replace(checkpoint, draft=cleaned(checkpoint.draft))
    return database.write(lambda run: adopted_into(run, clean), lazily=True)


def adopted_into(run: Transaction, checkpoint: Checkpoint) -> PutResult:
    """Keep a clean checkpoint of another store inside the caller's transaction."""
    draft = checkpoint.draft
    head = locked(run, draft)
    wanted = {"checkpoint_id": checkpoint.checkpoint_id}
    place = {"session_id": draft.session_id, "sequence": checkpoint.sequence}
    here, taken, gone, sessions_known = run.together(
        [
            (BY_ID, wanted),
            (_AT_SEQUENCE, place),
            (TOMBSTONE, wanted),
            (sessions.KNOWN, {"session_id": draft.session_id}),
        ]
    )
    if here:
        known = same_record(checkpoint_of(here[0]), checkpoint)
        return PutResult("repeated", _called(run, known, checkpoint, head))
    if taken:
        raise taken_place(checkpoint)
    if gone:
        raise removed(tombstone_of(gone[0]))
    kept = adopted(
        checkpoint, position=head.position + 1, observation=head.observations + 1
    )
    session = sessions.known_of(sessions_known, draft.session_id)
    reached = max(session.sequence if session else 0, checkpoint.sequence)
    return PutResult("saved", _appended(run, kept, head, session, reached))


def _called(
    run: Transaction, here: Checkpoint, came: Checkpoint, head: ProjectHead
) -> Checkpoint:
    """Let a record of another store be called what it is called there now."""
    named = called_as(here, came)
    if named != here and named.foreign is not None:
        project = {"project_id": here.draft.project_id, "kept": head.kept}
        called = {"called": named.foreign.name, "checkpoint_id": here.checkpoint_id}
        run.do(_CALL, {**project, **called})
        run.do(_NOTE_CHANGE, project)
    return named


def locked(run: Transaction, draft: Draft) -> ProjectHead:
    """Lock a draft's project, which may be new here."""
    found = run.row(LOCK, {"project_id": draft.project_id})
    return ProjectHead(*found) if found else _founded(run, draft)


def set_name(
    run: Transaction, project_id: str, position: int, name: str | None
) -> None:
    run.do(SET_NAME, {"project_id": project_id, "position": position, "name": name})


def owner_of(run: Transaction, project_id: str, name: str) -> Row | None:
    """Return the position of a name's owner, whether it may lose it, and its number."""
    return run.row(_OWNER, {"project_id": project_id, "name": name})


def _put(database: TeamDatabase, draft: Draft) -> PutResult:
    tries = count()

    def kept(run: Transaction) -> PutResult:
        # Whether an id is taken is asked only after an index said so: while a project is
        # locked, each journey makes everybody wait.
        return _kept(run, draft, is_careful=next(tries) > 0)

    # Without a key, a second try could keep it twice.
    return database.write(kept, lazily=True, again=bool(draft.key))


def _kept(run: Transaction, draft: Draft, *, is_careful: bool) -> PutResult:
    found = _looked_up(run, draft)
    if found.repeated is not None:
        row = run.one(BY_ID, {"checkpoint_id": found.repeated})
        return PutResult("repeated", checkpoint_of(row))
    if found.last is not None and found.state_key == draft.state_key:
        row = run.one(BY_ID, {"checkpoint_id": found.last})
        same = whole_checkpoint(row)
        if same is not None and adds_nothing(draft, same):
            return PutResult("unchanged", same)
    if draft.name is not None:
        _free_name(run, draft, draft.name)
    sequence = (found.session.sequence if found.session else 0) + 1
    place = Allocation(
        number=found.head.number + 1,
        sequence=sequence,
        observation=found.head.observations + 1,
        previous_checkpoint=found.last,
    )
    checkpoint = (
        _with_free_id(run, draft, place) if is_careful else completed(draft, place)
    )
    kept = _appended(run, checkpoint, found.head, found.session, sequence)
    return PutResult("saved", kept)


def _looked_up(run: Transaction, draft: Draft) -> _Found:
    wanted = {
        "project_id": draft.project_id,
        "session_id": draft.session_id,
        "key": draft.key,
    }
    head, rows = run.together([(LOCK, wanted), (_LOOK, wanted)])
    repeated, last, state_key, *first = rows[0]
    known = [row[3:] for row in rows] if first[0] is not None else []
    return _Found(
        ProjectHead(*head[0]) if head else _founded(run, draft),
        repeated,
        last,
        state_key,
        sessions.known_of(known, draft.session_id),
    )


def _founded(run: Transaction, draft: Draft) -> ProjectHead:
    """Make a project that this store has never seen; its path finds it."""
    values = {
        "project_id": draft.project_id,
        "root": draft.project_root,
        "remote": draft.project_remote,
    }
    run.do(_FOUND, values)
    run.do(projects.OWN_PATH, values)
    return ProjectHead(*run.one(LOCK, values))


def _free_name(run: Transaction, draft: Draft, name: str) -> None:
    owner = owner_of(run, draft.project_id, name)
    if owner is None:
        return
    position, consumed, number = owner
    if not (draft.replace_name or consumed):
        raise name_taken(name, number)
    set_name(run, draft.project_id, position, None)


def _with_free_id(run: Transaction, draft: Draft, place: Allocation) -> Checkpoint:
    """Complete a draft, with a later timestamp if another row has its id."""
    for later in range(_MOST_TRIES):
        moved = replace(draft, created_at=draft.created_at + later) if later else draft
        checkpoint = completed(moved, place)
        taken = {"checkpoint_id": checkpoint.checkpoint_id}
        if not run.rows(_ID_TAKEN, taken):
            return checkpoint
    raise IdCollision(
        f"session `{draft.session_id}` has {_MOST_TRIES} records that were never stored",
        hint="run `holdfast doctor` to see what is wrong",
    )


def _appended(
    run: Transaction,
    completed_one: Checkpoint,
    head: ProjectHead,
    known: sessions.KnownSession | None,
    sequence: int,
) -> Checkpoint:
    """Write a checkpoint that has all it needs as the newest entry of its project."""
    checkpoint, text = sealed(completed_one, head.hash)
    draft = checkpoint.draft
    record = sessions.merged(run, session_of(draft), known)
    columns = columns_of(checkpoint)
    entry = {
        "position": head.position + 1,
        "kept": head.kept,
        "hash": checkpoint.content_hash,
        "previous_hash": head.hash,
        "name": checkpoint.name,
        "body": text,
    }
    moved = {
        **entry,
        "project_id": draft.project_id,
        "number": max(head.number, columns["number"]),
        "observations": checkpoint.master_summary_id + len(draft.details),
    }
    run.do(sessions.KEEP, sessions.values_of(record, known, sequence))
    run.do(_ADD, {**columns, **entry})
    run.do(MOVE_HEAD, moved)
    sessions.settle_family(run, record, known)
    return checkpoint
