"""What happens between a start and an end: thresholds, reminders, dead ends, costs."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.hooks.conftest import FIXTURES, World, write_session

ASKED = "add refresh tokens; never use sleep in tests"


def fails(world: World, session: str, command: str, times: int, after: int) -> None:
    """Add a turn in which a command failed some times, then others that worked."""
    path = world.transcript(session)
    last = json.loads(path.read_text().splitlines()[-1])
    lines: list[dict[str, Any]] = []

    def add(kind: str, content: Any, **more: Any) -> None:
        serial = 0x1000 + len(path.read_text().splitlines()) + len(lines)
        uuid = f"{serial:08x}{session[8:]}"
        before = lines[-1]["uuid"] if lines else last["uuid"]
        message = {"role": kind, "content": content, "id": f"m{serial}"}
        lines.append(
            {**last, "type": kind, "uuid": uuid, "parentUuid": before} | more
            | {"message": message}
        )  # fmt: skip

    add("user", "run it")
    for number in range(times + after):
        is_bad = number < times
        run = {"command": command if is_bad else f"ls part{number}"}
        use = {"type": "tool_use", "id": f"c{len(lines)}", "name": "Bash", "input": run}
        result = {
            "type": "tool_result",
            "tool_use_id": use["id"],
            "is_error": is_bad,
            "content": "Exit code 1\nError: deadlock detected" if is_bad else "ok",
        }
        add("assistant", [use])
        add("user", [result])
    with path.open("a") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


def test_a_dead_end_that_is_walked_again_is_named_once(
    world: World, sessions: list[str]
) -> None:
    """H8: short, at the next prompt, and never a second time."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    fails(world, old, "psql -f locked-migration.sql", times=3, after=13)
    client.end(old, "clear")
    assert "psql -f locked-migration.sql" in client.start(new, "clear").context
    client.prompt(new, "continue")
    write_session(world, new, "try the migration")
    fails(world, new, "psql -f locked-migration.sql", times=1, after=0)
    client.hook("Stop", new)

    named = client.prompt(new, "what happened?")
    client.hook("Stop", new)
    again = client.prompt(new, "and now?")

    assert named.context.startswith("This failed in an earlier session, too")
    assert "psql -f locked-migration.sql" in named.context
    assert "`Error: deadlock detected`" in named.context  # a tool's words are quoted
    assert len(named.context) < 300
    assert again.out == ""


def test_a_word_for_the_next_prompt_outlives_a_compaction(
    world: World, sessions: list[str]
) -> None:
    """A start leaves a mark of its own; a reminder is void, for all was saved before."""
    old, new = sessions[:2]
    client = world.client(HOLDFAST_NUDGE="on")
    client.start(old)
    write_session(world, old, ASKED)
    fails(world, old, "psql -f locked-migration.sql", times=3, after=13)
    client.end(old, "clear")
    client.start(new, "clear")
    client.prompt(new, "continue")
    long_session(world, new, 101)
    fails(world, new, "psql -f locked-migration.sql", times=1, after=0)
    client.hook("Stop", new)
    client.hook("PreCompact", new, trigger="manual")
    client.start(new, "compact")

    heard = client.prompt(new, "and now?")

    assert "psql -f locked-migration.sql" in heard.context
    assert heard.line == ""


def long_session(world: World, session: str, turns: int) -> None:
    write_session(world, session, ASKED, *[f"step {n}" for n in range(turns - 1)])


@pytest.mark.parametrize(
    ("environ", "is_told"),
    [
        pytest.param({}, False, id="off by default"),
        pytest.param({"HOLDFAST_NUDGE": "on"}, True, id="on"),
    ],
)
def test_a_long_session_is_reminded_at_the_prompt(
    world: World,
    sessions: list[str],
    environ: dict[str, str],
    is_told: bool,  # noqa: FBT001  # a column of the table
) -> None:
    """Every 40 messages without a save, above 200; silent unless it is wanted."""
    client = world.window(environ)
    long_session(world, sessions[0], 51)
    client.hook("Stop", sessions[0])

    heard = client.prompt(sessions[0], "next step")
    client.hook("Stop", sessions[0])
    again = client.prompt(sessions[0], "next step")

    assert ("/holdfast:checkpoint" in heard.line) == is_told
    assert heard.context == ""
    assert again.out == ""


def test_a_threshold_saves_once_per_crossing(world: World, sessions: list[str]) -> None:
    """Above the threshold every turn would otherwise make a record."""
    session = sessions[0]
    write_session(world, session, ASKED)
    path = world.transcript(session)
    full = path.read_text().replace('"input_tokens": 1000', '"input_tokens": 150000')
    path.write_text(full)
    client = world.client()

    client.hook("Stop", session, last_assistant_message="Nearly full now.")
    client.hook("Stop", session)

    [kept] = world.cli("list")["checkpoints"]
    assert kept["type"] == "auto"


def test_a_rewind_leaves_a_dead_end(world: World, sessions: list[str]) -> None:
    """`/rewind` runs no hook: the transcript alone tells that a branch was given up."""
    session = sessions[0]
    path = world.transcript(session)
    path.parent.mkdir(parents=True)
    sample = FIXTURES / "transcripts" / "interactive-rewind-skill-bashmode.jsonl"
    shutil.copy(sample, path)
    client = world.client()
    client.start(session)
    client.hook("Stop", session)

    client.end(session, "prompt_input_exit")

    [kept] = world.cli("list")["checkpoints"]
    told = [item["text"] for item in kept["content"]["dead_ends"]]
    assert any(text.startswith("the user went back before asking") for text in told)


