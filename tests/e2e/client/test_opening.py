"""`holdfast open` of a session whose transcript is gone, in the real client."""

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
