"""Does what the client would start really answer? Started as the client starts it."""

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from time import perf_counter

from holdfast.kernel.lazy_tuples import NamedTuple

_PATIENCE = 30.0  # seconds; a cold MCP server takes two or three
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "holdfast-doctor", "version": "1"},
    },
}


class Answer(NamedTuple):
    answered: bool
    milliseconds: int = 0
    why: str = ""


def hook(launcher: str, environ: Mapping[str, str]) -> Answer:
    """Send one start to the hooks, in a scratch home: the user's data stays untouched."""
    with tempfile.TemporaryDirectory(prefix="holdfast-") as scratch:
        project = f"{scratch}/project"
        os.mkdir(project)
        event = {
            "hook_event_name": "SessionStart",
            "session_id": "00000000-0000-4000-8000-000000000000",
            "transcript_path": f"{project}/none.jsonl",
            "cwd": project,
            "source": "startup",
        }
        apart = {
            **environ,
            "HOLDFAST_HOME": f"{scratch}/home",
            "HOME": f"{scratch}/user",
        }
        began = perf_counter()
        done = _run([launcher, "SessionStart"], json.dumps(event), apart)
        took = round((perf_counter() - began) * 1000)
    if isinstance(done, str):
        return Answer(answered=False, why=done)
    if done.returncode or done.stderr:
        return Answer(answered=False, why=_last_line(done.stderr))
    return Answer(answered=True, milliseconds=took)


def mcp(command: str, environ: Mapping[str, str]) -> Answer:
    """Ask the MCP server who it is."""
    done = _run([command, "mcp"], json.dumps(_HELLO) + "\n", environ)
    if isinstance(done, str):
        return Answer(answered=False, why=done)
    try:
        name = json.loads(done.stdout.partition("\n")[0])["result"]["serverInfo"][
            "name"
        ]
    except (ValueError, KeyError, TypeError):
        return Answer(answered=False, why=_last_line(done.stderr))
    return Answer(answered=bool(name))


def _run(
    words: list[str], text: str, environ: Mapping[str, str]
) -> "subprocess.CompletedProcess[str] | str":
    """Return the finished process, or why there is none."""
    try:
        return subprocess.run(  # noqa: S603  # our own launcher
            words,
            input=text,
            env=dict(environ),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return str(problem)


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:200] if lines else "it said nothing"
