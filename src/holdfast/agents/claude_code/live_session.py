"""Which session a running Claude Code is in, by the note it keeps of itself.

`sessions/<pid>.json` follows `/clear` and `/resume`. It is the client's own and not
documented, so it is believed only as far as it can be checked: the pid, the moment that
process started, and an id that is one.
"""

import json
from collections.abc import Mapping
from typing import Any

from holdfast.kernel.files import read_beginning
from holdfast.kernel.ids import is_session_id

_MOST_BYTES = 64_000


def live_session(config_dir: str, pid: int, started: str) -> str | None:
    """Return the session the client with this process id is in, or None."""
    note = _note(f"{config_dir}/sessions/{pid}.json")
    session = note.get("sessionId")
    if note.get("pid") != pid or not isinstance(session, str):
        return None
    if _differ(started, str(note.get("procStart"))):
        return None  # left behind by another process that had this id before
    return session.lower() if is_session_id(session) else None


def _note(path: str) -> Mapping[str, Any]:
    try:
        raw = json.loads(read_beginning(path, _MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return raw if isinstance(raw, dict) else {}


def _differ(started: str, noted: str) -> bool:
    """Two counts can be compared; a time written in another way cannot."""
    count = started.rpartition("-")[2]  # the boot stands before it
    return count.isdecimal() and noted.isdecimal() and count != noted
