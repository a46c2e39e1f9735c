"""What tells one end of a session from the next, also where it lies in a database."""

import os
from pathlib import Path

from holdfast.app.hooks.event import is_transcript_there, transcript_mark


def test_a_session_in_a_database_has_another_mark_once_that_was_written(
    tmp_path: Path,
) -> None:
    """Else its second end would be taken for its first, and not be saved."""
    database = tmp_path / "opencode.db"
    database.write_bytes(b"x")
    os.utime(database, ns=(1, 1))
    path = f"{database}/ses_1"
    before = transcript_mark(path)
    log = tmp_path / "opencode.db-wal"
    log.write_bytes(b"x")
    os.utime(log, ns=(5, 5))

    assert (before, transcript_mark(path)) == (1, 5)
    assert is_transcript_there(path)


def test_a_file_is_marked_by_its_size_and_what_is_gone_by_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"four")

    assert transcript_mark(str(path)) == 4
    assert transcript_mark(str(tmp_path / "none" / "s.jsonl")) == 0
    assert not is_transcript_there(str(tmp_path / "none" / "s.jsonl"))
