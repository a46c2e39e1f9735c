"""A disk that is full, or that nobody may write to: told, and nothing is lost.

Commands exit non-zero with one line that names the place; hooks exit 0 and tell once; what
was acknowledged, saved or waiting, is there and in order when there is room again.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.conftest import SAMPLE
from tests.faults.disks import read_only, small_disk
from tests.faults.figures import figure
from tests.faults.injecting import Ended, run_alone
from tests.faults.scene import Scene, said

_SMALL, _LARGE = "3M", "64M"
_MOST_SAVES = 400


@pytest.fixture
def full(scene: Scene) -> Iterator[Scene]:
    """A scene whose data directory is on a disk of a few megabytes."""
    scene.home.mkdir()
    with small_disk(scene.home, _SMALL):
        scene.home.chmod(0o700)
        yield scene


def _more_room(scene: Scene) -> None:
    words = ["mount", "-o", f"remount,size={_LARGE}", str(scene.home)]
    subprocess.run(words, check=True)


def _saved(scene: Scene, title: str) -> Ended:
    return run_alone(lambda: scene.run(*scene.save(title)))


def _save_until_nothing_goes(scene: Scene) -> tuple[list[str], list[str], Ended]:
    """Return what was saved, what waits, and how the first refusal was told."""
    saved, waiting = list[str](), list[str]()
    for number in range(_MOST_SAVES):
        title = f"save {number}"
        ended = _saved(scene, title)
        kind = said(ended.out)["type"]
        if kind == "error":
            return saved, waiting, ended
        assert (kind, ended.status) in (("saved", 0), ("saved", 3), ("spooled", 3))
        (saved if kind == "saved" else waiting).append(title)
    raise AssertionError("the disk did not get full")


def test_a_full_disk_is_told_and_loses_nothing(full: Scene) -> None:
    """Saved, then waiting in the room that was set aside, then refused; all in order."""
    saved, waiting, refused = _save_until_nothing_goes(full)

    told = said(refused.out)
    assert refused.status in (1, 10)
    assert str(full.home) in told["message"]
    assert "\n" not in told["message"]
    assert len(saved) > 3
    assert len(waiting) > 3, (saved, waiting, refused)
    assert not [p for p in full.home.rglob("*.tmp") if p.is_file()]

    _more_room(full)
    assert _saved(full, "after").status == 0
    said_kept, kept = [*saved, *waiting], full.titles()
    lost = {"lost": len(set(said_kept) - set(kept))}
    waited = len(waiting)
    figure("F4", "saves on a full disk", len(said_kept), lost, kept, waited=waited)
    assert kept == ["after", *reversed(said_kept)]
    full.assert_whole("a full disk")


def test_a_hook_on_a_full_disk_never_blocks_and_tells_once(full: Scene) -> None:
    """The agent works on; the user reads one sentence."""
    _save_until_nothing_goes(full)
    (full.home / "more").write_bytes(b"")  # no room for a single byte is left

    events = ("SessionStart", "PreCompact", "SessionStart", "Stop", "SessionEnd")
    heard = [run_alone(partial(full.hook, event, source="startup")) for event in events]

    assert [ended.status for ended in heard] == [0] * len(events)
    assert [ended.err for ended in heard] == [""] * len(events)
    lines = [json.loads(e.out).get("systemMessage", "") for e in heard if e.out]
    assert len([line for line in lines if "holdfast: " in line]) <= 1


def test_a_disk_that_became_read_only_is_read_and_tells(full: Scene) -> None:
    """After an error ext4 goes read-only: what is there can still be used."""
    assert _saved(full, "one").status == 0

    with read_only(full.home):
        listed = run_alone(lambda: full.run("list"))
        resumed = run_alone(lambda: full.run("resume", "1"))
        refused = _saved(full, "two")
        heard = run_alone(lambda: full.hook("PreCompact", trigger="auto"))

        asked = run_alone(lambda: full.run("doctor"))

    assert (refused.status, said(refused.out)["type"]) == (10, "error")
    [disk] = [c for c in said(asked.out)["checks"] if c["name"] == "disk"]
    assert disk["message"] == f"`{full.home}` cannot be written"
    assert str(full.home) in said(refused.out)["message"]
    assert heard.status == 0
    assert (listed.status, resumed.status) == (0, 0), (listed, resumed)
    assert full.titles() == ["one"]
    assert _saved(full, "two").status == 0
    assert full.titles() == ["two", "one"]
    full.assert_whole("read-only")


def test_a_name_is_not_freed_on_a_disk_that_became_read_only(full: Scene) -> None:
    """A clean-up said that it kept the file it had removed; a resume, that all was done."""
    assert run_alone(lambda: full.run(*full.save("one"), "--name", "api")).status == 0
    [file] = (full.root / "claude").rglob("checkpoint-api.md")

    with read_only(full.home):
        cleaned = run_alone(lambda: full.run("cleanup", "api"))
        resumed = run_alone(lambda: full.run("resume", "api", "--consume"))

    assert (cleaned.status, resumed.status) == (1, 3)
    assert [kept["name"] for kept in said(cleaned.out)["kept"]] == ["api"]
    assert "Read-only file system" in resumed.err
    assert file.exists()
    assert run_alone(lambda: full.run("cleanup", "api")).status == 0
    assert not file.exists()


def test_an_answer_that_finds_no_room_is_a_failure(scene: Scene) -> None:
    """`holdfast show > file` on a full disk must not look like success."""
    assert scene(*scene.save("one")).status == 0
    words = ["show", "1", "--project", str(scene.project)]

    for form in ([], ["--json"]):
        with Path("/dev/full").open("w") as nowhere:
            done = subprocess.run(
                [sys.executable, "-m", "holdfast", *words, *form],
                env=dict(os.environ),
                stdout=nowhere,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )

        assert done.returncode == 1
        assert done.stderr.startswith(
            "error[MACH_001]: the output cannot be used: No space left"
        )
        assert len(done.stderr.splitlines()) == 2


def test_a_store_that_may_not_be_written_is_named(scene: Scene) -> None:
    """One line that says which path, whatever could not be done there."""
    scene.home.write_text("a file where the data directory should be")

    ran = scene("save", "--transcript", str(SAMPLE))

    assert ran.status == 10
    assert str(scene.home) in ran.json["message"]
