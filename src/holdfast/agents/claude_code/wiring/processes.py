"""The client's own command: `claude` is asked to register or forget our plugin."""

import os
import shutil
import subprocess
from collections.abc import Mapping

_ANSWERS_WITHIN = 60.0  # seconds; it answers within two
_USUAL = ("~/.local/bin/claude", "~/.claude/local/claude")


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
