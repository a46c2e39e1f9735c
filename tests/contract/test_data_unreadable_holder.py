"""The quarantine: it can only say where some text may still stand."""

from pathlib import Path

import pytest

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
