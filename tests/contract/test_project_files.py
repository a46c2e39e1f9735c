"""What every project's files promise: whole, alone, through no link, byte for byte."""

import errno
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol

import pytest

from holdfast.kernel.errors import FileOutOfReach, FileRefused
from holdfast.project_notes.port import ProjectFiles
from holdfast.project_notes.project_directory import ProjectDirectory

NOTE = "memory/note.md"


class Opener(Protocol):
    """How an adapter opens a project."""

    def __call__(
        self,
        root: str,
        *,
        git_directory: str | None = None,
        skill_directories: Sequence[str] = (),
    ) -> ProjectFiles:
        """Open the project at `root`."""
        ...


@pytest.fixture(params=[ProjectDirectory])
def open_files(request: pytest.FixtureRequest) -> Opener:
    opener: Opener = request.param
    return opener


def always(text: str) -> Callable[[str | None], str | None]:
    return lambda _: text


def adding(line: str) -> Callable[[str | None], str | None]:
    return lambda text: f"{text or ''}{line}"


def test_a_new_file_is_made_with_its_directory(
    open_files: Opener, tmp_path: Path
) -> None:
    """The first write of a project has nothing to build on."""
    changed = open_files(str(tmp_path)).change(NOTE, always("hello\n"))

    assert (tmp_path / NOTE).read_text(encoding="utf-8") == "hello\n"
    assert (changed.is_new, changed.is_changed) == (True, True)


def test_every_byte_comes_back_that_nobody_changed(
    open_files: Opener, tmp_path: Path
) -> None:
    """A person's file may hold anything: CRLF, no last newline, bytes of no encoding."""
    note = tmp_path / "note.md"
    strange = b"\xef\xbb\xbfa\r\nb\x00\x0b\xff\xfe\xe2\x80\xa8c"
    note.write_bytes(strange)

    open_files(str(tmp_path)).change("note.md", lambda text: f"{text}!")

    assert note.read_bytes() == strange + b"!"


def test_nothing_is_written_where_nothing_changes(
    open_files: Opener, tmp_path: Path
) -> None:
    """An editor that watches the file must not be woken for nothing."""
    note = tmp_path / "note.md"
    note.write_text("same")
    before = note.stat()

    open_files(str(tmp_path)).change("note.md", always("same"))

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
    open_files: Opener, tmp_path: Path, link: str
) -> None:
    """A cloned repository may hold a link to a file the user cares for."""
    outside = tmp_path / "outside"
    project = tmp_path / "project"
    (outside / "memory").mkdir(parents=True)
    (outside / NOTE).write_text("theirs")
    (project / link).parent.mkdir(parents=True)
    (project / link).symlink_to(outside / link)
    files = open_files(str(project))

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
def test_t06_a_path_cannot_leave_the_project(
    open_files: Opener, tmp_path: Path, path: str
) -> None:
    """A path is data; data must not decide where is written."""
    project = tmp_path / "project"
    (project / "a").mkdir(parents=True)

    with pytest.raises(FileRefused):
        open_files(str(project)).change(path, always("x"))
    assert not (tmp_path / "out.md").exists()


def test_a_pipe_is_refused_at_once(open_files: Opener, tmp_path: Path) -> None:
    """Waiting for its writer would hang the command."""
    os.mkfifo(tmp_path / "note.md")

    with pytest.raises(FileRefused, match="not a regular file"):
        open_files(str(tmp_path)).read("note.md")


