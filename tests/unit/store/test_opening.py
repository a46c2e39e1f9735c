"""Opening a store: made once, refused with a reason, never damaged by looking."""

import os
import stat
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import apsw
import pytest

from holdfast.domain.query import Scope
from holdfast.kernel.errors import (
    HoldfastError,
    StoreBusy,
    StoreDamaged,
    StoreNewer,
    StoreNotFound,
)
from holdfast.kernel.ids import reference
from holdfast.kernel.locks import Lock
from holdfast.store.sqlite.schema import opening
from holdfast.store.sqlite.schema.migrate import SCHEMA
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import a_draft

Opened = Callable[..., SqliteStore]
Edited = Callable[[str], None]
HERE = Scope()


def everything(home: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(home.rglob("*")) if p.is_file()}


def test_a_store_is_made_once_and_found_again(opened: Opened) -> None:
    """What one process keeps, the next one sees."""
    kept = opened().put(a_draft()).checkpoint

    assert opened(create=False).get(kept.checkpoint_id) == kept


@pytest.mark.parametrize("mask", [0o000, 0o777], ids=["open umask", "closed umask"])
def test_only_its_owner_can_read_a_store(home: Path, mask: int) -> None:
    """The engine makes files for everyone unless it is stopped, the log included."""
    before = os.umask(mask)
    try:
        store = open_store(str(home), create=True)
        store.put(a_draft())
    finally:
        os.umask(before)

    files = [path for path in home.rglob("*") if path.is_file()]
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in files}
    store.close()
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "journal").stat().st_mode) == 0o700
    assert modes == dict.fromkeys(
        ["000000000001.log", "head", "holdfast.db", "holdfast.db-shm",
         "holdfast.db-wal", "redaction.key", "store.lock"], 0o600,
    )  # fmt: skip


@pytest.mark.parametrize("found", ["nothing", "an empty directory", "an empty file"])
def test_a_reader_makes_no_store(opened: Opened, home: Path, found: str) -> None:
    """Looking must not leave traces, and says how to begin."""
    if found != "nothing":
        home.mkdir()
    if found == "an empty file":
        (home / "holdfast.db").touch()

    with pytest.raises(StoreNotFound) as missing:
        opened(create=False)

    assert missing.value.exit_status == 10
    assert str(home) in missing.value.message
    assert (
        missing.value.hint
        == "a `/clear` or the end of a session makes one, and so does `holdfast save`"
    )
    assert not home.exists() or everything(home) in ({}, {"holdfast.db": b""})


def test_a_reader_that_meets_a_half_made_store_makes_none(
    opened: Opened, home: Path
) -> None:
    """The maker may have died between its first and its second step."""
    home.mkdir()
    connection = apsw.Connection(str(home / "holdfast.db"))
    connection.pragma("journal_mode", "wal")
    connection.close()

    with pytest.raises(StoreNotFound):
        opened(create=False)

    assert opened(create=True).list(HERE) == ()


def test_a_file_in_the_place_of_the_directory_is_named(
    opened: Opened, home: Path
) -> None:
    """The message says which path, and what to do about it."""
    home.write_text("not a directory")

    with pytest.raises(StoreNotFound, match="is not a directory") as refused:
        opened()

    assert str(home) in refused.value.message
    assert "HOLDFAST_HOME" in refused.value.hint
    assert home.read_text() == "not a directory"


def test_a_directory_that_cannot_be_made_is_named(
    unprivileged: Callable[[], AbstractContextManager[Path]],
) -> None:
    """Exit 10 with the path, not a traceback."""
    with unprivileged() as place:
        place.chmod(0o500)

        with pytest.raises(StoreNotFound, match="Permission denied") as refused:
            open_store(str(place / "home"), create=True)

        assert str(place / "home") in refused.value.message


def test_a_link_in_the_place_of_the_file_is_not_followed(
    opened: Opened, home: Path, tmp_path: Path
) -> None:
    """Somebody may have put it there to make us write elsewhere."""
    home.mkdir()
    victim = tmp_path / "victim.db"
    (home / "holdfast.db").symlink_to(victim)
    with pytest.raises(StoreNotFound, match="link"):
        opened()

    assert not victim.exists()


def test_a_home_that_is_a_link_is_followed(opened: Opened, home: Path) -> None:
    """A person may keep their data on another disk."""
    elsewhere = home.with_name("other-disk")
    elsewhere.mkdir()
    home.symlink_to(elsewhere)

    opened().put(a_draft())

    assert (elsewhere / "holdfast.db").exists()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"hello", id="a few words"),
        pytest.param(b"SQLite format 3\x00", id="half a header"),
        pytest.param(b"\x00" * 8192, id="zeros"),
        pytest.param(os.urandom(8192), id="noise"),
    ],
)
def test_what_is_no_database_is_refused_and_left_alone(
    opened: Opened, home: Path, content: bytes
) -> None:
    """It may be the only copy of something."""
    home.mkdir()
    (home / "holdfast.db").write_bytes(content)

    with pytest.raises(StoreDamaged) as refused:
        opened()

    assert refused.value.exit_status == 13
    assert "holdfast doctor" in refused.value.hint
    assert everything(home) == {"holdfast.db": content}


