"""How a session ends, and what is never lost by it: late saves, crashes, late answers."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.hooks.conftest import World, write_session

ASKED = "add refresh tokens; never use sleep in tests"
ASKS_FIRST = {"HOLDFAST_AUTO_CHECKPOINT_ON_CLEAR": "prompt"}


def test_a_clear_with_nothing_new_names_the_checkpoint_there_is(
    world: World, sessions: list[str]
) -> None:
    """No second record of the same state; the screen still says that all is kept."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.hook("PreCompact", old, trigger="manual")

    client.end(old, "clear")
    heard = client.start(new, "clear")

    [kept] = world.cli("list")["checkpoints"]
    assert (kept["type"], kept["number"]) == ("auto", 1)
    assert heard.line.startswith("✓ Checkpoint saved: ")
    assert "· 00001 · resumed ·" in heard.line
    assert "file" not in heard.line


def test_a_clear_with_nothing_new_is_remembered_as_one(
    world: World, sessions: list[str]
) -> None:
    """B1: a session knows that it was cleared, also where no record was made of it."""
    old = sessions[0]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.hook("PreCompact", old, trigger="manual")

    client.end(old, "clear")

    with closing(sqlite3.connect(world.home / "holdfast.db")) as store:
        query = "SELECT cleared, ended_at > 0 FROM session WHERE session_id = ?"
        assert store.execute(query, [old]).fetchall() == [(1, 1)]


def test_a_clear_tells_the_work_since_the_last_checkpoint(
    world: World, sessions: list[str]
) -> None:
    """D3: in numbers, and only what the last checkpoint does not have."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.hook("PreCompact", old, trigger="manual")
    write_session(world, old, ASKED, "and the docs")

    client.end(old, "clear")
    heard = client.start(new, "clear")

    assert " · 00002 · resumed · 1 file, +1 −0, last checkpoint " in heard.line


def test_numbers_can_be_turned_off(world: World, sessions: list[str]) -> None:
    """`verify_before_clear` is the user's to decide."""
    old, new = sessions[:2]
    client = world.client(HOLDFAST_VERIFY_BEFORE_CLEAR="false")
    client.start(old)
    write_session(world, old, ASKED)

    client.end(old, "clear")

    assert "file" not in client.start(new, "clear").line


def test_a_client_that_was_there_before_us_is_linked_at_its_first_clear(
    world: World, sessions: list[str]
) -> None:
    """Hooks may be installed while a client runs: its first event is an end."""
    old, new = sessions[:2]
    client = world.client()
    write_session(world, old, ASKED)

    client.end(old, "clear")
    heard = client.start(new, "clear")

    assert "# Resuming CHECKPOINT-00001" in heard.context
    write_session(world, new, "go on")
    client.end(new, "other")
    [kept] = world.cli("list", "--session", new)["checkpoints"]
    assert kept["relations"]["parent_session"] == old


def test_an_empty_session_passes_on_what_it_was_given(
    world: World, sessions: list[str]
) -> None:
    """`/clear` twice in a row, or after a word of greeting, loses nothing."""
    old, idle, greeting, last = sessions[:4]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.end(old, "clear")
    client.start(idle, "clear")

    client.end(idle, "clear")
    passed = client.start(greeting, "clear")

    assert "# Resuming CHECKPOINT-00001" in passed.context
    assert passed.line.startswith("↻ Resumed from checkpoint: ")
    client.end(greeting, "clear")
    assert "# Resuming CHECKPOINT-00001" in client.start(last, "clear").context


