"""The code of a checkpoint, as a user meets it: saved, compared, checked, pruned."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from holdfast.app.checkpoints.drafting import SaveRequest
from holdfast.app.checkpoints.save import Saved, save
from holdfast.bootstrap import Container
from tests.e2e.conftest import SAMPLE, SESSION, Cli

_TREES = "git/snapshots/refs/trees"


def _age(cli: Cli) -> None:
    """Make every snapshot look two days old."""
    then = time.time() - 2 * 86_400  # noqa: TID251  # the file system's own clock
    for ref in (cli.home / _TREES).iterdir():
        os.utime(ref, (then, then))


def _findings(cli: Cli, name: str) -> list[dict[str, Any]]:
    return [c for c in cli("doctor", "--json").json["checks"] if c["name"] == name]


def test_a_save_keeps_the_code(cli: Cli) -> None:
    """The record names a tree, and the tree is held before the record is there."""
    (cli.project / "a.py").write_text("print(1)\n")

    saved = cli.save()

    tree = saved["checkpoint"]["code"]["tree"]
    assert saved["gaps"] == []
    assert [ref.name for ref in (cli.home / _TREES).iterdir()] == [tree]
    assert _findings(cli, "code")[0]["message"].startswith("1 snapshot whole")


def test_code_that_changed_makes_a_record(cli: Cli) -> None:
    """Work by hand between two saves is work, though nobody said a word."""
    (cli.project / "a.py").write_text("print(1)\n")
    first = cli.save()
    again = cli.save()
    (cli.project / "a.py").write_text("print(2)\n")

    changed = cli.save()

    assert again["type"] == "unchanged"
    assert changed["type"] == "saved"
    trees = [s["checkpoint"]["code"]["tree"] for s in (first, again, changed)]
    assert trees[0] == trees[1] != trees[2]


def test_a_save_lists_what_its_snapshot_does_not_hold(cli: Cli) -> None:
    """It is still a whole save: leaving secrets out is what was asked for."""
    (cli.project / ".env").write_text("A=1\n")

    saved = cli.save()
    told = cli("save", "--transcript", str(SAMPLE), "--title", "again")

    assert saved["status"] == "WORKING"
    assert saved["checkpoint"]["code"]["left_out"] == [
        {"path": ".env", "reason": "may hold a secret"}
    ]
    assert saved["gaps"] == ["not in the snapshot: `.env`: may hold a secret"]
    assert "not in the snapshot: `.env`: may hold a secret" in told.err


def test_code_that_cannot_be_kept_is_a_gap(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A save without its code is better than no save, and says so."""
    monkeypatch.setenv("PATH", "/nowhere")

    ran = cli("save", "--transcript", str(SAMPLE), "--json")

    assert ran.status == 3
    assert ran.json["status"] == "PARTIAL"
    assert ran.json["gaps"] == ["code not saved: git was not found"]
    code = ran.json["checkpoint"]["code"]
    assert (code["tree"], code["reason"]) == (None, "git was not found")


def test_status_sees_changes_by_any_hand(cli: Cli) -> None:
    """D3: exact files and lines, renames as one, whatever made them."""
    for name in ("edited", "deleted", "renamed"):
        (cli.project / name).write_text(f"{name}\n" * 20)
    cli.save()
    (cli.project / "edited").write_text("edited\n" * 19)
    (cli.project / "deleted").unlink()
    (cli.project / "renamed").rename(cli.project / "moved")
    (cli.project / "made").write_text("1\n2\n")

    told = cli("status", "--json").json
    shown = cli("status").out

    assert told["exact"] is True
    files = {f["path"]: (f["change"], f["lines_added"]) for f in told["files"]}
    assert files == {
        "edited": ("edited", 0),
        "deleted": ("deleted", 0),
        "made": ("created", 2),
        "moved": ("renamed", 0),
    }
    assert (told["files_changed"], told["lines_removed"]) == (4, 21)
    assert "renamed → moved" in shown


def test_prune_lets_code_go_that_no_record_names(cli: Cli) -> None:
    """A save that was killed before its record leaves a tree; a day later it goes."""
    (cli.project / "a.py").write_text("print(1)\n")
    saved = cli.save()
    orphan = cli.home / _TREES / ("1" * 40)
    orphan.write_text("1" * 40 + "\n")
    young = cli("prune", "--json").json
    orphan.unlink()
    (cli.project / "a.py").write_text("print(2)\n")
    cli("status")
    _age(cli)

    pruned = cli("prune", "--json").json

    assert young["reason"].startswith("old code cannot be removed")
    assert pruned["trees"] == 0
    names = [ref.name for ref in (cli.home / _TREES).iterdir()]
    assert names == [saved["checkpoint"]["code"]["tree"]]


def test_code_beyond_the_limit_goes_oldest_first_and_records_stay(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2 GB by default: automatic trees go, a save by hand keeps its code."""
    kinds = ["auto", "manual", "auto"]
    saved = []
    for number, kind in enumerate(kinds):
        (cli.project / "big.bin").write_bytes(os.urandom(900_000))
        saved.append(cli.save("--type", kind, "--title", f"save {number}"))
    _age(cli)
    monkeypatch.setattr("holdfast.bootstrap.forgetting._GB", 1_000_000)
    trees = [s["checkpoint"]["code"]["tree"] for s in saved]

    pruned = cli("prune", "--json").json
    again = cli("prune", "--json").json

    left = {ref.name for ref in (cli.home / _TREES).iterdir()}
    assert (pruned["trees"], again["trees"]) == (1, 0)
    assert left == {trees[1], trees[2]}
    assert len(cli("list", "--json").json["checkpoints"]) == 3
    assert [f["state"] for f in _findings(cli, "code")] == ["ok"]


def test_doctor_names_the_checkpoint_whose_code_is_damaged(
    cli: Cli, tmp_path: Path
) -> None:
    """A tree that was let go is no damage; one that was lost is."""
    (cli.project / "a.py").write_text("print(1)\n" * 1000)
    saved = cli.save()
    for pack in (cli.home / "git/snapshots/objects/pack").iterdir():
        pack.rename(tmp_path / pack.name)

    ran = cli("doctor", "--json")

    (finding,) = [c for c in ran.json["checks"] if c["name"] == "code"]
    assert ran.status == 13
    assert finding["state"] == "fail"
    assert saved["checkpoint"]["id"] in finding["message"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        pytest.param({"trigger": "headless"}, "", id="headless: nobody wants it"),
        pytest.param({"trigger": "backfill"}, "", id="backfill: it is another code"),
        pytest.param({"code_seconds": 0.0}, "it took too long", id="no time"),
    ],
)
def test_some_saves_have_no_snapshot(
    cli: Cli, changes: dict[str, Any], reason: str
) -> None:
    """A record without code says why, unless none was wanted."""
    container = Container(environ=dict(os.environ), project=str(cli.project))
    request = SaveRequest(
        session_id=SESSION,
        transcript=str(SAMPLE),
        directory=str(cli.project),
        directory_given=True,
        key="once",
        **changes,
    )

    saved = save(request, container.ports(create=True))

    container.close()
    assert isinstance(saved, Saved)
    code = saved.checkpoint.draft.code
    assert (code.tree, code.reason) == (None, reason)
    assert saved.gaps == ((f"code not saved: {reason}",) if reason else ())
