"""A turn's end is worked on in a process that the client does not wait for."""

import fcntl
import json
import subprocess
import sys
import threading
from time import monotonic

from tests.e2e.hooks.conftest import World, write_session

_PATIENCE = 30.0


def test_the_client_does_not_wait_for_the_end_of_a_turn(world: World) -> None:
    """Its own way to start a hook beside the conversation is cut off when it exits; ours
    goes on, here while the store was held for as long as the client looked."""
    session = "7670db3a-0000-4000-8000-000000000077"
    write_session(world, session, "add refresh tokens")
    world.client().start(session)
    before = _hooks_counted(world)

    with (world.home / "store.lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = _stop(world, session)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    _wait_until(world, before + 1)


def _stop(world: World, session: str) -> "subprocess.CompletedProcess[bytes]":
    event = {
        "hook_event_name": "Stop",
        "session_id": session,
        "transcript_path": str(world.transcript(session)),
        "cwd": str(world.project),
    }
    words = [sys.executable, "-m", "holdfast.surfaces.hooks.main", "Stop", "--detach"]
    return subprocess.run(
        words,
        input=json.dumps(event).encode(),
        env=world.environ(),
        capture_output=True,
        check=False,
    )


def _hooks_counted(world: World) -> int:
    return int(world.cli("why")["cost"]["events"])


def _wait_until(world: World, hooks: int) -> None:
    until, pause = monotonic() + _PATIENCE, threading.Event()
    while _hooks_counted(world) < hooks:
        assert monotonic() < until, "the work was never done"
        pause.wait(0.05)
