"""What Claude Code's own files say: its settings, the files they deny it, its session.

Settings are read whole or not at all.

Of `permissions.deny`, honoured are the plain `Read(…)` rules, in gitignore's syntax:
`Read(./secrets/**)`, `Read(**/.env)`, `Read(~/.ssh/**)`, `Read(//etc/**)`. Where a rule
could be read in two ways, more is left out rather than less.

`sessions/<pid>.json` follows `/clear` and `/resume`. It is the client's own and not
documented, so it is believed only as far as it can be checked: the pid, the moment that
process started, and an id that is one.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from holdfast.domain.code import DeniedFiles
from holdfast.kernel.files import read_beginning, read_or_none
from holdfast.kernel.ids import is_session_id
from holdfast.kernel.lazy_patterns import pattern

_MANAGED = "/etc/claude-code/managed-settings.json"
_MOST_BYTES, _MOST_NOTE = 1 << 20, 64_000  # of settings, of a note about a session
_MOST_RULES = 500
_MOST_LETTERS = 300
_MOST_STARS = 6  # a settings file comes with a repository; each star can cost time
_RULE = pattern(r"Read(?:\((.*)\))?", re.DOTALL)
_SPECIAL = pattern(r"/?\*\*(?:/|$)|\*+|\?")


def read_settings(path: str) -> Mapping[str, Any]:
    """Return the settings in a file, none if it is no readable JSON object.

    People link their own to where they keep such files; a stranger may have put
    anything there, a pipe that nobody writes to included.
    """
    raw = read_or_none(path, limit=_MOST_BYTES, follow_links=True) or b""
    return settings_in(raw.decode("utf-8", "surrogateescape"))


def settings_in(text: str | bytes) -> Mapping[str, Any]:
    """Return the members of a JSON text, none if it is no object."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def denied_files(claude_dir: str, home: str, roots: Sequence[str]) -> DeniedFiles:
    """Return what the settings of user, machine and project say of some directories."""
    project = [
        f"{root}/.claude/{name}"
        for root in roots
        for name in ("settings.json", "settings.local.json")
    ]
    found: list[str] = []
    for path in (f"{claude_dir}/settings.json", _MANAGED, *project):
        anchors = (*roots, claude_dir) if path not in project else tuple(roots)
        for rule in _rules_in(path):
            found.extend(_forms(rule, home, anchors))
    if not found:
        return DeniedFiles()
    source = "|".join(sorted(set(found)))
    return DeniedFiles(re.compile(rf"(?:{source})(?:/|\Z)", re.DOTALL), source)


def live_session(config_dir: str, pid: int, started: str) -> str | None:
    """Return the session the client with this process id is in, or None."""
    try:
        raw = read_beginning(f"{config_dir}/sessions/{pid}.json", _MOST_NOTE)
    except OSError:
        return None
    note = settings_in(raw)
    session = note.get("sessionId")
    if note.get("pid") != pid or not isinstance(session, str):
        return None
    if _differ(started, str(note.get("procStart"))):
        return None  # left behind by another process that had this id before
    return session.lower() if is_session_id(session) else None


def _rules_in(path: str) -> Iterator[str]:
    permissions = read_settings(path).get("permissions")
    deny = permissions.get("deny") if isinstance(permissions, dict) else None
    for rule in deny[:_MOST_RULES] if isinstance(deny, list) else ():
        if isinstance(rule, str) and (hit := _RULE.fullmatch(rule.strip())):
            yield (hit[1] or "**").strip()[:_MOST_LETTERS]


def _forms(rule: str, home: str, anchors: Iterable[str]) -> Iterator[str]:
    """Yield a rule as patterns over absolute paths, one for each place it may mean."""
    if rule.startswith("!"):
        return  # takes back what another denies: that one is honoured
    if rule.startswith("//"):
        yield _regex(rule[1:])
    elif rule.startswith("~/"):
        yield _regex(f"{home}{rule[1:]}")
    else:
        is_path = "/" in rule.rstrip("/")
        inner = rule.removeprefix("./").lstrip("/")
        for anchor in anchors:
            yield _regex(f"{anchor}/{inner}" if is_path else f"{anchor}/**/{inner}")


def _regex(glob: str) -> str:
    glob = os.path.normpath(glob)
    parts = []
    done = 0
    for stars, hit in enumerate(_SPECIAL.finditer(glob)):
        parts.append(re.escape(glob[done : hit.start()]))
        done = hit.end()
        if stars == _MOST_STARS:
            return "".join((*parts, ".*"))
        parts.append(_wild(hit[0]))
    return "".join((*parts, re.escape(glob[done:])))


def _wild(sign: str) -> str:
    if sign == "?":
        return "[^/]"
    if "**" not in sign:
        return "[^/]*"
    if sign == "/**/":
        return "/(?:.*/)?"
    return "/.*" if sign.startswith("/") else ".*"


def _differ(started: str, noted: str) -> bool:
    """Two counts can be compared; a time written in another way cannot."""
    count = started.rpartition("-")[2]  # the boot stands before it
    return count.isdecimal() and noted.isdecimal() and count != noted
