"""Bad input: each a message with a hint and the right exit status, in text and JSON."""

import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from tests.e2e.conftest import SAMPLE, SESSION, Cli

_OTHER = "00000000-0000-4000-8000-000000000002"


def _both_forms(cli: Cli, *words: str) -> tuple[int, str]:
    """Run in text and in JSON; they must agree, and each must help."""
    plain = cli(*words)
    as_json = cli(*words, "--json")

    error = as_json.json
    assert plain.status == as_json.status
    assert error["type"] == "error"
    assert plain.out == ""
    assert plain.err.startswith(f"error[{error['code']}]: {error['message']}\n")
    assert error["hint"]
    assert f"hint: {error['hint']}" in plain.err
    assert "Traceback" not in plain.err
    return plain.status, error["code"]


def test_an_unknown_reference(cli: Cli) -> None:
    """12: not found."""
    cli.save()

    for reference in ("99", "nope", "ccp-nope", f"session:{_OTHER}", "latest~7", ""):
        assert _both_forms(cli, "show", reference) == (12, "FIND_001")
        assert cli("resume", reference or " ").status == 12


def test_an_ambiguous_prefix_lists_the_candidates(cli: Cli) -> None:
    """A5: an error that lists the candidates."""
    cli.save("--title", "one", "--name", "api-design")
    cli.save("--title", "two", "--name", "api-client")

    assert _both_forms(cli, "resume", "api") == (12, "FIND_002")
    hint = cli("resume", "api", "--json").json["hint"]
    assert "api-design" in hint
    assert "api-client" in hint


def test_a_missing_session_id(cli: Cli) -> None:
    """A1: never a guess."""
    assert _both_forms(cli, "save") == (1, "SESS_001")


@pytest.mark.parametrize(
    "wrong", ["x", "7670db3a", "../../etc", "7670db3a-2057\n", "-"]
)
def test_a_malformed_session_id(cli: Cli, wrong: str) -> None:
    """A1: malformed is SESS_001."""
    assert _both_forms(cli, "save", f"--session={wrong}") == (1, "SESS_001")


def test_a_session_without_a_transcript(cli: Cli) -> None:
    """CKPT_001 says which session it looked for."""
    assert _both_forms(cli, "save", "--session", _OTHER) == (1, "CKPT_001")


@pytest.mark.parametrize("command", ["save --transcript", "brief"])
def test_a_transcript_that_does_not_exist(cli: Cli, command: str) -> None:
    """CKPT_001 names the file."""
    words = [*command.split(), "/no/such/file.jsonl"]

    assert _both_forms(cli, *words) == (1, "CKPT_001")
    assert "/no/such/file.jsonl" in cli(*words).err


def test_a_directory_for_a_transcript(cli: Cli, tmp_path: Path) -> None:
    """Anything that is not a regular file is refused, not waited for."""
    assert _both_forms(cli, "save", "--transcript", str(tmp_path)) == (1, "CKPT_001")


def test_a_transcript_that_names_no_session(cli: Cli, tmp_path: Path) -> None:
    """The hint asks for what is missing, not for what was given."""
    file = tmp_path / "bad.jsonl"
    file.write_text("this is not JSON at all\n")

    assert _both_forms(cli, "save", "--transcript", str(file)) == (1, "CKPT_001")
    told = cli("save", "--transcript", str(file)).err
    assert "bad.jsonl` names no session" in told
    assert "pass `--session ID`" in told
    assert "--transcript" not in told


