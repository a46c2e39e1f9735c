"""What waits for a prompt is kept in a mark; whatever is in it, the prompt goes on."""

import pytest

from holdfast.app.hooks.continuity import (
    Pending,
    add_pending,
    keep_pending,
    read_pending,
)
from holdfast.data_directory.markers import FileMarkers
from tests.builders import SESSION


@pytest.fixture
def markers(tmp_path: object) -> FileMarkers:
    return FileMarkers(str(tmp_path))


def test_what_was_left_is_what_waits(markers: FileMarkers) -> None:
    """One process leaves it, another finds it."""
    waiting = Pending(
        late=True,
        unseen=True,
        left_out=("2 edits", "1 error"),
        words="ลองแล้ว ไม่ได้ผล",
        line="a line",
    )

    keep_pending(waiting, SESSION, markers)

    assert read_pending(SESSION, markers) == waiting


def test_a_word_is_added_to_what_waits(markers: FileMarkers) -> None:
    """A late save is not forgotten because a reminder came in between."""
    keep_pending(Pending(late=True), SESSION, markers)

    add_pending(SESSION, markers, words="a word")
    add_pending(SESSION, markers, line="a line")

    assert read_pending(SESSION, markers) == Pending(
        late=True, words="a word", line="a line"
    )


@pytest.mark.parametrize(
    "mark", ["", "{", "late", "[1]", "null", '"x"', "{}", '{"left_out": 3}', "[" * 4096]
)
def test_a_mark_that_says_nothing_still_waits(markers: FileMarkers, mark: str) -> None:
    """The offer in the store is what counts; the mark only says to look."""
    markers.set(SESSION, mark)

    assert read_pending(SESSION, markers) == Pending()


def test_without_a_mark_nothing_waits(markers: FileMarkers) -> None:
    """Most prompts: nothing is opened for them."""
    assert read_pending(SESSION, markers) is None
