"""Where files of others lie: nothing leads out, nothing hangs, nothing is too much."""

import os
from pathlib import Path

import pytest

from holdfast.kernel.errors import FileRefused
from holdfast.neighbours import place as places
from holdfast.neighbours.place import SourceFile, SourcePlace
from holdfast.neighbours.reading import KINDS, read
from holdfast.neighbours.record import Unread
from holdfast.surfaces.cli.import_ import KINDS as OFFERED
from tests.neighbours import GOLDFISH
from tests.nobody import as_nobody
from tests.unit.neighbours.conftest import Make, only, read_at, whys


def test_every_kind_that_is_offered_has_a_reader() -> None:
    assert ("holdfast", *KINDS) == OFFERED


def test_a_link_leads_nowhere(make: Make, tmp_path: Path) -> None:
    """A directory that came from somebody else must not read the user's other files."""
    root = make(**{".memories/d/a.md": GOLDFISH})
    secret = tmp_path / "secret.md"
    secret.write_text(GOLDFISH.replace("1ebe10bb", "secret"))
    (root / ".memories/d/b.md").symlink_to(secret)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "c.md").write_text(GOLDFISH.replace("1ebe10bb", "outside"))
    (root / ".memories/e").symlink_to(outside)

    reading = read_at(root)

    assert only(reading).record == "checkpoint_1ebe10bb"
    assert whys(reading) == ["symbolic links are not followed"]


@pytest.mark.parametrize("name", [".memories", ".codesearch"])
def test_a_directory_that_is_a_link_leads_nowhere(
    make: Make, tmp_path: Path, name: str
) -> None:
    """A repository can hold one that leads to another project of the user's."""
    make(**{f"other/{name}/d/a.md": GOLDFISH})
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    (hostile / name).symlink_to(tmp_path / "there" / "other" / name)

    reading = read_at(hostile)

    assert (reading.records, whys(reading)) == (
        (),
        ["symbolic links are not followed"],
    )


def test_the_path_that_was_named_may_be_a_link(make: Make, tmp_path: Path) -> None:
    """Whoever keeps their data elsewhere has linked it."""
    root = make(**{".memories/d/a.md": GOLDFISH})
    (tmp_path / "link").symlink_to(root)

    assert len(read_at(tmp_path / "link").records) == 1


def test_a_pipe_holds_nothing_up(make: Make) -> None:
    root = make(**{".memories/d/a.md": GOLDFISH})
    os.mkfifo(root / ".memories/d/b.md")

    reading = read_at(root)

    assert len(reading.records) == 1
    assert whys(reading) == ["not a regular file"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff\xfe\x00", "not a text in UTF-8"),
        (b"\x80\x81", "not a text in UTF-8"),
        (b"---\x00---", "not a text in UTF-8"),
        (b"#" * 2_000_001, "larger than 2 MB"),
    ],
    ids=["half of UTF-16", "Latin", "NUL", "large"],
)
def test_what_is_no_text_is_told(make: Make, data: bytes, why: str) -> None:
    reading = read_at(make(**{".memories/d/a.md": data}))

    assert (reading.records, whys(reading)) == ((), [why])


def test_sixteen_bits_that_say_so_are_a_text(make: Make) -> None:
    """Some programs on Windows write them."""
    root = make(**{".memories/d/a.md": GOLDFISH.encode("utf-16")})

    assert len(read_at(root).records) == 1


def test_a_closed_directory_is_told() -> None:
    with as_nobody() as root:
        closed = root / ".memories" / "d"
        closed.mkdir(parents=True)
        (closed / "a.md").write_text(GOLDFISH)
        closed.chmod(0)

        reading = read_at(root)

    assert whys(reading) == ["permission denied"]


def test_too_many_files_are_a_sentence(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "_MOST_FILES", 2)
    root = make(**{f".memories/d/{n}.md": GOLDFISH for n in range(3)})

    with pytest.raises(FileRefused, match="more than 2 files"):
        read_at(root)


def test_too_many_bytes_are_a_sentence(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "_MOST_BYTES", 2 * len(GOLDFISH))
    root = make(**{f".memories/d/{n}.md": GOLDFISH for n in range(3)})

    with pytest.raises(FileRefused, match="bytes"):
        read_at(root)


def test_directories_that_never_end_do(make: Make) -> None:
    root = make(**{f".memories/{'d/' * 100}a.md": GOLDFISH})

    assert read_at(root).records == ()


@pytest.mark.parametrize("path", ["gone", "a\0b", "x" * 5_000])
def test_what_is_not_there_is_a_sentence(tmp_path: Path, path: str) -> None:
    with pytest.raises(FileRefused, match="cannot be read"):
        read(SourcePlace(f"{tmp_path}/{path}"), None)
    with pytest.raises(FileRefused, match="cannot be read"):
        read(SourcePlace(f"{tmp_path}/{path}"), "goldfish")


def test_what_nobody_knows_is_told_with_all_kinds(make: Make) -> None:
    with pytest.raises(FileRefused, match="cannot tell which program") as refused:
        read_at(make(**{"a.txt": "hello"}))

    assert all(kind in refused.value.hint for kind in OFFERED)


def test_names_are_as_they_lie_there(make: Make) -> None:
    root = make(**{"d/b.md": "b", "a.md": "a", "c.txt": "c"})

    found = list(SourcePlace(str(root)).files((".md",), depth=2))

    assert [f.name for f in found if isinstance(f, SourceFile)] == ["a.md", "d/b.md"]
    assert not [f for f in found if isinstance(f, Unread)]
