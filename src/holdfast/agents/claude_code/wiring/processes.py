"""The processes of wiring: the client's own command, and what of ours it would start.

`claude` is asked to register or forget our plugin; our hook and our server are started
as the client starts them, to see whether they answer.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from time import perf_counter

from holdfast.kernel.lazy_tuples import NamedTuple

_ANSWERS_WITHIN = 60.0  # seconds; it answers within two
_USUAL = ("~/.local/bin/claude", "~/.claude/local/claude")

_STARTS_WITHIN = 30.0  # seconds; a cold MCP server takes two or three
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


def find_claude(environ: Mapping[str, str]) -> str | None:
    """Return the path of the `claude` command, or None if it is not installed."""
    found = shutil.which("claude", path=environ.get("PATH", os.defpath))
    if found:
        return found
    home = environ.get("HOME", "")
    usual = (f"{home}{place[1:]}" for place in _USUAL if home)
    return next((path for path in usual if os.access(path, os.X_OK)), None)


def ask_claude(
    command: str, words: tuple[str, ...], environ: Mapping[str, str], directory: str
) -> str | None:
    """Run `claude plugin …` and return what it complained about, None if nothing."""
    quiet = {**environ, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
    try:
        done = subprocess.run(  # noqa: S603  # the client's own command, our words
            [command, "plugin", *words],
            env=quiet,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=_ANSWERS_WITHIN,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return str(problem)
    if done.returncode == 0:
        return None
    said = (done.stderr or done.stdout).strip().splitlines()
    return said[-1] if said else f"it exited with {done.returncode}"


class ProbeAnswer(NamedTuple):
    answered: bool
    milliseconds: int = 0
    why: str = ""


def probe_hook(launcher: str, environ: Mapping[str, str]) -> ProbeAnswer:
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
        return ProbeAnswer(answered=False, why=done)
    if done.returncode or done.stderr:
        return ProbeAnswer(answered=False, why=_last_line(done.stderr))
    return ProbeAnswer(answered=True, milliseconds=took)


def probe_mcp(command: str, environ: Mapping[str, str]) -> ProbeAnswer:
    """Ask the MCP server who it is."""
    done = _run([command, "mcp"], json.dumps(_HELLO) + "\n", environ)
    if isinstance(done, str):
        return ProbeAnswer(answered=False, why=done)
    try:
        name = json.loads(done.stdout.partition("\n")[0])["result"]["serverInfo"][
            "name"
        ]
    except (ValueError, KeyError, TypeError):
        return ProbeAnswer(answered=False, why=_last_line(done.stderr))
    return ProbeAnswer(answered=bool(name))


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
            timeout=_STARTS_WITHIN,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return str(problem)


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:200] if lines else "it said nothing"
