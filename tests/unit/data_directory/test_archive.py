"""Archived transcripts: each piece once, and none that is not what it was."""

from pathlib import Path

import pytest

from holdfast.data_directory.archive import TranscriptArchive
from holdfast.kernel.errors import ArchiveDamaged
from tests.builders import OTHER_SESSION, SESSION

_LINES = [f"line {n} ".encode() * 5_000 + b"\n" for n in range(20)]


def _keep(home: Path, lines: list[bytes], session: str = SESSION) -> TranscriptArchive:
    archive = TranscriptArchive(str(home))
    archive.keep(
        session, [("main", lines)], agent="claude-code", stamp=str(len(lines)), now_ms=1
    )
    return archive


def _pieces(home: Path) -> list[Path]:
    return sorted(home.rglob("*.zst"))


def test_what_was_kept_comes_back_as_it_was(tmp_path: Path) -> None:
    """Every byte, and how much there was."""
    archive = _keep(tmp_path, _LINES)

    kept = archive.session(SESSION)

    assert kept is not None
    assert archive.lines(kept.files[0]) == b"".join(_LINES)
    assert kept.size == sum(map(len, _LINES))
    assert 0 < archive.size() < kept.size
    assert archive.session(OTHER_SESSION) is None


def test_a_transcript_that_grew_adds_what_is_new(tmp_path: Path) -> None:
    """All pieces but the last are there already."""
    _keep(tmp_path, _LINES[:18])
    before = set(_pieces(tmp_path))
    _keep(tmp_path, _LINES)
    _keep(tmp_path, _LINES, OTHER_SESSION)

    assert len(set(_pieces(tmp_path)) - before) == 1


@pytest.mark.parametrize("damage", ["gone", "cut", "other", "empty"])
def test_a_damaged_piece_is_told_and_never_passed_on(
    tmp_path: Path, damage: str
) -> None:
    """Half a conversation would look like a whole one."""
    archive = _keep(tmp_path, _LINES)
    kept = archive.session(SESSION)
    assert kept is not None
    first, *others = _pieces(tmp_path)
    if damage == "gone":
        first.unlink()
    elif damage == "cut":
        first.write_bytes(first.read_bytes()[:-9])
    elif damage == "other":
        first.write_bytes(others[0].read_bytes())
    else:
        first.write_bytes(b"")

    with pytest.raises(ArchiveDamaged, match="damaged"):
        archive.lines(kept.files[0])


def test_a_list_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """Keeping it anew mends it."""
    archive = _keep(tmp_path, _LINES)
    (listed,) = (tmp_path / "archive" / "sessions").iterdir()
    listed.write_text("{")

    with pytest.raises(ArchiveDamaged, match="cannot be read"):
        archive.session(SESSION)
    _keep(tmp_path, _LINES)
    assert archive.session(SESSION) is not None
