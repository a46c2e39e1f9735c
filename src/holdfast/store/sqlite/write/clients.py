"""Running clients and the switches of the user."""

from holdfast.domain.client import Client, Switch, SwitchKind
from holdfast.domain.text import storable
from holdfast.store.sqlite.database import Database, Row

_COLUMNS = (
    "pid, started, session_id, transcript, workspace, directory, source, headless,"
    " seen_at"
)
_ONE = f"SELECT {_COLUMNS} FROM client WHERE pid = :pid AND started = :started"  # noqa: S608  # our own column names
_EVERY = f"""
    SELECT {_COLUMNS} FROM client
    WHERE :workspace IS NULL OR workspace = :workspace
    ORDER BY noted DESC
"""  # noqa: S608  # our own column names
_KEEP = f"""
    INSERT INTO client ({_COLUMNS}, noted)
    VALUES (
        :pid, :started, :session_id, :transcript, :workspace, :directory, :source,
        :headless, :seen_at, (SELECT coalesce(max(noted), 0) + 1 FROM client)
    )
    ON CONFLICT (pid, started) DO UPDATE SET
        session_id = excluded.session_id,
        transcript = excluded.transcript,
        workspace = excluded.workspace,
        directory = excluded.directory,
        source = excluded.source,
        headless = excluded.headless,
        seen_at = excluded.seen_at,
        noted = excluded.noted
"""  # noqa: S608  # our own column names
_END = "DELETE FROM client WHERE pid = :pid AND started = :started"
_OFF = """
    INSERT INTO switch (kind, value, until) VALUES (:kind, :value, :until)
    ON CONFLICT (kind, value) DO UPDATE SET until = excluded.until
"""
_ON = "DELETE FROM switch WHERE kind = :kind AND value = :value RETURNING kind"
_SWITCHES = "SELECT kind, value, until FROM switch WHERE kind <> 'fresh'"
_IS_FRESH = "SELECT 1 FROM switch WHERE kind = 'fresh' AND value = :value"


def note_client(database: Database, client: Client) -> Client | None:
    values = {
        "pid": client.pid,
        "started": storable(client.started),
        "session_id": storable(client.session_id),
        "transcript": storable(client.transcript),
        "workspace": storable(client.workspace),
        "directory": storable(client.directory),
        "source": storable(client.source),
        "headless": int(client.headless),
        "seen_at": client.seen_at,
    }
    with database.writing(durable=False):
        before = database.row(_ONE, values)
        database.rows(_KEEP, values)
    return _client(before) if before else None


def client(database: Database, pid: int, started: str) -> Client | None:
    found = database.row(_ONE, {"pid": pid, "started": storable(started)})
    return _client(found) if found else None


def clients(database: Database, workspace: str | None) -> tuple[Client, ...]:
    wanted = None if workspace is None else storable(workspace)
    return tuple(map(_client, database.rows(_EVERY, {"workspace": wanted})))


def end_client(database: Database, pid: int, started: str) -> None:
    with database.writing(durable=False):
        database.rows(_END, {"pid": pid, "started": storable(started)})


def switch_off(database: Database, switch: Switch) -> None:
    value = storable(switch.value)
    with database.writing():
        database.rows(
            _OFF, {"kind": switch.kind, "value": value, "until": switch.until}
        )


def switch_on(database: Database, kind: SwitchKind, value: str) -> bool:
    with database.writing():
        return bool(database.rows(_ON, {"kind": kind, "value": storable(value)}))


def switches(database: Database) -> tuple[Switch, ...]:
    return tuple(Switch(*row) for row in database.rows(_SWITCHES))


def ask_fresh(database: Database, workspace: str) -> None:
    wanted = {"kind": "fresh", "value": storable(workspace), "until": None}
    with database.writing():
        database.rows(_OFF, wanted)


def is_fresh(database: Database, workspace: str) -> bool:
    return database.row(_IS_FRESH, {"value": storable(workspace)}) is not None


def spend_fresh(database: Database, workspace: str) -> None:
    with database.writing(durable=False):
        database.rows(_ON, {"kind": "fresh", "value": storable(workspace)})


def _client(row: Row) -> Client:
    pid, started, session, transcript, workspace, directory, source, headless, at = row
    return Client(
        pid=pid,
        started=started,
        session_id=session,
        transcript=transcript,
        workspace=workspace,
        directory=directory,
        source=source,
        headless=bool(headless),
        seen_at=at,
    )
