"""The quarantine and the archive can only say where some text may still stand."""

import json
from pathlib import Path

import pytest

from holdfast.data_directory.archive import TranscriptArchive
from holdfast.data_directory.port import UnreadableHolder
from holdfast.store.quarantine import Quarantine


@pytest.mark.parametrize("text", ["a zebra", "A ZEBRA", 'said "Zebra"', "สวัสดี"])
def test_where_some_text_may_stand_is_told_whatever_the_case(
    tmp_path: Path, text: str
) -> None:
    """A row is kept as JSON that may hold JSON; a person searches for what they see."""
    quarantine = Quarantine(str(tmp_path))
    said = {"body": '{"title": "A Zebra, who said \\"zebra\\": สวัสดี"}'}
    name = quarantine.keep_row("checkpoint", said, "damaged")
    holder: UnreadableHolder = quarantine

    (told,) = holder.saying(text)

    assert name in told


def test_what_is_not_there_is_not_told(tmp_path: Path) -> None:
    """An empty quarantine, and one with something else."""
    quarantine = Quarantine(str(tmp_path))
    assert quarantine.saying("zebra") == ()

    quarantine.keep_row("checkpoint", {"body": "a horse"}, "damaged")

    assert quarantine.saying("zebra") == ()


@pytest.mark.parametrize("text", ["a zebra", "A ZEBRA", 'said "Zebra"', "สวัสดี"])
def test_an_archived_session_that_says_it_is_told(tmp_path: Path, text: str) -> None:
    """A line is JSON, in whichever way its client writes it; a damaged one may say
    anything."""
    archive = TranscriptArchive(str(tmp_path))
    holder: UnreadableHolder = archive
    said = 'A Zebra, who said "Zebra": สวัสดี'
    for number, plain in enumerate((True, False)):
        line = json.dumps({"text": said}, ensure_ascii=plain).encode()
        archive.keep(f"s{number}", [("main", [line])], agent="a", stamp="1", now_ms=1)
    archive.keep("other", [("main", [b"a horse"])], agent="a", stamp="1", now_ms=1)

    assert [told.split("`")[1] for told in holder.saying(text)] == ["s0", "s1"]

    (tmp_path / "archive" / "sessions" / "other.json").write_text("{")
    assert len(holder.saying("zebra")) == 3
