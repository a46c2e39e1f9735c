"""`holdfast archive`: what the client deletes stays, without secrets, and comes back."""

import json
import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from zstandard import ZstdDecompressor

from holdfast.bootstrap import Container
from holdfast.bootstrap.hooks import hook_context
from tests.builders import session_number
from tests.e2e.client.driver import wait_until
from tests.e2e.conftest import Cli
from tests.past import PastDisk, asked, edited

_SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
_DAY = 86_400


@pytest.fixture
def disk(cli: Cli, tmp_path: Path) -> PastDisk:
    disk = PastDisk(tmp_path / "claude", str(cli.project))
    disk.write(1, asked("the parser loses quotes"), edited("src/parser.py"))
    disk.write(2, asked(f"the token is {_SECRET}"), edited("src/auth.py"))
    beside = disk.path(1).with_suffix("") / "subagents"
    beside.mkdir(parents=True)
    (beside / "agent-ab12.jsonl").write_bytes(disk.path(1).read_bytes())
    (beside / "agent-ab12.meta.json").write_text('{"agentType":"explore"}')
    return disk


def _aged(path: Path, days: float) -> None:
    """Let a file be as old as the client counts it."""
    seen = path.stat()
    at = seen.st_mtime - days * _DAY
    os.utime(path, (at, at))


def test_a_deleted_session_comes_back_with_its_sub_agents(
    cli: Cli, disk: PastDisk
) -> None:
    """Byte for byte where there was no secret."""
    cli("backfill")
    before = disk.path(1).read_bytes()
    told = cli("archive", "--json").json
    assert (told["type"], told["sessions"], told["unread"]) == ("archived", 2, [])
    assert 0 < told["stored"] < told["bytes"]
    beside = disk.path(1).with_suffix("") / "subagents"
    for path in (disk.path(1), *beside.iterdir()):
        path.unlink()

    opened = cli("open", f"session:{session_number(1)}", "--native", "--json").json

    assert opened["command"] == ["claude", "--resume", session_number(1)]
    assert Path(opened["written"]) == disk.path(1)
    assert disk.path(1).read_bytes() == before
    assert sorted(path.name for path in beside.iterdir()) == [
        "agent-ab12.jsonl",
        "agent-ab12.meta.json",
    ]


def test_a_fork_of_a_deleted_session_is_made_from_the_archive(
    cli: Cli, disk: PastDisk
) -> None:
    """The session is brought back, and the fork begins beside it."""
    cli("backfill")
    cli("archive")
    disk.path(1).unlink()

    told = cli("open", f"session:{session_number(1)}", "--fork", "--json").json

    assert told["session_id"] != session_number(1)
    assert Path(told["written"]).exists()


def test_no_secret_is_archived_and_the_client_still_reads_it(
    cli: Cli, disk: PastDisk
) -> None:
    """Every line is JSON with its ids; the client's own file is as it was."""
    cli("backfill")
    before = disk.path(2).read_bytes()
    cli("archive")
    assert disk.path(2).read_bytes() == before
    disk.path(2).unlink()

    cli("open", f"session:{session_number(2)}", "--native", "--json")

    text = disk.path(2).read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    known = [json.loads(line) for line in before.splitlines()]
    assert _SECRET not in text
    assert "[redacted" in text
    for name in ("uuid", "parentUuid", "sessionId", "timestamp", "cwd", "type"):
        assert [line[name] for line in lines] == [line[name] for line in known]


def test_a_second_run_keeps_what_is_new(cli: Cli, disk: PastDisk) -> None:
    """And says how much it takes."""
    cli("archive")
    disk.write(3, asked("and the lexer"))

    ran = cli("archive")

    assert re.match(
        r"1 session archived \([\d.]+ (?:kB|bytes)\), 2 archived before: ", ran.out
    )
    assert re.search(r"2 archived before: [\d.]+ (kB|bytes) in ", ran.out)
    assert cli("archive").out.startswith("nothing new, 3 archived before")
    assert "within 7 days" in cli("archive", "--dying").err


def test_an_empty_archive_is_told_as_one(cli: Cli) -> None:
    """No figure stands for nothing."""
    ran = cli("archive", "--dying")

    assert ran.out == "nothing new, 0 archived before: the archive is empty\n"
    assert "the client will delete no other transcript within 7 days" in ran.err


