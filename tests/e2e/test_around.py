"""Everything around the main job: status, lineage, settings, health, the demo."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import SAMPLE, SAMPLES, SESSION, Cli

_SHARED = Path(__file__).parents[2] / ".." / "shared" / "data" / "transcripts"
_CHAIN = [f"00000000-0000-4000-8000-00000000000{n}" for n in range(1, 6)]


def _line(session: str, number: int, text: str) -> str:
    return json.dumps(
        {
            "type": "user",
            "uuid": f"{session[-4:]}{number:04d}-0000-4000-8000-000000000000",
            "parentUuid": None,
            "timestamp": f"2026-11-15T10:00:{number:02d}.000Z",
            "sessionId": session,
            "cwd": "/nowhere/at/all",
            "version": "2.1.197",
            "message": {"role": "user", "content": text},
        }
    )


def _session(tmp_path: Path, session: str, *prompts: str) -> Path:
    path = tmp_path / f"{session}.jsonl"
    lines = [_line(session, n, text) + "\n" for n, text in enumerate(prompts)]
    path.write_text("".join(lines))
    return path


def _save_chain(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prompts: list[str]
) -> Any:
    """Save a session per prompt, each begun from the one before; return the last."""
    saved = None
    for session, prompt in zip(_CHAIN, prompts, strict=False):
        saved = cli.save(transcript=_session(tmp_path, session, prompt))
        monkeypatch.setenv("CLAUDE_SESSION_PARENT", session)
    return saved


def test_status_counts_the_work_since_the_checkpoint(cli: Cli, tmp_path: Path) -> None:
    """Files and lines that differ from the snapshot, and what the user said since."""
    lines = SAMPLE.read_bytes().splitlines(keepends=True)
    (cli.project / "s.txt").write_text("one\ntwo\n")
    growing = tmp_path / f"{SESSION}.jsonl"
    growing.write_bytes(b"".join(lines[:2]))
    cli.save("--title", "early", transcript=growing)
    with growing.open("ab") as file:
        file.writelines(lines[2:])
    (cli.project / "s.txt").write_text("one\n2\n3\n")

    changed = cli("status", "--json").json
    gate = cli("status", "--check")
    cli.save(transcript=growing)
    after = cli("status", "--json").json

    assert changed["type"] == "status"
    assert changed["changed"] is True
    assert changed["files_changed"] == 1
    assert (changed["lines_added"], changed["lines_removed"]) == (2, 1)
    assert changed["last"]["label"] == "CHECKPOINT-00001"
    assert gate.status == 4
    assert gate.out.startswith("1 file changed since CHECKPOINT-00001 ")
    assert "s.txt" in gate.out
    assert f"save with: holdfast save --session {SESSION}\n" in gate.out
    assert after["changed"] is False
    assert cli("status", "--check").status == 0


def test_a_parent_makes_a_lineage(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B2, B3: the root is the first of the chain; the lineage finds all of it."""
    prompts = [f"mend part {session[-1]} of the parser" for session in _CHAIN[:3]]

    saved = _save_chain(cli, tmp_path, monkeypatch, prompts)

    relations = saved["checkpoint"]["relations"]
    assert relations["parent_session"] == _CHAIN[1]
    assert relations["root_session"] == _CHAIN[0]
    for member in _CHAIN[:3]:
        found = cli("list", "--lineage", member, "--json").json["checkpoints"]
        assert [c["session_id"] for c in found] == list(reversed(_CHAIN[:3]))
    children = cli("search", f"parent:{_CHAIN[0]}", "--json").json["checkpoints"]
    assert [c["session_id"] for c in children] == [_CHAIN[1]]


