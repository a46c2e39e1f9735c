"""A file where nothing is yet: whole or not at all, and over nobody's."""

import errno
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from holdfast.kernel.files import half_of
from holdfast.kernel.new_files import create_whole, half_beside, put_where_nothing_is


def test_a_file_is_put_only_where_nothing_is(tmp_path: Path) -> None:
    """Whole, or not at all; what is there stays, and no half does."""
    path = tmp_path / "notes"
    half = half_beside(str(path))
    Path(half).write_text("new")

    put_where_nothing_is(half, str(path))
    Path(half_beside(str(path))).write_text("newer")
    with pytest.raises(FileExistsError):
        put_where_nothing_is(half, str(path))

    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("notes", "new")]


def test_what_the_dead_left_half_written_is_cleared_away(tmp_path: Path) -> None:
    """A directory of the user's is no place for it; what others write now stays."""
    path = str(tmp_path / "shared.zip")
    gone, alive = Path(half_of(path, ".4194303")), Path(half_of(path, ".1"))
    gone.write_bytes(b"ha")
    alive.write_bytes(b"ha")

    create_whole(path, b"whole")

    assert Path(path).read_bytes() == b"whole"
    assert not gone.exists()
    assert alive.exists()


def test_a_stick_on_which_a_file_has_one_name_gets_it_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "shared.zip"

    def refuses(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuses)
    create_whole(str(path), b"whole")

    assert [p.name for p in tmp_path.iterdir()] == ["shared.zip"]
    assert path.read_bytes() == b"whole"
    with pytest.raises(FileExistsError):
        create_whole(str(path), b"another")
    assert path.read_bytes() == b"whole"


def test_a_letter_box_takes_it(
    unprivileged: Callable[[], AbstractContextManager[Path]],
) -> None:
    """Who may put something in may not see what is there."""
    with unprivileged() as root:
        box = root / "box"
        box.mkdir()
        box.chmod(0o300)
        create_whole(str(box / "shared.zip"), b"whole")
        with pytest.raises(FileExistsError):
            create_whole(str(box / "shared.zip"), b"another")
        box.chmod(0o700)

        assert [p.name for p in box.iterdir()] == ["shared.zip"]
        assert (box / "shared.zip").read_bytes() == b"whole"


def test_a_disk_that_refuses_is_told_and_nothing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "link", refuses)
    with pytest.raises(OSError, match="Input/output"):
        create_whole(str(tmp_path / "shared.zip"), b"whole")

    assert list(tmp_path.iterdir()) == []
