"""What a restore decides, without a disk: steps, what stays, what is refused."""

from collections.abc import Mapping

import pytest

from holdfast.domain.code import EXECUTABLE, REGULAR, LeftOut, TreeEntry, is_safe_path
from holdfast.domain.restore import (
    NEWER,
    FoundOnDisk,
    Remove,
    Respell,
    RestorePlan,
    Write,
)
from holdfast.snapshot.restore_plan import (
    NOT_HELD,
    PresentCode,
    WantedCode,
    plan,
    to_look_at,
    undoing,
    with_permissions,
)


def _entries(**contents: str) -> tuple[TreeEntry, ...]:
    """Return entries by path, `__` for `/`; the content stands for its id."""
    return tuple(_entry(name.replace("__", "/"), id_) for name, id_ in contents.items())


def _entry(path: str, object_id: str, mode: int = REGULAR) -> TreeEntry:
    return TreeEntry(path, mode, object_id, 1)


def _plan(
    wanted: WantedCode,
    present: PresentCode,
    found: Mapping[str, FoundOnDisk] | None = None,
) -> RestorePlan:
    return plan(wanted, present, found or {})


def test_only_files_that_differ_are_written() -> None:
    """A file that is as it was keeps its time, so nothing is built anew for it."""
    wanted = WantedCode(entries=_entries(same="1", changed="2", gone="3"))
    present = PresentCode.of(_entries(same="1", changed="9"))

    made = _plan(wanted, present)

    assert made.written == ("changed", "gone")
    assert made.steps == (
        Write(_entry("changed", "2"), _entry("changed", "9")),
        Write(_entry("gone", "3")),
    )


def test_newer_files_stay_unless_exactly_that_code_is_wanted() -> None:
    """What did not exist then is kept, and said; `--exact` removes it."""
    present = PresentCode.of(_entries(old="1", new="2"))

    kept = _plan(WantedCode(entries=_entries(old="1")), present)
    exact = _plan(WantedCode(entries=_entries(old="1"), exact=True), present)

    assert (kept.steps, kept.kept) == ((), (LeftOut("new", NEWER),))
    assert exact.steps == (Remove(_entry("new", "2")),)


def test_what_the_present_snapshot_leaves_out_is_never_touched() -> None:
    """A secret or a large file could not be brought back, so it is not replaced."""
    wanted = WantedCode(entries=_entries(hidden="1", vendor__lib="2"), exact=True)
    left = (
        LeftOut("hidden", "a secret"),
        LeftOut("vendor/", "a repository of its own"),
    )

    made = _plan(wanted, PresentCode.of((), left_out=left))

    assert made.steps == ()
    assert made.kept == (
        LeftOut("hidden", "a secret"),
        LeftOut("vendor/lib", "a repository of its own"),
    )


def test_what_the_wanted_snapshot_left_out_is_not_removed() -> None:
    """It was there then: too large to be kept, yet not newer."""
    left = (LeftOut("big.bin", "larger than 5 MB"),)
    wanted = WantedCode(entries=(), left_out=left, exact=True)

    made = _plan(wanted, PresentCode.of((_entry("big.bin", "1"), _entry("x", "2"))))

    assert made.removed == ("x",)


def test_an_ignored_file_where_one_is_wanted_stays() -> None:
    """It lies on disk and in no snapshot: replacing it would lose it."""
    made = _plan(
        WantedCode(entries=_entries(out="1"), exact=True),
        PresentCode.of(()),
        {"out": FoundOnDisk(kind="file")},
    )

    assert (made.steps, made.kept) == ((), (LeftOut("out", NOT_HELD),))


def test_paths_limit_what_is_written_and_what_is_removed() -> None:
    """A directory means all that is below it, and nothing that only begins like it."""
    wanted = WantedCode(
        entries=_entries(a__x="1", ab="1", c="1"), paths=("a",), exact=True
    )

    made = _plan(wanted, PresentCode.of(_entries(a__y="2", d="2")))

    assert (made.written, made.removed) == (("a/x",), ("a/y",))


def test_a_directory_of_saved_files_gives_way_to_a_file() -> None:
    """Its files are in the present snapshot, so `undo` has them all."""
    present = PresentCode.of(_entries(a__x="1", a__b__y="2"))
    found = {"a": FoundOnDisk(kind="directory", inside=("a/b/y", "a/x"))}

    made = _plan(WantedCode(entries=_entries(a="3")), present, found)

    assert [step.path for step in made.steps] == ["a/x", "a/b/y", "a"]
    assert made.removed == ("a/x", "a/b/y")


def test_a_directory_with_a_file_no_snapshot_holds_is_refused() -> None:
    """The reason names the file that would be lost."""
    present = PresentCode.of(_entries(a__x="1"))
    found = {"a": FoundOnDisk(kind="directory", inside=("a/cache", "a/x"))}

    made = _plan(WantedCode(entries=_entries(a="3")), present, found)

    assert made.steps == ()
    assert [left.path for left in made.refused] == ["a"]
    assert made.refused[0].reason.endswith(": a/cache")


