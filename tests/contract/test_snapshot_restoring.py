"""The only hand that writes into a worktree."""

import errno
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.domain.code import EXECUTABLE, SYMLINK, TreeEntry
from holdfast.domain.restore import (
    BeforeRestore,
    Remove,
    RestorePlace,
    RestorePlan,
    Write,
)
from holdfast.kernel.errors import RestoreRefused, RestoreStopped
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
from tests.nobody import as_nobody
from tests.unit.snapshot.world import World
from tests.unit.snapshot_restore.trees import Desk, a_hand, a_note, planned


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


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


@pytest.mark.parametrize("path", ["../outside/x", "sub/../../outside/x"])
def test_nothing_outside_of_the_root_is_written(desk: Desk, path: str) -> None:
    """A path of a tree is data."""
    steps = (Write(desk.trees.entry(path, b"then")),)

    with pytest.raises(RestoreStopped):
        desk.do(RestorePlan(steps=steps))

    assert list(desk.outside.iterdir()) == []


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


def test_a_directory_lies_in_its_worktree(desk: Desk, world: World) -> None:
    """Where there is no git, it is the place itself."""
    repository = world.repository("r")
    commit = world.commit(repository)
    (repository / "sub").mkdir()

    found = desk.restoring.place(str(repository / "sub"))
    plain = desk.restoring.place(str(desk.root))

    assert found == RestorePlace(root=str(repository), head=commit, branch="main")
    assert plain == RestorePlace(root=os.path.realpath(desk.root))


def test_what_lies_at_each_path_is_told(desk: Desk) -> None:
    """Where nothing does there is no entry, and links are not followed."""
    (desk.root / "file").write_bytes(b"x")
    (desk.root / "link").symlink_to(desk.outside)
    (desk.root / "full").mkdir()
    (desk.root / "full" / "x").write_bytes(b"x")

    found = desk.restoring.look(
        str(desk.root), ["file", "link", "full", "link/x", "missing"]
    )

    assert {path: what.kind for path, what in found.items()} == {
        "file": "file",
        "link": "symlink",
        "full": "directory",
        "link/x": "behind",
    }


def test_files_that_lie_as_their_entries_say_are_still_there(desk: Desk) -> None:
    """Content and kind count; some file systems know no executable bit."""
    for name in ("same", "edited", "mode", "kind"):
        (desk.root / name).write_bytes(b"x")
    entry = desk.trees.entry
    same = (entry("same", b"x"), entry("mode", b"x", EXECUTABLE))
    others = (entry("edited", b"y"), entry("kind", b"x", SYMLINK), entry("gone", b"x"))

    there = desk.restoring.still_there(str(desk.root), (*same, *others))

    assert there == same


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


def test_a_directory_that_may_not_be_written_to_is_known_before() -> None:
    """The whole restore is refused, instead of stopping half-way through it."""
    with as_nobody() as place:
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


def test_permissions_of_files_and_of_the_way_to_them_are_told(desk: Desk) -> None:
    """A directory that is not there has none."""
    (desk.root / "sub").mkdir()
    (desk.root / "sub").chmod(0o750)
    (desk.root / "sub" / "key").write_bytes(b"k")
    (desk.root / "sub" / "key").chmod(0o600)

    before = desk.restoring.before(str(desk.root), ["sub/key", "new/deep/x"])

    assert before == BeforeRestore(
        permissions={"sub/key": 0o600},
        directories={"sub": 0o750, "new": None, "new/deep": None},
    )


def test_steps_are_done_in_order(desk: Desk) -> None:
    """A file gives way before the directory of its name is made."""
    (desk.root / "a").write_bytes(b"file")
    old, new = desk.trees.entry("a", b"file"), desk.trees.entry("a/x", b"then")

    desk.do(RestorePlan(steps=(Remove(old), Write(new))))

    assert (desk.root / "a/x").read_bytes() == b"then"


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


def test_an_empty_directory_that_is_to_be_kept_stays(desk: Desk) -> None:
    """It was there before the restore that is undone."""
    (desk.root / "kept").mkdir()
    (desk.root / "kept" / "x").write_bytes(b"x")
    steps = (Remove(desk.trees.entry("kept/x", b"x")),)

    desk.restoring.carry_out(
        str(desk.root), steps, desk.trees.contents, "token", frozenset({"kept"})
    )

    assert list((desk.root / "kept").iterdir()) == []


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


def test_directories_that_a_restore_took_along_are_told(desk: Desk) -> None:
    """Those that were never there are not."""
    (desk.root / "stays").mkdir()
    before = BeforeRestore(directories={"went": 0o755, "stays": 0o755, "new": None})
    note = a_note(RestorePlan(), before=before)

    assert desk.restoring.gone_directories(str(desk.root), note) == ("went",)


def test_made_directories_go_if_empty_and_those_to_remake_are_made(desk: Desk) -> None:
    """What somebody put into one of them stays."""
    for name in ("made", "filled"):
        (desk.root / name).mkdir()
    (desk.root / "filled" / "mine").write_bytes(b"x")
    before = BeforeRestore(directories={"made": None, "filled": None, "went": 0o750})
    note = a_note(RestorePlan(), before=before, remake=("went",))

    desk.restoring.settle(str(desk.root), note)

    assert sorted(p.name for p in desk.root.iterdir()) == ["filled", "went"]
    assert stat.S_IMODE((desk.root / "went").stat().st_mode) == 0o750


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


def test_a_new_directory_that_cannot_be_written_is_said(
    desk: Desk, tmp_path: Path
) -> None:
    """A file lies where its parent should be."""
    (tmp_path / "file").write_bytes(b"x")

    with pytest.raises(RestoreStopped):
        desk.restoring.fill(str(tmp_path / "file" / "into"), (), desk.trees.contents)


def test_the_latest_restore_is_the_last_note(desk: Desk) -> None:
    """Keeping notes again takes the place of those before."""
    one, two, three = (a_note(RestorePlan(), at=at, is_done=True) for at in (1, 2, 3))
    desk.restoring.keep_notes(str(desk.root), (one, two))

    desk.restoring.keep_notes(str(desk.root), (two, three))

    assert desk.restoring.notes(str(desk.root)) == (two, three)


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


def test_notes_that_cannot_be_written_stop_a_restore(tmp_path: Path) -> None:
    """Without its note it could not be undone."""
    (tmp_path / "notes").write_bytes(b"a file where a directory should be")
    restoring = a_hand(tmp_path / "notes")

    with pytest.raises(RestoreStopped):
        restoring.keep_notes(str(tmp_path), (a_note(RestorePlan()),))


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