def test_a_write_that_fails_leaves_everything_as_it_was(
    open_files: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is found out at the flush; the old file must still be there."""
    (tmp_path / "note.md").write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileRefused, match="No space left"):
        open_files(str(tmp_path)).change("note.md", always("new"))

    assert [path.name for path in tmp_path.iterdir()] == ["note.md"]
    assert (tmp_path / "note.md").read_text() == "old"


def test_an_editor_that_saves_in_between_loses_nothing(
    open_files: Opener, tmp_path: Path
) -> None:
    """Editors know no lock: what they save while we think is read again."""
    note = tmp_path / "note.md"
    note.write_text("one\n")
    saves = iter(["one\ntwo\n"])

    def rewrite(text: str | None) -> str:
        for edited in saves:
            note.write_text(edited)
        return f"{text}ours\n"

    open_files(str(tmp_path)).change("note.md", rewrite)

    assert note.read_text() == "one\ntwo\nours\n"


def test_files_of_a_directory_come_by_name_without_links(
    open_files: Opener, tmp_path: Path
) -> None:
    """Listing must not lead out of the project, either."""
    (tmp_path / "d").mkdir()
    for name in ("b", "a"):
        (tmp_path / "d" / name).write_text("x")
    (tmp_path / "d" / "link").symlink_to("/etc/hosts")
    files = open_files(str(tmp_path))

    assert [seen.name for seen in files.files_in("d")] == ["a", "b"]
    assert files.files_in("none") == ()


def test_excluding_adds_each_path_once_and_nothing_else(
    open_files: Opener, tmp_path: Path
) -> None:
    """The list is the user's own; theirs stays as it is."""
    git = tmp_path / ".git"
    (git / "info").mkdir(parents=True)
    (git / "info" / "exclude").write_text("# theirs\n*.log")
    files = open_files(str(tmp_path), git_directory=str(git))

    first = files.exclude_from_git((NOTE,))
    second = files.exclude_from_git((NOTE,))

    assert (first, second) == ((NOTE,), ())
    assert (git / "info" / "exclude").read_text() == f"# theirs\n*.log\n/{NOTE}\n"
    assert files.is_excluded(NOTE)
    assert not files.is_excluded("memory/other.md")


def test_without_git_there_is_nothing_to_exclude(
    open_files: Opener, tmp_path: Path
) -> None:
    """Asking for it is a mistake worth telling; offering it would be one, too."""
    files = open_files(str(tmp_path))

    with pytest.raises(FileRefused, match="not in a git repository"):
        files.exclude_from_git((NOTE,))
    assert files.is_excluded(NOTE)


def test_skills_are_known_by_name_and_description(
    open_files: Opener, tmp_path: Path
) -> None:
    """A workflow that a skill covers is not proposed."""
    skill = tmp_path / "skills" / "review" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(
        "---\nname: code-review\ndescription: Reviews a change\n  and says so.\n---\nx: y\n"
    )
    (tmp_path / "skills" / "empty").mkdir()
    files = open_files(
        str(tmp_path), skill_directories=(str(tmp_path / "skills"), "/no/such/place")
    )

    assert files.skills() == (("code-review", "Reviews a change and says so."),)


def test_a_pipe_in_a_skills_place_is_passed_over(
    open_files: Opener, tmp_path: Path
) -> None:
    """Opening it would wait for a writer that never comes."""
    skills, shared = tmp_path / "skills", tmp_path / "shared"
    (skills / "pipe").mkdir(parents=True)
    os.mkfifo(skills / "pipe" / "SKILL.md")
    (skills / "nothing").mkdir()
    shared.mkdir()
    (shared / "SKILL.md").write_text("---\nname: shared\ndescription: Linked.\n---\n")
    (skills / "linked").symlink_to(shared)

    found = open_files(str(tmp_path), skill_directories=(str(skills),)).skills()

    assert found == (("shared", "Linked."),)


@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC, errno.EMFILE])
def test_what_the_machine_cannot_open_is_not_taken_for_absent(
    open_files: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    """It may be there, and whoever asks would go on without it."""
    files = open_files(str(tmp_path))
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


def test_a_file_is_known_by_its_path_from_the_root(
    open_files: Opener, tmp_path: Path
) -> None:
    """With `/` between the parts."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c.md").write_text("c")

    assert open_files(str(tmp_path)).read("a/b/c.md") == "c"


def test_a_file_that_is_not_there_has_no_text(
    open_files: Opener, tmp_path: Path
) -> None:
    """Neither has one of a directory that is not there."""
    files = open_files(str(tmp_path))

    assert files.read("note.md") is None
    assert files.read(NOTE) is None


def test_bytes_of_no_encoding_are_lone_surrogates(
    open_files: Opener, tmp_path: Path
) -> None:
    """A text can be searched and cut without knowing its encoding."""
    (tmp_path / "note.md").write_bytes(b"a\xffb")

    assert open_files(str(tmp_path)).read("note.md") == "a\udcffb"


def test_an_unreadable_file_is_refused(open_files: Opener, tmp_path: Path) -> None:
    """It must not pass for an absent one."""
    (tmp_path / "note.md").write_text("theirs")
    (tmp_path / "note.md").chmod(0)
    me = os.geteuid()
    if me == 0:  # root reads everything, so for a moment somebody else asks
        os.seteuid(65534)

    try:
        with pytest.raises(FileRefused, match=r"note\.md"):
            open_files(str(tmp_path)).read("note.md")
    finally:
        os.seteuid(me)


def test_none_leaves_a_file_alone(open_files: Opener, tmp_path: Path) -> None:
    """The change tells that nothing was changed."""
    (tmp_path / "note.md").write_text("old")

    changed = open_files(str(tmp_path)).change("note.md", lambda _: None)

    assert (changed.before, changed.after, changed.is_changed) == ("old", "old", False)
    assert (tmp_path / "note.md").read_text() == "old"


def test_changes_at_once_come_one_after_the_other(
    open_files: Opener, tmp_path: Path
) -> None:
    """None may be lost."""
    files = open_files(str(tmp_path))

    with ThreadPoolExecutor(4) as pool:
        for number in range(20):
            pool.submit(files.change, "note.md", adding(f"{number}\n"))

    lines = (tmp_path / "note.md").read_text().splitlines()
    assert sorted(lines) == sorted(map(str, range(20)))


def test_changes_of_two_processes_come_one_after_the_other(
    open_files: Opener, tmp_path: Path
) -> None:
    """Two sessions of one project end at the same moment."""
    apart = get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=apart) as pool:
        for who in "ab":
            pool.submit(_add_twenty, open_files, str(tmp_path), who)

    lines = (tmp_path / "note.md").read_text().splitlines()
    assert sorted(lines) == sorted(f"{who}{n}" for who in "ab" for n in range(20))


def _add_twenty(opened: Opener, root: str, who: str) -> None:
    for number in range(20):
        opened(root).change("note.md", adding(f"{who}{number}\n"))


def test_what_was_put_in_place_was_read_back(
    open_files: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that keeps something else is found out at once."""
    replace = os.replace

    def corrupting(src: str, dst: str, **where: int) -> None:
        replace(src, dst, **where)
        (tmp_path / "note.md").write_text("something else")

    monkeypatch.setattr(os, "replace", corrupting)
    monkeypatch.setattr(os, "rename", corrupting)

    with pytest.raises(FileRefused, match="does not hold"):
        open_files(str(tmp_path)).change("note.md", always("ours"))


def test_files_and_directories_exist_and_nothing_else(
    open_files: Opener, tmp_path: Path
) -> None:
    """A link is neither."""
    (tmp_path / "memory").mkdir()
    (tmp_path / NOTE).write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / NOTE)
    files = open_files(str(tmp_path))

    asked = ("memory", NOTE, "link", "memory/none.md", "none/none.md")

    assert [files.exists(path) for path in asked] == [True, True, False, False, False]


def test_a_list_of_git_that_cannot_be_written_is_told_of(
    open_files: Opener, tmp_path: Path
) -> None:
    """It may be a link to the list of another repository."""
    git, theirs = tmp_path / ".git", tmp_path / "theirs"
    (git / "info").mkdir(parents=True)
    theirs.write_text("# theirs\n")
    (git / "info" / "exclude").symlink_to(theirs)
    files = open_files(str(tmp_path), git_directory=str(git))

    with pytest.raises(FileRefused, match="link"):
        files.exclude_from_git((NOTE,))

    assert theirs.read_text() == "# theirs\n"
