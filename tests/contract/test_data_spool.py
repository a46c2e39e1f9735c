"""The spool: where a save waits when the store cannot take it."""

import errno
import os
import stat
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from holdfast.data_directory import spool as spool_module
from holdfast.data_directory.spool import DirectorySpool
from holdfast.domain.checkpoint import Draft
from holdfast.domain.forgetting import Order
from holdfast.kernel.errors import IdCollision, StoreBusy
from holdfast.kernel.files import replace_file
from holdfast.kernel.locks import Lock
from tests.builders import a_draft
from tests.memory_store.store import MemoryStore
from tests.strategies import drafts


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "home" / "spool"


@pytest.fixture
def spool(place: Path) -> DirectorySpool:
    return DirectorySpool(str(place))


def entries(place: Path) -> list[Path]:
    return sorted(place.glob("*.json"))


def drained(spool: DirectorySpool) -> list[Draft]:
    went: list[Draft] = []
    assert spool.drain(went.append) == len(went)
    return went


def test_what_was_added_is_put_in_the_order_it_came(spool: DirectorySpool) -> None:
    """And then forgotten."""
    added = [a_draft(f"Number {number}", key=f"key {number}") for number in range(12)]
    for draft in added:
        spool.add(draft, "the store is busy")
    assert spool.waiting() == 12

    went = drained(spool)

    assert [d.key for d in went] == [d.key for d in added]
    assert [d.content for d in went] == [d.content for d in added]
    assert spool.waiting() == 0
    assert drained(spool) == []


# Each example empties the spool, so sharing the fixture shares nothing.
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(drafts)
def test_any_draft_survives_the_spool(spool: DirectorySpool, draft: Draft) -> None:
    """What waits is what was said."""
    spool.add(draft, "")

    assert drained(spool) == [draft]


def test_text_that_is_no_text_can_wait(spool: DirectorySpool) -> None:
    """It is the store's door that cleans; the spool loses nothing."""
    spool.add(a_draft("half \ud800 pair", key="\udfff"), "busy \ud800")

    (draft,) = drained(spool)

    assert draft.content.title == "half \ud800 pair"
    assert MemoryStore().put(draft).checkpoint.draft.content.title == "half � pair"


def test_adding_a_key_again_changes_nothing(spool: DirectorySpool, place: Path) -> None:
    """A retry is the same save."""
    spool.add(a_draft("First", key="same"), "busy")
    before = [path.read_bytes() for path in entries(place)]

    spool.add(a_draft("Second", key="same"), "busy")

    assert [path.read_bytes() for path in entries(place)] == before
    assert spool.waiting() == 1


def test_draining_stops_where_the_store_refuses(spool: DirectorySpool) -> None:
    """The rest waits in its order for the next time."""
    for number in range(4):
        spool.add(a_draft(key=str(number)), "busy")
    went: list[str] = []

    def put(draft: Draft) -> None:
        if len(went) == 2:
            raise StoreBusy("busy again")
        went.append(draft.key)

    assert spool.drain(put) == 2
    assert spool.waiting() == 2
    assert [draft.key for draft in drained(spool)] == ["2", "3"]


def test_what_is_refused_for_what_it_is_holds_nobody_up(
    spool: DirectorySpool, place: Path
) -> None:
    """It would be refused each time; it is set aside, and those behind it go in."""
    for number in range(3):
        spool.add(a_draft(key=str(number)), "busy")
    went: list[str] = []

    def put(draft: Draft) -> None:
        if draft.key == "1":
            raise IdCollision("taken")
        went.append(draft.key)

    assert spool.drain(put) == 2
    assert went == ["0", "2"]
    assert spool.waiting() == 0
    assert len(list(place.glob("*.bad"))) == 1


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda data: data[:-20], id="cut short"),
        pytest.param(lambda data: data.replace(b"Parser", b"parser"), id="changed"),
        pytest.param(lambda _: b"[]", id="something else"),
        pytest.param(lambda _: b"[" * 100_000, id="too deep"),
        pytest.param(lambda _: b"\xff\xfe", id="no text"),
        pytest.param(lambda _: b'{"checksum": 1, "entry": 2}', id="wrong types"),
    ],
)
def test_what_cannot_be_read_is_set_aside_and_kept(
    spool: DirectorySpool, place: Path, damage: Callable[[bytes], bytes]
) -> None:
    """It is never deleted, and it does not stop the others."""
    for number in range(3):
        spool.add(a_draft(key=str(number)), "busy")
    middle = entries(place)[1]
    middle.write_bytes(damage(middle.read_bytes()))
    broken = middle.read_bytes()

    went = drained(spool)

    assert [draft.key for draft in went] == ["0", "2"]
    assert spool.waiting() == 0
    assert [path.read_bytes() for path in place.glob("*.bad")] == [broken]


