"""Files of our own: private, whole, and never somebody else's."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from holdfast.kernel.directories import (
    InTheWay,
    directory_below,
    make_own_directory,
    open_directory,
)
from holdfast.kernel.files import (
    UnsuitableFile,
    append_to,
    copy_file,
    create_file,
    open_ours,
    open_to_read,
    read_beginning,
    read_file,
    read_or_none,
    remove_quietly,
    replace_file,
    replace_unlocked,
    touch,
    write_all,
)


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
    os.close(open_ours("lock", os.O_RDWR | os.O_CREAT, within))
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
        open_ours("link", os.O_WRONLY | os.O_CREAT, within)
    with pytest.raises(OSError, match="symbolic"):
        read_file("link", within)
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


@pytest.mark.process
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
    descriptor = open_ours("empty", os.O_WRONLY | os.O_CREAT, within)
    write_all(descriptor, b"")
    os.close(descriptor)

    assert (tmp_path / "empty").read_bytes() == b""


def test_removing_what_is_not_there_is_fine(within: int) -> None:
    """Another process may have been faster."""
    remove_quietly("nothing", within)


_READERS = [
    pytest.param(read_file, id="all of it"),
    pytest.param(lambda path: read_beginning(path, 9), id="the beginning"),
    pytest.param(lambda path: os.close(open_to_read(path)), id="piece by piece"),
    pytest.param(lambda path: copy_file(path, f"{path}.copy"), id="a copy"),
]


@pytest.mark.parametrize("read", _READERS)
def test_a_pipe_is_not_waited_for(
    tmp_path: Path, read: Callable[[str], object]
) -> None:
    """A stranger may have put anything there, one that nobody writes to included."""
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(UnsuitableFile, match="not a regular file"):
        read(str(tmp_path / "pipe"))


@pytest.mark.parametrize("read", _READERS)
def test_a_directory_is_no_file(tmp_path: Path, read: Callable[[str], object]) -> None:
    """Some systems give its entries as bytes."""
    with pytest.raises(UnsuitableFile, match="not a regular file"):
        read(str(tmp_path))


@pytest.mark.parametrize("read", _READERS[:3])
def test_a_link_is_not_followed_unless_asked_to(
    tmp_path: Path, read: Callable[[str], object]
) -> None:
    """It may lead to what the user alone may read."""
    (tmp_path / "theirs").write_bytes(b"theirs")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "theirs")

    with pytest.raises(OSError, match="symbolic"):
        read(str(link))

    assert read_file(str(link), follow_links=True) == b"theirs"
    assert read_beginning(str(link), 3, follow_links=True) == b"the"


def test_all_or_the_beginning_of_a_file_is_read_within_its_limit(
    tmp_path: Path, within: int
) -> None:
    """An endless file must not fill memory; what just fits is read whole."""
    (tmp_path / "four").write_bytes(b"four")

    assert read_file("four", within) == b"four"
    assert read_file("four", within, limit=4) == b"four"
    assert read_beginning("four", 3, within) == b"fou"
    assert read_beginning("four", 9, within) == b"four"
    assert read_beginning("four", 0, within) == b""
    with pytest.raises(UnsuitableFile, match="larger than 3 bytes"):
        read_file("four", within, limit=3)


def test_a_file_that_grows_while_it_is_read_stays_within_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it said of itself is not believed."""
    path = tmp_path / "log"
    path.write_bytes(b"")
    real = os.fstat

    def then_grown(descriptor: int) -> os.stat_result:
        seen = real(descriptor)
        path.write_bytes(b"x" * 100)
        return seen

    monkeypatch.setattr(os, "fstat", then_grown)

    with pytest.raises(UnsuitableFile, match="larger than"):
        read_file(str(path), limit=50)


@pytest.mark.parametrize("name", ["missing", "link", "pipe", "large", "no\0name"])
def test_what_cannot_be_read_is_none_for_who_does_not_mind(
    tmp_path: Path, name: str
) -> None:
    """Many a reader does the same for every reason."""
    (tmp_path / "large").write_bytes(b"too large")
    (tmp_path / "link").symlink_to(tmp_path / "large")
    os.mkfifo(tmp_path / "pipe")

    assert read_or_none(f"{tmp_path}/{name}", limit=4) is None
    assert read_or_none(f"{tmp_path}/large") == b"too large"


@pytest.mark.parametrize("create", [create_file, replace_file])
def test_a_new_file_that_does_not_fit_leaves_nothing(
    tmp_path: Path,
    within: int,
    monkeypatch: pytest.MonkeyPatch,
    create: Callable[[str, bytes, int], None],
) -> None:
    """Half of a file under its name would pass for all of it."""
    write = os.write

    def full(descriptor: int, data: bytes) -> int:
        if len(data) < 4000:
            raise OSError(28, "No space left on device")
        return write(descriptor, bytes(data)[:100])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space"):
        create("entry", b"x" * 4050, within)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["file", "link", "dangling link"])
