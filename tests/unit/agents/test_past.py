"""Claude Code's sessions on disk: which came from which, as far as the files tell."""

from pathlib import Path

import pytest

from holdfast.agents.claude_code.transcript.past import ClaudeCodePast
from holdfast.agents.past_port import PastSession
from tests.builders import session_number
from tests.past import BEGAN, HOUR, PastDisk, asked, cleared

HERE = "/code/tokens"


@pytest.fixture
def disk(tmp_path: Path) -> PastDisk:
    return PastDisk(tmp_path / "claude", HERE)


def _sessions(disk: PastDisk) -> dict[str, PastSession]:
    past = ClaudeCodePast(str(disk.claude))
    found = (past.glance(transcript) for transcript in past.every())
    return {s.session_id: s for s in found if s}


def _parents(disk: PastDisk) -> dict[int, int]:
    numbers = {session_number(n): n for n in range(1, 20)}
    sessions = tuple(_sessions(disk).values())
    parents = ClaudeCodePast(str(disk.claude)).parents(sessions)
    return {numbers[c]: numbers[parent.session_id] for c, parent in parents.items()}


def test_a_glance_tells_when_and_where_a_session_was(disk: PastDisk) -> None:
    """By its lines: the time of the file is that of whoever touched it last."""
    disk.write(1, asked("add refresh tokens"))

    (session,) = _sessions(disk).values()

    assert (session.began_at, session.last_at) == (BEGAN + 1000, BEGAN + 2000)
    assert session.directory == HERE
    assert not session.is_headless


def test_nobody_sat_in_front_of_a_client_that_says_so(disk: PastDisk) -> None:
    """What a script asked is found, and nobody goes on with it."""
    disk.write(1, asked("say hi"), entrypoint="sdk-cli")

    (session,) = _sessions(disk).values()

    assert session.is_headless


def test_what_a_clear_began_came_from_what_ended_last_here(disk: PastDisk) -> None:
    """A chain of three, each cleared into the next; another project is apart."""
    disk.write(1, asked("one"))
    disk.write(2, cleared(), asked("two"), at=BEGAN + HOUR)
    disk.write(3, cleared(), asked("three"), at=BEGAN + 2 * HOUR)
    disk.write(4, asked("other"), at=BEGAN + HOUR // 2, directory="/code/other")

    assert _parents(disk) == {2: 1, 3: 2}


def test_which_of_two_windows_was_cleared_is_not_guessed(disk: PastDisk) -> None:
    """Both were open; a wrong parent is worse than none."""
    disk.write(1, asked("one"), asked("more"))
    disk.write(2, asked("two"))
    disk.write(3, cleared(), asked("three"), at=BEGAN + HOUR)

    assert _parents(disk) == {}


def test_a_session_that_went_on_meanwhile_may_be_the_one_that_was_cleared(
    disk: PastDisk,
) -> None:
    """It was resumed afterwards: its last line is younger than the clear."""
    disk.write(1, asked("one"))
    disk.write(2, asked("two"), [{"pause": 3 * HOUR}], asked("more"), at=BEGAN + HOUR)
    disk.write(3, cleared(), asked("three"), at=BEGAN + 2 * HOUR)

    assert _parents(disk) == {}


def test_a_fork_of_what_a_clear_began_is_no_other_window(disk: PastDisk) -> None:
    """It has the same first lines, and their times."""
    disk.write(1, asked("one"))
    lines = disk.write(2, cleared(), asked("two"), at=BEGAN + HOUR)
    disk.write(3, asked("three"), copied=lines, at=BEGAN + 2 * HOUR)

    assert _parents(disk) == {2: 1, 3: 2}


def test_what_ended_yesterday_was_not_cleared_today(disk: PastDisk) -> None:
    """The screen was empty: a client that has just begun can be cleared, too."""
    disk.write(1, asked("one"))
    disk.write(2, cleared(), asked("two"), at=BEGAN + 20 * HOUR)

    assert _parents(disk) == {}


def test_the_clients_own_note_of_a_fork_is_taken(disk: PastDisk) -> None:
    """Newer clients say from where they copied each line."""
    lines = disk.write(1, asked("one"))
    origin = {"sessionId": session_number(1), "messageUuid": lines[0]["uuid"]}
    copied = [{**line, "forkedFrom": origin} for line in lines]
    disk.write(2, asked("two"), copied=copied, at=BEGAN + HOUR)

    assert _parents(disk) == {2: 1}


def test_lines_with_the_same_ids_were_copied(disk: PastDisk) -> None:
    """A fork of a fork came from the fork."""
    lines = disk.write(1, asked("one"))
    more = disk.write(2, asked("two"), copied=lines, at=BEGAN + HOUR)
    disk.write(3, asked("three"), copied=more, at=BEGAN + 2 * HOUR)

    assert _parents(disk) == {2: 1, 3: 2}


@pytest.mark.parametrize("is_noted", [True, False])
@pytest.mark.parametrize("is_there", [True, False])
def test_until_when_a_fork_has_the_lines_of_its_origin(
    disk: PastDisk, *, is_noted: bool, is_there: bool
) -> None:
    """By the client's note, or by the ids, if the origin still lies there."""
    lines = disk.write(1, asked("one"), asked("two"))
    origin = {"sessionId": session_number(1), "messageUuid": lines[0]["uuid"]}
    note = {"forkedFrom": origin} if is_noted else {}
    copied = [{**line, **note} for line in lines]
    disk.write(2, asked("three"), copied=copied, at=BEGAN + HOUR)
    if not is_there:
        disk.path(1).unlink()

    sessions = tuple(_sessions(disk).values())
    found = ClaudeCodePast(str(disk.claude)).parents(sessions)

    told = [parent.shared_until for parent in found.values()]
    assert told == ([BEGAN + 4000] if is_noted or is_there else [])


def test_notes_that_lead_in_a_circle_are_followed_once(disk: PastDisk) -> None:
    """Whoever wrote these files: a family has a beginning."""
    for number, other in ((1, 2), (2, 1)):
        lines = disk.write(number, asked("one"))
        origin = {"sessionId": session_number(other), "messageUuid": lines[0]["uuid"]}
        disk.write(number, copied=[{**line, "forkedFrom": origin} for line in lines])

    assert len(_parents(disk)) == 1


@pytest.mark.parametrize("text", ["", "{", "[1, 2]\n", "nonsense\n" * 100])
def test_what_names_no_session_is_none(disk: PastDisk, text: str) -> None:
    """A file that happens to end like a transcript."""
    path = disk.path(1).with_name("notes.jsonl")
    path.parent.mkdir(parents=True)
    path.write_text(text)

    assert _sessions(disk) == {}