def test_files_are_private(spool: DirectorySpool, place: Path) -> None:
    """What waits is as private as what is kept."""
    before = os.umask(0)
    try:
        spool.add(a_draft(), "busy")
        spool.prepare()
    finally:
        os.umask(before)

    modes = {stat.S_IMODE(path.stat().st_mode) for path in place.iterdir()}
    assert modes == {0o600}
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700


def test_a_link_in_the_place_of_the_directory_is_not_followed(
    spool: DirectorySpool, place: Path, tmp_path: Path
) -> None:
    """Nothing is written where somebody else wants it."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    place.parent.mkdir()
    place.symlink_to(elsewhere)

    with pytest.raises(OSError, match=r"symbolic|Not a directory"):
        spool.add(a_draft(), "busy")

    assert list(elsewhere.iterdir()) == []
    assert spool.waiting() == 0


def test_a_link_among_the_entries_is_not_followed(
    spool: DirectorySpool, place: Path, tmp_path: Path
) -> None:
    """An entry is a file, or it is set aside."""
    victim = tmp_path / "victim.json"
    victim.write_text("{}")
    spool.add(a_draft(), "busy")
    (place / "000000000009-x.json").symlink_to(victim)

    assert len(drained(spool)) == 1
    assert victim.read_text() == "{}"


def test_looking_makes_nothing(spool: DirectorySpool, place: Path) -> None:
    """Every command asks whether something waits."""
    assert spool.waiting() == 0
    assert drained(spool) == []
    assert not place.parent.exists()


def test_only_one_process_drains(spool: DirectorySpool, place: Path) -> None:
    """Who comes second leaves it to the first instead of waiting."""
    spool.add(a_draft(), "busy")
    directory = os.open(place, os.O_RDONLY | os.O_DIRECTORY)

    with Lock("draining.lock", directory, patience=0).held():
        assert spool.drain(lambda _: None) == 0

    os.close(directory)
    assert spool.waiting() == 1


def test_a_half_file_of_a_crash_is_cleared_away(
    spool: DirectorySpool, place: Path
) -> None:
    """It was never acknowledged, and it does not count as waiting."""
    place.mkdir(parents=True)
    (place / ".000000000001-x.json.tmp").write_bytes(b"hal")
    assert spool.waiting() == 0

    spool.add(a_draft(), "busy")

    assert not list(place.glob(".*"))


def test_a_full_disk_spends_the_reserve(
    spool: DirectorySpool, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Room for the last saves was set aside while there was some."""
    spool.prepare()
    assert (place / "reserve").stat().st_size == spool_module.RESERVE_BYTES
    write = replace_file

    def on_a_full_disk(name: str, data: bytes, within: int) -> None:
        if (place / "reserve").exists():
            raise OSError(errno.ENOSPC, "No space left on device")
        write(name, data, within)

    monkeypatch.setattr(spool_module, "replace_file", on_a_full_disk)
    spool.add(a_draft(), "disk full")

    assert spool.waiting() == 1
    assert len(drained(spool)) == 1
    assert (place / "reserve").exists()


def test_a_spool_that_cannot_be_written_says_so(
    unprivileged: Callable[[], AbstractContextManager[Path]],
) -> None:
    """Then the caller tells about the store, which was the first trouble."""
    with unprivileged() as home:
        home.chmod(0o500)
        spool = DirectorySpool(str(home / "spool"))

        with pytest.raises(PermissionError):
            spool.add(a_draft(), "busy")
        spool.prepare()

        assert spool.waiting() == 0
        home.chmod(0o700)