def test_a_brief_of_nothing_hints_at_words_it_takes(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its transcript is an argument, not an option."""
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)
    monkeypatch.delenv("CLAUDE_SESSION_ID", raising=False)

    told = cli("brief")

    assert told.status == 1
    assert "pass `--session ID`, or its transcript" in told.err
    assert "--transcript" not in told.err


def test_no_store_yet(cli: Cli) -> None:
    """10: commands that must read say that there is nothing to read."""
    for words in (["list"], ["show", "1"], ["resume"], ["search", "x"], ["prune"]):
        assert _both_forms(cli, *words) == (10, "STOR_001")
    assert not cli.home.exists()


def test_a_store_that_cannot_be_written(cli: Cli) -> None:
    """10, naming the place; the spool lies there, too, and cannot help."""
    cli.home.write_text("a file where the directory should be")

    assert _both_forms(cli, "save", "--transcript", str(SAMPLE)) == (10, "STOR_001")
    assert str(cli.home) in cli("save", "--transcript", str(SAMPLE)).err


def _newer(home: Path) -> None:
    db = apsw.Connection(str(home / "holdfast.db"))
    db.execute("PRAGMA user_version = 9999")
    db.close()


def _damaged(home: Path) -> None:
    for part in home.glob("holdfast.db*"):
        part.unlink()
    (home / "holdfast.db").write_bytes(b"this was never a database " * 400)


@pytest.mark.parametrize(
    ("harm", "expected"),
    [
        pytest.param(_newer, (10, "STOR_003"), id="newer"),
        pytest.param(_damaged, (13, "STOR_004"), id="damaged"),
    ],
)
def test_a_store_that_cannot_be_read(
    cli: Cli, harm: Callable[[Path], None], expected: tuple[int, str]
) -> None:
    """Commands that must read fail with the reason, and leave the file alone."""
    cli.save()
    harm(cli.home)
    before = (cli.home / "holdfast.db").read_bytes()

    for words in (["list"], ["show", "1"], ["resume"], ["search", "x"], ["status"]):
        assert _both_forms(cli, *words) == expected
    assert (cli.home / "holdfast.db").read_bytes() == before


@pytest.mark.parametrize("harm", [_newer, _damaged])
def test_a_save_that_the_store_cannot_take_waits_in_the_spool(
    cli: Cli, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """3 with the key and the reason; the next save that can drains it, in order."""
    cli.save("--title", "one")
    shutil.copytree(cli.home, tmp_path / "good")
    harm(cli.home)

    words = ["save", "--transcript", str(SAMPLE), "--title", "two", "--key", "k2"]
    spooled = cli(*words, "--json")
    again = cli(*words)

    assert (spooled.status, spooled.json["type"], spooled.json["key"]) == (
        3,
        "spooled",
        "k2",
    )
    assert spooled.json["reason"]
    assert (again.status, "nothing is lost" in again.err) == (3, True)

    shutil.copytree(cli.home / "spool", tmp_path / "good" / "spool", dirs_exist_ok=True)
    shutil.rmtree(cli.home)
    shutil.copytree(tmp_path / "good", cli.home)
    cli.save("--title", "three")
    titles = [c["content"]["title"] for c in cli("list", "--json").json["checkpoints"]]
    assert titles == ["three", "two", "one"]


def test_a_flipped_bit_is_seen(cli: Cli) -> None:
    """13: the record does not match its hash."""
    cli.save("--title", "one")
    db = apsw.Connection(str(cli.home / "holdfast.db"))
    db.execute("UPDATE checkpoint SET body = replace(body, '\"one\"', '\"two\"')")
    db.close()

    assert _both_forms(cli, "show", "1") == (13, "STOR_004")
    doctor = cli("doctor", "--json")
    assert doctor.status == 13
    assert "fail" in [check["state"] for check in doctor.json["checks"]]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param([], id="no command"),
        pytest.param(["sav"], id="a typo"),
        pytest.param(["save", "--nope"], id="an unknown option"),
        pytest.param(["save", "--type", "daily"], id="an unknown type"),
        pytest.param(["show"], id="a missing argument"),
        pytest.param(["list", "--limit", "many"], id="not a number"),
        pytest.param(["save", "--agent", "nobody"], id="an unknown agent"),
    ],
)
def test_wrong_usage(cli: Cli, words: list[str]) -> None:
    """2, as a shell user expects."""
    assert _both_forms(cli, *words) == (2, "USE_001")


def test_a_typo_is_answered_with_the_command(cli: Cli) -> None:
    """The hint is an action that works if pasted."""
    assert "holdfast save" in cli("sav").err


@pytest.mark.parametrize(
    ("notes", "field"),
    [
        pytest.param('{"title": 5}', "title", id="a number for a title"),
        pytest.param('{"decisions": "x"}', "decisions", id="a string for a list"),
        pytest.param("[1]", "notes", id="not an object"),
        pytest.param("{", "JSON", id="not JSON"),
        pytest.param("[" * 100_000, "JSON", id="a nesting bomb"),
    ],
)
def test_wrong_notes_name_the_field(
    cli: Cli, tmp_path: Path, notes: str, field: str
) -> None:
    """CONTRACT: wrong types are an error that names the field."""
    file = tmp_path / "notes.json"
    file.write_text(notes)

    words = ["save", "--transcript", str(SAMPLE), "--notes", str(file)]

    assert _both_forms(cli, *words) == (1, "NOTE_001")
    assert field in cli(*words, "--json").json["message"]


@pytest.mark.parametrize("name", ["latest", "42", "ccp-x", "..", "-", "con", "a" * 0])
def test_a_name_that_means_something_else(cli: Cli, name: str) -> None:
    """A4: a name must not be confused with another reference or a device."""
    if not name:
        return
    words = ["save", "--transcript", str(SAMPLE), f"--name={name}"]

    assert _both_forms(cli, *words) == (1, "NAME_001")


def test_a_bug_keeps_a_report_and_exits_70(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user reads one sentence; the traceback is in a file that can be pasted."""

    def broken(*_: object, **__: object) -> None:
        message = "secret: password=hunter2hunter2"
        raise ZeroDivisionError(message)

    monkeypatch.setattr("holdfast.surfaces.cli.list.run", broken)

    ran = cli("list")

    assert ran.status == 70
    assert "Traceback" not in ran.err
    report = next((cli.home / "log").iterdir()).read_text()
    assert "ZeroDivisionError" in report
    assert "hunter2" not in report


def test_ctrl_c_exits_130(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """As every command-line tool."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("holdfast.surfaces.cli.list.run", interrupted)

    assert cli("list").status == 130


def test_the_session_of_the_transcript_is_its_own(cli: Cli) -> None:
    """A1: with a transcript and no id, the transcript's own id counts."""
    assert cli.save()["checkpoint"]["session_id"] == SESSION
    assert cli.save("--session", _OTHER)["checkpoint"]["session_id"] == _OTHER
