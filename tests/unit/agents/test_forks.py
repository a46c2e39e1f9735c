"""A forked transcript names no origin; the ids of its lines do."""

import json
from pathlib import Path

from holdfast.agents.claude_code.transcript.locations import copied_from
from tests.builders import session_number


def written(place: Path, number: int, *lines: str) -> str:
    """Write a transcript whose lines have these ids."""
    path = place / f"{session_number(number)}.jsonl"
    text = "".join(
        json.dumps({"type": "user", "uuid": f"{line:0>8}-0000-4000-8000-000000000000"})
        + "\n"
        for line in lines
    )
    path.write_text(text.replace('": "', '":"'))
    return str(path)


def test_the_origin_is_the_transcript_the_lines_were_copied_from(
    tmp_path: Path,
) -> None:
    """Unrelated sessions in the same place have other lines."""
    written(tmp_path, 1, "a", "b")
    written(tmp_path, 2, "c", "d")
    fork = written(tmp_path, 3, "a", "b", "e")

    assert copied_from(fork) == session_number(1)


def test_of_a_family_the_one_with_most_lines_in_common_is_the_origin(
    tmp_path: Path,
) -> None:
    """A fork of a fork came from the fork."""
    written(tmp_path, 1, "a", "b", "x")
    written(tmp_path, 2, "a", "b", "c", "y")
    fork = written(tmp_path, 3, "a", "b", "c", "z")

    assert copied_from(fork) == session_number(2)


def test_of_equals_the_one_with_fewest_lines_of_its_own_is_the_origin(
    tmp_path: Path,
) -> None:
    """Two forks of one session: the second did not come from the first."""
    written(tmp_path, 1, "a", "b")
    written(tmp_path, 2, "a", "b", "c")
    fork = written(tmp_path, 3, "a", "b", "d")

    assert copied_from(fork) == session_number(1)


def test_who_was_copied_from_nobody_has_no_origin(tmp_path: Path) -> None:
    """Never a guess: no line in common, no file, or nothing in it."""
    written(tmp_path, 1, "a")
    alone, empty = written(tmp_path, 2, "b"), written(tmp_path, 3)
    (tmp_path / "notes.jsonl").write_text((tmp_path / Path(alone).name).read_text())

    assert copied_from(alone) is None
    assert copied_from(empty) is None
    assert copied_from(str(tmp_path / "gone" / "file.jsonl")) is None
    assert copied_from("") is None
    assert copied_from("\0") is None
