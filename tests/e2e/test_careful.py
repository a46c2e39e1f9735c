"""What a careful user and an attacker found out about the command line."""

import os
import shutil
import subprocess
from pathlib import Path

import apsw
import pytest

from tests.e2e.conftest import SAMPLE, Cli

_TOKEN = "ghp_" + "A1b2C3d4E5f6" * 3


def _git(directory: Path, *words: str) -> None:
    who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}  # fmt: skip
    subprocess.run(
        ["git", *words], cwd=directory, check=True, capture_output=True,
        env={**os.environ, **who},
    )  # fmt: skip


def test_a_secret_given_on_the_command_line_is_not_stored(
    cli: Cli, tmp_path: Path
) -> None:
    """X4: title, tags, notes and key are sinks as any other."""
    notes = tmp_path / "notes.json"
    notes.write_text(f'{{"summary": "token {_TOKEN}", "mood": "{_TOKEN}"}}')

    cli.save("--title", f"use {_TOKEN}", "--tags", f"{_TOKEN},b", "--key", _TOKEN)
    cli.save("--notes", str(notes))

    stored = b"".join(p.read_bytes() for p in cli.home.rglob("*") if p.is_file())
    assert _TOKEN.encode() not in stored
    assert _TOKEN.lower().encode() not in stored.lower()


def test_a_key_that_looks_like_a_secret_still_makes_a_retry_the_same_save(
    cli: Cli,
) -> None:
    """It is kept as its hash, and hashes are equal, too."""
    first = cli.save("--title", "one", "--key", _TOKEN)["checkpoint"]

    assert (
        cli.save("--title", "two", "--key", _TOKEN)["checkpoint"]["id"] == first["id"]
    )


def test_a_name_that_looks_like_a_secret_is_refused(cli: Cli) -> None:
    """A name is shown and typed everywhere."""
    ran = cli("save", "--transcript", str(SAMPLE), "--name", f"n-{_TOKEN}", "--json")

    assert (ran.status, ran.json["code"]) == (1, "NAME_001")
    assert _TOKEN.lower() not in ran.out.lower()


def test_a_store_damaged_inside_leaves_the_save_in_the_spool(cli: Cli) -> None:
    """Damage may show only when a page is read; nothing is lost then either."""
    cli.save("--title", "one")
    path = cli.home / "holdfast.db"
    db = apsw.Connection(str(path))
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\x5a" * (len(whole) - 4096))

    ran = cli("save", "--transcript", str(SAMPLE), "--title", "two", "--json")

    assert (ran.status, ran.json["type"]) == (3, "spooled")
    assert len(list((cli.home / "spool").glob("*.json"))) == 1


def test_a_project_that_got_its_first_commit_is_found_after_a_move(cli: Cli) -> None:
    """B6: looking at it once is enough to know it again."""
    cli.save("--title", "before git")
    _git(cli.project, "init", "-q")
    _git(cli.project, "commit", "-q", "--allow-empty", "-m", "first")
    cli("list")
    moved = cli.project.with_name("moved")
    shutil.move(cli.project, moved)
    cli.project = moved

    listed = cli("list", "--json").json["checkpoints"]

    assert [c["content"]["title"] for c in listed] == ["before git"]


def test_a_worktree_finds_the_project_and_resumes_its_own(
    cli: Cli, tmp_path: Path
) -> None:
    """Finding spans the project, resuming stays in the workspace."""
    _git(cli.project, "init", "-q")
    _git(cli.project, "commit", "-q", "--allow-empty", "-m", "first")
    cli.save("--title", "in the main worktree")
    _git(cli.project, "worktree", "add", "-q", str(tmp_path / "second"))
    cli.project = tmp_path / "second"

    assert len(cli("list", "--json").json["checkpoints"]) == 1
    refused = cli("resume", "--json")
    assert refused.status == 12
    assert "holdfast resume latest" in refused.json["hint"]
    assert cli("resume", "latest").status == 0


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["resume", "--budget", "0"], id="no budget"),
        pytest.param(["resume", "--budget", "-5"], id="a negative budget"),
        pytest.param(["list", "--limit", "-1"], id="a negative limit"),
        pytest.param(["search", "x", "--limit", "0"], id="a limit of nothing"),
    ],
)
def test_a_number_out_of_reason_is_wrong_usage(cli: Cli, words: list[str]) -> None:
    """2, not an empty answer that looks like success."""
    cli.save()

    assert cli(*words, "--json").json["code"] == "USE_001"


def test_an_unknown_reference_is_answered_with_what_there_is(cli: Cli) -> None:
    """A5: an error that lists the candidates."""
    cli.save("--title", "Banana bread", "--name", "bread")

    said = cli("show", "cake", "--json").json["message"]

    assert "`bread` (Banana bread)" in said


def test_switched_off_saves_nothing_and_says_so(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`HOLDFAST_DISABLE=1` stops everything."""
    monkeypatch.setenv("HOLDFAST_DISABLE", "1")

    saved = cli.save()

    assert (saved["checkpoint"], saved["reason"]) == (None, "holdfast is off here")
    assert not cli.home.exists()


def test_room_is_set_aside_for_a_full_disk(cli: Cli) -> None:
    """PRODUCT: the spool has a preallocated reserve."""
    cli.save()

    kept = [p.stat().st_size for p in (cli.home / "spool").iterdir()]
    assert max(kept) >= 1_000_000
    assert cli("doctor").status == 0
