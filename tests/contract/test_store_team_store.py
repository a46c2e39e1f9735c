"""A store that many share: each tenant for itself, whole, and in the order known at home."""

import threading
from collections.abc import Callable
from itertools import product
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from holdfast.domain.query import Query, Scope
from holdfast.kernel.errors import TeamRefused, TeamUnreachable
from holdfast.store.postgres.database import Limits
from holdfast.store.postgres.store import PostgresStore, open_team_store
from holdfast.store.sqlite.store import open_store as open_sqlite_store
from tests.builders import (
    NOON,
    OTHER_PROJECT,
    PROJECT,
    a_draft,
    a_foreign_checkpoint,
    a_full_draft,
    identity,
    session_number,
)
from tests.postgres_server import Server

OpenTeam = Callable[..., PostgresStore]
_OWN = "SELECT relname FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace AND relkind = 'r'"


def filled(team: PostgresStore) -> None:
    """Put something into every table."""
    team.project(identity(root_commits=("a" * 40,)))
    kept = [team.put(a_full_draft()).checkpoint for _ in range(3)]
    team.remove([kept[0].checkpoint_id], "a test")
    foreign = a_foreign_checkpoint(7, "laptop")
    team.adopt(foreign)
    team.reindex()


def acting_as(server: Server, tenant: str) -> psycopg.Connection[tuple[object, ...]]:
    connection = psycopg.connect(server.dsn)
    connection.execute("SET ROLE holdfast_app")
    connection.execute("SET search_path = holdfast")
    connection.execute("SELECT set_config('holdfast.tenant', %s, false)", (tenant,))
    return connection


def test_it_is_called_what_it_was_opened_as(team: PostgresStore) -> None:
    assert team.machine == "desk"


def test_closing_twice_is_fine(team: PostgresStore) -> None:
    team.close()
    team.close()


def test_a_whole_store_is_told_to_be_whole(team: PostgresStore) -> None:
    filled(team)

    (finding,) = team.check()

    assert (finding.name, finding.state) == ("team chain", "ok")
    assert "3 checkpoints in 2 projects, every chain whole" in finding.message


def test_a_changed_record_is_told(team: PostgresStore, team_server: Server) -> None:
    """Whoever can write to the database can change a text, but not unseen."""
    kept = team.put(a_draft("As it was")).checkpoint
    with psycopg.connect(team_server.dsn) as connection:
        connection.execute(
            "UPDATE holdfast.checkpoint SET body = replace(body, 'As it was', 'As if')"
            " WHERE hash = %s",
            (kept.content_hash,),
        )

    (finding,) = team.check()

    assert finding.state == "fail"
    assert team.damaged([kept.checkpoint_id]) == {kept.checkpoint_id}


def test_a_tenant_sees_nothing_of_another(
    open_team: OpenTeam, team_server: Server
) -> None:
    """A walk over every table there is: a new one cannot be forgotten."""
    mine, theirs = open_team("mine"), open_team("theirs")
    filled(mine)

    assert theirs.list(Scope()) == ()
    assert theirs.search(Query(words=("tokens",)), Scope(), 5) == ()
    assert theirs.projects() == ()
    with acting_as(team_server, "nobody at all") as connection:
        tables = [str(row[0]) for row in connection.execute(_OWN)]
        assert len(tables) >= 9
        for table in map(sql.Identifier, tables):
            count = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(table))
            assert count.fetchone() == (0,), table
            for change in ("UPDATE {} SET tenant = tenant", "DELETE FROM {}"):
                changed = connection.execute(sql.SQL(change).format(table))
                assert changed.rowcount == 0, table
    assert len(mine.list(Scope())) == 3