def test_a_save_that_takes_too_long_is_told_at_the_next_prompt(
    world: World, sessions: list[str]
) -> None:
    """The client gives an end 1.5 s: a long save goes on beside it, and is waited for."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)

    with world.nobody_saves():
        client.end(old, "clear")
        start = client.start(new, "clear")
        early = client.prompt(new, "let us go on with the tokens")

    late = client.prompt(new, "let us go on with the tokens")

    assert start.context == ""
    assert "still being saved" in start.line
    assert early.out == ""
    assert "# Resuming CHECKPOINT-00001" in late.context
    assert late.line.startswith("✓ Checkpoint saved: ")
    assert client.prompt(new, "continue").out == ""
    why = world.cli("why", "--session", new)
    assert (why["delivered"], why["sign"]) == ("brief", "late")


def test_a_turn_that_is_noticed_after_the_exit_does_not_undo_it(
    world: World, sessions: list[str]
) -> None:
    """The client waits for no Stop: a slow one comes when its session has ended."""
    old, new = sessions[:2]
    ended = world.client()
    ended.start(old)
    write_session(world, old, ASKED)

    ended.end(old, "prompt_input_exit")
    ended.hook("Stop", old)
    ended.kill()
    start = world.client().start(new)

    assert "# Resuming" not in start.context
    assert 'say "continue"' in start.line


def test_a_turn_that_is_noticed_after_the_clear_does_not_undo_it(
    world: World, sessions: list[str]
) -> None:
    """The next clear is one of the new session, not of the old one again."""
    old, new, last = sessions[:3]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)

    client.end(old, "clear")
    client.start(new, "clear")
    client.hook("Stop", old)
    write_session(world, new, "make it thread-safe")
    client.end(new, "clear")
    client.start(last, "clear")

    with closing(sqlite3.connect(world.home / "holdfast.db")) as store:
        query = "SELECT parent_session FROM session WHERE session_id = ?"
        assert store.execute(query, [last]).fetchall() == [(new,)]


def test_an_exit_that_is_still_being_saved_is_told_at_the_next_prompt(
    world: World, sessions: list[str]
) -> None:
    """Its process is gone, but its end was seen: it did not crash, and is not lost."""
    old, new = sessions[:2]
    ended = world.client()
    ended.start(old)
    write_session(world, old, ASKED)
    client = world.client()

    with world.nobody_saves():
        ended.end(old, "prompt_input_exit")
        ended.kill()
        start = client.start(new)
        early = client.prompt(new, "let us go on with the tokens")

    late = client.prompt(new, "let us go on with the tokens")

    assert (start.out, early.out) == ("", "")
    assert "# Unfinished work here: CHECKPOINT-00001" in late.context
    assert late.line.startswith("↻ 00001 ")
    assert world.cli("why", "--session", new)["delivered"] == "short"
    [kept] = world.cli("list")["checkpoints"]
    assert kept["session_id"] == old


def test_an_exit_elsewhere_that_is_still_being_saved_is_not_waited_for(
    world: World, sessions: list[str], tmp_path: Path
) -> None:
    """What another project left is no reason to look at this one's first prompt."""
    old, new = sessions[:2]
    other = tmp_path / "project-of-another-kind"
    other.mkdir()
    ended = world.client(other)
    ended.start(old)
    write_session(world, old, ASKED, project=other)
    client = world.client()

    with world.nobody_saves():
        ended.end(old, "prompt_input_exit")
        start = client.start(new)
        is_marked = (world.home / "pending" / new).exists()

    assert start.out == ""
    assert not is_marked


@pytest.mark.parametrize(
    ("answer", "context", "left"),
    [
        pytest.param("resume", "# Resuming", 1, id="resume"),
        pytest.param("discard", "The user discarded", 0, id="discard"),
        pytest.param("keep", "", 1, id="keep"),
    ],
)
def test_an_answer_before_the_save_is_finished_is_heard(
    world: World, sessions: list[str], answer: str, context: str, left: int
) -> None:
    """Nothing that a user answers late, or early, is lost."""
    old, new = sessions[:2]
    client = world.window(ASKS_FIRST)
    client.start(old)
    write_session(world, old, ASKED)
    with world.nobody_saves():
        client.end(old, "clear")
        client.start(new, "clear")

    heard = client.prompt(new, answer)

    assert heard.context.startswith(context)
    assert bool(heard.context) == bool(context)
    assert bool(heard.line) == bool(left)
    assert "answer" not in heard.line
    assert len(world.cli("list")["checkpoints"]) == left


def test_who_was_not_asked_at_the_start_is_asked_at_the_prompt(
    world: World, sessions: list[str]
) -> None:
    """Another prompt is no answer to a question that nobody had put."""
    old, new = sessions[:2]
    client = world.window(ASKS_FIRST)
    client.start(old)
    write_session(world, old, ASKED)
    with world.nobody_saves():
        client.end(old, "clear")
        client.start(new, "clear")

    asked = client.prompt(new, "write a haiku about kelp")
    heard = client.prompt(new, "resume")

    assert "answer resume, keep or discard" in asked.line
    assert "# Resuming CHECKPOINT-00001" in heard.context


def test_an_answer_after_another_prompt_finds_the_record_kept(
    world: World, sessions: list[str]
) -> None:
    """The question is put once; the record is there for whoever asks later."""
    old, new = sessions[:2]
    client = world.window(ASKS_FIRST)
    client.start(old)
    write_session(world, old, ASKED)
    client.end(old, "clear")
    client.start(new, "clear")

    client.prompt(new, "write a haiku about kelp")
    late = client.prompt(new, "discard")

    assert late.out == ""
    assert world.cli("resume", "1")["brief"].startswith("# Resuming CHECKPOINT-00001")


