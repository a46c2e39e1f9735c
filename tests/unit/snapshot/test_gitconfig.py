"""Our reading of git's configuration syntax is git's own."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from holdfast.snapshot.git import gitconfig
from tests.unit.snapshot.world import World

_ODD = r"""
# comment
; another
[core]
	bare = false ; trailing comment
	empty =
	implicit
	FileMode=TRUE
[remote "origin"] url = https://example.com/a/b.git # same line
	fetch = +refs/heads/*:refs/remotes/origin/*
	fetch = +refs/tags/*:refs/tags/*
[remote "with \"quotes\" and \\ slash"]
	url = "a;b#c" ; last
[Branch "Case.Kept"]
	Remote = one two   three
	description = "tabs\tand\nlines" and "more"
	long = first \
second \
third
[old.Style]
	key = value
[a]b=1
[x-y]
	k-1 = "  spaces kept  "
"""


def test_every_odd_form_is_read_as_git_reads_it(world: World, tmp_path: Path) -> None:
    """Quotes, escapes, comments, continuations, implicit truth, several values."""
    file = tmp_path / "config"
    file.write_text(_ODD)
    told = world.git(tmp_path, "config", "--file", str(file), "-z", "--list")
    expected: dict[str, tuple[str, ...]] = {}
    for entry in told.rstrip("\0").split("\0"):
        name, given_value, value = entry.partition("\n")
        text = value if given_value else "true"
        expected[name] = (*expected.get(name, ()), text)

    assert dict(gitconfig.parse(_ODD)) == expected


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    """The file belongs to someone else; what cannot be understood is left out."""
    for name, values in gitconfig.parse(text).items():
        assert name
        assert values


@given(st.text(st.characters(exclude_characters="\r\0\v\f", exclude_categories=["Cs"])))
def test_a_quoted_value_is_read_back(value: str) -> None:
    """What we write into our own configuration means what the user's meant."""
    text = f"[core]\n\texcludesFile = {gitconfig.quoted(value)}\n[core]\n\tx = 1\n"

    values = gitconfig.parse(text)

    assert gitconfig.last(values, "core.excludesfile") == value
    assert gitconfig.is_true(values, "core.x")


def test_a_quoted_value_is_read_back_by_git(world: World, tmp_path: Path) -> None:
    """git is the one that will read it."""
    odd = 'a "b" \\ c;#\td\ne'
    file = tmp_path / "config"
    file.write_text(f"[core]\n\tx = {gitconfig.quoted(odd)}\n")

    told = world.git(tmp_path, "config", "--file", str(file), "core.x")

    assert told == odd


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("[a]\nx = 1\n!!!\n[b]\ny = 2\n", {"a.x": ("1",)}, id="bad line"),
        pytest.param("\ufeff[a]\r\nx = 1\r\n", {"a.x": ("1",)}, id="BOM and CRLF"),
        pytest.param('[a "b]\nx = 1\n', {}, id="unclosed section"),
        pytest.param("", {}, id="nothing"),
    ],
)
def test_what_comes_before_damage_is_kept(
    text: str, expected: dict[str, tuple[str, ...]]
) -> None:
    """git refuses such a file; we take what is certain."""
    assert gitconfig.parse(text) == expected
