"""OpenCode's sessions out of its database: by its published schema, and only read."""

from pathlib import Path

import pytest

from holdfast.agents.opencode.sessions import OpenCodeTranscripts
from holdfast.domain.event import Compacted, Located, Summarised, Unrecognised, UserSaid
from holdfast.domain.session import SessionState
from holdfast.kernel.errors import SaveFailed
from holdfast.session.fold import begin, fold
from tests.unit.agents.opencode_rows import SESSION, OpenCodeData, text, tool


@pytest.fixture
def data(tmp_path: Path) -> OpenCodeData:
    return OpenCodeData(tmp_path / "opencode")


@pytest.fixture
def transcripts(data: OpenCodeData) -> OpenCodeTranscripts:
    return OpenCodeTranscripts(str(data.path), str)


def _path(data: OpenCodeData) -> str:
    return f"{data.path}/{SESSION}"


def _state(transcripts: OpenCodeTranscripts, data: OpenCodeData) -> SessionState:
    return fold(begin(SESSION, "opencode"), transcripts.read(_path(data)))


def _prompts(transcripts: OpenCodeTranscripts, data: OpenCodeData) -> list[str]:
    return [
        one.text for one in transcripts.read(_path(data)) if isinstance(one, UserSaid)
    ]


def test_a_session_is_what_its_rows_say(
    transcripts: OpenCodeTranscripts, data: OpenCodeData
) -> None:
    data.work("fix it")

    state = _state(transcripts, data)

    (turn,) = (turn for turn in state.live_turns() if turn.prompt)
    assert (turn.prompt, turn.said[-1].text) == ("fix it", "The edit is made.")
    assert [(c.role, c.target, c.outcome, c.exit_status) for c in turn.calls] == [
        ("run", "make test", "failed", 1),
        ("edit", "a.py", "ok", None),
    ]
    assert (state.cwd, state.version, state.model) == (
        "/code/here",
        "1.18.33",
        "some-model",
    )
    assert (state.title, state.context_tokens) == ("A title", 10)
    assert state.counts.unrecognised == ()


@pytest.mark.parametrize(
    "part",
    [
        text("Never push", synthetic=True),
        text("Never push", ignored=True),
        text("  "),
        {"type": "file", "url": "x"},
        {"type": "subtask", "prompt": "Never push"},
        {"type": "agent", "name": "build"},
    ],
)
def test_what_nobody_typed_is_not_the_users(
    transcripts: OpenCodeTranscripts, data: OpenCodeData, part: dict[str, object]
) -> None:
    data.add("user", part)
    data.add("assistant", text("Never push"))

    assert _prompts(transcripts, data) == []


def test_a_prompt_with_files_is_told_once(
    transcripts: OpenCodeTranscripts, data: OpenCodeData
) -> None:
    data.add("user", text("look at this"), text("the file's text", synthetic=True))

    assert _prompts(transcripts, data) == ["look at this"]


def test_a_compaction_and_its_summary(
    transcripts: OpenCodeTranscripts, data: OpenCodeData
) -> None:
    data.add("user", {"type": "compaction", "auto": True})
    data.add("assistant", text("All of it."), summary=True)

    events = list(transcripts.read(_path(data)))

    assert [one.trigger for one in events if isinstance(one, Compacted)] == ["auto"]
    assert [one.text for one in events if isinstance(one, Summarised)] == ["All of it."]


def test_what_was_reverted_is_not_the_conversation(
    transcripts: OpenCodeTranscripts, data: OpenCodeData
) -> None:
    data.add("user", text("one"))
    second = data.add("user", text("two"))
    data.add("user", text("three"))
    with data.connection() as database:
        row = (f'{{"messageID": "{second}"}}', SESSION)
        database.execute("UPDATE session SET revert = ? WHERE id = ?", row)

    assert _prompts(transcripts, data) == ["one"]


def test_a_call_that_the_user_refused(
    transcripts: OpenCodeTranscripts, data: OpenCodeData
) -> None:
    refused = tool("edit", "error", "The user rejected permission to use this tool")
    data.add("user", text("a"))
    data.add("assistant", refused, tool("read", "error", "no such file"))

    calls = [*_state(transcripts, data).live_calls()]

    assert [(c.outcome, c.cause) for c in calls] == [
        ("interrupted", "refused"),
        ("failed", ""),
    ]


def test_unknown_parts_are_counted(
    transcripts: OpenCodeTranscripts, data: OpenCodeData
) -> None:
    data.add("user", {"type": "new"}, text("still there"))
    data.add("nobody", text("x"))
    with data.connection() as database:
        database.execute("UPDATE message SET data = 'no json' WHERE rowid = 2")

    events = list(transcripts.read(_path(data)))

    assert len([one for one in events if isinstance(one, Unrecognised)]) == 2
    assert [one.text for one in events if isinstance(one, UserSaid)] == ["still there"]


