"""`holdfast backfill`: what lies on disk becomes checkpoints, once, as of its own time."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast.kernel.clock import iso
from tests.builders import session_number
from tests.e2e.client.driver import wait_until
from tests.e2e.conftest import Cli, on_a_terminal
from tests.past import (
    BEGAN,
    DAY,
    HOUR,
    PastDisk,
    asked,
    cleared,
    compacted,
    edited,
    pause,
)

_BAR = re.compile(
    rb"\d sessions? \S+ [\d.]+/[\d.]+ \w+ "  # so many bytes of so many
    rb"(\?|[\d.]+ \w+/s) "  # what it does in a second, once that can be said
    rb"(-:--:--|\d+:\d\d:\d\d)"  # and what is left
)
_SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def disk(cli: Cli, tmp_path: Path) -> PastDisk:
    return PastDisk(tmp_path / "claude", str(cli.project))


def _two_days(disk: PastDisk) -> None:
    disk.write(1, asked("add refresh tokens"), edited("src/auth.py"))
    disk.write(2, cleared(), asked("now rotate them"), at=BEGAN + HOUR)
    disk.write(
        3,
        asked("the parser loses quotes"),
        edited("src/parser.py"),
        compacted("Quotes were lost."),
        asked("now the nested ones"),
        at=BEGAN + DAY,
    )


def _listed(cli: Cli) -> list[Any]:
    found = cli("list", "--json", "--all", "--limit", "100").json["checkpoints"]
    return list(reversed(found))


def test_every_session_on_disk_is_kept_as_of_its_own_time(
    cli: Cli, disk: PastDisk
) -> None:
    """Three sessions, one of them compacted: four checkpoints, oldest first."""
    _two_days(disk)

    ran = cli("backfill")

    assert ran.status == 0, ran
    assert ran.out == (
        "3 sessions, 1 project, 4 checkpoints: `holdfast search --all` finds them\n"
    )
    kept = _listed(cli)
    assert [c["session_id"] for c in kept] == [session_number(n) for n in (1, 2, 3, 3)]
    assert [c["created_at"] for c in kept] == [
        iso(BEGAN + ms) for ms in (4_000, HOUR + 4_000, DAY + 4_000, DAY + 8_000)
    ]
    assert all(c["code"]["tree"] is None for c in kept)


def test_the_younger_work_has_the_higher_number(cli: Cli, disk: PastDisk) -> None:
    """Whatever its file is called."""
    disk.write(1, asked("now rotate them"), at=BEGAN + DAY)
    disk.write(2, asked("add refresh tokens"))

    cli("backfill")

    numbers = {c["session_id"]: c["number"] for c in _listed(cli)}
    assert numbers == {session_number(2): 1, session_number(1): 2}


def test_what_was_said_is_found_at_once(cli: Cli, disk: PastDisk) -> None:
    """The user's words and the agent's."""
    _two_days(disk)
    cli("backfill")

    hits = cli("search", "nested", "--json").json["checkpoints"]
    answers = cli("search", "look", "--json").json["checkpoints"]  # no user said it

    assert hits[0]["session_id"] == session_number(3)
    assert {hit["session_id"] for hit in answers} == {
        session_number(n) for n in (1, 2, 3)
    }


def test_who_came_from_whom_is_known(cli: Cli, disk: PastDisk) -> None:
    """A clear, and the rule that was laid down before it is carried on."""
    disk.write(1, asked("never use sleep in tests"), edited("src/auth.py"))
    disk.write(2, cleared(), asked("now rotate them"), at=BEGAN + HOUR)
    cli("backfill")

    told = cli("session", session_number(2), "--json").json

    assert told["session"]["parent_session"] == session_number(1)
    newest = cli("show", f"session:{session_number(2)}", "--json").json
    rules = newest["content"]["instructions"]
    assert [rule["text"] for rule in rules] == ["never use sleep in tests"]
    first = cli("session", session_number(1), "--json").json["session"]
    assert first["cleared"]


def test_a_fork_repeats_nothing_of_its_origin(cli: Cli, disk: PastDisk) -> None:
    """The compaction that it copied is its origin's checkpoint."""
    lines = disk.write(
        1, asked("the parser loses quotes"), compacted("Quotes."), asked("and tabs?")
    )
    disk.write(2, asked("another way instead"), copied=lines, at=BEGAN + HOUR)

    cli("backfill")

    kept = [c["session_id"] for c in _listed(cli)]
    assert kept == [session_number(n) for n in (1, 1, 2)]


def test_a_copy_of_a_session_is_read_once(cli: Cli, disk: PastDisk) -> None:
    """Its project moved, and the client has it in two places."""
    disk.write(1, asked("the parser loses quotes"))
    other = disk.path(1, "/code/elsewhere")
    other.parent.mkdir(parents=True)
    other.write_bytes(disk.path(1).read_bytes())

    first, again = (cli("backfill", "--json").json for _ in range(2))

    assert (first["checkpoints"], first["read"]) == (1, 1)
    assert (again["read"], again["known"]) == (0, 2)