def test_a_tenant_cannot_write_for_another(team_server: Server) -> None:
    with (
        acting_as(team_server, "mine") as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(
            "INSERT INTO project (project_id, tenant, root) VALUES ('p', 'theirs', '/')"
        )


def test_the_role_that_everybody_works_as_owns_nothing(team_server: Server) -> None:
    with psycopg.connect(team_server.dsn) as connection:
        owned = connection.execute(
            "SELECT count(*) FROM pg_class WHERE relowner = 'holdfast_app'::regrole"
        ).fetchone()
        rights = connection.execute(
            "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcanlogin"
            " FROM pg_roles WHERE rolname = 'holdfast_app'"
        ).fetchone()
        connection.execute("SET ROLE holdfast_app")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE TABLE holdfast.more (id int)")

    assert owned == (0,)
    assert rights == (False, False, False, False)


def test_without_a_tenant_nothing_is_seen_and_nothing_written(
    team: PostgresStore, team_server: Server
) -> None:
    """Whoever forgets to say who he is gets nobody's rows, not everybody's."""
    filled(team)
    with acting_as(team_server, "") as connection:
        count = connection.execute("SELECT count(*) FROM checkpoint").fetchone()

    assert count == (0,)


def test_numbers_have_no_gap_however_many_save_at_once(open_team: OpenTeam) -> None:
    """Each client is its own store; two projects do not wait for each other."""
    clients = [open_team("shared") for _ in range(4)]
    projects = (PROJECT, OTHER_PROJECT)

    def save(client: int) -> None:
        for number, project in product(range(5), projects):
            session = session_number(client + 1)
            title = f"{client} {number}"
            clients[client].put(a_draft(title, session_id=session, project_id=project))

    threads = [threading.Thread(target=save, args=(n,)) for n in range(len(clients))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for project in projects:
        kept = clients[0].list(Scope(project_id=project), limit=100)
        assert [c.number for c in reversed(kept)] == list(range(1, 21))
    assert {each.state for each in clients[0].check()} == {"ok"}


def test_a_project_that_two_ask_about_at_once_is_one(open_team: OpenTeam) -> None:
    """Two laptops with one repository, on the day the team begins."""
    clients = [open_team("shared") for _ in range(4)]
    start = threading.Barrier(len(clients))
    found: list[str] = []

    def ask(client: int) -> None:
        start.wait()
        here = identity(f"/home/{client}/code", root_commits=("c" * 40,))
        found.append(clients[client].project(here).project_id)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(len(clients))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(found)) == 1
    (project,) = clients[0].projects()
    assert len(project.paths) == len(clients)


_SUBJECTS = ("parser", "token refresh", "getUserName", "แก้ตัวแยกวิเคราะห์", "キャッシュ")
_DEEDS = ("fails on nested quotes", "rotates on use", "was renamed", "is slow")
QUERIES = (
    Query(words=("parser",)),
    Query(words=("nested", "quotes", "parser")),
    Query(words=("user", "name")),
    Query(words=("getUserName", "slow")),
    Query(words=("refr*",)),
    Query(phrases=("rotates on use",)),
    Query(words=("token",), excluded=("slow",)),
    Query(words=("แยกวิเคราะห์",)),
    Query(words=("キャッシュ", "use")),
    Query(words=("nothing", "has", "this", "zebra")),
    Query(words=("why", "does", "the", "token", "parser", "fail")),
    Query(words=("parser",), tags=("odd",)),
    Query(words=("use",), files=("src/module_3.py",)),
    Query(words=("use",), sort="asc"),
    Query(tags=("odd",)),
    Query(words=("parser",), latest=True),
)


@pytest.mark.parametrize("query", QUERIES, ids=repr)
def test_the_order_is_the_one_known_at_home(
    open_team: OpenTeam, tmp_path: Path, query: Query
) -> None:
    """The same records, the same question: the same hits with the same scores."""
    team = open_team()
    with open_sqlite_store(str(tmp_path), create=True, machine="desk") as home:
        for turn, (subject, deed) in enumerate(product(_SUBJECTS, _DEEDS)):
            draft = a_full_draft(
                title=f"{subject} {deed}",
                summary=f"{deed}. {subject} once more. " * (turn % 3 + 1),
                session_id=session_number(turn % 4 + 1),
                project_id=(PROJECT, OTHER_PROJECT)[turn % 2],
                tags=("odd",) if turn % 2 else ("even",),
                created_at=NOON + turn,
            )
            home.put(draft)
            team.put(draft)
        for scope in (Scope(), Scope(project_id=PROJECT)):
            expected = home.search(query, scope, 10)
            found = team.search(query, scope, 10)

            assert [h.checkpoint.draft.content.title for h in found] == [
                h.checkpoint.draft.content.title for h in expected
            ]
            assert [(h.score, h.passage) for h in found] == [
                (h.score, h.passage) for h in expected
            ]


def test_a_database_without_our_tables_is_told(
    team_server: Server,
) -> None:
    """A reader makes none."""
    with psycopg.connect(team_server.dsn, autocommit=True) as connection:
        connection.execute("CREATE DATABASE empty")

    with pytest.raises(TeamRefused, match="not set up for holdfast yet"):
        open_team_store(
            team_server.dsn.replace("dbname=postgres", "dbname=empty"), create=False
        )


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    """Within the time that was given, and with nothing of the address but the reason."""
    dsn = f"host={tmp_path} dbname=x user=me"

    with pytest.raises(TeamUnreachable, match="does not answer"):
        open_team_store(dsn, create=False, limits=Limits(patience=0.1))


def test_a_server_that_comes_back_is_used_again(open_team: OpenTeam) -> None:
    """A connection that was cut is replaced, and nothing is kept twice."""
    team = open_team()
    kept = team.put(a_draft("Before", key="once")).checkpoint
    with psycopg.connect(str(team._database._pool.conninfo)) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND application_name = 'holdfast'"
        )

    again = team.put(a_draft("Before", key="once"))

    assert (again.outcome, again.checkpoint) == ("repeated", kept)
    assert len(team.list(Scope())) == 1