@pytest.mark.parametrize("application", [0, 7])
def test_the_database_of_another_program_is_refused(
    opened: Opened, home: Path, application: int
) -> None:
    """Our tables have no place in it."""
    home.mkdir()
    connection = apsw.Connection(str(home / "holdfast.db"))
    connection.execute("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
    connection.execute(f"PRAGMA application_id = {application}")
    connection.close()
    before = (home / "holdfast.db").read_bytes()

    with pytest.raises(StoreDamaged, match="is not a holdfast store"):
        opened()

    assert (home / "holdfast.db").read_bytes() == before


@pytest.mark.parametrize("where", ["in the file", "in the log only"])
@pytest.mark.parametrize("create", [True, False])
def test_a_newer_store_is_refused_and_not_one_byte_of_it_changed(
    opened: Opened, home: Path, where: str, *, create: bool
) -> None:
    """Only the newer program knows what it means."""
    opened().put(a_draft())
    connection = apsw.Connection(str(home / "holdfast.db"))
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    if where == "in the file":
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    before = everything(home)

    with pytest.raises(StoreNewer) as refused:
        opened(create=create)

    after = everything(home)
    assert refused.value.exit_status == 10
    assert "upgrade" in refused.value.hint
    for name in ("holdfast.db", "holdfast.db-wal", "head", "redaction.key"):
        assert after[name] == before[name]


def test_a_store_without_a_table_is_damaged(opened: Opened, edited: Edited) -> None:
    """Wrong structure is not a bug of ours, and not the user's fault either."""
    opened().put(a_draft())
    edited("DROP VIEW kept; DROP TABLE chain")

    with pytest.raises(StoreDamaged, match="no such table") as refused:
        opened().put(a_draft())

    assert "holdfast doctor" in refused.value.hint


def test_a_malformed_store_is_damaged(opened: Opened, home: Path) -> None:
    """The header is whole, the rest is not."""
    opened().put(a_draft())
    opened()._database.wipe_log()
    path = home / "holdfast.db"
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 8192)

    with pytest.raises(StoreDamaged):
        opened(create=False).find(reference("latest"), HERE)


def test_an_engine_that_is_too_old_is_refused() -> None:
    """Older ones can damage a store that many processes write to."""
    with pytest.raises(StoreNotFound, match=r"3\.51\.2 is too old") as refused:
        opening._refuse_old_engine("3.51.2")

    assert "apsw" in refused.value.hint
    opening._refuse_old_engine("3.51.3")
    opening._refuse_old_engine("3.54.1")


def test_a_busy_store_is_waited_for_and_then_said_so(
    opened: Opened, home: Path
) -> None:
    """Exit 11: nothing was lost, and trying again is right."""
    store = opened()
    directory = os.open(home, os.O_RDONLY | os.O_DIRECTORY)

    with Lock("store.lock", directory, patience=0).held():
        with pytest.raises(StoreBusy) as busy:
            store.put(a_draft())
        assert store.list(HERE) == ()

    os.close(directory)
    assert busy.value.exit_status == 11
    assert "try again" in busy.value.hint
    assert store.put(a_draft()).outcome == "saved"


def test_the_engines_own_lock_is_the_second_line(opened: Opened, home: Path) -> None:
    """Another program with the file open does not know our lock file."""
    store = opened()
    other = apsw.Connection(str(home / "holdfast.db"))
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreBusy):
        store.put(a_draft())
    other.execute("ROLLBACK")

    assert store.put(a_draft()).outcome == "saved"
    other.close()


def test_readers_wait_for_nobody(opened: Opened, home: Path) -> None:
    """A writer in the middle of its work hides nothing that was kept before."""
    kept = opened().put(a_draft()).checkpoint
    writer = apsw.Connection(str(home / "holdfast.db"))
    writer.execute("BEGIN IMMEDIATE; DELETE FROM checkpoint")
    directory = os.open(home, os.O_RDONLY | os.O_DIRECTORY)

    with Lock("store.lock", directory, patience=0).held():
        found = opened(create=False, patience=0.01).get(kept.checkpoint_id)

    os.close(directory)
    writer.close()
    assert found == kept


def test_many_may_make_the_store_at_once(home: Path) -> None:
    """Two windows start on a new machine."""
    made: list[SqliteStore] = []
    failed: list[HoldfastError] = []

    def make() -> None:
        try:
            made.append(open_store(str(home), create=True))
        except HoldfastError as error:
            failed.append(error)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    keys = {store.redaction_key for store in made}
    for store in made:
        store.close()
    assert failed == []
    assert len(keys) == 1


