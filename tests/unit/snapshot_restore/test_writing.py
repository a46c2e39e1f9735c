"""The hand that writes: atomically, through no link, over nothing that changed."""

import errno
import os
import stat
from pathlib import Path

import pytest

from holdfast.domain.code import EXECUTABLE, SYMLINK
from holdfast.domain.restore import Respell, RestorePlan
from holdfast.kernel.errors import RestoreInterrupted, RestoreStopped
from holdfast.snapshot.restore_plan import (
    PresentCode,
    WantedCode,
)
from tests.unit.snapshot_restore.trees import Desk, a_note, planned


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_file_a_link_and_a_program_come_back_as_they_were(desk: Desk) -> None:
    """Content, kind and the executable bit, in directories that did not exist."""
    script = desk.trees.entry("bin/run", b"#!/bin/sh\n", EXECUTABLE)
    link = desk.trees.entry("deep/er/link", b"../../bin/run", SYMLINK)
    data = desk.trees.entry("data.bin", bytes(range(256)))

    desk.restore(script, link, data)

    assert (desk.root / "bin/run").stat().st_mode & 0o777 == 0o777 & ~_umask()
    assert (desk.root / "deep/er/link").readlink() == Path("../../bin/run")
    assert (desk.root / "data.bin").read_bytes() == bytes(range(256))
    assert (desk.root / "data.bin").stat().st_mode & 0o777 == 0o666 & ~_umask()


def test_a_link_that_points_elsewhere_now_points_back(desk: Desk) -> None:
    """Replaced in one step, so there is a link at any time."""
    (desk.root / "link").symlink_to("now")

    desk.restore(desk.trees.entry("link", b"then", SYMLINK))

    assert (desk.root / "link").readlink() == Path("then")


def test_another_spelling_is_a_rename_in_place(desk: Desk) -> None:
    """What a file system that folds case needs; the content is not rewritten."""
    (desk.root / "Read.me").write_bytes(b"text")
    entry = desk.trees.entry("Read.me", b"text")

    desk.do(RestorePlan(steps=(Respell(entry, "read.me"),)))

    assert [p.name for p in desk.root.iterdir()] == ["read.me"]


def test_a_file_system_without_hard_links_will_do(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some network and removable disks know none."""

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, "no hard links here")

    monkeypatch.setattr(os, "link", refused)

    desk.restore(desk.trees.entry("new", b"then"))

    assert (desk.root / "new").read_bytes() == b"then"
    assert [p.name for p in desk.root.iterdir()] == ["new"]


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(errno.EPERM, id="no hard links"),
        pytest.param(errno.EIO, id="a broken disk"),
    ],
)
def test_what_appears_meanwhile_stays_without_hard_links_too(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """A rename would replace it without a word."""

    def refused(*_: object, **__: object) -> None:
        (desk.root / "new").write_bytes(b"somebody's")
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "link", refused)

    with pytest.raises(RestoreStopped, match="appeared"):
        desk.restore(desk.trees.entry("new", b"then"))

    assert (desk.root / "new").read_bytes() == b"somebody's"
    assert [p.name for p in desk.root.iterdir()] == ["new"]


def test_a_pipe_where_a_file_is_wanted_is_neither_read_nor_replaced(desk: Desk) -> None:
    """Opening one would wait for ever."""
    os.mkfifo(desk.root / "pipe")
    wanted = WantedCode(entries=(desk.trees.entry("pipe", b"then"),))

    made = planned(wanted, PresentCode.of(()), desk.root, desk.restoring)

    assert (made.steps, [left.path for left in made.kept]) == ((), ["pipe"])


def test_a_private_file_stays_private(desk: Desk) -> None:
    """Git knows one bit of nine; replacing content must not open a file to others."""
    file = desk.root / "notes"
    file.write_bytes(b"now")
    file.chmod(0o600)

    desk.restore(desk.trees.entry("notes", b"then"))

    assert file.read_bytes() == b"then"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("now", "wanted", "then"),
    [
        pytest.param(0o640, EXECUTABLE, 0o750, id="gains the bit where it is readable"),
        pytest.param(0o755, 0o100644, 0o644, id="loses the bit"),
    ],
)
def test_a_change_of_mode_alone_leaves_the_content_in_place(
    desk: Desk, now: int, wanted: int, then: int
) -> None:
    """The same file, the same inode, another bit."""
    file = desk.root / "run"
    file.write_bytes(b"x")
    file.chmod(now)
    inode = file.stat().st_ino

    desk.restore(desk.trees.entry("run", b"x", wanted))

    assert stat.S_IMODE(file.stat().st_mode) == then
    assert file.stat().st_ino == inode


def test_a_file_that_cannot_be_written_to_is_replaced(desk: Desk) -> None:
    """Read-only files are common in generated code; the new one is as read-only."""
    file = desk.root / "generated.py"
    file.write_bytes(b"now")
    file.chmod(0o444)

    desk.restore(desk.trees.entry("generated.py", b"then"))

    assert file.read_bytes() == b"then"
    assert stat.S_IMODE(file.stat().st_mode) == 0o444


def test_an_interrupt_says_where_and_how_to_go_back(desk: Desk) -> None:
    """Ctrl-C is an end like any other: status 130, files whole, the way back named."""
    made = planned(
        WantedCode(entries=(desk.trees.entry("a", b"then"),)),
        PresentCode.of(()),
        desk.root,
        desk.restoring,
    )

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", interrupted)
        with pytest.raises(RestoreInterrupted, match="after 0 of 1 files") as stopped:
            desk.do(made)

    assert (stopped.value.exit_status, stopped.value.code) == (130, "REST_004")
    assert "holdfast undo" in stopped.value.hint
    assert not (desk.root / "a").exists()


def test_t28_a_link_to_a_directory_is_never_walked_through(desk: Desk) -> None:
    """Somebody's directory outside of the tree must not receive our files."""
    (desk.root / "sub").symlink_to(desk.outside)
    wanted = desk.trees.entry("sub/x", b"then")

    made = desk.restore(wanted)

    assert made.removed == ("sub",)
    assert (desk.root / "sub/x").read_bytes() == b"then"
    assert not (desk.root / "sub").is_symlink()
    assert list(desk.outside.iterdir()) == []


def test_t28_a_link_in_place_of_a_file_is_replaced_not_followed(desk: Desk) -> None:
    """Writing through it would change a file far away."""
    target = desk.outside / "precious"
    target.write_bytes(b"precious")
    (desk.root / "file").symlink_to(target)

    desk.restore(desk.trees.entry("file", b"then"))

    assert target.read_bytes() == b"precious"
    assert (desk.root / "file").read_bytes() == b"then"
    assert not (desk.root / "file").is_symlink()


def test_an_empty_directory_gives_way_to_a_file(desk: Desk) -> None:
    """No snapshot knows of it, and nothing is lost with it."""
    (desk.root / "a/b/c").mkdir(parents=True)

    desk.restore(desk.trees.entry("a", b"file"))

    assert (desk.root / "a").read_bytes() == b"file"


def test_notes_that_cannot_be_read_are_as_if_there_were_none(
    desk: Desk, tmp_path: Path
) -> None:
    """A damaged note must not stop restores; the checkpoints are all there."""
    desk.restoring.keep_notes(str(desk.root), (a_note(RestorePlan()),))
    (kept,) = (tmp_path / "notes").glob("*.json")
    kept.write_text('{"format": 1, "restores": [{}]}')

    assert desk.restoring.notes(str(desk.root)) == ()


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now
