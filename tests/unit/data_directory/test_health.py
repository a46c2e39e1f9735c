"""What `doctor` sees of the data directory itself."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.data_directory.health import (
    check_leftovers,
    check_locks,
    check_modes,
    close_modes,
    remove_leftovers,
)

LATER = 32_503_680_000_000  # long after any file was made


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    for folder in ("pending", "env", "spool", "git/drafts", "git/snapshots/refs/trees"):
        (home / folder).mkdir(parents=True)
    for name in ("holdfast.db", "git/snapshots/config"):
        made(home / name)
    for made_one in (home, *home.rglob("*")):
        made_one.chmod(0o700)
    return home


def made(path: Path) -> Path:
    path.write_text("x")
    path.chmod(0o600)
    return path


def dead_process() -> int:
    """Return the id of a process that was and is no more."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_what_others_may_read_is_told_and_closed(home: Path) -> None:
    """However deep it lies; a script of ours stays one."""
    script = made(home / "env" / "abc.sh")
    script.chmod(0o755)
    (home / "spool").chmod(0o755)
    (home / "link").symlink_to(script)

    told = check_modes(str(home))
    said = list(close_modes(str(home)))

    assert (told.state, "2 files" in told.message) == ("warn", True)
    assert said == ["others could reach 2 files and directories: closed"]
    assert script.stat().st_mode & 0o777 == 0o700
    assert check_modes(str(home)).state == "ok"
    assert list(close_modes(str(home))) == []


def test_half_files_of_dead_processes_are_told_and_removed(home: Path) -> None:
    """Nobody acknowledged them; the ones of a running process are its own affair."""
    dead, alive = dead_process(), os.getpid()
    gone = [
        made(home / "pending" / f".abc.{dead}.tmp"),
        made(home / "env" / f".abc.sh.{dead}.tmp"),
        made(home / "spool" / ".000000000001-abc.json.tmp"),
        made(home / ".holdfast.db.new-wal"),
        made(home / "git" / "snapshots" / "refs" / "trees" / "x.lock"),
        made(home / "git" / "drafts" / f"roots-{dead}"),
    ]
    stays = [
        made(home / "pending" / f".abc.{alive}.tmp"),
        made(home / "pending" / "abc"),
        made(home / "env" / "abc.sh"),
        made(home / "spool" / "000000000001-abc.json"),
        made(home / "spool" / "adding.lock"),
        made(home / "store.lock"),
        made(home / "git" / "snapshots" / "lock"),
    ]

    told = check_leftovers(str(home), LATER)
    said = list(remove_leftovers(str(home), LATER))

    assert (told.state, "6 such files" in told.message) == ("warn", True)
    assert said == ["6 half-written files of killed processes removed"]
    assert not [path for path in gone if path.exists()]
    assert all(path.exists() for path in stays)
    assert check_leftovers(str(home), LATER).state == "ok"


def test_a_young_half_file_may_be_somebodys(home: Path) -> None:
    """Its writer has no id in its name, and may be at it right now."""
    half = made(home / "spool" / ".000000000001-abc.json.tmp")
    now = int(half.stat().st_mtime * 1000)

    assert check_leftovers(str(home), now).state == "ok"
    assert list(remove_leftovers(str(home), now)) == []


def everything(home: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in (home, *home.rglob("*"))
    }


def of_others(home: Path) -> None:
    """Make what a person may keep under names like ours."""
    for name in (
        ".notes.tmp",
        "book.half",
        "tmp_photos/a.jpg",
        "log/backup.2019",
        "pending/tax.2019",
        "env/venv/bin/python",
        "backups/.laptop.tmp",
        "git/project/.git/index.lock",
        "git/drafts/2019-12/novel.txt",
        "spool/.letter.json.tmp",
    ):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("theirs")
        path.chmod(0o644)
        path.parent.chmod(0o755)


def test_what_others_keep_in_the_data_directory_stays_as_it_is(home: Path) -> None:
    """A data directory may be a person's home: their names can look like ours."""
    of_others(home)
    home.chmod(0o755)
    before = everything(home)

    said = [*close_modes(str(home)), *remove_leftovers(str(home), LATER)]

    assert said == []
    assert everything(home) == before


def test_a_file_of_ours_is_closed_beside_those_of_others(home: Path) -> None:
    """Their directory stays open to whom they opened it; our file does not."""
    of_others(home)
    (home / "spool").chmod(0o755)
    ours = made(home / "spool" / "000000000001-abc.json")
    ours.chmod(0o644)

    said = list(close_modes(str(home)))

    assert said == ["others could reach 1 files and directories: closed"]
    assert ours.stat().st_mode & 0o777 == 0o600
    assert (home / "spool").stat().st_mode & 0o777 == 0o755


def test_without_a_store_nothing_in_a_directory_is_ours(home: Path) -> None:
    """A mistyped data directory must cost its owner nothing."""
    (home / "holdfast.db").unlink()
    made(home / "spool" / ".000000000001-abc.json.tmp").chmod(0o644)
    before = everything(home)

    said = [*close_modes(str(home)), *remove_leftovers(str(home), LATER)]

    assert said == []
    assert everything(home) == before


def test_a_lock_that_is_held_is_told_with_its_holder(home: Path) -> None:
    """A hanging process keeps everybody waiting: say which."""
    lock = made(home / "store.lock")
    free = check_locks(str(home))
    with lock.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        held = check_locks(str(home))

    assert free.state == "ok"
    assert held.state == "warn"
    assert held.message == f"`store.lock` is held by process {os.getpid()}"
