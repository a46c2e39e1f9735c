"""`holdfast open`: the client's own resume, or the brief where the transcript is gone."""

import os
import subprocess
import sys

from tests.e2e.client.stub import say
from tests.e2e.client.world import World

_ASKED = "why are quotes lost?"


def test_t27_the_brief_reaches_the_model_and_not_the_list_of_processes(
    world: World,
) -> None:
    """Every user of a machine sees the words of every command."""
    world.stub.will(say("The parser drops escapes."))
    with world.talk() as client:
        session = client.ask(_ASKED).session_id
        client.leave()
    number = world.checkpoints[-1]["number"]
    world.transcript(session).unlink()
    programs = world.project.parent / "programs"
    programs.mkdir()
    (programs / "claude").write_text(
        f'#!/bin/sh\nprintf "%s " "$@" > "{programs}/words"\n'
        f'exec "{world.client.command}" "$@" -p "and now?"\n'
    )
    (programs / "claude").chmod(0o755)

    subprocess.run(
        [sys.executable, "-m", "holdfast", "open", str(number)],
        env={**world.environ, "PATH": f"{programs}{os.pathsep}{os.defpath}"},
        cwd=world.project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=60,
    )

    words = (programs / "words").read_text(encoding="utf-8")
    told = str(world.stub.requests[-1].body["system"])
    assert _ASKED in told
    assert words.startswith("--append-system-prompt-file /dev/fd/")
    assert len(words) < 50


def test_a_session_goes_on_in_its_own_conversation(world: World) -> None:
    """The line of a start advertises it: the whole id, from any directory."""
    world.stub.will(say("The parser drops escapes."))
    with world.talk() as client:
        session = client.ask(_ASKED).session_id
        client.leave()
    number = world.checkpoints[-1]["number"]
    programs = world.project.parent / "programs"
    programs.mkdir()
    (programs / "claude").write_text(
        f'#!/bin/sh\nexec "{world.client.command}" "$@" -p "and now?"\n'
    )
    (programs / "claude").chmod(0o755)

    call = [sys.executable, "-m", "holdfast", "--project", str(world.project)]
    subprocess.run(
        [*call, "open", str(number)],
        env={**world.environ, "PATH": f"{programs}{os.pathsep}{os.defpath}"},
        cwd=world.project.parent,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=60,
    )

    last = world.stub.requests[-1]
    assert last.session_id == session
    assert _ASKED in last.conversation
    assert "and now?" in last.conversation
