"""Files that the client may not read: `permissions.deny` of its settings.

Honoured are the plain `Read(…)` rules, in gitignore's syntax: `Read(./secrets/**)`,
`Read(**/.env)`, `Read(~/.ssh/**)`, `Read(//etc/**)`. Where a rule could be read in two
ways, more is left out rather than less.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass
from holdfast.snapshot.git import files

_MANAGED = "/etc/claude-code/managed-settings.json"
_MOST_RULES = 500
_MOST_LETTERS = 300
_MOST_STARS = 6  # a settings file comes with a repository; each star can cost time
_RULE = pattern(r"Read(?:\((.*)\))?", re.DOTALL)
_SPECIAL = pattern(r"/?\*\*(?:/|$)|\*+|\?")


@dataclass(frozen=True, slots=True)
class Denied:
    """What may not be read, as one pattern over absolute paths."""

    pattern: "re.Pattern[str] | None" = None
    source: str = ""  # changes whenever the rules do

    def covers(self, path: str) -> bool:
        return self.pattern is not None and self.pattern.match(path) is not None


def rules_for(claude_dir: str, home: str, roots: Sequence[str]) -> Denied:
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
        return Denied()
    source = "|".join(sorted(set(found)))
    return Denied(re.compile(rf"(?:{source})(?:/|\Z)", re.DOTALL), source)


def _rules_in(path: str) -> Iterator[str]:
    raw: object = None
    with suppress(ValueError, RecursionError):
        raw = json.loads(files.read_text(path, 1 << 20) or "null")
    permissions = raw.get("permissions") if isinstance(raw, dict) else None
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