def test_nothing_new_is_nothing_told_and_anything_new_is_all_of_it(
    transcripts: OpenCodeTranscripts, data: OpenCodeData
) -> None:
    data.add("user", text("one"))
    first = transcripts.read(_path(data))
    list(first)

    same = transcripts.read(_path(data), first.cursor)
    data.add("user", text("two"))
    more = transcripts.read(_path(data), first.cursor)

    assert (list(same), same.restarted, same.cursor) == ([], False, first.cursor)
    assert more.restarted
    assert [one.text for one in more if isinstance(one, UserSaid)] == ["one", "two"]


def test_sessions_are_found(
    transcripts: OpenCodeTranscripts, data: OpenCodeData
) -> None:
    data.add("user", text("one"))

    assert transcripts.find(SESSION) == _path(data)
    assert transcripts.find("ses_other") is None
    assert transcripts.find("../x") is None
    assert transcripts.session_of(_path(data)) == SESSION
    assert transcripts.beginning_with("ses_5") == (SESSION,)
    assert transcripts.newest("/code/here") == _path(data)
    assert transcripts.newest("/elsewhere") is None
    assert transcripts.begun_in("/code/here") == (_path(data),)
    assert transcripts.begun_in("/elsewhere") == ()
    assert transcripts.last_message_at(_path(data)) > 0
    assert transcripts.origin(_path(data)) is None


def test_a_sub_agents_session_is_not_the_newest(
    transcripts: OpenCodeTranscripts, data: OpenCodeData
) -> None:
    with data.connection() as database:
        database.execute("UPDATE session SET parent_id = 'ses_above'")

    assert transcripts.newest() is None


# What cannot be read is said, and the file stays as it is


def test_a_database_that_is_locked(
    transcripts: OpenCodeTranscripts,
    data: OpenCodeData,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody holds all of it: it is waited for a moment, then that is said."""
    monkeypatch.setattr("holdfast.agents.opencode.sessions._PATIENCE_MS", 1)
    data.add("user", text("one"))
    holder = data.connection()
    holder.execute("BEGIN EXCLUSIVE")

    with pytest.raises(SaveFailed, match="is locked") as refused:
        transcripts.read(_path(data))

    assert "try again" in refused.value.hint
    holder.execute("ROLLBACK")
    assert _prompts(transcripts, data) == ["one"]


def test_two_who_write_are_no_hindrance(
    transcripts: OpenCodeTranscripts, data: OpenCodeData
) -> None:
    """The client keeps a log of changes: a reader sees what was last finished."""
    data.add("user", text("one"))
    writer = data.connection()
    writer.execute("PRAGMA journal_mode = wal")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM message")

    assert _prompts(transcripts, data) == ["one"]
    writer.execute("ROLLBACK")


@pytest.mark.parametrize(
    "change", ["DROP TABLE part", "ALTER TABLE message DROP COLUMN data"]
)
def test_a_database_of_another_form(
    transcripts: OpenCodeTranscripts, data: OpenCodeData, change: str
) -> None:
    with data.connection() as database:
        database.execute(change)

    with pytest.raises(SaveFailed, match="cannot read"):
        list(transcripts.read(_path(data)))


def test_what_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    path.write_bytes(
        b"this is something else entirely, and long enough for a header" * 99
    )
    transcripts = OpenCodeTranscripts(str(path), str)

    with pytest.raises(SaveFailed, match="cannot read"):
        transcripts.find(SESSION)


def test_no_database_at_all(tmp_path: Path) -> None:
    transcripts = OpenCodeTranscripts(str(tmp_path / "opencode.db"), str)

    assert transcripts.find(SESSION) is None
    assert transcripts.newest() is None
    assert transcripts.beginning_with("") == ()
    with pytest.raises(SaveFailed, match="does not exist"):
        transcripts.read(f"{tmp_path}/opencode.db/{SESSION}")
    assert list(tmp_path.iterdir()) == []


def test_reading_changes_nothing(
    transcripts: OpenCodeTranscripts, data: OpenCodeData
) -> None:
    data.work("fix it")
    before = data.path.read_bytes()

    where = next(
        one for one in transcripts.read(_path(data)) if isinstance(one, Located)
    )

    assert where.session_id == SESSION
    assert data.path.read_bytes() == before
    assert [each.name for each in data.path.parent.iterdir()] == ["opencode.db"]
