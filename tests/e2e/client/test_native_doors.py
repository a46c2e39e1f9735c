"""`holdfast open` with the real client: moved, compacted and forked sessions.

Each time the client itself takes the file up, and the original is what it was.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.e2e.client.driver import wait_until
from tests.e2e.client.stub import SUMMARY, call, say
from tests.e2e.client.world import World

_ASKED, _LATER = "why are quotes lost?", "what about tabs?"


def _open(world: World, project: Path, *words: str) -> str:
    """Run `holdfast open`; the client that it becomes is asked one thing more."""
    programs = world.home.parent / f"programs-{world.project.name}"
    programs.mkdir(exist_ok=True)
    (programs / "claude").write_text(
        f'#!/bin/sh\nexec "{world.client.command}" "$@" -p "and now?"\n'
    )
    (programs / "claude").chmod(0o755)
    world.stub.will(say("Now the other part."))
    done = subprocess.run(
        [sys.executable, "-m", "holdfast", "--project", str(project), "open", *words],
        env={**world.environ, "PATH": f"{programs}{os.pathsep}{os.defpath}"},
        cwd=project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done
    return world.stub.requests[-1].session_id


def _wait_for_lines(world: World, session: str, said: str) -> None:
    """The client answers first and writes afterwards; on a busy machine that is late."""

    def is_written() -> bool:
        try:
            return said in world.transcript(session).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return False

    wait_until(is_written, "lines of the transcript")


def _two_questions(world: World) -> tuple[str, str]:
    """Ask twice with a checkpoint in between; return the session and its number."""
    world.stub.will(say("The parser drops escapes."))
    world.stub.will(say("Tabs are kept."))
    with world.talk() as client:
        session = client.ask(_ASKED).session_id
        _wait_for_lines(world, session, "drops escapes")
        saved = world.answer("save", "--session", session)
        assert "checkpoint" in saved, saved
        client.ask(_LATER)
        client.leave()
    world.wait_for_saves()
    return session, str(saved["checkpoint"]["number"])


def test_a_fork_begins_at_its_checkpoint(world: World) -> None:
    """What was asked afterwards is no part of it, and it knows its parent."""
    session, number = _two_questions(world)
    before = world.transcript(session).read_bytes()

    fork = _open(world, world.project, number, "--fork")

    told = world.stub.requests[-1].conversation
    assert fork != session
    assert _ASKED in told
    assert _LATER not in told
    assert world.transcript(session).read_bytes() == before
    known = world.answer("session", fork)["session"]
    assert known["parent_session"] == session


def test_before_a_compaction_the_conversation_is_whole(world: World) -> None:
    """The client's own summary stands in the original, and not here."""
    world.stub.will(say("The parser drops escapes."), say("Nothing else."))
    with world.talk() as client:
        session = client.ask(_ASKED).session_id
        client.ask("Thanks, what else?")
        client.ask("/compact")
        client.ask(_LATER)
        client.leave()
    world.wait_for_saves()
    before = world.transcript(session).read_bytes()
    assert b"compact_boundary" in before
    number = str(world.checkpoints[-1]["number"])

    opened = _open(world, world.project, number, "--before-compact")

    told = world.stub.requests[-1].conversation
    assert opened != session
    assert "The parser drops escapes." in told
    assert SUMMARY.removeprefix("<summary>").removesuffix("</summary>") not in told
    assert _LATER not in told
    assert world.transcript(session).read_bytes() == before


def test_a_session_is_found_after_its_project_moved(world: World) -> None:
    """Its file is copied to where the client looks now, under its own id."""
    session, number = _two_questions(world)
    original = world.transcript(session)
    before = original.read_bytes()
    moved = world.project.with_name("moved")
    shutil.move(world.project, moved)

    opened = _open(world, moved, number, "--native")

    assert opened == session
    assert _LATER in world.stub.requests[-1].conversation
    assert original.read_bytes() == before


def test_a_deleted_session_comes_back_from_the_archive(world: World) -> None:
    """The client removed it after its 30 days, and takes it up as if it had not."""
    session, number = _two_questions(world)
    before = world.transcript(session).read_bytes()
    assert world.answer("archive")["sessions"] >= 1
    place = world.transcript(session)
    place.unlink()

    opened = _open(world, world.project, number, "--native")

    assert opened == session
    assert _ASKED in world.stub.requests[-1].conversation
    assert _LATER in world.stub.requests[-1].conversation
    assert place.read_bytes().startswith(before)


def test_a_long_result_comes_back_with_its_session(world: World) -> None:
    """The client keeps it in a file of its own, and its line only names that."""
    world.stub.will(call("Bash", command="seq 1 20000"), say("Counted."))
    with world.talk() as client:
        session = client.ask("count to 20,000").session_id
        client.leave()
    world.wait_for_saves()
    place = world.transcript(session)
    (result,) = (place.with_suffix("") / "tool-results").iterdir()
    before = result.read_bytes()
    assert before.endswith(b"20000\n")
    assert world.answer("archive")["sessions"] >= 1
    number = str(world.checkpoints[-1]["number"])
    place.unlink()
    result.unlink()

    opened = _open(world, world.project, number, "--native")

    assert opened == session
    assert result.read_bytes() == before
    assert str(result) in world.stub.requests[-1].conversation
