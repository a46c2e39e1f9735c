"""The hand that writes: atomically, through no link, over nothing that changed."""

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.domain.code import EXECUTABLE, SYMLINK, TreeEntry
from holdfast.domain.restore import Respell, RestoreNote, RestorePlan, Write
from holdfast.kernel.errors import RestoreInterrupted, RestoreRefused, RestoreStopped
from holdfast.snapshot.git.program import Git
from holdfast.snapshot.restore.file_writer import half_name
from holdfast.snapshot.restore.restoring import FileRestoring
from holdfast.snapshot.restore_plan import (
    PresentCode,
    WantedCode,
    undoing,
    with_permissions,
)
from tests.e2e.repository import state_of
from tests.unit.snapshot_restore.trees import Trees, a_hand, a_note, planned


class Desk:
    """A worktree, trees of it, and the hand under test."""

    def __init__(self, directory: Path) -> None:
        self.root = directory / "work"
        self.root.mkdir()
        self.outside = directory / "outside"
        self.outside.mkdir()
        self.trees = Trees()
        self.restoring: FileRestoring = a_hand(directory / "notes")

    def restore(self, *entries: TreeEntry, exact: bool = False) -> RestorePlan:
        """Restore entries over what is there now; return what was planned."""
        present = PresentCode.of(self.trees.taken(self.root))
        wanted = WantedCode(entries=entries, exact=exact)
        made = planned(wanted, present, self.root, self.restoring)
        self.do(made)
        return made

    def do(self, made: RestorePlan, undoes: RestoreNote | None = None) -> None:
        keep = undoes.before.there if undoes else frozenset()
        contents = self.trees.contents
        self.restoring.carry_out(str(self.root), made.steps, contents, "token", keep)


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