def test_what_dies_soon_is_told_by_doctor_and_kept_alone(
    cli: Cli, disk: PastDisk
) -> None:
    """The client deletes after 30 days, or what its settings say."""
    cli("backfill")
    _aged(disk.path(1), 28)

    (warned,) = [c for c in _checks(cli, "archive") if c["state"] == "warn"]
    assert (
        "1 transcript will be deleted by claude-code within 5 days" in warned["message"]
    )
    assert "the first in 1 day" in warned["message"]
    assert "holdfast archive" in warned["hint"]

    assert cli("archive", "--dying", "--json").json["sessions"] == 1
    assert [c["state"] for c in _checks(cli, "archive")] == ["ok"]
    (disk.claude / "settings.json").write_text('{"cleanupPeriodDays": 3}')
    assert [c["state"] for c in _checks(cli, "archive")] == ["ok", "warn"]


def _checks(cli: Cli, name: str) -> list[Any]:
    return [c for c in cli("doctor", "--json").json["checks"] if c["name"] == name]


def test_what_was_forgotten_is_gone_from_the_archive_and_stays_away(
    cli: Cli, disk: PastDisk
) -> None:
    """No piece of it is left, and the next run does not bring it."""
    cli("backfill")
    cli("archive")
    pieces = len(list(cli.home.rglob("*.zst")))

    cli("forget", f"session:{session_number(1)}", "--yes")
    again = cli("archive", "--json").json

    assert len(list(cli.home.rglob("*.zst"))) < pieces
    assert (again["sessions"], again["left"]) == (0, 1)
    disk.path(1).unlink()
    assert cli("open", f"session:{session_number(1)}", "--native").status == 12


def test_a_damaged_archive_is_a_clear_sentence_and_writes_nothing(
    cli: Cli, disk: PastDisk
) -> None:
    """A truncated piece: half a conversation is none."""
    cli("backfill")
    cli("archive")
    disk.path(1).unlink()
    for piece in cli.home.rglob("*.zst"):
        piece.write_bytes(piece.read_bytes()[:-5])

    ran = cli("open", f"session:{session_number(1)}", "--native", "--json")

    assert (ran.status, ran.json["code"]) == (13, "PAST_002"), ran
    assert not disk.path(1).exists()


@pytest.mark.process
def test_switched_on_it_is_done_by_itself(cli: Cli, disk: PastDisk) -> None:
    """At the end of any session, once a day, in a process that nobody waits for; what
    does not die soon can wait."""
    cli("config", "set", "archive.auto_archive", "true")
    _aged(disk.path(1), 27)
    event = {
        "session_id": session_number(2),
        "transcript_path": str(disk.path(2)),
        "cwd": str(cli.project),
        "hook_event_name": "SessionEnd",
        "reason": "prompt_input_exit",
    }

    subprocess.run(
        [sys.executable, "-m", "holdfast", "hook", "SessionEnd"],
        input=json.dumps(event).encode(),
        env={**os.environ, "CI": "", "CLAUDE_CODE_ENTRYPOINT": "cli"},
        cwd=cli.project,
        check=True,
    )

    kept = cli.home / "archive" / "sessions"
    wait_until(lambda: any(kept.glob("*.json")), "the daily work")
    assert [path.stem for path in kept.glob("*.json")] == [session_number(1)]


@pytest.mark.parametrize("is_on", [False, True])
def test_by_itself_it_is_done_once_a_day_and_only_if_switched_on(
    cli: Cli, disk: PastDisk, *, is_on: bool
) -> None:
    """What somebody said to an agent is kept whole by nobody who was not asked to."""
    if is_on:
        cli("config", "set", "archive.auto_archive", "true")
    cli("backfill")
    _aged(disk.path(1), 27)
    _tidied(cli)
    kept = cli.home / "archive" / "sessions"
    first = [path.stem for path in kept.glob("*.json")]
    _aged(disk.path(2), 27)

    _tidied(cli)

    assert first == ([session_number(1)] if is_on else [])
    assert [path.stem for path in kept.glob("*.json")] == first


def _tidied(cli: Cli) -> None:
    """Do what the process does that nobody waits for."""
    container = Container(environ=os.environ, project=str(cli.project))
    with closing(container):
        hook_context(container, os.getpid(), is_headless=False).tidy()


def test_what_goes_on_is_archived_when_it_is_over(
    cli: Cli, disk: PastDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a session is none."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", session_number(1))
    first = cli("archive", "--json").json
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")

    then = cli("archive", "--json").json

    assert (first["sessions"], first["left"]) == (1, 1)
    assert (then["sessions"], then["known"], then["left"]) == (1, 1, 0)
    assert disk.path(1).exists()


