"""off, on, fresh, why, open, hook, statusline and the preview, as a user types them."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from holdfast.surfaces.cli.main import run
from tests.e2e.conftest import SAMPLE, SESSION, Cli


def piped(monkeypatch: pytest.MonkeyPatch, given: object) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO(json.dumps(given)))


def test_off_and_on_say_what_they_did(cli: Cli) -> None:
    """A switch that does not say its state is flipped twice."""
    off, on, again = cli("off"), cli("on"), cli("on")

    assert (off.status, off.out) == (0, "holdfast is off in this project\n")
    assert on.out == "holdfast is on\n"
    assert again.out == "holdfast was already on\n"


def test_the_doctor_says_what_is_off(cli: Cli) -> None:
    """ "Nothing is saved any more" is asked there first."""
    cli("off")
    off = cli("doctor", "--json").json["checks"]
    cli("on")
    on = cli("doctor", "--json").json["checks"]

    told = [check for check in off if check["name"] == "switch"]
    assert [check["state"] for check in told] == ["warn"]
    assert "holdfast on" in told[0]["hint"]
    assert not [check for check in on if check["name"] == "switch"]


def test_status_says_that_it_is_off_here(cli: Cli) -> None:
    """Whoever sees unsaved work has to know that it will not be saved by itself."""
    cli("off")
    off, off_json = cli("status").out, cli("status", "--json").json
    cli("on")
    on, on_json = cli("status").out, cli("status", "--json").json

    assert off.startswith(
        "holdfast is off here: sessions are not saved until `holdfast on`\n"
    )
    assert "is off" not in on
    assert (off_json["off"], on_json["off"]) == (True, False)


def test_status_says_that_the_settings_turn_it_off(cli: Cli) -> None:
    """`holdfast on` lifts no setting, so it is not what is advised."""
    cli.save()
    cli("config", "set", "enabled", "false")

    shown = cli("status").out

    assert shown.startswith("holdfast is off here by your settings: ")
    assert "holdfast on" not in shown


def test_off_for_a_while_says_until_when(cli: Cli) -> None:
    """Scripts read the moment, people read local time."""
    answer = cli("off", "--for", "2h", "--json").json

    assert (answer["type"], answer["scope"]) == ("off", "project")
    assert answer["until"] > 1_700_000_000_000
    assert " until 20" in cli("off", "--for", "30m").out


def test_off_refuses_what_is_no_duration(cli: Cli) -> None:
    """Off for ever by a typo would lose work."""
    ran = cli("off", "--for", "soon")

    assert ran.status == 2
    assert "`soon` is not a duration" in ran.err


def test_off_for_a_session_needs_one(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never a guess which session is meant."""
    assert cli("off", "--session").status == 1
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)

    assert cli("off", "--session", "--json").json["scope"] == "session"
    assert cli("on", "--session", "--json").json["was_off"] is True


@pytest.mark.parametrize("where", ["--project", "--session"])
def test_plain_on_lifts_what_was_switched_off_here(
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    where: str,
) -> None:
    """`off` says that `holdfast on` undoes it, so it does."""
    monkeypatch.chdir(cli.project)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    cli("off", *(["--session"] if where == "--session" else []))
    piped(monkeypatch, {"session_id": SESSION, "transcript_path": str(SAMPLE)})
    before = cli("statusline").out

    assert run(["on"]) == 0
    told = capsys.readouterr().out
    piped(monkeypatch, {"session_id": SESSION, "transcript_path": str(SAMPLE)})

    assert before == "holdfast off\n"
    assert told == "holdfast is on\n"
    assert cli("statusline").out.startswith("● unsaved")


