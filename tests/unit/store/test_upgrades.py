"""Upgrades: every released format opens, backed up first, whatever interrupts it."""

import os
import signal
import stat
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from holdfast.domain.query import Query, Scope
from holdfast.kernel.errors import StoreNewer, StoreNotFound
from holdfast.kernel.ids import reference
from holdfast.store.sqlite.schema.migrate import SCHEMA
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import OTHER_SESSION, SESSION, a_draft, identity
from tests.faults.figures import figure
from tests.stores import FORMATS, OLDER, TITLES, filled, with_store

Opened = Callable[..., SqliteStore]


def titles(store: SqliteStore) -> tuple[str, ...]:
    return tuple(c.draft.content.title for c in store.every(Scope()))


def raw(path: Path, question: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return connection.execute(question).fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("form", FORMATS)
def test_every_released_format_opens_and_is_whole(
    form: str, home: Path, opened: Opened
) -> None:
    """Whoever upgrades finds everything: records, search, lineage, names, the fold."""
    with_store(form, home)

    store = opened(create=False)

    found = titles(store)
    lost = {"lost": len(set(TITLES) - set(found))}
    figure("M1", f"records of a store of {form}", len(TITLES), lost, found)
    assert found == TITLES
    assert {finding.state for finding in store.check()} == {"ok"}
    words = (Query(words=("refresh",)), Query(words=("解析器",)))
    assert [len(store.search(each, Scope(), 10)) for each in words] == [1, 1]
    project = store.known_project(identity(remote="example.com/me/tokens"))
    assert project is not None
    here = Scope(project_id=project.project_id)
    assert store.find(reference("api-design"), here).number == 3
    assert [r.session_id for r in store.lineage(SESSION)] == [SESSION, OTHER_SESSION]


@pytest.mark.parametrize("form", FORMATS)
def test_an_upgraded_store_goes_on_where_it_was(
    form: str, home: Path, opened: Opened
) -> None:
    """Numbers and sequences count on, a retry is the same save, a removal removes."""
    with_store(form, home)
    store = opened()
    project = store.known_project(identity(remote="example.com/me/tokens"))
    assert project is not None

    again = store.put(a_draft("Another", project_id=project.project_id, key="first"))
    new = store.put(a_draft("New", project_id=project.project_id)).checkpoint
    store.remove([new.checkpoint_id], "test", 1)

    assert again.outcome == "repeated"
    assert (new.number, new.sequence) == (5, 4)
    assert titles(store) == TITLES
    assert {finding.state for finding in store.check()} == {"ok"}


@pytest.mark.parametrize("form", OLDER)
def test_the_store_is_backed_up_before_it_changes(
    form: str, home: Path, opened: Opened
) -> None:
    """The copy is the old store, whole, for its owner only."""
    with_store(form, home)
    usual = os.umask(0)

    try:
        opened()
    finally:
        os.umask(usual)

    copy = home / "backups" / f"{form}.db"
    assert raw(copy, "PRAGMA user_version") == [(int(form[-1]),)]
    assert raw(copy, "SELECT count(*) FROM checkpoint") == [(3,)]
    assert raw(copy, "PRAGMA integrity_check") == [("ok",)]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700


def test_only_the_last_two_backups_stay(home: Path, opened: Opened) -> None:
    """A copy of everything for every version would fill a disk."""
    for form in ("schema-1", "schema-2", "schema-3"):
        with_store(form, home)
        (home / "holdfast.db-wal").unlink(missing_ok=True)
        opened().close()

    names = sorted(path.name for path in (home / "backups").iterdir())
    assert names == [
        "schema-2.db", "schema-2.head", "schema-3.db", "schema-3.head",
    ]  # fmt: skip


def test_a_store_of_today_is_not_copied(home: Path, opened: Opened) -> None:
    """Only a migration needs a way back."""
    filled(home)
    opened()

    assert not (home / "backups").exists()


def test_without_a_backup_nothing_is_migrated(home: Path, opened: Opened) -> None:
    """A full disk must not leave a half-changed store without its copy."""
    with_store("schema-3", home)
    before = (home / "holdfast.db").read_bytes()
    (home / "backups").write_text("in the way")

    for create in (True, False):
        with pytest.raises(StoreNotFound, match="no copy of it can be made") as told:
            opened(create=create)
        assert str(home / "backups") in told.value.message

    assert (home / "holdfast.db").read_bytes() == before


def test_who_goes_back_finds_the_store_and_its_head_as_they_were(
    home: Path, opened: Opened
) -> None:
    """What was saved since is not in the copy, so the head of today would call it cut."""
    with_store("schema-3", home)
    head = (home / "head").read_bytes()
    opened().put(a_draft(key="since"))
    opened().close()
    for path in home.glob("holdfast.db*"):
        path.unlink()
    (home / "journal").rename(home / "journal-of-the-newer")

    (home / "backups" / "schema-3.db").rename(home / "holdfast.db")
    (home / "backups" / "schema-3.head").rename(home / "head")

    assert (home / "head").read_bytes() == head
    assert {finding.state for finding in opened().check()} == {"ok"}


def killed_at(statement: int, home: Path) -> bool:
    """Open a store in a child that dies before its nth statement; say whether it did."""
    child = os.fork()
    if child == 0:
        seen = 0

        def traced(_: object, __: str, ___: object) -> bool:
            nonlocal seen
            seen += 1
            if seen == statement:
                os.kill(os.getpid(), signal.SIGKILL)
            return True

        def watched(connection: apsw.Connection) -> None:
            connection.exec_trace = traced

        apsw.connection_hooks.append(watched)
        try:
            open_store(str(home), create=True).close()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("form", OLDER)
def test_a_migration_killed_at_any_statement_is_finished_by_the_next(
    form: str, tmp_path: Path
) -> None:
    """Each step is one transaction: half of one is none."""
    statement = 0
    while True:
        statement += 1
        home = with_store(form, tmp_path / f"killed-{statement}")
        if not killed_at(statement, home):
            break
        with open_store(str(home), create=False) as store:
            assert titles(store) == TITLES, statement
            assert {f.state for f in store.check()} == {"ok"}, statement
        assert raw(home / "holdfast.db", "PRAGMA user_version") == [(SCHEMA,)]
        left = {path.name for path in (home / "backups").iterdir()}
        assert not any(name.startswith(".") for name in left), statement
    assert statement > 8


def test_a_newer_store_is_refused_and_left_alone(home: Path, opened: Opened) -> None:
    """A downgrade must not write into what it does not understand."""
    filled(home)
    connection = apsw.Connection(str(home / "holdfast.db"))
    connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    for name in ("holdfast.db-wal", "holdfast.db-shm"):
        (home / name).unlink(missing_ok=True)
    before = {p.name: p.read_bytes() for p in home.rglob("*") if p.is_file()}

    refused = 0
    for create in (True, False):
        try:
            opened(create=create)
        except StoreNewer as newer:
            refused += f"version {SCHEMA + 1}" in newer.message

    after = {p.name: p.read_bytes() for p in home.rglob("*") if p.is_file()}
    changed = {name for name, _ in before.items() ^ after.items()}
    wrong = {"not_refused": 2 - refused, "files_changed": len(changed)}
    figure("M1", "openings of a newer store", 2, wrong, changed)
