"""guardz and the client's own memory: two kinds of files in one directory."""

from datetime import timedelta, timezone

import pytest

from holdfast.kernel.errors import FileRefused
from holdfast.neighbours import guardz
from holdfast.neighbours.place import SourcePlace
from holdfast.neighbours.record import NeighbourRecord
from tests.neighbours import GUARDZ, MEMORY_FACT, MEMORY_INDEX, NOON_MS
from tests.unit.neighbours.conftest import Make, a_file, only, read_at, whys


def test_a_named_checkpoint_is_read_with_all_that_it_says(make: Make) -> None:
    record = only(read_at(make(**{"checkpoint-quotes.md": GUARDZ})))

    assert (record.name, record.created_at) == ("quotes", NOON_MS)
    assert record.title == "The parser nests quotes; the linter does not yet."
    assert record.branch == "feature/quotes"
    assert record.done == ("Stack of quotes in the parser",)
    assert record.dead_ends == ("A regular expression for each level: too slow",)
    assert record.files == ("src/parser.py",)
    assert record.remarks[0].text == "`~/.claude/plans/quotes.md` (step 2 of 5)"


def test_its_clock_is_that_of_this_machine() -> None:
    """It writes local time and no zone."""
    place = SourcePlace("/there", timezone(timedelta(hours=7)))

    record = guardz.parsed(a_file(GUARDZ), place)

    assert isinstance(record, NeighbourRecord)
    assert record.created_at == NOON_MS - 7 * 3_600_000


def test_nothing_failed_is_no_failed_approach(make: Make) -> None:
    text = GUARDZ.replace("- A regular expression for each level: too slow", "- None")

    assert only(read_at(make(**{"checkpoint-q.md": text}))).dead_ends == ()


def test_a_name_that_is_used_again_is_another_checkpoint(make: Make) -> None:
    """It writes over the file; what was taken in before stays what it was."""
    before = only(read_at(make(**{"checkpoint-quotes.md": GUARDZ})))
    later = GUARDZ.replace("12:00", "18:30").replace("does not yet", "does, too")

    after = only(read_at(make(**{"checkpoint-quotes.md": later})))

    assert before.record != after.record
    assert before.name == after.name


def test_a_memory_directory_has_to_be_named(make: Make) -> None:
    """Named checkpoints and facts lie side by side: which is meant is not clear."""
    files = {"checkpoint-quotes.md": GUARDZ, "MEMORY.md": MEMORY_INDEX}
    root = make(**files, **{"quotes.md": MEMORY_FACT})

    with pytest.raises(FileRefused, match="guardz, auto-memory"):
        read_at(root)

    assert len(read_at(root, "guardz").records) == 1
    assert len(read_at(root, "auto-memory").records) == 2


def test_a_fact_of_the_client_is_evidence_of_its_text(make: Make) -> None:
    """The file is changed in place: the same text is the same record, wherever and
    whenever it was written."""
    root = make(**{"quotes.md": MEMORY_FACT})
    record = only(read_at(root, "auto-memory"))
    make(**{"quotes.md": MEMORY_FACT + "And never a regular expression.\n"})

    changed = only(read_at(root, "auto-memory"))

    assert record.title == "Quotes nest by a stack, not by expressions"
    assert record.summary == "The parser keeps a stack of open quotes."
    assert (record.tags, record.is_dated) == (("quotes", "project"), False)
    assert changed.record != record.record


def test_what_has_not_its_form_is_told(make: Make) -> None:
    reading = read_at(
        make(
            **{
                "checkpoint-a.md": "# Something else\n",
                "checkpoint-b.md": GUARDZ.replace("2026-04-16 12:00", "noon"),
            }
        )
    )

    assert reading.records == ()
    assert set(whys(reading)) == {"no checkpoint of guardz: its first lines are others"}
