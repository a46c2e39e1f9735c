"""The team store's structure: which version a database has, and bringing it up to date.

Its number is the comment of our schema: a table for it would be the only one without a
project. Migration goes forward only, all of it in one transaction, one process at a time.
"""

from functools import cache

import psycopg

from holdfast.kernel.errors import HoldfastError
from holdfast.store.postgres.database import APPLICATION_ROLE, SCHEMA_NAME, Connection
from holdfast.store.postgres.errors import explained, newer, not_set_up, unreachable

_VERSION = "SELECT obj_description(to_regnamespace('holdfast'), 'pg_namespace')"
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtext('holdfast.migrate'))"
_ONE_LOG = """
    SELECT version() LIKE 'PostgreSQL %'
        AND to_regprocedure('pg_logical_emit_message(boolean, text, text)') IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')
"""
_HAS_ROLE = "SELECT 1 FROM pg_roles WHERE rolname = 'holdfast_app'"
_MAY_BE_IT = "SELECT pg_has_role('holdfast_app', 'MEMBER')"


@cache
def scripts() -> tuple[str, ...]:
    """Return the migrations in order: `0001_team.sql` is the first."""
    from importlib.resources import files  # noqa: PLC0415  # only to migrate

    folder = files("holdfast.store.postgres") / "migrations"
    found = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".sql")),
        key=lambda file: file.name,
    )
    return tuple(file.read_text(encoding="utf-8") for file in found)


def prepare(dsn: str, *, create: bool, seconds: float) -> bool:
    """See that a database has our tables as this version knows them.

    With `create` they are made, or brought up to date. Says whether all of it is in one
    log: not where an engine lays projects on several servers.

    Raises:
        TeamUnreachable, TeamRefused, StoreNewer
    """
    try:
        with psycopg.connect(
            dsn, connect_timeout=max(2, int(seconds)), application_name="holdfast"
        ) as connection:
            _bring_up_to_date(connection, create=create)
            return connection.execute(_ONE_LOG).fetchone() == (True,)
    except psycopg.OperationalError as problem:
        raise unreachable(problem) from None
    except psycopg.Error as problem:
        raise explained(problem) from None


def _bring_up_to_date(connection: Connection, *, create: bool) -> None:
    known = len(scripts())
    version = _version(connection)
    if version > known:
        raise newer(version, known)
    if version == known:
        return
    if not create:
        raise _older(version)
    connection.execute(_ONE_AT_A_TIME)
    version = _version(connection)  # somebody else may have been quicker
    if version == 0:
        _found(connection)
    connection.execute(f"SET LOCAL search_path = {SCHEMA_NAME}")
    for script in scripts()[version:]:
        connection.execute(script.encode())
    connection.execute(f"COMMENT ON SCHEMA {SCHEMA_NAME} IS '{known}'".encode())


def _older(version: int) -> HoldfastError:
    problem = not_set_up()
    if version:
        problem.message = "the team's store was made by an older holdfast"
    return problem


def _found(connection: Connection) -> None:
    if connection.execute(_HAS_ROLE).fetchone() is None:
        connection.execute(f"CREATE ROLE {APPLICATION_ROLE} NOLOGIN")
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA_NAME}")
    connection.execute(f"GRANT USAGE ON SCHEMA {SCHEMA_NAME} TO {APPLICATION_ROLE}")
    is_member = connection.execute(_MAY_BE_IT).fetchone()
    if is_member is None or not is_member[0]:
        connection.execute(f"GRANT {APPLICATION_ROLE} TO CURRENT_USER")


def _version(connection: Connection) -> int:
    row = connection.execute(_VERSION).fetchone()
    text = str(row[0]) if row and row[0] is not None else "0"
    return int(text) if text.isdecimal() else 0
