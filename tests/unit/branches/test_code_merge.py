"""Would files merge? As git says it, or more careful."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from holdfast.branches.code_merge import (
    FileFate,
    both_changed,
    fates_of,
    line_clash,
)
from holdfast.domain.code import EXECUTABLE, REGULAR, TreeEntry

_BASE = b"".join(b"line %d\n" % number for number in range(12))


def _with(number: int, text: bytes) -> bytes:
    return _BASE.replace(b"line %d\n" % number, text)


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        pytest.param(_with(2, b"two\n"), _with(9, b"nine\n"), None, id="far apart"),
        pytest.param(_with(2, b"two\n"), _with(2, b"zwei\n"), "lines", id="one line"),
        pytest.param(_with(2, b"two\n"), _with(2, b"two\n"), None, id="alike"),
        pytest.param(_with(2, b"two\n"), _with(3, b"drei\n"), "lines", id="touching"),
        pytest.param(_with(2, b""), _with(2, b"two\n"), "lines", id="taken out"),
        pytest.param(_BASE + b"a\n", _BASE + b"b\n", "lines", id="both at the end"),
        pytest.param(_with(2, b"\0"), _with(9, b"x"), "binary", id="no text"),
        pytest.param(_BASE, _with(2, b"\0"), None, id="changed on one side only"),
    ],
)
def test_lines_that_touch_clash(one: bytes, other: bytes, clash: str | None) -> None:
    """The same from both sides."""
    assert line_clash(_BASE, one, other) == clash
    assert line_clash(_BASE, other, one) == clash


_EDITS = st.lists(
    st.tuples(st.integers(0, 11), st.sampled_from([b"", b"new\n", b"more\nlines\n"])),
    max_size=3,
)


@pytest.mark.process
@given(one=_EDITS, other=_EDITS)
def test_what_git_cannot_merge_is_never_called_clean(
    one: list[tuple[int, bytes]],
    other: list[tuple[int, bytes]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """A dry run may be more careful than git, and never less."""
    mine, theirs = _BASE, _BASE
    for number, text in one:
        mine = mine.replace(b"line %d\n" % number, text)
    for number, text in other:
        theirs = theirs.replace(b"line %d\n" % number, text)

    if line_clash(_BASE, mine, theirs) is None:
        assert _git_conflicts(tmp_path_factory.mktemp("merge"), mine, theirs) == 0


def _git_conflicts(place: Path, mine: bytes, theirs: bytes) -> int:
    for name, content in (("base", _BASE), ("mine", mine), ("theirs", theirs)):
        (place / name).write_bytes(content)
    words = ["git", "merge-file", "-p", "mine", "base", "theirs"]
    return subprocess.run(words, cwd=place, capture_output=True, check=False).returncode


def _entry(path: str, content: str, mode: int = REGULAR) -> TreeEntry:
    return TreeEntry(path, mode, content * 40, 0)


@pytest.mark.parametrize(
    ("mine", "theirs", "clash"),
    [
        pytest.param(_entry("f", "b"), None, "deleted", id="changed and deleted"),
        pytest.param(
            _entry("f", "b"), _entry("f", "b", EXECUTABLE), "mode", id="permissions"
        ),
        pytest.param(_entry("f", "b"), _entry("f", "c"), None, id="lines to compare"),
    ],
)
def test_a_file_that_both_changed_is_judged(
    mine: TreeEntry, theirs: TreeEntry | None, clash: str | None
) -> None:
    """By what became of it on each side."""
    before = _entry("f", "a")

    (found,) = both_changed(
        {"f": FileFate(before, mine)}, {"f": FileFate(before, theirs)}
    )

    assert (found.path, found.clash) == ("f", clash)


def test_made_on_both_sides_differently_is_a_clash() -> None:
    """Alike, it is none."""
    mine = {"f": FileFate(None, _entry("f", "a"))}

    (found,) = both_changed(mine, {"f": FileFate(None, _entry("f", "b"))})

    assert found.clash == "created"
    assert [*both_changed(mine, mine)] == []


def test_a_renamed_file_is_still_the_same_file() -> None:
    """Edited there and renamed here, its lines are compared."""
    here = fates_of([_entry("old", "a")], [_entry("new", "b")], {"old": "new"})
    there = fates_of([_entry("old", "a")], [_entry("old", "c")], {})

    (found,) = both_changed(here, there)

    assert (found.path, found.clash) == ("old", None)
    assert [version[0] for version in found.versions] == ["a", "b", "c"]