def test_no_secret_is_kept(cli: Cli, disk: PastDisk) -> None:
    """The same chokepoint as everywhere."""
    disk.write(1, asked(f"the token is {_SECRET}"), edited("src/auth.py"))

    cli("backfill")

    kept = b"".join(p.read_bytes() for p in cli.home.rglob("*") if p.is_file())
    assert _SECRET.encode() not in kept
    assert b"redacted" in kept


def test_a_second_run_makes_nothing_new(cli: Cli, disk: PastDisk) -> None:
    """Nor does one that has forgotten what it read: the store knows."""
    _two_days(disk)
    cli("backfill")
    kept = _listed(cli)

    again = cli("backfill")
    (cli.home / "backfill.jsonl").unlink()
    and_again = cli("backfill", "--json").json

    assert again.out == "nothing new in 3 transcripts\n"
    assert and_again["checkpoints"] == 0
    assert _listed(cli) == kept


def test_a_session_that_went_on_costs_what_is_new(cli: Cli, disk: PastDisk) -> None:
    """One more checkpoint, and its session has two."""
    _two_days(disk)
    cli("backfill")
    parts = (asked("add refresh tokens"), edited("src/auth.py"))
    disk.write(1, *parts, [{"pause": 9 * DAY}], asked("and revoke them"))

    ran = cli("backfill", "--json").json

    assert (ran["sessions"], ran["checkpoints"], ran["known"]) == (1, 1, 2)


def test_what_was_saved_while_it_happened_is_not_saved_again(
    cli: Cli, disk: PastDisk
) -> None:
    """The hook or the user was there first."""
    _two_days(disk)
    cli.save("--session", session_number(3), transcript=disk.path(3))

    ran = cli("backfill", "--json").json

    assert (ran["sessions"], ran["checkpoints"]) == (2, 2)
    assert len(_listed(cli)) == 3


def test_latest_is_what_was_saved_last_and_not_what_was_brought_in_last(
    cli: Cli, disk: PastDisk
) -> None:
    """Work of last month has the higher number, and is not what `resume` means."""
    _two_days(disk)
    saved = cli.save("--title", "today")

    cli("backfill")

    told = cli("resume", "latest", "--json").json
    assert told["checkpoint"]["id"] == saved["checkpoint"]["id"]


