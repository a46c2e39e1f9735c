"""What of ours a client starts: the scripts it calls, and whether they answer.

A script names its interpreter by an absolute path: a virtual environment, pipx and uv tool
all work whatever is on the `PATH` that day.
"""

import json
import os
import shlex
import site
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from time import perf_counter

from holdfast.kernel.lazy_tuples import NamedTuple

# A repository can name modules, set PYTHON… variables and a HOME with packages in it: -P,
# -E and -s heed none of them. The program is named by import, which starts faster than
# the script pip writes for it.
_LAUNCH = """\
#!/bin/sh
# Written by `holdfast install {agent}`. Becomes holdfast, so that the client stays its
# parent process; does nothing once holdfast is gone.
python={python}
{missing}
exec "$python" -E -P -s {flags}-c '{found}from {module} import {entry}; {entry}()' "$@"
"""
# What `site` does at a start, reading each `.pth` file that other packages left, takes a
# quarter of it. A hook needs two packages; should they lie elsewhere, it is asked.
_FOUND = """\
import os, sys; places = {places}
if sys.version_info[:2] != {version} or not all(map(os.path.isdir, places)):
    import site; site.main()
sys.path += places
"""
_NEEDED = ("holdfast", "apsw")  # by a hook
_SILENT = '[ -x "$python" ] || exit 0'
_SPOKEN = (
    '[ -x "$python" ] || { echo "holdfast is gone: install it again" >&2; exit 1; }'
)

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


def hook_launcher(python: str, agent: str) -> str:
    """Return the script that a client starts at its events; without holdfast it does
    nothing."""
    places = [_place_of(name) for name in _NEEDED]
    found = _FOUND.format(
        places=list(dict.fromkeys(filter(None, places))), version=sys.version_info[:2]
    )
    return _LAUNCH.format(
        python=shlex.quote(python),
        agent=agent,
        missing=_SILENT,
        flags="-S ",
        found=_in_quotes(found),
        module="holdfast.surfaces.hooks.main",
        entry="main",
    )


def command_launcher(python: str, agent: str) -> str:
    """Return the script of the command line, for skills and the MCP server; installed
    for one user, the package is named by its place."""
    place, own = _place_of("holdfast"), site.getusersitepackages()
    found = f"import sys; sys.path.append({place!r}); " if place == own else ""
    return _LAUNCH.format(
        python=shlex.quote(python),
        agent=agent,
        missing=_SPOKEN,
        flags="",
        found=_in_quotes(found),
        module="holdfast.surfaces.cli.main",
        entry="start",
    )


class ProbeAnswer(NamedTuple):
    answered: bool
    milliseconds: int = 0
    why: str = ""


def probe_hook(
    launcher: str, environ: Mapping[str, str], words: tuple[str, ...] = ()
) -> ProbeAnswer:
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
        done = _run([launcher, "SessionStart", *words], json.dumps(event), apart)
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


def _place_of(package: str) -> str:
    """Return the directory in which a package, or a module, lies."""
    spec = find_spec(package)
    path = spec.origin if spec and spec.origin else ""
    above = os.path.dirname(path)
    return os.path.dirname(above) if spec and spec.submodule_search_locations else above


def _in_quotes(code: str) -> str:
    """Return Python for a shell's single quotes."""
    return code.replace("'", "'\\''")