@pytest.mark.parametrize("error", [errno.EIO, errno.EMFILE, errno.ENOSPC])
def test_an_entry_the_machine_cannot_open_now_goes_on_waiting(
    spool: DirectorySpool, place: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    """Set aside it would wait no more, though it was acknowledged and is whole."""
    added = [a_draft(f"Number {number}", key=f"key {number}") for number in range(2)]
    for draft in added:
        spool.add(draft, "the store is busy")
    real = os.open

    def fail(path: str, *rest: int, **more: int) -> int:
        if path == entries(place)[0].name:
            raise OSError(error, os.strerror(error), path)
        return real(path, *rest, **more)

    with monkeypatch.context() as broken:
        broken.setattr(os, "open", fail)
        with pytest.raises(OSError, match=os.strerror(error)):
            drained(spool)

    assert (spool.waiting(), spool.set_aside()) == (2, 0)
    assert [d.key for d in drained(spool)] == ["key 0", "key 1"]


@pytest.mark.parametrize(
    ("error", "times", "given_up"),
    [
        pytest.param(errno.EIO, 1000, 1, id="the disk fails for good"),
        pytest.param(errno.EIO, 1, 0, id="the disk fails for a moment"),
        pytest.param(errno.EMFILE, 1000, 0, id="too many open files"),
        pytest.param(errno.ENOMEM, 1000, 0, id="no memory"),
    ],
)
def test_only_what_the_disk_never_gives_back_is_given_up(
    spool: DirectorySpool,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: int,
    times: int,
    given_up: int,
) -> None:
    """It is kept under another name; what waits behind it can go in."""
    for number in range(3):
        spool.add(a_draft(key=str(number)), "busy")
    bad, text = entries(place)[1].name, entries(place)[1].read_bytes()
    real, failures = os.open, iter(range(times))

    def fail(path: str, *rest: int, **more: int) -> int:
        if path == bad and next(failures, None) is not None:
            raise OSError(error, os.strerror(error), path)
        return real(path, *rest, **more)

    with monkeypatch.context() as broken:
        broken.setattr(os, "open", fail)
        assert spool.give_up_unreadable() == given_up

    assert [path.read_bytes() for path in place.glob("*.bad")] == [text] * given_up
    expected = ["0", "2"] if given_up else ["0", "1", "2"]
    assert [draft.key for draft in drained(spool)] == expected


def test_where_nothing_ever_waited_nothing_is_given_up(
    spool: DirectorySpool, place: Path
) -> None:
    """A repair makes no directory to look into."""
    assert spool.give_up_unreadable() == 0
    assert not place.exists()


@pytest.mark.parametrize("is_in_the_way", ["a directory", "a link", "a failing disk"])
def test_one_entry_that_cannot_be_read_keeps_no_other_from_being_forgotten(
    spool: DirectorySpool,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_in_the_way: str,
) -> None:
    """It is told by its path; what was asked for is gone on both sides of it."""
    for number in range(3):
        spool.add(a_draft(key=f"go {number}"), "busy")
    first, bad, last = (path.with_name(f"{path.name}.bad") for path in entries(place))
    for path in (first, bad, last):
        path.with_suffix("").rename(path)
        path.write_text(path.read_text() + "torn", encoding="ascii")
    if is_in_the_way == "a directory":
        bad.unlink()
        bad.mkdir()
    elif is_in_the_way == "a link":
        bad.unlink()
        bad.symlink_to(place.parent / "elsewhere")
    else:
        real = os.open

        def fail(path: str, *rest: int, **more: int) -> int:
            if path == bad.name:
                raise OSError(errno.EIO, os.strerror(errno.EIO), path)
            return real(path, *rest, **more)

        monkeypatch.setattr(os, "open", fail)

    kept = spool.forget(Order(at=1, keys=("go 0", "go 1", "go 2")))

    assert [str(bad) in told for told in kept] == [True]
    assert sorted(place.glob("*.bad")) == [bad]


def test_a_trial_says_whether_a_draft_could_wait_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    """The user is told that nothing is lost only where that is true."""
    (tmp_path / "file").write_text("where a directory should be")

    assert DirectorySpool(str(tmp_path / "spool")).try_writing()
    assert list((tmp_path / "spool").iterdir()) == []
    assert not DirectorySpool(str(tmp_path / "file" / "spool")).try_writing()
