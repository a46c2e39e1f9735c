"""Changing files that are not ours: whole, alone, and nowhere else."""

import errno
import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.kernel import shared_files
from holdfast.kernel.errors import FileOutOfReach, FileRefused
from holdfast.project_notes.project_directory import ProjectDirectory

NOTE = "memory/note.md"
AGAIN = "again\n"


def always(text: str) -> Callable[[str | None], str | None]:
    return lambda _: text


def test_a_new_file_is_made_with_its_directory(tmp_path: Path) -> None:
    """The first write of a project has nothing to build on."""
    changed = ProjectDirectory(str(tmp_path)).change(NOTE, always("hello\n"))

    assert (tmp_path / NOTE).read_text(encoding="utf-8") == "hello\n"
    assert (changed.is_new, changed.is_changed) == (True, True)


def test_no_directory_is_made_for_a_file_that_will_not_be(tmp_path: Path) -> None:
    """Tidying a project that keeps no memory must not leave an empty directory."""
    changed = ProjectDirectory(str(tmp_path)).change(NOTE, lambda _: None)

    assert not changed.is_changed
    assert list(tmp_path.iterdir()) == []


def test_every_byte_comes_back_that_nobody_changed(tmp_path: Path) -> None:
    """A person's file may hold anything: CRLF, no last newline, bytes of no encoding."""
    note = tmp_path / "note.md"
    strange = b"\xef\xbb\xbfa\r\nb\x00\x0b\xff\xfe\xe2\x80\xa8c"
    note.write_bytes(strange)

    ProjectDirectory(str(tmp_path)).change("note.md", lambda text: f"{text}!")

    assert note.read_bytes() == strange + b"!"


def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    """Replacing a file must not open it to others, or close it."""
    note = tmp_path / "note.md"
    note.write_text("x")
    note.chmod(0o640)

    ProjectDirectory(str(tmp_path)).change("note.md", always(AGAIN))

    assert note.stat().st_mode & 0o777 == 0o640


def test_nothing_is_written_where_nothing_changes(tmp_path: Path) -> None:
    """An editor that watches the file must not be woken for nothing."""
    note = tmp_path / "note.md"
    note.write_text("same")
    before = note.stat()

    ProjectDirectory(str(tmp_path)).change("note.md", always("same"))

    assert (note.stat().st_ino, note.stat().st_mtime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
    )


@pytest.mark.parametrize(
    "link",
    [
        pytest.param("memory", id="the directory is a link"),
        pytest.param(NOTE, id="the file is a link"),
    ],
)
def test_t07_nothing_is_read_or_written_through_a_link(
    tmp_path: Path, link: str
) -> None:
    """A cloned repository may hold a link to a file the user cares for."""
    outside = tmp_path / "outside"
    project = tmp_path / "project"
    (outside / "memory").mkdir(parents=True)
    (outside / NOTE).write_text("theirs")
    (project / link).parent.mkdir(parents=True)
    (project / link).symlink_to(outside / link)
    files = ProjectDirectory(str(project))

    with pytest.raises(FileRefused, match=r"link"):
        files.change(NOTE, always("ours"))
    with pytest.raises(FileRefused, match=r"link"):
        files.read(NOTE)
    assert (outside / NOTE).read_text() == "theirs"
    assert not files.exists(NOTE)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("../out.md", id="above"),
        pytest.param("a/../../out.md", id="up and away"),
        pytest.param("/out.md", id="absolute"),
    ],
)
def test_t06_a_path_cannot_leave_the_project(tmp_path: Path, path: str) -> None:
    """A path is data; data must not decide where is written."""
    project = tmp_path / "project"
    (project / "a").mkdir(parents=True)

    with pytest.raises(FileRefused):
        ProjectDirectory(str(project)).change(path, always("x"))
    assert not (tmp_path / "out.md").exists()


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    """Waiting for its writer would hang the command."""
    os.mkfifo(tmp_path / "note.md")

    with pytest.raises(FileRefused, match="not a regular file"):
        ProjectDirectory(str(tmp_path)).read("note.md")


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


