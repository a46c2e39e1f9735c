"""A sync with a team's database that is killed at any step, and a server that is.

Each transaction, here and there, and each file of marks is a step; a sync dies before it,
and right after it. What was done is seen, and the next sync ends the same.
"""

import os
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import psycopg
import pytest
from psycopg import sql

from holdfast.data_directory import share_marks
from holdfast.domain.query import Scope
from holdfast.kernel import files
from holdfast.store.postgres.database import Limits, TeamDatabase
from holdfast.store.postgres.store import PostgresStore, open_team_store
from holdfast.store.sqlite.database import Database
from tests.builders import PROJECT, a_draft, session_number
from tests.e2e.fellows import Fellows, fellows, syncs, team_server
from tests.e2e.team import Machine
from tests.faults.families import forked, wait_for_all
from tests.faults.sweeping import spread
from tests.missing import without
from tests.postgres_server import programs, running

__all__ = ["fellows", "team_server"]
pytestmark = pytest.mark.process
_IN_CI = 5  # steps, spread evenly
_TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace AND relkind = 'r'"


class _Steps:
    """Counts what changes something, and is killed at one of them."""

    def __init__(self, at: int, *, after: bool) -> None:
        self._at = at
        self._after = after
        self.seen = 0

    @contextmanager
    def step(self) -> Iterator[None]:
        self.seen += 1
        dies = self.seen == self._at
        if dies and not self._after:
            os.kill(os.getpid(), signal.SIGKILL)
        yield
        if dies:
            os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def _stepping(at: int = 0, *, after: bool = False) -> Iterator[_Steps]:
    steps = _Steps(at, after=after)
    writing, once, replace = Database.writing, TeamDatabase._once, files.replace_file

    @contextmanager
    def database_writing(database: Database) -> Iterator[None]:
        with steps.step(), writing(database):
            yield

    def team_once(database: TeamDatabase, *words: Any) -> Any:
        with steps.step():
            return once(database, *words)

    def replace_file(*words: Any, **more: Any) -> Any:
        with steps.step():
            return replace(*words, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "writing", database_writing)
        patch.setattr(TeamDatabase, "_once", team_once)
        patch.setattr(share_marks, "replace_file", replace_file)
        yield steps


class _Scene:
    """A team in which everything has to be done at once, put back for each victim."""

    def __init__(self, fellows: Fellows, root: Path) -> None:
        self.fellows, self._root = fellows, root
        self._good = root / "good"
        laptop, desk = fellows.machines
        forgotten = laptop.saves("forgotten")
        laptop.saves("renamed", "--name", "x")
        desk.saves("theirs forgotten")
        gone = next(iter(desk.knows()))
        fellows.converge()
        laptop("forget", forgotten, "--yes")
        desk("forget", gone, "--yes")
        laptop.saves("new", "--name", "x", "--force")
        desk.saves("theirs new")
        syncs(desk)
        self._good.mkdir()
        for place in self._places():
            shutil.copytree(place, self._good / place.relative_to(root))
        self._rows(
            "CREATE TABLE {good} AS SELECT * FROM holdfast.{table} WHERE tenant = %(t)s"
        )

    def _places(self) -> tuple[Path, ...]:
        return tuple(machine.home for machine in self.fellows.machines)

    def _rows(self, *statements: str) -> None:
        """Run statements for each table: the database's owner is past all policies."""
        tenant = {"t": self.fellows.tenant}
        with psycopg.connect(self.fellows.dsn, autocommit=True) as connection:
            tables = [str(row[0]) for row in connection.execute(_TABLES).fetchall()]
            for table in tables:
                names = {
                    "good": sql.Identifier(f"{table}-{self.fellows.tenant}"),
                    "table": sql.Identifier(table),
                }
                for statement in statements:
                    form = sql.SQL(statement).format(**names)
                    asks = "%(t)s" in statement
                    text = form.as_string(connection)
                    whole = text.replace("%(t)s", f"'{tenant['t']}'") if asks else text
                    connection.execute(whole.encode())

    def renew(self) -> None:
        for place in self._places():
            shutil.rmtree(place)
            shutil.copytree(self._good / place.relative_to(self._root), place)
        self._rows(
            "DELETE FROM holdfast.{table} WHERE tenant = %(t)s",
            "INSERT INTO holdfast.{table} SELECT * FROM {good}",
        )

    def outcome(self) -> Any:
        """Return what both know, and what the database holds."""
        laptop, desk = self.fellows.machines
        for machine in (laptop, desk, laptop):
            syncs(machine)
        assert laptop.knows() == desk.knows()
        for machine in self.fellows.machines:
            checks = machine("doctor", "--json").json["checks"]
            assert not [c for c in checks if c["state"] == "fail"], checks
        with self.fellows.store() as store:
            assert {each.state for each in store.check()} == {"ok"}
        return laptop.knows(), self.fellows.kept()