def test_what_is_there_is_never_made_anew(
    tmp_path: Path, within: int, kind: str
) -> None:
    """A new file is new: neither it nor what it leads to is overwritten."""
    (tmp_path / "there").write_bytes(b"theirs")
    (tmp_path / "link").symlink_to("there")
    (tmp_path / "dangling link").symlink_to("nowhere")
    name = "there" if kind == "file" else kind

    with pytest.raises(FileExistsError):
        create_file(name, b"ours", within)
    with pytest.raises(FileExistsError):
        copy_file(str(tmp_path / "there"), name, within)

    assert (tmp_path / "there").read_bytes() == b"theirs"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.usefixtures("umask")
def test_a_copy_is_private_and_may_keep_its_time(tmp_path: Path) -> None:
    """git compares an index's time with those of its entries."""
    source, target = tmp_path / "index", tmp_path / "copy"
    source.touch(mode=0o644)
    source.chmod(0o644)
    source.write_bytes(b"entries")
    os.utime(source, ns=(5, 7_000_000_001))

    copy_file(str(source), str(target), with_time=True, durable=True)

    assert (target.read_bytes(), mode(target)) == (b"entries", 0o600)
    assert target.stat().st_mtime_ns == 7_000_000_001


def test_a_source_that_is_too_large_is_not_copied(tmp_path: Path) -> None:
    """A file full of holes would fill the disk."""
    (tmp_path / "index").write_bytes(b"entries")

    with pytest.raises(UnsuitableFile, match="larger than"):
        copy_file(str(tmp_path / "index"), str(tmp_path / "copy"), limit=6)

    assert not (tmp_path / "copy").exists()


def test_what_is_appended_stands_at_the_end(tmp_path: Path) -> None:
    """Two processes may write one log; neither may begin at the start."""
    path = tmp_path / "log"

    assert append_to(str(path), b"one\n") == 4
    assert append_to(str(path), b"two\n") == 8
    assert (path.read_bytes(), mode(path)) == (b"one\ntwo\n", 0o600)


@pytest.mark.parametrize("kind", ["link", "pipe", "directory"])
def test_nothing_is_appended_to_what_is_no_file(tmp_path: Path, kind: str) -> None:
    """A pipe that nobody reads must not hold a hook."""
    (tmp_path / "theirs").write_bytes(b"theirs")
    (tmp_path / "link").symlink_to("theirs")
    (tmp_path / "directory").mkdir()
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(OSError, match=r"symbolic|No such device|directory"):
        append_to(f"{tmp_path}/{kind}", b"ours")
    with pytest.raises(OSError, match=r"symbolic|No such device|directory"):
        touch(f"{tmp_path}/{kind}", 1)

    assert (tmp_path / "theirs").read_bytes() == b"theirs"


def test_a_touched_file_has_the_time_and_what_it_held(tmp_path: Path) -> None:
    """Once a day is told by a time, not by bytes."""
    path = tmp_path / "done"
    path.write_bytes(b"kept")

    touch(str(path), 3_000_000_000)
    touch(str(tmp_path / "new"), 4_000_000_000)

    assert (path.read_bytes(), path.stat().st_mtime_ns) == (b"kept", 3_000_000_000)
    assert (tmp_path / "new").stat().st_mtime_ns == 4_000_000_000


def test_a_way_through_a_link_is_told_by_its_part(tmp_path: Path) -> None:
    """Who swaps a directory for a link meanwhile is not followed."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "root/a").mkdir(parents=True)
    (tmp_path / "root/a/b").symlink_to(tmp_path / "outside")

    with (
        pytest.raises(InTheWay) as blocked,
        directory_below(f"{tmp_path}/root", ["a", "b", "c"], make=0o700),
    ):
        pass

    assert blocked.value.blocker == "a/b"
    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize("part", ["", ".", ".."])
def test_a_way_has_no_part_that_leads_out(tmp_path: Path, part: str) -> None:
    """A path is data; data must not decide where is written."""
    with (
        pytest.raises(OSError, match="not the name of a directory"),
        directory_below(str(tmp_path), [part], make=0o700),
    ):
        pass


def test_a_directory_of_ours_is_no_link(tmp_path: Path) -> None:
    """What is written there would land somewhere else."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "log").symlink_to("elsewhere")

    make_own_directory(f"{tmp_path}/new/env")
    with pytest.raises(OSError, match="symbolic link is in the way"):
        make_own_directory(f"{tmp_path}/log")

    assert mode(tmp_path / "new/env") == mode(tmp_path / "new") == 0o700