def test_a_disk_that_fails_leaves_no_half_file(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a file system that has no hard links is a reason to go another way."""

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "link", refused)

    with pytest.raises(RestoreStopped):
        desk.restore(desk.trees.entry("new", b"then"))

    assert list(desk.root.iterdir()) == []


def test_rules_of_another_time_are_asked_of_git(desk: Desk) -> None:
    """Nested rules, exceptions and directories, for paths that need not exist."""
    rules = {".gitignore": b"build/\n*.o\n!keep.o\n", "sub/.gitignore": b"/local\n"}
    paths = ["build/x", "a.o", "keep.o", "sub/local", "local", "caf\u00e9.o", "a.c"]

    found = desk.restoring.ignored(rules, paths)

    assert list(found) == ["build/x", "a.o", "sub/local", "caf\u00e9.o"]
    assert desk.restoring.ignored({}, paths) == ()


def test_without_git_everything_may_be_ignored(tmp_path: Path) -> None:
    """What cannot be told is left alone."""
    restoring = FileRestoring(
        str(tmp_path / "notes"), Git(environ={"PATH": "/nowhere"})
    )

    assert restoring.ignored({".gitignore": b"*.o\n"}, ["a.c"]) == ("a.c",)


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


def test_a_directory_that_may_not_be_written_to_is_known_before() -> None:
    """The whole restore is refused, instead of stopping half-way through it."""
    with _as_nobody() as place:
        restoring = a_hand(place / "notes")
        for name in ("open", "closed"):
            (place / name).mkdir()
        (place / "closed").chmod(0o555)

        found = restoring.closed(
            str(place), ["open/x", "open/new/x", "closed/x", "top"]
        )
        deep = restoring.closed(str(place), ["closed/new/deep/x"])
        (place / "closed").chmod(0o755)

    assert [left.path for left in found] == ["closed/x"]
    assert [left.path for left in deep] == ["closed/new/deep/x"]


def test_a_restore_that_cannot_go_on_says_where_it_stopped(desk: Desk) -> None:
    """What was done stays done, whole, and the way back is named."""
    entries = (desk.trees.entry("a", b"then"), desk.trees.entry("z" * 300, b"then"))
    made = planned(
        WantedCode(entries=entries[:1]), PresentCode.of(()), desk.root, desk.restoring
    )
    steps = (*made.steps, Write(entries[1]))

    with pytest.raises(RestoreStopped, match="after 1 of 2 files") as stopped:
        desk.do(RestorePlan(steps=steps))

    assert "holdfast undo" in stopped.value.hint
    assert (desk.root / "a").read_bytes() == b"then"


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


def test_a_directory_that_becomes_a_link_meanwhile_is_not_followed(desk: Desk) -> None:
    """The plan was made for a directory; a swap between plan and write stops it."""
    (desk.root / "sub").mkdir()
    present = PresentCode.of(desk.trees.taken(desk.root))
    wanted = WantedCode(entries=(desk.trees.entry("sub/x", b"then"),))
    made = planned(wanted, present, desk.root, desk.restoring)
    (desk.root / "sub").rmdir()
    (desk.root / "sub").symlink_to(desk.outside)

    with pytest.raises(RestoreStopped, match="not a directory"):
        desk.do(made)

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


@pytest.mark.parametrize("change", ["edited", "removed", "made a link", "appeared"])
def test_a_file_that_changed_after_it_was_saved_is_not_replaced(
    desk: Desk, change: str
) -> None:
    """The save does not hold it, so nothing could bring it back."""
    file = desk.root / "file"
    if change != "appeared":
        file.write_bytes(b"saved")
    present = PresentCode.of(desk.trees.taken(desk.root))
    wanted = WantedCode(entries=(desk.trees.entry("file", b"then"),))
    made = planned(wanted, present, desk.root, desk.restoring)
    file.unlink(missing_ok=True)
    if change == "made a link":
        file.symlink_to(desk.outside)
    elif change != "removed":
        file.write_bytes(b"edited since")

    with pytest.raises(RestoreStopped, match="while the restore ran") as stopped:
        desk.do(made)

    assert "undo" in stopped.value.hint
    assert not file.exists() or file.is_dir() or file.read_bytes() == b"edited since"
    assert [p.name for p in desk.root.iterdir() if p.name.startswith(".hold")] == []


def test_a_file_that_changed_after_it_was_saved_is_not_removed(desk: Desk) -> None:
    """`--exact` removes what was saved, not what came after."""
    file = desk.root / "newer"
    file.write_bytes(b"saved")
    present = PresentCode.of(desk.trees.taken(desk.root))
    made = planned(
        WantedCode(entries=(), exact=True), present, desk.root, desk.restoring
    )
    file.write_bytes(b"edited since")

    with pytest.raises(RestoreStopped):
        desk.do(made)

    assert file.read_bytes() == b"edited since"


def test_empty_directories_are_removed_and_full_ones_are_not(desk: Desk) -> None:
    """A removed file takes its directory along only if nothing else is in there."""
    for path in ("only/here/x", "shared/x"):
        (desk.root / path).parent.mkdir(parents=True)
        (desk.root / path).write_bytes(b"x")
    (desk.root / "shared/build.ignored").write_bytes(b"slow to make")

    desk.restore(exact=True)

    assert not (desk.root / "only").exists()
    assert (desk.root / "shared/build.ignored").read_bytes() == b"slow to make"


def test_an_empty_directory_gives_way_to_a_file(desk: Desk) -> None:
    """No snapshot knows of it, and nothing is lost with it."""
    (desk.root / "a/b/c").mkdir(parents=True)

    desk.restore(desk.trees.entry("a", b"file"))

    assert (desk.root / "a").read_bytes() == b"file"


def test_undoing_brings_back_permissions_and_empty_directories(desk: Desk) -> None:
    """Git knows neither; the note of the restore does."""
    (desk.root / "gone").mkdir(mode=0o750)
    (desk.root / "gone/key").write_bytes(b"k")
    (desk.root / "gone/key").chmod(0o600)
    (desk.root / "empty").mkdir()
    before, entries = state_of(desk.root), desk.trees.taken(desk.root)
    wanted = WantedCode(
        entries=(
            desk.trees.entry("empty/x", b"x"),
            desk.trees.entry("new/y", b"y"),
        ),
        exact=True,
    )
    made = planned(wanted, PresentCode.of(entries), desk.root, desk.restoring)
    note = a_note(made, before=desk.restoring.before(str(desk.root), made.touched))
    desk.do(made)
    changed = state_of(desk.root)

    (desk.root / "empty").chmod(0o700)  # by the user, after the restore
    gone = desk.restoring.gone_directories(str(desk.root), note)
    back = undoing(note.paths, entries)
    now = PresentCode.of(desk.trees.taken(desk.root))
    undone = planned(back, now, desk.root, desk.restoring)
    desk.do(with_permissions(undone, note.before.permissions), note)
    desk.restoring.settle(str(desk.root), replace(note, remake=gone))
    kept_mode = stat.S_IMODE((desk.root / "empty").stat().st_mode)
    (desk.root / "empty").chmod(stat.S_IMODE(before["empty"][0]))

    assert "gone/key" not in changed
    assert state_of(desk.root) == before
    assert kept_mode == 0o700


def test_what_a_killed_restore_was_writing_is_removed(desk: Desk) -> None:
    """The next command finds its half file by the note, and only that."""
    made = planned(
        WantedCode(entries=(desk.trees.entry("sub/x", b"x"),)),
        PresentCode.of(()),
        desk.root,
        desk.restoring,
    )
    note = a_note(made)
    desk.restoring.keep_notes(str(desk.root), (note,))
    half = desk.root / "sub" / half_name(note.token)
    half.parent.mkdir()
    half.write_bytes(b"hal")
    (half.parent / ".holdfast-mine").write_bytes(b"not of that restore")

    notes = desk.restoring.notes(str(desk.root))

    assert notes == (note,)
    assert [p.name for p in half.parent.iterdir()] == [".holdfast-mine"]


def test_notes_survive_and_odd_names_do_too(desk: Desk) -> None:
    """Bytes that are not UTF-8 are part of a path like any other."""
    odd = os.fsdecode(b"caf\xe9/\xff")
    entry = desk.trees.entry(odd, b"x")
    made = desk.restore(entry)
    note = a_note(made, before=desk.restoring.before(str(desk.root), made.touched))

    desk.restoring.keep_notes(str(desk.root), (note,))

    assert desk.restoring.notes(str(desk.root)) == (note,)
    assert Path(os.fsdecode(os.fsencode(desk.root) + b"/caf\xe9/\xff")).exists()


def test_notes_that_cannot_be_read_are_as_if_there_were_none(
    desk: Desk, tmp_path: Path
) -> None:
    """A damaged note must not stop restores; the checkpoints are all there."""
    desk.restoring.keep_notes(str(desk.root), (a_note(RestorePlan()),))
    (kept,) = (tmp_path / "notes").glob("*.json")
    kept.write_text('{"format": 1, "restores": [{}]}')

    assert desk.restoring.notes(str(desk.root)) == ()


def test_two_restores_of_one_worktree_do_not_run_at_once(desk: Desk) -> None:
    """The second is told so at once; another worktree is free."""
    root = str(desk.root)

    with (
        desk.restoring.alone(root),
        desk.restoring.alone(str(desk.outside)),
        pytest.raises(RestoreRefused, match="another restore"),
        desk.restoring.alone(root),
    ):
        pass
    with desk.restoring.alone(root):
        pass


def test_a_new_directory_appears_whole(desk: Desk, tmp_path: Path) -> None:
    """`--into`: everything of the tree, and nothing beside it."""
    entries = (
        desk.trees.entry("a/x", b"x"),
        desk.trees.entry("link", b"a/x", SYMLINK),
    )
    into = tmp_path / "deep" / "copy"

    desk.restoring.fill(str(into), entries, desk.trees.contents)

    assert (into / "link").read_bytes() == b"x"
    assert [p.name for p in into.parent.iterdir()] == ["copy"]


@pytest.mark.parametrize(
    "arrange",
    [
        pytest.param(lambda p: (p.mkdir(), (p / "x").touch()), id="full"),
        pytest.param(lambda p: p.touch(), id="a file"),
        pytest.param(lambda p: p.symlink_to(p.parent), id="a link"),
    ],
)
def test_a_place_that_is_taken_is_not_filled(
    desk: Desk, tmp_path: Path, arrange: object
) -> None:
    """`--into` is for a new directory; it never mixes files with others."""
    into = tmp_path / "there"
    arrange(into)  # type: ignore[operator]  # each case is a function of one path

    with pytest.raises(RestoreRefused):
        desk.restoring.fill(
            str(into), (desk.trees.entry("a", b"a"),), desk.trees.contents
        )


def test_a_git_directory_is_not_filled(desk: Desk) -> None:
    """Not even where git would not notice at first."""
    into = desk.root / ".git" / "worktrees" / "x"

    with pytest.raises(RestoreRefused, match="git directory"):
        desk.restoring.fill(str(into), (), desk.trees.contents)


def test_a_new_directory_that_fails_leaves_nothing(desk: Desk, tmp_path: Path) -> None:
    """The contents ran out half-way: no half directory stays behind."""
    lost = TreeEntry("b", 0o100644, "f" * 40, 1)
    into = tmp_path / "copy"

    with pytest.raises(KeyError):
        desk.restoring.fill(
            str(into), (desk.trees.entry("a", b"a"), lost), desk.trees.contents
        )

    assert {p.name for p in tmp_path.iterdir()} == {"work", "outside"}


@contextmanager
def _as_nobody() -> Iterator[Path]:
    """Lend a directory as a user who may not write everywhere, as root may."""
    with tempfile.TemporaryDirectory() as scratch:
        is_root = os.geteuid() == 0
        place = Path(scratch).resolve()
        if is_root:
            os.chown(place, 65534, 65534)
            os.seteuid(65534)
        try:
            yield place
        finally:
            if is_root:
                os.seteuid(0)


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now
