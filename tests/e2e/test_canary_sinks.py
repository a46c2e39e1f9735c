"""Every place that holdfast writes to, filled by the command that fills it.

`docs/concepts/redaction.md` lists the places; the fields are in `test_canaries.py`.
"""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.builders import session_number
from tests.e2e.canaries import Canaries, spoiled_transcript
from tests.e2e.hooks.conftest import World, write_session
from tests.e2e.test_canaries import SAMPLES, run, written

SESSION = session_number(1)


@pytest.fixture
def canaries() -> Canaries:
    return Canaries()


@pytest.fixture
def world(tmp_path: Path, canaries: Canaries) -> World:
    """A repository whose names, settings and addresses carry canaries, saved once."""
    world = World(tmp_path)
    world.repository()
    world.git("checkout", "-q", "-b", f"fix-{canaries('branch')}")
    remote = f"https://me:{canaries('remote password')}@github.com/{canaries('remote')}"
    world.git("remote", "add", "origin", remote)
    world.git("tag", f"v-{canaries('tag')}")
    world.git("commit", "-q", "--allow-empty", "-m", canaries("commit message"))
    project = world.project
    (project / ".git" / "info" / "exclude").write_text(f"{canaries('exclude')}\n")
    (project / f"dir-{canaries('directory')}").mkdir()
    (project / f"dir-{canaries('directory')}" / "x.py").write_text("x = 1\n")
    (project / f"big-{canaries('large file')}").write_bytes(b"x" * 6_000_000)
    os.mkfifo(project / f"pipe-{canaries('pipe')}")
    (project / ".holdfast.json").write_text(json.dumps({canaries("setting"): 1}))
    deny = {"permissions": {"deny": [f"Read(./{canaries('deny')}/**)"]}}
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text(json.dumps(deny))
    (project / "fine.py").write_text("x = 1\n")
    write_session(world, SESSION, "add refresh tokens")
    run(world, "save", "--session", SESSION)
    return world


def assert_nothing(world: World, canaries: Canaries, *said: str) -> None:
    assert canaries.in_files(*written(world), world.root / "user") == []
    assert canaries.in_text("\n".join(said)) == []


def test_a_restore_and_its_undo_keep_no_canary(
    world: World, canaries: Canaries
) -> None:
    """The present is saved first, notes name files, and a preview shows them."""
    (world.project / "fine.py").write_text("x = 2\n")
    world.transcript(SESSION).unlink()  # then the present is kept without a session

    said = [
        run(world, "restore", "1", "--preview", "--json"),
        run(world, "restore", "1", "--yes", "--exact", "--brief"),
        run(world, "restore", "1", f"{canaries('path')}.py", "--yes"),
        run(world, "undo", "--json"),
        run(world, "restore", "1", "--into", str(world.root / "user" / "into")),
    ]

    assert list((world.home / "restores").glob("*.json"))
    assert "before-restore" in run(world, "list", "--json")
    assert_nothing(world, canaries, *said)


def test_a_bisection_keeps_no_canary(world: World, canaries: Canaries) -> None:
    """Its command is the user's own, and runs over files in a scratch directory."""
    (world.project / "fine.py").write_text("x = 2\n")
    run(world, "save", "--session", SESSION, "--title", "second")
    scratch = world.root / "user" / "tmp"
    scratch.mkdir(parents=True)
    script = f": {canaries('command')}; grep -q 1 fine.py"

    said = [
        run(world, "bisect", "--good=1", "--bad=2", "--", *words, TMPDIR=str(scratch))
        for words in (["sh", "-c", script], [f"/nowhere/{canaries('program')}"])
    ]

    assert "first bad: CHECKPOINT-00002" in said[0]
    assert_nothing(world, canaries, *said)


def test_a_page_in_a_file_holds_no_canary(world: World, canaries: Canaries) -> None:
    """`timeline` writes what records hold, and their briefs."""
    page = world.root / "user" / "week.html"
    page.parent.mkdir(exist_ok=True)

    said = run(world, "timeline", "--all", "-o", str(page))

    assert "checkpoint" in page.read_text("utf-8")
    assert_nothing(world, canaries, said)


def test_what_is_asked_about_the_present_tells_no_canary(
    world: World, canaries: Canaries
) -> None:
    """Branches and names of files are read anew each time, and end in transcripts."""
    (world.project / f"new-{canaries('new file')}.txt").write_text("x\n")
    asked = (
        ["status"], ["diff", "1"], ["resume", "1"], ["list"], ["doctor"], ["why"],
        ["handoff", "write", "--session", SESSION, "--exclude"],
        ["handoff", "check", "--session", SESSION],
        ["config", "list"], ["config", "get", canaries("key")],
    )  # fmt: skip

    said = [run(world, *words, *form) for words in asked for form in ((), ("--json",))]

    assert_nothing(world, canaries, *said)


