"""What a new session is told, through the real entry point and a real process tree."""

import itertools
import json
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.hooks.conftest import World, write_session

ASKED = "add refresh tokens; never use sleep in tests"


def test_a_clear_is_saved_linked_and_told(world: World, sessions: list[str]) -> None:
    """The promise: `/clear` loses nothing, and the screen says so in one line."""
    client, (old, new, *_) = world.client(), sessions
    client.start(old)
    write_session(world, old, ASKED)
    client.hook("Stop", old, last_assistant_message="One test is still red.")

    client.end(old, "clear")
    heard = client.start(new, "clear")

    assert "Resuming CHECKPOINT-00001" in heard.context
    assert ASKED in heard.context
    assert heard.line.startswith("✓ Checkpoint saved: ")
    assert "· 00001 · resumed ·" in heard.line
    [kept] = world.cli("list")["checkpoints"]
    assert (kept["type"], kept["session_id"]) == ("before-clear", old)
    why = world.cli("why", "--session", new)
    assert (why["rule"], why["delivered"]) == ("cleared-unfinished", "nothing")


def test_four_clears_in_a_row_carry_the_first_instruction(
    world: World, sessions: list[str]
) -> None:
    """The third `/clear` in a row loses no more than the first."""
    client = world.client()
    said = [ASKED, "rename the store", "look at the logs", "and the docs"]
    heard = client.start(sessions[0])
    for words, (old, new) in zip(said, itertools.pairwise(sessions), strict=False):
        client.prompt(old, words)
        write_session(world, old, words)
        client.end(old, "clear")
        heard = client.start(new, "clear")

    assert "never use sleep in tests" in heard.context
    last = world.cli("list", "--limit", "1")["checkpoints"][0]
    assert last["relations"]["root_session"] == sessions[0]
    assert last["relations"]["parent_session"] == sessions[2]


def test_a_new_start_gets_the_short_brief_and_continue_the_whole(
    world: World, sessions: list[str]
) -> None:
    """The model has what it needs to judge; a bare word brings the rest, once."""
    old, new = sessions[:2]
    write_session(world, old, ASKED)
    world.client().end(old, "prompt_input_exit")
    client = world.client()

    start = client.start(new)
    brief = client.prompt(new, "continue")
    again = client.prompt(new, "continue")

    assert start.context.startswith("# Unfinished work here: CHECKPOINT-00001")
    assert ASKED in start.context
    assert len(start.context.encode()) <= 4 * 400
    assert start.line.startswith("↻ 00001 ")
    assert "# Resuming CHECKPOINT-00001" in brief.context
    assert brief.line.startswith("↻ Resumed from checkpoint: ")
    assert again.out == ""
    assert world.cli("why", "--session", new)["delivered"] == "brief"


def test_who_only_agrees_at_first_goes_on_with_the_work(
    world: World, sessions: list[str]
) -> None:
    """ "ok" after an exit and a start: four of them lost the goal."""
    old, new = sessions[:2]
    write_session(world, old, ASKED)
    world.client().end(old, "prompt_input_exit")
    client = world.client()

    client.start(new)
    brief = client.prompt(new, "ok")
    later = client.prompt(new, "ok")

    assert "# Resuming CHECKPOINT-00001" in brief.context
    assert later.out == ""  # it answers the agent


def test_explicit_words_work_at_a_later_prompt(
    world: World, sessions: list[str]
) -> None:
    """Nothing else is said about unrelated work, and nothing is closed by it."""
    old, new = sessions[:2]
    write_session(world, old, ASKED)
    world.client().end(old, "prompt_input_exit")
    client = world.client()
    client.start(new)

    haiku = client.prompt(new, "write a haiku about kelp")
    missing = client.prompt(new, "continue api-design")
    brief = client.prompt(new, "ทำต่อเลยครับ")

    assert haiku.out == ""
    assert "`api-design`" in missing.context
    assert missing.line.startswith("holdfast: ")
    assert "# Resuming CHECKPOINT-00001" in brief.context
    why = world.cli("why", "--session", new)
    assert (why["rule"], why["delivered"], why["sign"]) == ("asked", "brief", "word")


def test_a_name_brings_its_brief_where_nothing_was_offered(
    world: World, sessions: list[str], tmp_path: Path
) -> None:
    """`continue NAME` is what saving a name advertises."""
    old, new, quiet = sessions[:3]
    world.repository()
    other = tmp_path / "other"
    world.git("worktree", "add", "-q", str(other))
    write_session(world, old, ASKED)
    world.cli("save", "--session", old, "--name", "api-design")
    world.client().start(new)
    client = world.client(other)
    client.start(quiet)
    client.prompt(quiet, "hello")

    heard = client.prompt(quiet, "continue api-design")

    assert "# Resuming CHECKPOINT-00001" in heard.context


def test_the_line_says_what_a_brief_had_no_room_for(
    world: World, sessions: list[str]
) -> None:
    """Only where it is an instruction, an edit or an open error; else it is noise."""
    old, new = sessions[:2]
    client = world.client(HOLDFAST_BUDGET_TOKENS="150")
    client.start(old)
    rules = [f"never touch the module number {n} of the harbour" for n in range(12)]
    write_session(world, old, ASKED, *rules)

    client.end(old, "clear")
    heard = client.start(new, "clear")

    assert re.search(r" · left out: \d+ instructions, \d+ edits$", heard.line)