def test_on_for_one_place_says_when_it_stays_off(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Off everywhere is not lifted by turning one project on."""
    monkeypatch.chdir(cli.project)
    assert run(["off"]) == 0

    told = cli("on")

    assert told.out == "holdfast is still off here\n"
    assert "`holdfast on` without options" in told.err


def test_fresh_says_what_will_happen(cli: Cli) -> None:
    """It is about the next session here and no other."""
    assert "the next session here starts without a brief" in cli("fresh").out
    assert cli("fresh", "--json").json["type"] == "fresh"
    assert cli("brief", "--preview", "--json").json["rule"] == "fresh"


def test_why_without_a_start_says_so(cli: Cli) -> None:
    """The first question after an install."""
    cli.save()

    assert cli("why").out == "no session here was told anything yet\n"
    answer = cli("why", "--json").json
    assert (answer["type"], answer["rule"], answer["delivered"], answer["tokens"]) == (
        "why", None, "nothing", 0,
    )  # fmt: skip


def test_the_preview_shows_the_card_and_its_rule(cli: Cli) -> None:
    """What the next session would be told, without starting one."""
    empty = cli("brief", "--preview", "--json").json
    cli.save()

    told = cli("brief", "--preview", "--json").json
    text = cli("brief", "--preview")

    assert (empty["what"], empty["rule"]) == ("nothing", "no-candidate")
    assert told["what"] == "card"
    assert "CHECKPOINT-00001" in told["context"]
    assert told["tokens"] <= 120
    assert text.out.strip() == told["context"]
    assert "by the rule" in text.err


def test_open_runs_the_clients_own_resume(cli: Cli, tmp_path: Path) -> None:
    """In the directory where the session worked, with the whole conversation."""
    moved = tmp_path / f"{SESSION}.jsonl"
    text = SAMPLE.read_text(encoding="utf-8")
    moved.write_text(text.replace("/home/me/proj", str(cli.project)), encoding="utf-8")
    cli.save(transcript=moved)

    gone = cli("open", "1", "--json").json
    place = tmp_path / "claude" / "projects" / "-p"
    place.mkdir(parents=True)
    moved.rename(place / moved.name)
    there = cli("open", "1", "--json").json

    assert there["command"] == ["claude", "--resume", SESSION]
    assert there["directory"] == str(cli.project)
    assert there["brief"] is None
    assert gone["command"] == ["claude", "--append-system-prompt-file", "FILE"]
    assert gone["brief"].startswith("# Resuming CHECKPOINT-00001")


def test_open_hands_over_to_the_client(cli: Cli, tmp_path: Path) -> None:
    """The agent takes the place of the command: its exit is ours."""
    moved = tmp_path / f"{SESSION}.jsonl"
    text = SAMPLE.read_text(encoding="utf-8")
    moved.write_text(text.replace("/home/me/proj", str(cli.project)), encoding="utf-8")
    cli.save(transcript=moved)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "claude").write_text('#!/bin/sh\npwd\necho "$@"\ncat "$2"\nexit 7\n')
    (programs / "claude").chmod(0o755)

    done = subprocess.run(
        [sys.executable, "-m", "holdfast", "open", "1", "--project", str(cli.project)],
        env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 7
    place, words, brief = done.stdout.split("\n", 2)
    assert place == str(cli.project)
    assert words.startswith("--append-system-prompt-file /dev/fd/")
    assert brief.startswith("# Resuming CHECKPOINT-00001")


def test_open_of_a_place_that_is_gone_says_so(cli: Cli) -> None:
    """The sample worked in a directory that this machine does not have."""
    cli.save()

    ran = cli("open", "1")

    assert ran.status == 12
    assert "does not exist" in ran.err


@pytest.mark.parametrize(
    "words", [[], ["--help-me"], ["SessionStart"], ["no such event"]], ids=str
)
def test_hook_exits_0_whatever_it_is_asked(words: list[str]) -> None:
    """A usage error would exit 2, and 2 means "block"."""
    done = subprocess.run(
        [sys.executable, "-m", "holdfast", "hook", *words],
        input=b"{", capture_output=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (0, b"")


def test_the_status_line_tells_unsaved_work_and_the_last_checkpoint(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen all day, so it is short."""
    cli.save()
    window = {"context_window_size": 200_000, "total_input_tokens": 83_500}
    given = {
        "session_id": SESSION,
        "transcript_path": str(SAMPLE),
        "context_window": window,
    }

    piped(monkeypatch, given)
    text = cli("statusline").out
    piped(monkeypatch, given)
    answer = cli("statusline", "--json").json

    assert text.startswith("✓ saved · context 50 % · 00001 ")
    assert (answer["unsaved"], answer["context_percent"]) == (False, 50)


def test_the_status_line_sees_a_file_written_after_the_checkpoint(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor's change does not make the transcript grow; it is unsaved all the same."""
    moved = tmp_path / f"{SESSION}.jsonl"
    text = SAMPLE.read_text(encoding="utf-8")
    moved.write_text(text.replace("/home/me/proj", str(cli.project)), encoding="utf-8")
    cli.save(transcript=moved)
    files = cli("show", "1", "--json").json["content"]["files_referenced"]
    file = cli.project / files[0]["path"]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("as it was")
    given = {"session_id": SESSION, "transcript_path": str(moved)}

    os.utime(file, (1, 1))
    piped(monkeypatch, given)
    before = cli("statusline").out
    os.utime(file, (2**32, 2**32))
    piped(monkeypatch, given)
    after = cli("statusline").out

    assert before.startswith("✓ saved")
    assert after.startswith("● unsaved · 00001")


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_the_status_line_counts_what_is_new_since_the_checkpoint(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Grown since: unsaved, in numbers; the other session's checkpoint is not its own."""
    lines = SAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)
    grown = cli.project.parent / f"{SESSION}.jsonl"
    grown.write_text("".join(lines[: len(lines) // 2]), encoding="utf-8")
    cli.save(transcript=grown)
    grown.write_text("".join(lines), encoding="utf-8")

    piped(monkeypatch, {"session_id": SESSION, "transcript_path": str(grown)})
    mine = cli("statusline", *words).out
    piped(monkeypatch, {"session_id": SESSION.replace("d", "e")})
    other = cli("statusline", *words).out

    assert "● unsaved" in mine
    assert "00001" in mine
    assert "saved" not in other.replace('"unsaved": false', "")


@pytest.mark.parametrize(
    ("words", "environ"),
    [
        pytest.param(("off",), {}, id="switched off"),
        pytest.param((), {"HOLDFAST_DISABLE": "1"}, id="disabled"),
    ],
)
def test_the_status_line_does_not_nag_where_holdfast_is_off(
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    environ: dict[str, str],
) -> None:
    """Work that the user does not want saved is not unsaved."""
    if words:
        cli(*words)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    piped(monkeypatch, {"session_id": SESSION, "transcript_path": str(SAMPLE)})

    assert cli("statusline").out == "holdfast off\n"


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param("store", id="a damaged store"),
        pytest.param("home", id="a home inside the project"),
        pytest.param("directory", id="a directory that is gone"),
        pytest.param("stdin", id="bytes that are no text"),
    ],
)
def test_the_command_in_the_status_line_never_fails(
    tmp_path: Path, trouble: str
) -> None:
    """The client shows what it prints at every turn, so it prints its name at worst."""
    project = tmp_path / "project"
    project.mkdir()
    home = (project if trouble == "home" else tmp_path) / "home"
    environ = {"HOME": str(tmp_path), "HOLDFAST_HOME": str(home), "PATH": os.defpath}
    if trouble == "store":
        home.mkdir()
        (home / "holdfast.db").write_bytes(b"this is no store" * 1000)
    gone = "cd gone && rmdir ../gone && " if trouble == "directory" else ""
    (project / "gone").mkdir()
    given = json.dumps({"session_id": SESSION}).encode()

    done = subprocess.run(
        ["sh", "-c", f"{gone}exec {sys.executable} -m holdfast statusline"],
        input=b"\xff\xfe\x00" if trouble == "stdin" else given,
        env=environ,
        cwd=project,
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"holdfast\n", b"")


def test_the_status_line_loads_no_parser_and_no_reader(cli: Cli) -> None:
    """The agent asks at every turn; where all is saved there is nothing to read."""
    cli.save()
    given = {"session_id": SESSION, "transcript_path": str(SAMPLE)}
    code = (
        "import sys; sys.argv = ['holdfast', 'statusline'];"
        "from holdfast.surfaces.cli.main import main; main(); print(*sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(given),
        env={**os.environ, "PYTHONNOUSERSITE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )

    line, modules = done.stdout.splitlines()
    heavy = {"argparse", "rich", "msgspec", "subprocess", "holdfast.session.fold"}
    assert line.startswith("✓ saved · 00001")
    assert not heavy & set(modules.split())


def test_the_status_line_survives_anything(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is redrawn at every turn; an error there would be seen at every turn."""
    givens: tuple[object, ...] = ({}, [], {"session_id": 7}, {"session_id": SESSION})
    for given in givens:
        piped(monkeypatch, given)
        ran = cli("statusline")

        assert (ran.status, ran.out, ran.err) == (0, "holdfast\n", "")