def test_without_a_save_at_clear_the_transcript_recovers_it(
    world: World, sessions: list[str]
) -> None:
    """D4: `false` saves nothing, says nothing, and loses nothing."""
    old, new = sessions[:2]
    client = world.client(HOLDFAST_AUTO_CHECKPOINT_ON_CLEAR="false")
    client.start(old)
    write_session(world, old, ASKED)

    client.end(old, "clear")
    heard = client.start(new, "clear")
    saved = world.cli("save", "--session", old)

    assert heard.out == ""
    assert saved["checkpoint"]["session_id"] == old


def test_a_killed_client_with_all_of_its_work_saved_is_a_crash_too(
    world: World, sessions: list[str]
) -> None:
    """The rescue finds nothing new to save; the work was cut off all the same."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.hook("PreCompact", old, trigger="manual")
    client.kill()

    heard = world.client().start(new)

    assert "# Resuming CHECKPOINT-00001" in heard.context
    assert world.cli("why", "--session", new)["rule"] == "crashed"


def test_a_session_that_goes_on_in_another_client_did_not_crash(
    world: World, sessions: list[str]
) -> None:
    """After `kill -9` people type `claude --continue`; then there is nothing to rescue."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.kill()
    again = world.client()
    again.start(old, "resume")

    heard = world.client().start(new)

    assert heard.out == ""
    assert world.cli("list")["checkpoints"] == []


def test_a_rescued_session_that_later_ended_well_is_no_crash(
    world: World, sessions: list[str]
) -> None:
    """The brief at once is for work that was cut off; this was put down."""
    old, other, new = sessions[:3]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.kill()
    rescuing = world.client()
    assert "# Resuming" in rescuing.start(other).context
    again = world.client()
    again.start(old, "resume")
    again.end(old, "prompt_input_exit")

    heard = world.client().start(new)

    assert "# Unfinished work here" in heard.context
    assert world.cli("why", "--session", new)["rule"] == "unfinished"


def test_the_resume_picker_leaves_both_chains_as_they_are(
    world: World, sessions: list[str]
) -> None:
    """`/resume` moves a client to another session; neither came from the other."""
    first, second, third = sessions[:3]
    client = world.client()
    client.start(first)
    write_session(world, first, ASKED)
    write_session(world, second, "look at the logs")

    client.end(first, "resume")
    client.start(second, "resume")
    client.hook("Stop", second)
    client.end(second, "clear")
    heard = client.start(third, "clear")

    assert "look at the logs" in heard.context
    assert ASKED not in heard.context
    kept = world.cli("list")["checkpoints"]
    assert [c["session_id"] for c in kept] == [second, first]
    assert {c["relations"]["parent_session"] for c in kept} == {None}


def test_headless_clients_are_rescued_where_the_user_wants_everything(
    world: World, sessions: list[str]
) -> None:
    """`hooks.headless=full` means everything, a `kill -9` included."""
    environ = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "HOLDFAST_HEADLESS": "full"}
    old, new = sessions[:2]
    client = world.window(environ)
    client.start(old)
    write_session(world, old, ASKED)
    client.hook("Stop", old)
    client.kill()

    heard = world.window(environ).start(new)

    assert "# Resuming CHECKPOINT-00001" in heard.context


def test_a_long_transcript_of_a_crash_is_saved_beside_the_start(
    world: World, sessions: list[str]
) -> None:
    """A start prints at once, however much was left; the first prompt has the brief."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    path = world.transcript(old)
    padding = json.dumps({"type": "system", "subtype": "x", "content": "y" * 1000})
    path.write_text(f"{padding}\n" * 6_000 + path.read_text())
    client.kill()
    client = world.client()

    start = client.start(new)
    world.settle()
    heard = client.prompt(new, "continue")

    assert start.out == ""
    assert "# Resuming CHECKPOINT-00001" in heard.context
    assert world.cli("why", "--session", new)["rule"] == "crashed"


def test_nothing_waits_for_the_next_prompt_of_an_ended_session(
    world: World, sessions: list[str]
) -> None:
    """Starts without a prompt leave no files behind."""
    old, new = sessions[:2]
    write_session(world, old, ASKED)
    world.client().end(old, "other")
    client = world.client()
    client.start(new)
    mark = world.home / "pending" / new

    assert mark.exists()
    client.end(new, "prompt_input_exit")
    assert not mark.exists()


def test_the_log_is_folded_into_the_store_when_a_session_ends(
    world: World, sessions: list[str]
) -> None:
    """A damaged byte of a log hides all that comes after it: nothing stays there long."""
    old = sessions[0]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.hook("Stop", old)
    assert (world.home / "holdfast.db-wal").stat().st_size > 0

    client.end(old, "other")

    assert (world.home / "holdfast.db-wal").stat().st_size == 0
    assert len(world.cli("list")["checkpoints"]) == 1