def test_nothing_is_archived_of_what_is_excluded_or_off(
    cli: Cli, disk: PastDisk, tmp_path: Path
) -> None:
    """Neither of a directory, nor while holdfast is off."""
    disk.write(4, asked("secret plans"), directory="/private/plans")
    config = tmp_path / "config" / "holdfast"
    config.mkdir(parents=True)
    (config / "config.json").write_text('{"exclude": ["/private"]}')
    cli("backfill")
    cli("off")
    off = cli("archive", "--json").json
    cli("on")

    on = cli("archive", "--json").json

    assert (off["sessions"], off["left"]) == (0, 3)
    assert (on["sessions"], on["left"]) == (2, 1)


def _results(disk: PastDisk, number: int) -> Path:
    place = disk.path(number).with_suffix("") / "tool-results"
    place.mkdir(parents=True, exist_ok=True)
    return place


def test_long_results_come_back_without_their_secrets(cli: Cli, disk: PastDisk) -> None:
    """The client keeps them in files of their own. A key of many lines is one secret."""
    body = "\n".join("MIIE" + "A1b2C3d4" * 7 for _ in range(5))
    key = f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----"
    results = _results(disk, 1)
    (results / "toolu_01.txt").write_text("a long listing\n" * 5_000)
    (results / "hook-2.txt").write_text(f"made a key:\n{key}\nand went on\n")
    (results / "not a name!.txt").write_text("no")
    (results / "link.txt").symlink_to("/etc/hostname")
    cli("backfill")
    cli("archive")
    kept = {path.name: path.read_text() for path in sorted(results.glob("*_*.txt"))}
    for path in (*results.iterdir(), disk.path(1)):
        path.unlink()

    cli("open", f"session:{session_number(1)}", "--native", "--json")

    assert {path.name for path in results.iterdir()} == {"toolu_01.txt", "hook-2.txt"}
    assert (results / "toolu_01.txt").read_text() == kept["toolu_01.txt"]
    told = (results / "hook-2.txt").read_text()
    assert told.startswith("made a key:\n[redacted:")
    assert told.endswith("\nand went on\n")
    assert "MIIE" not in told


def _own_rule(tmp_path: Path, rule: str) -> None:
    config = tmp_path / "config" / "holdfast"
    config.mkdir(parents=True, exist_ok=True)
    (config / "config.json").write_text(json.dumps({"redaction": {"rules": [rule]}}))


def test_a_scan_takes_out_of_the_archive_what_newer_rules_know(
    cli: Cli, disk: PastDisk, tmp_path: Path
) -> None:
    """No piece keeps it; what comes back is what the client reads; again is nothing."""
    disk.write(3, asked("the customer is called Zwirbelwind"), edited("src/a.py"))
    (_results(disk, 3) / "toolu_01.txt").write_text("Zwirbelwind called\n")
    cli("backfill")
    cli("archive")
    size = len([*(cli.home / "archive" / "sessions").iterdir()])
    _own_rule(tmp_path, "Zwirbelwind")

    def scanned() -> Any:
        checks = cli("doctor", "--scan", "--json").json["checks"]
        return next(check for check in checks if check["name"] == "scan archive")

    first, again = scanned(), scanned()
    for path in (_results(disk, 3) / "toolu_01.txt", disk.path(3)):
        path.unlink()
    cli("open", f"session:{session_number(3)}", "--native", "--json")

    assert first["state"] == "warn"
    assert first["message"] == "secrets taken out of 1 archived session"
    assert (again["state"], again["message"]) == ("ok", "nothing to remove")
    assert len([*(cli.home / "archive" / "sessions").iterdir()]) == size
    text = disk.path(3).read_text()
    assert "[redacted:own:" in text
    assert "Zwirbelwind" not in text
    assert all(json.loads(line)["sessionId"] for line in text.splitlines())
    assert "Zwirbelwind" not in (_results(disk, 3) / "toolu_01.txt").read_text()
    assert _unpacked(cli).count(b"Zwirbelwind") == 0
    assert cli("archive", "--json").json["sessions"] <= 1


def _unpacked(cli: Cli) -> bytes:
    pieces = (cli.home / "archive" / "pieces").rglob("*.zst")
    return b"".join(ZstdDecompressor().decompress(p.read_bytes()) for p in pieces)


@pytest.mark.usefixtures("disk")
def test_a_scan_tells_what_of_the_archive_it_cannot_read(cli: Cli) -> None:
    """And goes on with the rest."""
    cli("backfill")
    cli("archive")
    piece = next((cli.home / "archive" / "pieces").rglob("*.zst"))
    piece.write_bytes(piece.read_bytes()[:-9])

    checks = cli("doctor", "--scan", "--json").json["checks"]

    found = next(check for check in checks if check["name"] == "scan archive")
    assert found["state"] == "warn"
    assert "is damaged" in found["message"]
