"""The names in what was written last, and the files that were found last."""

from pathlib import Path

import pytest

from holdfast.agents.claude_code.transcript.transcripts import (
    ClaudeCodeTranscripts,
)
from holdfast.domain.event import Event, Listed, Wrote
from tests.unit.agents.building import Json, agent, answer, raw

_CANARY = "cAnArY-7f3d"


def _wrote(path: Path, *, bulk: bool) -> list[Event]:
    reader = ClaudeCodeTranscripts(
        "/nowhere", lambda text: text.replace(_CANARY, "[redacted]"), bulk=bulk
    )
    return [event for event in reader.read(str(path)) if isinstance(event, Wrote)]


def _edit(number: int, tool: str = "Edit", **fields: object) -> Json:
    block = {"type": "tool_use", "id": f"call-{number}", "name": tool, "input": fields}
    return agent(block, number=number)


@pytest.mark.parametrize("bulk", [False, True])
def test_names_in_what_was_written_are_told_however_far_down_they_stand(
    tmp_path: Path, *, bulk: bool
) -> None:
    """The end of a long edit is searched for as often as its beginning."""
    path = tmp_path / "session.jsonl"
    many = [{"new_string": "first_name"}, {"new_string": "second_name"}, "no edit"]
    path.write_bytes(
        raw(
            _edit(1, new_string="# text\n" * 300 + "rotateToken(reuse_limit)"),
            _edit(2, "Write", content="class TokenStore: pass"),
            _edit(3, "MultiEdit", edits=many),
            _edit(4, new_string="nothing to name"),
            _edit(5, new_string=["no text"]),
        )
    )

    assert _wrote(path, bulk=bulk) == [
        Wrote("call-1", "rotateToken reuse_limit"),
        Wrote("call-2", "TokenStore"),
        Wrote("call-3", "first_name second_name"),
    ]


@pytest.mark.parametrize("bulk", [False, True])
def test_a_secret_that_looks_like_a_name_is_redacted_before_names_are_taken(
    tmp_path: Path, *, bulk: bool
) -> None:
    """Taken out of its place, a secret could no longer be told from a name."""
    path = tmp_path / "session.jsonl"
    path.write_bytes(raw(_edit(1, new_string=f"api_key = '{_CANARY}_long_one'")))

    assert _wrote(path, bulk=bulk) == [Wrote("call-1", "api_key")]


@pytest.mark.parametrize("bulk", [False, True])
def test_only_the_last_edits_of_the_main_conversation_are_told(
    tmp_path: Path, *, bulk: bool
) -> None:
    """However long a session, it keeps the names of a handful of edits."""
    path = tmp_path / "session.jsonl"
    edits = [_edit(n, new_string=f"made_by_{n}") for n in range(1, 40)]
    aside = _edit(40, new_string="made_aside") | {"isSidechain": True}
    path.write_bytes(raw(*edits, aside))

    found = _wrote(path, bulk=bulk)

    assert found == [Wrote(f"call-{n}", f"made_by_{n}") for n in range(24, 40)]


@pytest.mark.parametrize("bulk", [False, True])
def test_files_that_a_search_found_are_told_by_their_paths(
    tmp_path: Path, *, bulk: bool
) -> None:
    """What stands in them is told when they are opened; secrets in names are not."""
    path = tmp_path / "session.jsonl"
    listed = f"Found 3 files\n./src/a.py\nsrc/b.py\nsrc/{_CANARY}.py\nsrc/a.py\nREADME"
    matched = "src/c.py:12:import os  # see src/d.py\nsrc/c.py-13-\nno file: here.py"
    path.write_bytes(
        raw(
            answer(listed, {"mode": "files_with_matches", "numFiles": 3}, number=1),
            answer(matched, {"mode": "content", "numFiles": 0}, number=2),
            answer("src/e.py:1:x", {"stdout": "", "stderr": ""}, number=3),
            answer("src/f.py", {"numFiles": 1}, number=4) | {"isSidechain": True},
        )
    )
    reader = ClaudeCodeTranscripts(
        "/nowhere", lambda text: text.replace(_CANARY, "[redacted]"), bulk=bulk
    )

    found = [event for event in reader.read(str(path)) if isinstance(event, Listed)]

    assert [event.paths for event in found] == [
        "src/a.py\nsrc/b.py\nsrc/[redacted].py",
        "src/c.py",
    ]
