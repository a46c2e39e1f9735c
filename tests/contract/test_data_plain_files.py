"""The small files of the data directory, cleaned as text."""

from pathlib import Path

import pytest

from holdfast.data_directory.plain_files import HomeFiles
from holdfast.data_directory.port import PlainFiles


@pytest.fixture
def files(tmp_path: Path) -> PlainFiles:
    return HomeFiles(str(tmp_path))


def made(home: Path, name: str, text: str) -> Path:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def redact(text: str) -> str:
    return text.replace("zebra", "[gone]")


def test_what_has_to_go_is_replaced_and_told(tmp_path: Path, files: PlainFiles) -> None:
    """Only what changed is told: the rest was clean."""
    dirty = made(tmp_path, "log/hook.log", "a zebra\n")
    made(tmp_path, "log/audit.log", "a horse\n")

    assert files.clean(redact) == (str(dirty),)
    assert dirty.read_text() == "a [gone]\n"
    assert files.clean(redact) == ()


@pytest.mark.parametrize(
    "name", ["holdfast.db", "spool/000000000001-ab.json", "git/snapshots/config"]
)
def test_what_is_no_plain_file_stays_as_it_is(
    tmp_path: Path, files: PlainFiles, name: str
) -> None:
    """The store, the spool's entries and the snapshots are cleaned by their owners."""
    path = made(tmp_path, name, "a zebra")

    assert files.clean(redact) == ()
    assert path.read_text() == "a zebra"


def test_a_link_is_not_followed(tmp_path: Path, files: PlainFiles) -> None:
    """What it leads to is not ours."""
    theirs = made(tmp_path, "theirs", "a zebra")
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "hook.log").symlink_to(theirs)

    assert files.clean(redact) == ()
    assert theirs.read_text() == "a zebra"


def test_the_quarantine_is_beyond_reach(tmp_path: Path, files: PlainFiles) -> None:
    """What is kept as it is has to be told, so that a person can remove it."""
    kept = made(tmp_path, "quarantine/checkpoint-1.row.json", "a zebra")

    assert files.beyond_reach() == (str(kept),)
    assert kept.read_text() == "a zebra"
