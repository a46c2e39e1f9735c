"""`holdfast doctor --scan` in snapshots: files that a newer rule would leave out go."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.builders import session_number
from tests.e2e.canaries import OWN_RULE, Canaries
from tests.e2e.hooks.conftest import World, write_session
from tests.e2e.test_canaries import run, written

SESSION = session_number(1)


@pytest.fixture
def canaries() -> Canaries:
    return Canaries.of_own_rule()


@pytest.fixture
def world(tmp_path: Path, canaries: Canaries) -> World:
    """Two checkpoints whose code has secrets that no rule knew when it was kept."""
    world = World(tmp_path)
    world.repository()
    project = world.project
    (project / "known.txt").write_text(f"{canaries('committed')}\n")
    world.git("add", "known.txt")
    world.git("commit", "-q", "-m", "two")
    (project / "known.txt").write_text(f"{canaries('committed')} and more\n")
    (project / "fine.py").write_text("x = 1\n")
    (project / "leak.py").write_text(f"x = '{canaries('content')}'\n")
    (project / f"of-{canaries('name')}.txt").write_text("x\n")
    (project / "link").symlink_to(f"../{canaries('target')}")
    write_session(world, SESSION, "add refresh tokens")
    run(world, "save", "--session", SESSION)
    (project / "fine.py").write_text("x = 2\n")
    run(world, "save", "--session", SESSION, "--title", "second")
    return world


def learn(world: World) -> None:
    """Let the user have a rule for them from now on."""
    path = world.root / "user" / ".config" / "holdfast" / "config.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"redaction": {"rules": [OWN_RULE]}}))


def scanned(world: World) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads(run(world, "doctor", "--scan", "--json"))[
        "checks"
    ]
    return told


def fields_found(world: World, canaries: Canaries) -> set[str]:
    return {hit.partition(" in ")[0] for hit in canaries.in_files(*written(world))}


def test_a_scan_leaves_no_byte_of_a_secret_in_the_code(
    world: World, canaries: Canaries
) -> None:
    """Objects, our index and what we remember; what HEAD holds is no secret any more."""
    before = fields_found(world, canaries)
    learn(world)

    told = scanned(world)

    assert before == {"committed", "content", "name", "target"}
    assert fields_found(world, canaries) == {"committed"}
    assert canaries.in_text(json.dumps(told)) == []
    states = {check["name"]: check["state"] for check in told}
    assert (states["chain"], states["code"]) == ("ok", "ok")
    assert states["scan code"] == "warn"


def test_what_is_left_of_the_code_can_be_restored(
    world: World, canaries: Canaries
) -> None:
    """Only the files with secrets go, and the record lists them."""
    learn(world)
    scanned(world)

    shown = json.loads(run(world, "show", "1", "--json"))
    run(world, "restore", "1", "--into", str(world.root / "into"))

    left_out = [left["path"] for left in shown["code"]["left_out"]]
    names = sorted(path.name for path in (world.root / "into").iterdir())
    assert [path for path in left_out if "redacted" not in path] == ["leak.py", "link"]
    assert len(left_out) == 3
    assert canaries.in_text(json.dumps(shown)) == []
    assert names == ["fine.py", "known.txt"]
    assert (world.root / "into" / "fine.py").read_text() == "x = 1\n"


def test_a_second_scan_of_the_code_finds_nothing_to_do(world: World) -> None:
    """Idempotent: the chain does not grow."""
    learn(world)
    scanned(world)
    before = (world.home / "head").read_bytes()

    told = scanned(world)

    assert {c["state"] for c in told if c["name"].startswith("scan")} == {"ok"}
    assert (world.home / "head").read_bytes() == before


def test_no_undo_brings_a_secret_back(world: World, canaries: Canaries) -> None:
    """The note of a restore names a tree, which is gone."""
    run(world, "restore", "1", "--yes")
    learn(world)
    scanned(world)

    said = run(world, "undo")

    assert "there is no restore in this worktree to undo" in said
    assert fields_found(world, canaries) == {"committed"}


def test_code_whose_repository_is_gone_stays_and_is_named(
    world: World, canaries: Canaries
) -> None:
    """It may be the only copy, and what its history held cannot be told any more."""
    away = world.root / "away"
    shutil.move(world.project, away)
    learn(world)
    world.project.mkdir()

    told = scanned(world)

    code = [c for c in told if c["name"] == "scan code" and c["state"] == "warn"]
    assert len(code) == 2
    assert "stays as it is" in code[0]["message"]
    assert "holdfast forget" in code[0]["hint"]
    assert canaries.in_text(json.dumps(told)) == []


def test_forgetting_lets_the_secret_go_with_its_code(
    world: World, canaries: Canaries
) -> None:
    """What a scan may not judge can still be removed."""
    run(world, "forget", "session:" + SESSION, "--yes")

    assert fields_found(world, canaries) == set()
    git = ["git", f"--git-dir={world.home}/git/snapshots", "count-objects", "-v"]
    counted = subprocess.run(git, capture_output=True, text=True, check=True).stdout
    assert "count: 0" in counted
