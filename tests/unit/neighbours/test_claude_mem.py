"""claude-mem's database: read as it lies there, whoever holds it, and never changed."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from holdfast.kernel.errors import FileRefused
from holdfast.neighbours import claude_mem_database
from tests.neighbours import NOON_MS, ClaudeMem
from tests.nobody import as_nobody
from tests.unit.neighbours.conftest import only, read_at, whys
from tests.unit.snapshot.world import fingerprint


@pytest.fixture
def there(tmp_path: Path) -> ClaudeMem:
    return filled(ClaudeMem(tmp_path / "there" / "claude-mem.db"))


def filled(made: ClaudeMem) -> ClaudeMem:
    """What it kept of one session."""
    made.session("m1", "project")
    made.observes("m1", "Quotes nest by a stack", "decision")
    made.observes("m1", "The lexer is generated", "discovery")
    made.observes("m1", "Nested quotes", "feature")
    made.sums_up("m1", "Let quotes nest")
    return made


def test_a_session_is_one_record_with_all_that_was_noted(there: ClaudeMem) -> None:
    record = only(read_at(there.close()))

    assert (record.record, record.number, record.version) == ("m1", 1, 5)
    assert (record.title, record.project) == ("Let quotes nest", "project")
    assert record.created_at == NOON_MS + 2
    assert record.summary.startswith("The parser accepts nested quotes")
    assert record.decisions == ("Quotes nest by a stack",)
    assert record.discoveries == ("The lexer is generated",)
    assert record.done == ("Nested quotes",)
    assert record.next_steps == ("Teach the linter",)
    assert (record.files, record.files_read) == (("src/parser.py",), ("src/lexer.py",))
    assert record.tags == ("how-it-works",)
    topics = [remark.topic for remark in record.remarks]
    assert topics[-2:] == ["Let quotes nest", "what was asked"]
    assert "a stack is enough" in record.remarks[0].text
    assert record.remarks[-1].text == "Make the parser accept nested quotes"


def test_its_directory_is_as_good_as_its_file(there: ClaudeMem) -> None:
    reading = read_at(there.close().parent)

    assert (reading.kind, len(reading.records)) == ("claude-mem", 1)


def test_a_link_in_its_place_is_a_sentence(there: ClaudeMem, tmp_path: Path) -> None:
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    (hostile / "claude-mem.db").symlink_to(there.close())

    with pytest.raises(FileRefused, match="symbolic link"):
        read_at(hostile)


def test_reading_changes_nothing_there(there: ClaudeMem) -> None:
    path = there.close()
    before = fingerprint(path.parent)

    read_at(path)

    assert fingerprint(path.parent) == before


def test_what_a_worker_has_not_written_back_yet_is_read(there: ClaudeMem) -> None:
    """It is at work: all of it is still in the log, and stays there."""
    assert (there.path.parent / "claude-mem.db-wal").stat().st_size > 0
    before = fingerprint(there.path.parent)

    record = only(read_at(there.path))

    assert record.title == "Let quotes nest"
    assert fingerprint(there.path.parent) == before


def test_a_log_that_a_crash_left_is_read_from_a_copy(
    there: ClaudeMem, tmp_path: Path
) -> None:
    """Nobody put the log in order, and neither do we where it lies."""
    left = tmp_path / "left"
    left.mkdir()
    for end in ("", "-wal"):
        shutil.copy(f"{there.path}{end}", left / f"claude-mem.db{end}")
    before = fingerprint(left)

    record = only(read_at(left))

    assert record.title == "Let quotes nest"
    assert fingerprint(left) == before


def test_a_closed_directory_is_read() -> None:
    with as_nobody() as place:
        path = filled(ClaudeMem(place / "there" / "claude-mem.db")).close()
        path.parent.chmod(0o500)

        record = only(read_at(path))

    assert record.title == "Let quotes nest"


def test_a_session_that_grew_comes_again(there: ClaudeMem) -> None:
    before = only(read_at(there.path))
    there.observes("m1", "One more", at=9)

    after = only(read_at(there.path))

    assert before.record == after.record
    assert before.version < after.version


def test_what_we_mirrored_there_does_not_come_back(there: ClaudeMem) -> None:
    """A copy of our own records is not somebody else's."""
    there.session("holdfast-01", "project", content="holdfast:01")
    there.observes("holdfast-01", "CHECKPOINT-00042 · quotes")

    reading = read_at(there.close())

    assert only(reading).record == "m1"
    assert reading.unread[0].is_left


def test_a_newer_schema_is_said(tmp_path: Path) -> None:
    made = ClaudeMem(tmp_path / "c.db", version=99)
    made.session("m1", "project")

    reading = read_at(made.close())

    assert (
        "its schema is version 99, and 52 is the newest that is known" in reading.notice
    )
    assert len(reading.records) == 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("DROP TABLE observations", "no table `observations`"),
        ("ALTER TABLE observations RENAME title TO headline", "no column `title`"),
        (
            "DROP TABLE user_prompts; CREATE VIEW user_prompts AS SELECT 1 AS prompt_text",
            "no table `user_prompts`",
        ),
    ],
)
def test_a_schema_that_is_not_understood_is_a_sentence(
    there: ClaudeMem, change: str, why: str
) -> None:
    there.database.executescript(change)

    with pytest.raises(FileRefused, match=why):
        read_at(there.close())


def test_another_database_is_none_of_its(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE a (b)")
    other.close()

    with pytest.raises(FileRefused, match="not a claude-mem database"):
        read_at(path)


def test_a_damaged_database_is_a_sentence(there: ClaudeMem) -> None:
    path = there.close()
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)

    with pytest.raises(FileRefused, match="not a claude-mem database"):
        read_at(path)


@pytest.mark.parametrize("data", [b"", b"SQLite format 3\x00", b"hello"])
def test_no_database_is_a_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "c.db"
    path.write_bytes(data)

    with pytest.raises(FileRefused):
        read_at(path, "claude-mem")


def test_rows_of_any_type_are_read(there: ClaudeMem) -> None:
    """SQLite takes anything into any column, and somebody may have put it there."""
    there.database.execute(
        "UPDATE observations SET title = x'ff00', facts = '{', files_read = 7,"
        " created_at_epoch = 'soon' WHERE type = 'discovery'"
    )
    there.database.execute(
        "UPDATE session_summaries SET request = x'03', next_steps = NULL"
    )
    there.database.commit()

    record = only(read_at(there.close()))

    assert record.title == "Make the parser accept nested quotes"


def test_more_than_can_be_taken_in_is_a_sentence(
    there: ClaudeMem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claude_mem_database, "_MOST_TEXT", 100)

    with pytest.raises(FileRefused, match="more than 100 characters"):
        read_at(there.close())


def test_a_look_has_an_end(there: ClaudeMem, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file can make one statement work for days."""
    there.database.execute(
        "ALTER TABLE user_prompts ADD COLUMN slow AS (length(hex(prompt_text)))"
    )
    monkeypatch.setattr(claude_mem_database, "_STEPS", 1)
    monkeypatch.setattr(claude_mem_database, "_MOST_LOOKS", 10)

    with pytest.raises(FileRefused, match="interrupted"):
        read_at(there.close())


def test_a_session_of_which_nothing_was_kept_is_none(tmp_path: Path) -> None:
    made = ClaudeMem(tmp_path / "c.db")
    made.session("m1", "project")
    made.database.execute("DELETE FROM user_prompts")
    made.database.commit()

    reading = read_at(made.close())

    assert (reading.records, whys(reading)) == ((), [])