def test_a_store_in_a_read_only_directory_can_be_read(
    unprivileged: Callable[[], AbstractContextManager[Path]],
) -> None:
    """A backup, or somebody else's store."""
    with unprivileged() as home:
        store = open_store(str(home), create=True)
        kept = store.put(a_draft()).checkpoint
        store._database.wipe_log()
        store.close()
        for leftover in ("holdfast.db-wal", "holdfast.db-shm"):
            (home / leftover).unlink(missing_ok=True)
        home.chmod(0o500)

        reader = open_store(str(home), create=False)
        found = reader.find(reference("latest"), HERE)
        states = {finding.state for finding in reader.check()}
        with pytest.raises(StoreNotFound) as refused:
            reader.put(a_draft())
        reader.close()

        assert found == kept
        assert states == {"ok"}
        assert str(home) in refused.value.message
        home.chmod(0o700)


def test_a_queue_that_cannot_be_joined_is_told(
    unprivileged: Callable[[], AbstractContextManager[Path]],
) -> None:
    """Without the lock file nobody may write."""
    with unprivileged() as home, open_store(str(home), create=True) as store:
        (home / "store.lock").unlink()
        home.chmod(0o500)

        with pytest.raises(StoreNotFound, match="Permission denied"):
            store.put(a_draft())

        home.chmod(0o700)
        assert store.put(a_draft()).outcome == "saved"


def test_a_log_that_cannot_be_read_from_a_read_only_directory_is_said_so(
    unprivileged: Callable[[], AbstractContextManager[Path]],
) -> None:
    """Showing an old state as if it were the newest would be a lie."""
    with unprivileged() as home:
        store = open_store(str(home), create=True)
        store.put(a_draft())
        store.close()
        (home / "holdfast.db-shm").unlink()
        home.chmod(0o500)

        with pytest.raises(StoreNotFound, match="changes in its log"):
            open_store(str(home), create=False)

        home.chmod(0o700)


def test_a_file_that_cannot_be_read_is_named(
    unprivileged: Callable[[], AbstractContextManager[Path]],
) -> None:
    """Somebody ran it as another user."""
    with unprivileged() as home:
        open_store(str(home), create=True).close()
        (home / "holdfast.db").chmod(0o000)

        with pytest.raises(StoreNotFound, match="Permission denied"):
            open_store(str(home), create=True)


def test_a_copy_that_lost_its_log_mode_gets_it_back(
    opened: Opened, tmp_path: Path
) -> None:
    """`VACUUM INTO` makes a good backup, but one without a write-ahead log."""
    store = opened()
    kept = store.put(a_draft()).checkpoint
    store._database.rows("VACUUM INTO :path", {"path": str(tmp_path / "copy.db")})
    restored = tmp_path / "restored"
    restored.mkdir()
    (tmp_path / "copy.db").rename(restored / "holdfast.db")

    with open_store(str(restored), create=False) as reader:
        assert reader.get(kept.checkpoint_id) == kept
    with open_store(str(restored), create=True) as writer:
        assert writer._database.row("PRAGMA journal_mode") == ("wal",)
        assert writer.put(a_draft()).checkpoint.number == 2


def test_a_full_disk_is_told_and_loses_nothing(opened: Opened) -> None:
    """The path is named, the old data is intact, and the next save works."""
    store = opened()
    kept = store.put(a_draft()).checkpoint
    store._database.rows("PRAGMA max_page_count = 1")

    with pytest.raises(StoreNotFound, match="full") as refused:
        store.put(a_draft("x" * 400_000))
    store._database.rows("PRAGMA max_page_count = 1000000")

    assert "holdfast.db" in refused.value.message
    assert "space" in refused.value.hint
    assert store.list(HERE) == (kept,)
    assert store.put(a_draft()).checkpoint.number == 2
    assert {finding.state for finding in store.check()} == {"ok"}


def test_a_lost_key_is_made_again(opened: Opened, home: Path) -> None:
    """Placeholders change from then on; nothing else does."""
    store = opened()
    before = store.redaction_key
    (home / "redaction.key").write_bytes(b"short")

    after = store.redaction_key

    assert len(after) == 32
    assert after != before
    assert opened().redaction_key == after


def test_a_key_that_cannot_be_made_is_told(opened: Opened, home: Path) -> None:
    """Saving without it would give one secret two placeholders."""
    store = opened()
    (home / "redaction.key").unlink()
    (home / "redaction.key").mkdir()

    with pytest.raises(StoreNotFound, match="directory"):
        _ = store.redaction_key


def test_the_key_is_not_in_the_database(opened: Opened, home: Path) -> None:
    """A copy of the database that is given away must not carry it."""
    store = opened()
    store.put(a_draft())
    store._database.wipe_log()

    data = (home / "holdfast.db").read_bytes()
    assert store.redaction_key not in data
    assert store.redaction_key.hex().encode() not in data