def test_a_write_that_fails_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is found out at the flush; the old file must still be there."""
    (tmp_path / "note.md").write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileRefused, match="No space left"):
        ProjectDirectory(str(tmp_path)).change("note.md", always("new"))

    assert [path.name for path in tmp_path.iterdir()] == ["note.md"]
    assert (tmp_path / "note.md").read_text() == "old"


def test_an_editor_that_saves_in_between_loses_nothing(tmp_path: Path) -> None:
    """Editors know no lock: what they save while we think is read again."""
    note = tmp_path / "note.md"
    note.write_text("one\n")
    saves = iter(["one\ntwo\n"])

    def rewrite(text: str | None) -> str:
        for edited in saves:
            note.write_text(edited)
        return f"{text}ours\n"

    ProjectDirectory(str(tmp_path)).change("note.md", rewrite)

    assert note.read_text() == "one\ntwo\nours\n"


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


def test_files_of_a_directory_come_by_name_without_links(tmp_path: Path) -> None:
    """Listing must not lead out of the project, either."""
    (tmp_path / "d").mkdir()
    for name in ("b", "a"):
        (tmp_path / "d" / name).write_text("x")
    (tmp_path / "d" / "link").symlink_to("/etc/hosts")
    files = ProjectDirectory(str(tmp_path))

    assert [seen.name for seen in files.files_in("d")] == ["a", "b"]
    assert files.files_in("none") == ()


def test_excluding_adds_each_path_once_and_nothing_else(tmp_path: Path) -> None:
    """The list is the user's own; theirs stays as it is."""
    git = tmp_path / ".git"
    (git / "info").mkdir(parents=True)
    (git / "info" / "exclude").write_text("# theirs\n*.log")
    files = ProjectDirectory(str(tmp_path), git_directory=str(git))

    first = files.exclude_from_git((NOTE,))
    second = files.exclude_from_git((NOTE,))

    assert (first, second) == ((NOTE,), ())
    assert (git / "info" / "exclude").read_text() == f"# theirs\n*.log\n/{NOTE}\n"
    assert files.is_excluded(NOTE)
    assert not files.is_excluded("memory/other.md")


def test_without_git_there_is_nothing_to_exclude(tmp_path: Path) -> None:
    """Asking for it is a mistake worth telling; offering it would be one, too."""
    files = ProjectDirectory(str(tmp_path))

    with pytest.raises(FileRefused, match="no git repository"):
        files.exclude_from_git((NOTE,))
    assert files.is_excluded(NOTE)


def test_skills_are_known_by_name_and_description(tmp_path: Path) -> None:
    """A workflow that a skill covers is not proposed."""
    skill = tmp_path / "skills" / "review" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(
        "---\nname: code-review\ndescription: Reviews a change\n  and says so.\n---\nx: y\n"
    )
    (tmp_path / "skills" / "empty").mkdir()
    files = ProjectDirectory(
        str(tmp_path), skill_directories=(str(tmp_path / "skills"), "/no/such/place")
    )

    assert files.skills() == (("code-review", "Reviews a change and says so."),)


def test_a_pipe_in_a_skills_place_is_passed_over(tmp_path: Path) -> None:
    """Opening it would wait for a writer that never comes."""
    skills, shared = tmp_path / "skills", tmp_path / "shared"
    (skills / "pipe").mkdir(parents=True)
    os.mkfifo(skills / "pipe" / "SKILL.md")
    (skills / "nothing").mkdir()
    shared.mkdir()
    (shared / "SKILL.md").write_text("---\nname: shared\ndescription: Linked.\n---\n")
    (skills / "linked").symlink_to(shared)

    found = ProjectDirectory(str(tmp_path), skill_directories=(str(skills),)).skills()

    assert found == (("shared", "Linked."),)


@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC, errno.EMFILE])
def test_what_the_machine_cannot_open_is_not_taken_for_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    """It may be there, and whoever asks would go on without it."""
    files = ProjectDirectory(str(tmp_path))
    files.change(NOTE, always("hello\n"))

    def fail(path: str, *_: object, **__: object) -> int:
        raise OSError(error, os.strerror(error), path)

    with monkeypatch.context() as broken:
        broken.setattr(os, "open", fail)
        for ask in (
            lambda: files.exists(NOTE),
            lambda: files.files_in("memory"),
            lambda: files.read(NOTE),
            lambda: files.change(NOTE, always("lost\n")),
        ):
            with pytest.raises(FileOutOfReach):
                ask()

    assert files.read(NOTE) == "hello\n"
    assert not files.exists("memory/other.md")
    assert files.files_in("elsewhere") == ()
