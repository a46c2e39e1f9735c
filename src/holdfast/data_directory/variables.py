"""The variables a session's own shell sees (B4).

The client sources one file at each command; that file sources ours, which each save
rewrites.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.kernel.clock import iso
from holdfast.kernel.directories import make_own_directory
from holdfast.kernel.errors import MetadataUnwritable
from holdfast.kernel.files import append_to, read_file, replace_unlocked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.session import SessionRecord

_SESSION_FILES = "session-env"
# No shell looks into these.
_PLAIN = frozenset(
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@%+=:,./-_"
)
_MOST_SOURCED = 1_000_000  # bytes; the client's own has a few lines


def variables_of(
    session_id: str,
    record: SessionRecord | None,
    directory: str,
    now_ms: int,
    *,
    before: str = "",
) -> dict[str, str]:
    """Return the variables of a session; one without a record is its own root.

    `before` is the last checkpoint of the session it came from: the last one until this
    session has one of its own.
    """
    started = (record.started_at if record else 0) or now_ms
    checkpoints = record.checkpoints if record else ()
    return {
        "CLAUDE_SESSION_ID": session_id,
        "CLAUDE_SESSION_START": iso(started),
        "CLAUDE_SESSION_START_UNIX": str(started),
        "CLAUDE_SESSION_PARENT": (record.parent_session if record else None) or "",
        "CLAUDE_SESSION_ROOT": (record.root_session if record else "") or session_id,
        "CLAUDE_SESSION_CWD": directory,
        "CLAUDE_LAST_CHECKPOINT": checkpoints[-1] if checkpoints else before,
        "CLAUDE_CHECKPOINT_COUNT": str(len(checkpoints)),
    }


def write_variables(
    home: str, session_id: str, values: Mapping[str, str], env_file: str | None = None
) -> None:
    """Write a session's file, and have the client's own source it once.

    Raises:
        MetadataUnwritable: its shell has the variables of before; nothing else is lost.
    """
    path = f"{home}/env/{session_id}.sh"
    lines = [f"export {name}={_quoted(value)}\n" for name, value in values.items()]
    try:
        make_own_directory(os.path.dirname(path))
        replace_unlocked(path, "".join(lines).encode(), durable=False)
    except OSError as problem:
        raise MetadataUnwritable(
            f"the variables of the session's shell cannot be written to `{path}`:"
            f" {problem.strerror}",
            hint="the checkpoint is kept; see `holdfast doctor` for the data directory",
        ) from None
    if env_file:
        with suppress(OSError):  # a repository may have named it: anything may be there
            _source_once(env_file, path)


def env_file_of(environ: Mapping[str, str], claude_dir: str) -> str | None:
    """Return the file the client sources for this session, if that is what is named.

    A repository can set the variable: only what really lies where the client keeps such
    files is believed, or a line would be added to a profile of the user's.
    """
    named = environ.get("CLAUDE_ENV_FILE", "")
    if "\0" in named:
        return None
    above, name = os.path.split(named)
    real, own = os.path.realpath(above), os.path.realpath(claude_dir)
    kept = os.path.realpath(f"{claude_dir}/{_SESSION_FILES}")
    is_there = real.startswith(f"{kept}/") and kept == f"{own}/{_SESSION_FILES}"
    return f"{real}/{name}" if name and is_there else None


def _quoted(text: str) -> str:
    """Return a text as one word of a shell, as `shlex` does, which costs 1 ms."""
    if text and _PLAIN.issuperset(text):
        return text
    return "'" + text.replace("'", "'\"'\"'") + "'"


def _source_once(env_file: str, path: str) -> None:
    # True where the file is gone, too: the shell may stop at a line that fails.
    quoted = _quoted(path)
    line = os.fsencode(f"[ ! -r {quoted} ] || . {quoted}\n")
    os.makedirs(os.path.dirname(env_file) or ".", exist_ok=True)
    try:
        known = read_file(env_file, limit=_MOST_SOURCED)
    except FileNotFoundError:
        known = b""
    if line not in known:
        append_to(env_file, line)