def test_a_session_that_goes_on_is_left_to_its_end(
    cli: Cli, disk: PastDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next run keeps it, if its end did not."""
    _two_days(disk)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", session_number(3))
    first = cli("backfill")
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")

    then = cli("backfill", "--json").json

    assert "1 session still running" in first.err
    assert first.out.startswith("2 sessions, ")
    assert (then["sessions"], then["checkpoints"]) == (1, 2)


def test_a_night_is_a_boundary_and_a_lunch_is_none(cli: Cli, disk: PastDisk) -> None:
    """What was known when somebody went home is a checkpoint of its own."""
    disk.write(
        1,
        asked("add refresh tokens"),
        pause(HOUR),
        asked("and revoke them"),
        pause(14 * HOUR),
        asked("now the docs"),
    )

    cli("backfill")

    kept = [len(c["content"]["requests"]) for c in _listed(cli)]
    assert kept == [2, 3]


def test_what_was_forgotten_does_not_come_back(cli: Cli, disk: PastDisk) -> None:
    """Neither a session, nor a record of one that went on."""
    _two_days(disk)
    cli("backfill")
    cli("forget", f"session:{session_number(1)}", "--yes")
    last = cli("list", "--json").json["checkpoints"][0]["number"]
    cli("forget", str(last), "--yes")
    left = [c["id"] for c in _listed(cli)]
    with disk.path(1).open("a") as file, disk.path(3).open("a") as other:
        file.write("{}\n")
        other.write("{}\n")

    cli("backfill")

    assert [c["id"] for c in _listed(cli)] == left


def test_what_is_excluded_is_not_read(cli: Cli, disk: PastDisk, tmp_path: Path) -> None:
    """A directory that the user keeps to themselves, and a project that is off."""
    _two_days(disk)
    disk.write(4, asked("secret plans"), directory="/private/plans")
    config = tmp_path / "config" / "holdfast"
    config.mkdir(parents=True)
    (config / "config.json").write_text('{"exclude": ["/private"]}')
    (cli.project / ".holdfast.json").write_text('{"enabled": false}')

    ran = cli("backfill", "--json").json

    assert (ran["sessions"], ran["read"]) == (0, 0)


def test_a_directory_of_transcripts_can_be_named(
    cli: Cli, disk: PastDisk, tmp_path: Path
) -> None:
    """From a backup, from another machine: each belongs to where it worked."""
    disk.write(1, asked("fix the parser"), directory="/gone/a")
    disk.write(2, asked("fix the lexer"), directory="/gone/b")
    copied = tmp_path / "backup" / "deep"
    shutil.copytree(disk.claude / "projects", copied)
    shutil.rmtree(disk.claude)

    ran = cli("backfill", str(copied.parent), "--json").json

    assert (ran["sessions"], ran["projects"]) == (2, 2)
    assert {c["working_directory"] for c in _listed(cli)} == {"/gone/a", "/gone/b"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", None),
        ("\x00\x01 nonsense\n", "names no session"),
        ('{"type":"user"', "names no session"),
    ],
)
def test_a_file_that_is_no_transcript_is_told_and_costs_no_other(
    cli: Cli, disk: PastDisk, text: str, why: str | None
) -> None:
    """Once: the next run has seen it."""
    _two_days(disk)
    disk.path(1).with_name("notes.jsonl").write_text(text)

    ran = cli("backfill")

    assert "3 sessions" in ran.out
    assert (ran.status, why in ran.err if why else not ran.err) == (
        3 if why else 0,
        True,
    )
    assert cli("backfill").status == 0


def test_a_transcript_that_cannot_be_read_is_told(cli: Cli, disk: PastDisk) -> None:
    """It is tried again by the next run."""
    _two_days(disk)
    lines = disk.path(2).read_text()
    disk.path(2).write_text(lines[: len(lines) // 2])

    assert cli("backfill").status == 0  # half a line is half a line
    disk.path(2).write_text(lines)
    assert cli("backfill", "--json").json["sessions"] in (0, 1)


def test_an_agent_or_a_directory_that_is_not_there_is_a_clear_sentence(
    cli: Cli,
) -> None:
    """Wrong usage, and nothing is made."""
    agent = cli("backfill", "--agent", "nobody")
    place = cli("backfill", "/not/there")

    assert (agent.status, place.status) == (2, 2)
    assert "is not an agent" in agent.err
    assert "is not a directory" in place.err


def test_where_nothing_lies_there_is_nothing_to_do(cli: Cli) -> None:
    """A new machine."""
    ran = cli("backfill")

    assert (ran.status, ran.out) == (0, "no transcripts were found\n")


def test_a_session_of_nothing_makes_no_record(cli: Cli, disk: PastDisk) -> None:
    """Somebody opened the client and left."""
    disk.write(1, cleared())

    assert cli("backfill", "--json").json["checkpoints"] == 0


def test_a_terminal_shows_how_it_goes(cli: Cli, disk: PastDisk) -> None:
    """How much of how much, the rate and the time that is left. The bar is gone at the
    end; the last line stays."""
    _two_days(disk)

    seen = on_a_terminal(cli, "backfill")

    told = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", seen)
    assert re.search(_BAR, told), told
    assert b"3 sessions, 1 project, 4 checkpoints" in told.splitlines()[-1]


@pytest.mark.process
def test_an_interrupted_run_says_how_to_go_on(cli: Cli, disk: PastDisk) -> None:
    """Ctrl-C: what was put in stays."""
    for number in range(1, 40):
        disk.write(number, *[asked(f"thing {n}") for n in range(60)], at=BEGAN + number)
    call = [sys.executable, "-m", "holdfast", "--project", str(cli.project), "backfill"]
    running = subprocess.Popen(call, stderr=subprocess.PIPE, text=True)
    ledger = cli.home / "backfill.jsonl"
    wait_until(lambda: ledger.exists() or running.poll() is not None, "a first session")
    running.send_signal(signal.SIGINT)
    _, err = running.communicate()

    # It may have been done, or at its last words, before it could be interrupted.
    assert running.returncode in (0, 130), err
    is_told = "`holdfast backfill` continues" in err
    assert is_told or len(_listed(cli)) == 39, err
    assert len(_listed(cli)) >= 1
    cli("backfill")
    assert len(_listed(cli)) == 39


def test_install_offers_it_and_does_not_begin(cli: Cli, disk: PastDisk) -> None:
    """One line, once there is something."""
    _two_days(disk)

    ran = cli("install", "claude", "--no-mcp")

    assert "3 sessions on this machine can be searched: holdfast backfill" in ran.out
    assert _listed(cli) == []


def test_low_priority_is_that_of_the_readers_only(cli: Cli, disk: PastDisk) -> None:
    """A script that calls it goes on as before."""
    _two_days(disk)
    before = os.nice(0)

    cli("backfill")

    assert os.nice(0) == before or len(os.sched_getaffinity(0)) == 1
    assert json.loads(cli("list", "--json").out)["checkpoints"]