def test_a_start_without_a_prompt_consumes_nothing(
    world: World, sessions: list[str]
) -> None:
    """Clients start sessions that nobody ever talks to, and some twice."""
    old, idle, new = sessions[:3]
    write_session(world, old, ASKED)
    world.client().end(old, "other")
    world.client().start(idle)
    client = world.client()

    first, second = client.start(new), client.start(new)
    why = world.cli("why", "--session", new)

    assert (why["offered"], why["delivered"], why["waiting"]) == (
        "short",
        "nothing",
        True,
    )
    assert "CHECKPOINT-00001" in first.context
    assert "CHECKPOINT-00001" in second.context
    assert "# Resuming" in client.prompt(new, "continue").context
    assert world.cli("why", "--session", new)["waiting"] is False


def test_a_killed_client_is_rescued_by_the_next_start(
    world: World, sessions: list[str]
) -> None:
    """`kill -9` runs no hook: what it left is saved when somebody comes back."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.hook("Stop", old)
    client.kill()

    heard = world.client().start(new)

    assert "# Resuming CHECKPOINT-00001" in heard.context
    assert world.cli("why", "--session", new)["rule"] == "crashed"
    [kept] = world.cli("list")["checkpoints"]
    assert (kept["session_id"], kept["type"]) == (old, "auto")


def test_resume_tells_only_files_that_changed(
    world: World, sessions: list[str]
) -> None:
    """The conversation is there; what it believes of the files may not be true."""
    old = sessions[0]
    file = world.project / "refresh.py"
    file.write_text("x = 1\n")
    write_session(world, old, ASKED)
    client = world.client()
    client.start(old)
    client.end(old, "resume")
    assert client.start(old, "resume").context == ""

    file.unlink()
    heard = client.start(old, "resume")

    assert "refresh.py (gone)" in heard.context
    assert len(heard.context.encode()) <= 400


def test_what_a_compaction_lost_is_told_once(world: World, sessions: list[str]) -> None:
    """The client's summary drops commands, errors and the user's words."""
    old = sessions[0]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.hook("PreCompact", old, trigger="auto")

    heard, again = client.start(old, "compact"), client.start(old, "compact")

    assert heard.context.startswith("# What the summary above leaves out")
    assert ASKED in heard.context
    assert again.context == ""
    assert world.cli("list")["checkpoints"][0]["type"] == "auto"


@pytest.mark.parametrize(
    "environ",
    [
        pytest.param({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, id="claude -p"),
        pytest.param({"CI": "true"}, id="CI"),
    ],
)
def test_headless_clients_cost_no_token_and_no_line(
    world: World, sessions: list[str], environ: dict[str, str]
) -> None:
    """One record at the end, marked, and nothing said."""
    old, new, later = sessions[:3]
    write_session(world, old, ASKED)
    world.client().end(old, "other")
    client = world.window(environ)

    heard = [client.start(new), client.prompt(new, "continue")]
    write_session(world, new, "say hi")
    heard += [client.hook("Stop", new), client.end(new, "other")]

    assert [one.out for one in heard] == [""] * 4
    assert "CHECKPOINT-00001" in world.client().start(later).context
    assert len(world.cli("list")["checkpoints"]) == 2


def test_switches_and_fresh_are_obeyed(world: World, sessions: list[str]) -> None:
    """The user is in charge."""
    old, quiet, fresh, usual = sessions[:4]
    write_session(world, old, ASKED)
    world.client().end(old, "other")

    world.cli("off", "--project")
    assert world.client().start(quiet).out == ""
    world.cli("on", "--project")
    world.cli("fresh")
    client = world.client()
    assert client.start(fresh).out == ""
    assert client.prompt(fresh, "continue").out == ""
    assert world.cli("why", "--session", fresh)["rule"] == "fresh"
    assert "CHECKPOINT-00001" in world.client().start(usual).context


@pytest.mark.parametrize(
    ("answer", "context", "left"),
    [
        pytest.param("resume", "# Resuming", 1, id="resume"),
        pytest.param("ทำต่อ", "# Resuming", 1, id="Thai"),
        pytest.param("이어서", "# Resuming", 1, id="Korean"),
        pytest.param("keep", "", 1, id="keep"),
        pytest.param("discard", "The user discarded", 0, id="discard"),
        pytest.param("write a haiku", "", 1, id="any other prompt keeps"),
    ],
)
def test_prompt_mode_saves_first_and_asks_after(
    world: World, sessions: list[str], answer: str, context: str, left: int
) -> None:
    """Nothing that a user answers late is lost."""
    old, new = sessions[:2]
    client = world.client(HOLDFAST_AUTO_CHECKPOINT_ON_CLEAR="prompt")
    client.start(old)
    write_session(world, old, ASKED)
    client.end(old, "clear")

    asked = client.start(new, "clear")
    heard = client.prompt(new, answer)

    assert "answer resume, keep or discard" in asked.line
    assert heard.context.startswith(context)
    assert bool(heard.context) == bool(context)
    assert len(world.cli("list")["checkpoints"]) == left


def test_the_session_shell_sees_its_variables(
    world: World, sessions: list[str]
) -> None:
    """Each save rewrites them; the client's file sources ours."""
    old, new = sessions[:2]
    env_file = world.root / "claude" / "session-env" / old / "hook.sh"
    client = world.client(CLAUDE_ENV_FILE=str(env_file))
    client.start(old)
    write_session(world, old, ASKED)
    client.end(old, "clear")
    client.start(new, "clear")

    done = subprocess.run(
        ["sh", "-c", (f'. {env_file}; echo "$CLAUDE_SESSION_ID $CLAUDE_SESSION_PARENT'
         ' $CLAUDE_LAST_CHECKPOINT $CLAUDE_CHECKPOINT_COUNT"')],
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    [kept] = world.cli("list")["checkpoints"]
    assert done.stdout.split() == [new, old, kept["id"], "0"]


def test_a_start_asks_git_nothing_and_looks_at_named_files_only(
    world: World, sessions: list[str]
) -> None:
    """It prints at once however large the repository is: nothing is searched or listed."""
    old, new = sessions[:2]
    world.repository()
    for number in range(300):
        (world.project / f"other{number}.py").write_text("x = 1\n")
    write_session(world, old, ASKED)
    world.client().end(old, "prompt_input_exit")
    asked = world.root / "git-calls"
    spy = world.root / "bin" / "git"
    spy.parent.mkdir()
    spy.write_text(f'#!/bin/sh\necho "$@" >> {asked}\nexit 1\n')
    spy.chmod(0o755)
    client = world.client(PATH=f"{spy.parent}:{os.environ['PATH']}")

    start = client.start(new)
    brief = client.prompt(new, "continue")

    assert "# Unfinished work here" in start.context
    assert "# Resuming" in brief.context
    assert not asked.exists()


def test_a_resumed_session_hears_of_changed_files_though_its_transcript_was_touched(
    world: World, sessions: list[str]
) -> None:
    """The client writes into the transcript as it resumes: its own lines tell the time."""
    old = sessions[0]
    (world.project / "refresh.py").write_text("x = 1\n")
    write_session(world, old, ASKED)
    world.client().end(old, "prompt_input_exit")
    soon = time.time_ns() + 60_000_000_000
    os.utime(world.project / "refresh.py", ns=(soon, soon))
    os.utime(world.transcript(old), ns=(2 * soon, 2 * soon))

    heard = world.client().start(old, "resume")

    assert "refresh.py" in heard.context
    assert world.cli("why", "--session", old)["rule"] == "resumed-files-changed"


def test_a_restore_is_no_crash(world: World, sessions: list[str]) -> None:
    """The present that a restore saves first is not a session that ended badly."""
    old, new = sessions[:2]
    (world.project / "a.txt").write_text("then", encoding="utf-8")
    write_session(world, old, ASKED)
    world.client().end(old, "prompt_input_exit")
    world.settle()
    (world.project / "a.txt").write_text("now", encoding="utf-8")

    restored = world.cli("restore", "1", "--yes")
    heard = world.client().start(new)

    assert restored["written"] == ["a.txt"]
    assert "Resuming CHECKPOINT-" not in heard.context
    assert world.cli("why", "--session", new)["rule"] == "unfinished"


def test_a_clear_whose_end_was_killed_is_saved_by_the_start_after_it(
    world: World, sessions: list[str]
) -> None:
    """A busy machine: the client kills an end that is slow to start, and clears."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    client.prompt(old, ASKED)
    write_session(world, old, ASKED)

    heard = client.start(new, "clear")

    assert heard.line.startswith("✓ Checkpoint saved: ")
    assert "Resuming CHECKPOINT-00001" in heard.context
    [kept] = world.cli("list")["checkpoints"]
    assert (kept["type"], kept["session_id"]) == ("before-clear", old)


def test_a_session_saved_by_hand_is_offered_whatever_came_after(
    world: World, sessions: list[str]
) -> None:
    """Somebody wanted to keep it; a last question before the exit changes nothing."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_talk(world, old, "which lifetime do people use for tokens")
    world.cli("save", "--session", old)
    write_talk(world, old, "which lifetime do people use for tokens", "and why")
    client.end(old, "prompt_input_exit")
    kept = world.cli("list")["checkpoints"]

    start = world.client().start(new)

    assert [one["type"] for one in kept] == ["auto", "manual"]
    assert "CHECKPOINT-00002" in start.context


def write_talk(world: World, session: str, *prompts: str) -> None:
    """Write a transcript of questions and answers in which nothing was done."""
    write_session(world, session, *prompts)
    path = world.transcript(session)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    said = [line for line in lines if "tool_" not in json.dumps(line)]
    for line, before in zip(said, [None, *said], strict=False):
        line["parentUuid"] = before["uuid"] if before else None
    path.write_text("".join(json.dumps(line) + "\n" for line in said))