def test_a_saved_file_gives_way_to_a_directory() -> None:
    """It is removed before what is to lie below it is written."""
    present = PresentCode.of(_entries(a="1"))
    found = {"a/x": FoundOnDisk(kind="behind", blocker="a")}

    made = _plan(WantedCode(entries=_entries(a__x="2")), present, found)

    assert made.steps == (Remove(_entry("a", "1")), Write(_entry("a/x", "2")))


def test_a_file_no_snapshot_holds_is_no_way_to_a_directory() -> None:
    """An ignored link named like a directory of then must not be removed or followed."""
    found = {"a/x": FoundOnDisk(kind="behind", blocker="a")}

    made = _plan(WantedCode(entries=_entries(a__x="2")), PresentCode.of(()), found)

    assert made.steps == ()
    assert made.refused[0].reason.endswith(": a")


def test_another_spelling_of_one_file_is_a_new_name_for_it() -> None:
    """Where `Read.me` and `read.me` are one file, removing the old would remove both."""
    present = PresentCode.of((_entry("Read.me", "1"),))
    wanted = WantedCode(entries=(_entry("read.me", "2"),), exact=True)
    one_file = FoundOnDisk(kind="file", identity=(1, 7))

    asked = to_look_at(wanted, present)
    made = _plan(wanted, present, dict.fromkeys(asked, one_file))

    assert asked == ("Read.me", "read.me")
    assert made.steps == (
        Respell(_entry("Read.me", "1"), "read.me"),
        Write(_entry("read.me", "2"), _entry("read.me", "1")),
    )
    assert made.touched == ("Read.me", "read.me")


def test_two_spellings_that_are_two_files_stay_two() -> None:
    """On most Linux file systems they are."""
    present = PresentCode.of((_entry("A", "1"),))
    wanted = WantedCode(entries=(_entry("a", "2"),), exact=True)

    made = _plan(wanted, present, {"A": FoundOnDisk(kind="file", identity=(1, 7))})

    assert made.steps == (Write(_entry("a", "2")), Remove(_entry("A", "1")))


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("", id="nothing"),
        pytest.param("/etc/passwd", id="absolute"),
        pytest.param("../x", id="upwards"),
        pytest.param("a/../../x", id="upwards inside"),
        pytest.param("a//b", id="an empty part"),
        pytest.param("./a", id="here"),
        pytest.param(".git/hooks/pre-commit", id="a git directory"),
        pytest.param("sub/.git/config", id="a nested git directory"),
        pytest.param(".GIT/config", id="another case"),
        pytest.param(".g\u200cit/config", id="an invisible sign"),
        pytest.param("git~1/config", id="a short name"),
        pytest.param(".git. /config", id="trailing dot and space"),
        pytest.param("a\0b", id="a NUL"),
    ],
)
def test_t28_a_path_that_leads_out_or_into_git_is_refused(path: str) -> None:
    """A tree may come from elsewhere; its names are not trusted."""
    made = _plan(
        WantedCode(entries=(_entry(path, "1"), _entry("good", "1"))), PresentCode.of(())
    )

    assert not is_safe_path(path)
    assert [left.path for left in made.refused] == [path]


@pytest.mark.parametrize("path", [".gitignore", "a/.github/x", "git", ".gitmodules"])
def test_names_that_only_look_like_git_are_files_like_any(path: str) -> None:
    """A guard that is too eager would lose files."""
    assert is_safe_path(path)


def test_undoing_wants_what_was_touched_and_nothing_else() -> None:
    """What a user did elsewhere after the restore stays."""
    before = _entries(a="1", b="1")
    wanted = undoing(["a", "made"], before)

    made = _plan(wanted, PresentCode.of(_entries(a="2", b="9", made="3", mine="4")))

    assert (made.written, made.removed, made.kept) == (("a",), ("made",), ())


def test_undoing_a_restore_that_touched_nothing_touches_nothing() -> None:
    """No paths are not all paths: a list that is empty must not empty a repository."""
    made = _plan(undoing([], ()), PresentCode.of(_entries(a="1", b="2")))

    assert made == RestorePlan()


def test_known_permissions_go_to_the_files_that_are_written() -> None:
    """Git knows one bit of nine; a note of the restore knows them all."""
    made = _plan(WantedCode(entries=_entries(a="1", b="1")), PresentCode.of(()))

    exact = with_permissions(made, {"a": 0o600})

    assert exact.steps == (
        Write(_entry("a", "1"), permissions=0o600),
        Write(_entry("b", "1")),
    )


def test_a_change_of_mode_alone_is_a_difference() -> None:
    """A script that lost its bit does not run."""
    wanted = WantedCode(entries=(_entry("run", "1", EXECUTABLE),))

    made = _plan(wanted, PresentCode.of((_entry("run", "1"),)))

    assert made.written == ("run",)