def _steps_of(machine: Machine) -> int:
    with _stepping() as steps:
        syncs(machine)
    return steps.seen


def _dies(machine: Machine, at: int, *, after: bool) -> bool:
    def live() -> None:
        with _stepping(at, after=after):
            machine("sync", "team", "--json")
        os._exit(0)

    status = wait_for_all(forked(live))
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _sweep(scene: _Scene, after: bool, most: int) -> None:  # noqa: FBT001  # a parameter of the tests
    laptop = scene.fellows.laptop
    many = _steps_of(laptop)
    expected = scene.outcome()
    assert many > 15
    assert len(expected[0]) == len(expected[1]) == 3
    for at in spread(range(1, many + 1), most):
        scene.renew()
        assert _dies(laptop, at, after=after), at
        assert scene.outcome() == expected, at


moments = pytest.mark.parametrize("after", [False, True], ids=["before", "after"])


@moments
@pytest.mark.timeout(600)
def test_killed_at_some_steps_it_ends_the_same(
    fellows: Fellows, tmp_path: Path, *, after: bool
) -> None:
    """The sample of every run; the whole is `make faults`."""
    _sweep(_Scene(fellows, tmp_path), after, _IN_CI)


@moments
@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_killed_at_each_step_it_ends_the_same(
    fellows: Fellows, tmp_path: Path, *, after: bool
) -> None:
    _sweep(_Scene(fellows, tmp_path), after, 1000)


_CLIENTS, _SAVES = 4, 12


class _Load:
    """Clients that save until each has done its share, round by round."""

    def __init__(self, dsn: str, rounds: int) -> None:
        limits = Limits(connections=1, patience=300)
        self.stores = [
            open_team_store(dsn, create=False, limits=limits) for _ in range(_CLIENTS)
        ]
        self.acknowledged: list[str] = []
        self._rounds = [threading.Semaphore(0) for _ in range(rounds)]
        self._clients = [
            threading.Thread(target=self._save, args=each)
            for each in enumerate(self.stores)
        ]

    def __enter__(self) -> Self:
        for client in self._clients:
            client.start()
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._clients:
            client.join()

    def until_round(self, number: int) -> None:
        """Wait until some saves of a round are done; the others are under way."""
        for _ in range(_CLIENTS):
            self._rounds[number].acquire()

    def _save(self, number: int, store: PostgresStore) -> None:
        for turn in range(_SAVES * len(self._rounds)):
            key = f"{number}-{turn}"
            draft = a_draft(key, key=key, session_id=session_number(number + 1))
            self.acknowledged.append(store.put(draft).checkpoint.checkpoint_id)
            self._rounds[turn // _SAVES].release()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("kills", [2, pytest.param(6, marks=pytest.mark.slow)])
def test_no_save_is_lost_or_doubled_while_the_server_is_killed(kills: int) -> None:
    """What was acknowledged is there after the server came back; a retry is once."""
    if programs() is None:
        without("PostgreSQL is not installed: a team's store was not tried")
    with running(hasty=False) as server:
        open_team_store(server.dsn, create=True).close()
        with _Load(server.dsn, kills) as load:
            for number in range(kills):
                load.until_round(number)
                server.kill()
                server.start()

        store = load.stores[0]
        kept = store.list(Scope(project_id=PROJECT), limit=10_000)
        assert len(load.acknowledged) == _CLIENTS * _SAVES * kills
        assert sorted(c.checkpoint_id for c in kept) == sorted(load.acknowledged)
        numbers = [checkpoint.number for checkpoint in reversed(kept)]
        assert numbers == list(range(1, len(kept) + 1))
        assert {each.state for each in store.check()} == {"ok"}
        for each in load.stores:
            each.close()