def test_four_clears_in_a_row_lose_no_instruction(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B5: what the first session was told is in the fifth's brief."""
    rule = "Never use sleep in the tests."
    prompts = [f"Fix the parser. {rule}", "go on", "and now?", "more", "continue"]

    saved = _save_chain(cli, tmp_path, monkeypatch, prompts)

    instructions = saved["checkpoint"]["content"]["instructions"]
    kept = [i for i in instructions if rule in i["text"]]
    assert [i["from"] is not None for i in kept] == [True]
    assert rule in cli("resume", "latest").out


def test_a_checkpoint_belongs_to_the_project_its_session_worked_in(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saving from elsewhere must not put it into the wrong project."""
    there = tmp_path / "there"
    there.mkdir()
    text = SAMPLE.read_text().replace("/home/me/proj", str(there))
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(text)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    save = ["save", "--transcript", "../t.jsonl", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "holdfast", *save],
        capture_output=True,
        text=True,
        check=True,
    )

    saved = json.loads(done.stdout)["checkpoint"]
    assert saved["project"]["root"] == str(there)
    assert cli("list", "--json").json["checkpoints"] == []
    assert len(cli("list", "--all", "--json").json["checkpoints"]) == 1


def test_settings_say_where_they_came_from(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every value with its origin; a set value is there for the next command."""
    key = "brief.budget_tokens"
    before = cli("config", "list", "--json").json["values"][key]
    cli("config", "set", key, "500")
    after = cli("config", "list", "--json").json["values"][key]
    monkeypatch.setenv("HOLDFAST_BUDGET_TOKENS", "400")
    env = cli("config", "list", "--json").json["values"][key]

    assert before == {"value": 1000, "from": "default"}
    assert after == {"value": 500, "from": "user"}
    assert env == {"value": 400, "from": "environment"}
    assert cli("config", "get", key).out.strip() == "400"
    assert Path(cli("config", "path").out.strip()).is_file()


def test_a_wrong_setting_is_refused(cli: Cli) -> None:
    """CONF_001 names the key and what is allowed; nothing is written."""
    refused = cli("config", "set", "hooks.checkpoint_threshold_percent", "20", "--json")

    assert (refused.status, refused.json["code"]) == (1, "CONF_001")
    assert "checkpoint_threshold_percent" in refused.json["message"]
    assert not Path(cli("config", "path").out.strip()).exists()


def test_a_healthy_store_is_said_to_be(cli: Cli) -> None:
    """One line each, all well."""
    cli.save()

    checks = cli("doctor", "--json").json["checks"]

    assert cli("doctor").status == 0
    assert {"structure", "chain", "head", "index", "spool"} <= {
        c["name"] for c in checks
    }
    assert [c for c in checks if c["state"] == "fail"] == []


def test_prune_keeps_what_retention_keeps(cli: Cli) -> None:
    """Only automatic checkpoints that later ones supersede go; numbers stay."""
    for number in range(14):
        cli.save("--title", f"t{number}", "--type", "auto")

    would = cli("prune", "--dry-run", "--json").json["checkpoints"]
    gone = cli("prune", "--json").json["checkpoints"]
    left = cli("list", "--json").json["checkpoints"]

    assert would == gone
    assert sorted(gone) == sorted(set(gone))
    assert [c["number"] for c in left] == list(range(14, 14 - len(left), -1))
    assert len(gone) + len(left) == 14
    assert cli("show", gone[0]).status == 12
    assert cli.save("--title", "next")["checkpoint"]["number"] == 15
    assert cli("doctor").status == 0


@pytest.mark.parametrize(
    "sample", sorted(SAMPLES.glob("*.jsonl")), ids=lambda p: p.name
)
def test_every_sample_gives_a_brief(cli: Cli, sample: Path) -> None:
    """Nothing is stored by it."""
    told = cli("brief", str(sample), "--json")

    assert told.status == 0
    assert told.json["type"] == "brief"
    assert told.json["tokens"] <= 1000
    assert not cli.home.exists()


@pytest.mark.shared
@pytest.mark.timeout(600)
def test_every_real_transcript_gives_a_brief(cli: Cli) -> None:
    """All of them are read without a crash and give a non-empty brief."""
    transcripts = [p for p in _SHARED.rglob("*.jsonl") if p.name != "summaries.jsonl"]
    if not transcripts:
        pytest.skip("the measuring data is not beside the repository")

    for transcript in transcripts:
        told = cli("brief", str(transcript), "--json")

        assert told.status == 0, (transcript.name, told)
        assert len(told.json["brief"].splitlines()) > 4, transcript.name


def test_the_demo_shows_the_loop_and_leaves_nothing(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `make try` runs: saved, cleared, resumed, found."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))

    ran = cli("demo")

    assert ran.status == 0
    assert "✓ Checkpoint saved" in ran.out
    assert "# Resuming CHECKPOINT-00001" in ran.out
    assert "Never use eval" in ran.out
    assert "test_escaped_quote" in ran.out
    assert "install claude " in ran.out.partition("What to type next:")[2]
    assert "backfill" not in ran.out
    assert list(scratch.iterdir()) == []
    assert not cli.home.exists()


def test_a_reader_that_leaves_early_is_no_error(cli: Cli) -> None:
    """`holdfast list | head -1` must not print a traceback."""
    for number in range(3):
        cli.save("--title", f"t{number}")
    command = f"{sys.executable} -m holdfast list --project {cli.project} | head -c 1"

    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, check=False,
        env=os.environ.copy(),
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")


def test_help_lists_every_command_and_exit_status(cli: Cli) -> None:
    """The first thing a new user types."""
    done = subprocess.run(
        [sys.executable, "-m", "holdfast", "--help"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    from holdfast.surfaces.cli.commands import SUMMARIES  # noqa: PLC0415  # the list under test

    for command in SUMMARIES:
        assert f"\n  {command}" in done.stdout
        assert cli(command, "--help").status == 0
    assert "exit status:" in done.stdout
