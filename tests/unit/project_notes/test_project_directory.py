"""How files that are not ours are changed on a disk: modes, half files, locks."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.kernel import shared_files
from holdfast.kernel.errors import FileRefused
from holdfast.project_notes.project_directory import ProjectDirectory

NOTE = "memory/note.md"
AGAIN = "again\n"


def always(text: str) -> Callable[[str | None], str | None]:
    return lambda _: text


def test_no_directory_is_made_for_a_file_that_will_not_be(tmp_path: Path) -> None:
    """Tidying a project that keeps no memory must not leave an empty directory."""
    changed = ProjectDirectory(str(tmp_path)).change(NOTE, lambda _: None)

    assert not changed.is_changed
    assert list(tmp_path.iterdir()) == []


def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    """Replacing a file must not open it to others, or close it."""
    note = tmp_path / "note.md"
    note.write_text("x")
    note.chmod(0o640)

    ProjectDirectory(str(tmp_path)).change("note.md", always(AGAIN))

    assert note.stat().st_mode & 0o777 == 0o640


def test_a_file_of_absurd_size_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading it would take the machine's memory."""
    monkeypatch.setattr(shared_files, "MOST_BYTES", 3)
    (tmp_path / "note.md").write_text("four")

    with pytest.raises(FileRefused, match="larger than"):
        ProjectDirectory(str(tmp_path)).read("note.md")


def test_what_a_crash_left_behind_is_in_nobodys_way(tmp_path: Path) -> None:
    """A half file from a killed process must not block the next write."""
    (tmp_path / ".note.md.holdfast-tmp").write_text("half")

    ProjectDirectory(str(tmp_path)).change("note.md", always("whole"))

    assert [path.name for path in tmp_path.iterdir()] == ["note.md"]
    assert (tmp_path / "note.md").read_text() == "whole"


def test_somebody_who_never_lets_go_is_told_of(tmp_path: Path) -> None:
    """A command must end, and say why it did nothing."""
    (tmp_path / "note.md").write_text("old")
    held = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)

    try:
        with pytest.raises(FileRefused, match="held for"):
            ProjectDirectory(str(tmp_path), patience=0.05).change(
                "note.md", always("new")
            )
    finally:
        os.close(held)

    assert (tmp_path / "note.md").read_text() == "old"
    ProjectDirectory(str(tmp_path)).change("note.md", always("new"))
    assert (tmp_path / "note.md").read_text() == "new"
