"""Which transcripts were read: one line each, and a lost one costs only time."""

from pathlib import Path

from holdfast.data_directory.read_transcripts import NAME, ReadMark, ReadTranscripts

_PATH = "/home/me/.claude/projects/-code/a.jsonl"
_MARK = ReadMark("12-0", 7)


def test_what_was_noted_is_known_by_the_next_run(tmp_path: Path) -> None:
    """And what was noted last counts."""
    ReadTranscripts(str(tmp_path), "s").note(_PATH, ReadMark("11-0", 3))
    ReadTranscripts(str(tmp_path), "s").note(_PATH, _MARK)

    known = ReadTranscripts(str(tmp_path), "s")

    assert known.mark(_PATH) == _MARK
    assert known.mark("/another") is None


def test_another_store_has_read_nothing(tmp_path: Path) -> None:
    """Somebody removed the store, and the file stayed."""
    ReadTranscripts(str(tmp_path), "s").note(_PATH, _MARK)

    assert ReadTranscripts(str(tmp_path), "other").mark(_PATH) is None


def test_a_line_that_was_cut_off_costs_only_itself(tmp_path: Path) -> None:
    """What is noted after it is whole again."""
    ReadTranscripts(str(tmp_path), "s").note(_PATH, _MARK)
    with (tmp_path / NAME).open("a") as file:
        file.write('["s", "half')

    ReadTranscripts(str(tmp_path), "s").note("/b", _MARK)

    known = ReadTranscripts(str(tmp_path), "s")
    assert (known.mark(_PATH), known.mark("/b")) == (_MARK, _MARK)


def test_no_path_is_written_down(tmp_path: Path) -> None:
    """Where somebody worked is forgotten with the store."""
    ReadTranscripts(str(tmp_path), "s").note(_PATH, _MARK)

    assert b"claude" not in (tmp_path / NAME).read_bytes()


def test_a_disk_that_takes_no_line_is_no_loss(tmp_path: Path) -> None:
    """The store has the records; the next run looks again."""
    (tmp_path / NAME).mkdir()

    known = ReadTranscripts(str(tmp_path), "s")
    known.note(_PATH, _MARK)

    assert known.mark(_PATH) == _MARK
