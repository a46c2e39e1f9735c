"""Files of our own: private, whole, and never somebody else's."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.kernel.files import (
    remove_quietly,
    replace_file,
    replace_unlocked,
    write_all,
)
from holdfast.kernel.private_files import open_directory, open_private, read_private


@pytest.fixture
def within(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield descriptor
    os.close(descriptor)


@pytest.fixture(params=[0o000, 0o022, 0o777], ids=["open", "usual", "closed"])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("umask")
def test_t23_what_we_make_is_private_whatever_the_umask(
    tmp_path: Path, within: int
) -> None:
    """A umask may open files to everyone, or close them to ourselves."""
    os.close(open_directory(str(tmp_path / "home"), create=True))
    os.close(open_directory("inside", create=True, within=within))
    os.close(open_private("lock", os.O_RDWR | os.O_CREAT, within))
    replace_file("head", b"data", within)

    assert mode(tmp_path / "home") == 0o700
    assert mode(tmp_path / "inside") == 0o700
    assert mode(tmp_path / "lock") == 0o600
    assert mode(tmp_path / "head") == 0o600


def test_a_directory_someone_else_opened_up_is_left_alone(tmp_path: Path) -> None:
    """It may be theirs on purpose; `check` tells about it."""
    (tmp_path / "home").mkdir(mode=0o755)

    os.close(open_directory(str(tmp_path / "home"), create=True))

    assert mode(tmp_path / "home") == 0o755


def test_parents_are_made_too(tmp_path: Path) -> None:
    """A new account has no data directory at all."""
    os.close(open_directory(str(tmp_path / "a/b/home"), create=True))

    assert (tmp_path / "a/b/home").is_dir()


def test_without_leave_nothing_is_made(tmp_path: Path) -> None:
    """A reader makes no directory."""
    with pytest.raises(FileNotFoundError):
        open_directory(str(tmp_path / "home"), create=False)

    assert not (tmp_path / "home").exists()


def test_a_data_directory_may_be_a_link_but_nothing_inside_it(
    tmp_path: Path, within: int
) -> None:
    """A person may move their data; a name inside ours must be what it says."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "home").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "victim").write_bytes(b"theirs")
    (tmp_path / "link").symlink_to(tmp_path / "victim")

    os.close(open_directory(str(tmp_path / "home"), create=True))
    with pytest.raises(OSError, match=r"symbolic|Not a directory"):
        open_directory("home", create=True, within=within)
    with pytest.raises(OSError, match="symbolic"):
        open_private("link", os.O_WRONLY | os.O_CREAT, within)
    with pytest.raises(OSError, match="symbolic"):
        read_private("link", within)
    replace_file("link", b"ours", within)

    assert (tmp_path / "victim").read_bytes() == b"theirs"
    assert not (tmp_path / "link").is_symlink()


def test_a_short_write_is_continued(
    tmp_path: Path, within: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One call may take only some of the bytes; an acknowledged file is a whole one."""
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, bytes(data)[:100]))

    replace_file("entry", b"x" * 4001, within)

    assert (tmp_path / "entry").read_bytes() == b"x" * 4001


def test_a_failed_write_leaves_what_was_there(
    tmp_path: Path, within: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no half file beside it."""
    replace_file("entry", b"before", within)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file("entry", b"after", within)

    assert (tmp_path / "entry").read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [tmp_path / "entry"]


def test_a_half_file_of_an_earlier_crash_is_not_in_the_way(
    tmp_path: Path, within: int
) -> None:
    """A process that died while writing must not stop the next one."""
    (tmp_path / ".entry.tmp").write_bytes(b"hal")

    replace_file("entry", b"whole", within)

    assert list(tmp_path.iterdir()) == [tmp_path / "entry"]


def test_halves_of_the_dead_are_cleared_away_and_those_of_the_living_stay(
    tmp_path: Path, within: int
) -> None:
    """Nobody comes back for a file whose writer was killed."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    dead, alive = f".mark.{gone.pid}.tmp", f".mark.{os.getppid()}.tmp"
    others = {alive, ".notes.tmp", "entry.7.tmp", ".mark.99999999999999999999.tmp"}
    for name in (dead, *others):
        (tmp_path / name).write_bytes(b"hal")

    replace_unlocked("entry", b"whole", within)
    replace_unlocked(str(tmp_path / "second"), b"whole", durable=False)

    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"entry", "second", *others}
    assert (tmp_path / "second").read_bytes() == b"whole"


def test_an_empty_write_is_a_write(tmp_path: Path, within: int) -> None:
    """Nothing to write is no reason to wait."""
    descriptor = open_private("empty", os.O_WRONLY | os.O_CREAT, within)
    write_all(descriptor, b"")
    os.close(descriptor)

    assert (tmp_path / "empty").read_bytes() == b""


def test_removing_what_is_not_there_is_fine(within: int) -> None:
    """Another process may have been faster."""
    remove_quietly("nothing", within)