def test_memory_files_hold_no_canary_in_any_part(
    world: World, canaries: Canaries
) -> None:
    """A fact's section and an episode's type are words of somebody's, too."""
    said = [
        run(world, "memory", "facts", "add", "x is y", "--section", canaries("section")),
        run(world, "memory", "log", "add", "it rained", "--type", canaries("type")),
        run(world, "memory", "lessons", "add", f"never {canaries('lesson')}"),
        run(world, "memory", "workflows", "--decline", canaries("decline"), "--session", SESSION),
        run(world, "memory", "tidy"), run(world, "memory", "show", "--json"),
    ]  # fmt: skip

    assert (world.project / "memory" / "context-log.md").exists()
    assert_nothing(world, canaries, *said)


def test_logs_audits_and_reports_hold_no_canary(
    world: World, canaries: Canaries
) -> None:
    """They are written when something is odd, and are pasted into issues."""
    settings = world.root / "user" / ".config" / "holdfast" / "config.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"guard": {"require_checkpoint": True}}))
    write_session(world, session_number(2), "something new")
    client = world.client()
    heard = [
        client.start(session_number(2)),
        client.prompt(session_number(2), f"/clear --force {canaries('clear')}"),
        client.hook("Stop", SESSION, transcript_path="/nowhere", cwd=f"/{canaries('cwd')}"),
        client.raw("Stop", '{"session_id": "' + canaries("half")),
    ]  # fmt: skip
    world.close()
    report = world.root / "user" / "report.md"

    said = run(world, "doctor", "--bundle", str(report))

    assert "forced" in (world.home / "log" / "audit.log").read_text()
    assert (world.home / "log" / "hook.log").read_text()
    assert report.read_text()
    assert_nothing(world, canaries, said, *(each.out + each.err for each in heard))


def test_a_store_that_broke_leaves_no_canary_behind(
    world: World, canaries: Canaries
) -> None:
    """Spool, quarantine and the copies of a store hold only what was clean before."""
    with world.transcript(SESSION).open("a", encoding="utf-8") as file:
        for sample in sorted(SAMPLES.glob("*.jsonl")):
            file.write(spoiled_transcript(sample, canaries))
    run(world, "save", "--session", SESSION, "--title", canaries("title"))
    backups = world.home / "backups"
    backups.mkdir(mode=0o700, exist_ok=True)
    shutil.copy(world.home / "holdfast.db", backups / "schema-6.db")
    (world.home / "holdfast.db").write_bytes(b"no database" * 500)
    client = world.client()
    client.hook("Stop", SESSION, last_assistant_message=canaries("last words"))
    client.end(SESSION, "clear")
    world.close()

    said = [
        run(world, "save", "--session", SESSION, "--title", canaries("late title"),
            "--key", canaries("late key")),
        run(world, "doctor", "--repair"),
    ]  # fmt: skip

    assert list((world.home / "quarantine").iterdir())
    assert_nothing(world, canaries, *said)


@pytest.mark.parametrize("length", [20, 110, 170])
def test_no_label_keeps_half_a_canary(
    world: World, canaries: Canaries, length: int
) -> None:
    """A label is cut to its length after its secrets are out, never before."""
    filler = "x" * length
    given = {
        "title": f"{filler}={canaries('notes title')}",
        "work_type": f"{filler[:30]}={canaries('work type')}",
        "domain": f"{filler[:30]}={canaries('domain')}",
        "tags": [f"{filler}={canaries('notes tag')}"],
        canaries("unknown field"): 1,
    }

    said = [
        run(world, "save", "--session", SESSION, "--notes", "-", "--name",
            given=json.dumps(given)),
        run(world, "save", "--session", SESSION, "--title", f"{filler}={canaries('title')}",
            "--tags", f"{filler}={canaries('tag')}"),
        run(world, "save", "--session", SESSION, "--agent", f"{filler}/{canaries('agent')}"),
        run(world, "list", "--session", f"{filler}/{canaries('session')}"),
        run(world, "show", f"{filler}/{canaries('reference')}"),
        run(world, "off", "--for", f"{filler}/{canaries('duration')}"),
        run(world, "list", "--limit", f"{filler}/{canaries('number')}"),
        run(world, "search", f"after:{filler}/{canaries('date')}"),
        run(world, f"{filler}/{canaries('command')}"),
        run(world, "config", "set", "hooks.nudge", f"{filler}/{canaries('value')}"),
        run(world, "forget", f"session:{filler}/{canaries('forgotten')}", "--yes"),
    ]  # fmt: skip

    assert_nothing(world, canaries, *said)
