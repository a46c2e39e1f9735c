"""Bringing a session's state up to date, on a real store and a real transcript."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from holdfast.agents.claude_code.transcript.transcripts import (
    ClaudeCodeTranscripts,
)
from holdfast.app.checkpoints.session import read_session, update_session
from holdfast.session.lazy_turns import LateTurns
from holdfast.store.sqlite.store import SqliteStore, open_store

_FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
SESSION = "7670db3a-2057-406a-a109-afcedef1cb97"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with open_store(str(tmp_path / "home"), create=True) as store:
        yield store


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    """The first half of a session that is still going on."""
    return Path(
        shutil.copy(_FIXTURES / "full-session-part1.jsonl", tmp_path / "t.jsonl")
    )


@pytest.fixture
def claude(tmp_path: Path) -> ClaudeCodeTranscripts:
    return ClaudeCodeTranscripts(str(tmp_path), lambda text: text)


def _goes_on(transcript: Path) -> None:
    with transcript.open("ab") as file:
        file.write((_FIXTURES / "full-session-part2.jsonl").read_bytes())


def test_a_state_that_is_brought_up_to_date_is_the_one_read_at_once(
    store: SqliteStore, transcript: Path, claude: ClaudeCodeTranscripts
) -> None:
    """However often a hook came by, nothing is lost and nothing counted twice."""
    update_session(SESSION, str(transcript), claude, store)
    _goes_on(transcript)

    late = update_session(SESSION, str(transcript), claude, store)

    whole = read_session(SESSION, str(transcript), claude, None)
    kept = store.fold(SESSION)
    assert late.state == whole.state
    assert late.kept.cursor == whole.kept.cursor
    assert kept is not None
    assert kept.state == whole.state


def test_old_turns_are_not_read_again(
    store: SqliteStore, transcript: Path, claude: ClaudeCodeTranscripts
) -> None:
    """A hook costs what is new."""
    update_session(SESSION, str(transcript), claude, store)
    _goes_on(transcript)

    late = update_session(SESSION, str(transcript), claude, store)

    turns = late.state.turns
    assert isinstance(turns, LateTurns)
    assert len(list(turns.seen())) < len(turns)


def test_a_damaged_turn_is_made_again_from_the_transcript(
    store: SqliteStore, transcript: Path, claude: ClaudeCodeTranscripts, tmp_path: Path
) -> None:
    """A fold is never worth more than the transcript it came from."""
    update_session(SESSION, str(transcript), claude, store)
    connection = apsw.Connection(str(tmp_path / "home" / "holdfast.db"))
    connection.execute("UPDATE fold_turn SET turn = '{}'")
    connection.close()
    _goes_on(transcript)

    again = update_session(SESSION, str(transcript), claude, store)

    kept = store.fold(SESSION)
    assert again.state == read_session(SESSION, str(transcript), claude, None).state
    assert kept is not None
    assert kept.state == again.state