def test_nothing_is_saved_while_holdfast_is_off(
    world: World, sessions: list[str]
) -> None:
    """D10: off means off, before a compaction too."""
    session = sessions[0]
    client = world.client()
    client.start(session)
    write_session(world, session, ASKED)
    world.cli("off")

    client.hook("Stop", session)
    client.hook("PreCompact", session, trigger="auto")
    client.end(session, "clear")
    heard = client.start(sessions[1], "clear")

    assert heard.out == ""
    assert world.cli("list")["checkpoints"] == []


@pytest.mark.parametrize(
    "glob",
    [
        pytest.param("{project}", id="the directory"),
        pytest.param("{root}/*", id="a glob"),
        pytest.param("~/code/**", id="below home"),
        pytest.param("~/code", id="home without a star"),
    ],
)
def test_excluded_directories_are_not_read(
    world: World, sessions: list[str], glob: str
) -> None:
    """What the user excludes leaves no trace."""
    home = world.root / "user"
    place = home / "code" / "secret"
    place.mkdir(parents=True)
    config = home / ".config" / "holdfast" / "config.json"
    config.parent.mkdir(parents=True)
    named = glob.format(project=place, root=home / "code")
    config.write_text(json.dumps({"exclude": [named]}))
    write_session(world, sessions[0], ASKED, project=place)
    client = world.client(place)

    client.start(sessions[0])
    client.hook("Stop", sessions[0])
    client.end(sessions[0], "other")

    assert not (world.home / "holdfast.db").exists()


def test_an_excluded_neighbour_is_not_meant(
    world: World, sessions: list[str], tmp_path: Path
) -> None:
    """`~/work` does not exclude `~/workshop`."""
    config = tmp_path / "user" / ".config" / "holdfast" / "config.json"
    config.parent.mkdir(parents=True)
    config.write_text(json.dumps({"exclude": [f"{world.project}s", "~/pro"]}))
    write_session(world, sessions[0], ASKED)

    world.client().end(sessions[0], "other")

    assert len(world.cli("list")["checkpoints"]) == 1


def test_why_shows_what_a_session_cost(world: World, sessions: list[str]) -> None:
    """H11: tokens, milliseconds and bytes, of every hook that ran."""
    old, new = sessions[:2]
    client = world.client()
    client.start(old)
    write_session(world, old, ASKED)
    client.hook("Stop", old)
    client.end(old, "clear")
    heard = client.start(new, "clear")
    client.prompt(new, "continue")

    before, after = (world.cli("why", "--session", one) for one in (old, new))

    size = world.transcript(old).stat().st_size
    assert (before["cost"]["events"], before["cost"]["bytes"]) == (2, size)
    assert before["cost"]["tokens"] == 0
    assert after["cost"]["tokens"] == (len(heard.context.encode()) + 3) // 4
    assert after["cost"]["milliseconds"] > 0
    assert after["delivered"] == "brief"
    assert after["meaning"] == "the cleared session left unfinished work"


def test_an_expected_failure_is_one_line_in_the_log(
    world: World, sessions: list[str]
) -> None:
    """A session that writes no transcript would otherwise fill the log."""
    client = world.client()

    for event in ("Stop", "PreCompact"):
        client.hook(event, sessions[0])

    log = (world.home / "log" / "hook.log").read_text(encoding="utf-8")
    assert [line.split()[1:3] for line in log.splitlines()] == [
        ["Stop:", "CKPT_001:"],
        ["PreCompact:", "CKPT_001:"],
    ]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("startup", id="startup"),
        pytest.param("clear", id="clear"),
        pytest.param("compact", id="compact"),
        pytest.param("resume", id="resume"),
        pytest.param("fork", id="fork"),
        pytest.param("teleport", id="unknown"),
        pytest.param("", id="none"),
    ],
)
def test_every_source_is_answered_where_there_is_nothing_to_say(
    world: World, sessions: list[str], source: str
) -> None:
    """A first start in a new place: no line, no token, exit 0, and a rule to explain it."""
    heard = world.client().start(sessions[0], source)

    assert (heard.status, heard.line, heard.err) == (0, "", "")
    assert heard.context == ""
    assert world.cli("why", "--session", sessions[0])["meaning"]


def test_why_tells_what_was_given_and_by_which_words(
    world: World, sessions: list[str]
) -> None:
    """D10: the rule, what reached the model, and what it costs here and everywhere."""
    old, new, other = sessions[:3]
    write_session(world, old, "add refresh tokens to the login page")
    world.client().end(old, "prompt_input_exit")
    taken, left = world.client(), world.client()
    taken.start(new)
    taken.prompt(new, "continue")
    told = left.start(other)
    left.prompt(other, "what is the difference between kelp and dulse in a soup?")

    yes, no = (world.cli("why", "--session", session) for session in (new, other))

    assert (yes["delivered"], yes["sign"]) == ("brief", "word")
    assert (no["delivered"], no["sign"]) == ("card", None)
    assert no["rule"] == "delivered-elsewhere"
    assert no["tokens"] == (len(told.context.encode()) + 3) // 4 <= 120
    assert 0 < no["standing_tokens"] < 400


def test_why_tells_one_hook_as_one(world: World, sessions: list[str]) -> None:
    """A person reads the last line, too."""
    world.client().start(sessions[0])
    call = [sys.executable, "-m", "holdfast", "why", "--project", str(world.project)]

    told = subprocess.run(
        call, env=world.environ(), capture_output=True, text=True, check=True
    )

    assert "cost       1 hook · " in told.stdout
