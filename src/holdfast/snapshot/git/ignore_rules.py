"""The files in which git looks for rules: only plain ones are opened, only patterns copied.

git opens a `.gitignore` or `.gitattributes` wherever it finds one, and waits for ever if
it is a pipe. So what can be known before is looked at before, and what cannot is looked
for once git takes too long. Where such a list is a link, it may lead to anything the user
can read: what is no pattern is not copied.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from holdfast.redaction.files import SecretFiles


NAMES = (".gitignore", ".gitattributes")

# Each setting that names such a file, and where git looks without it.
_NAMED = {"core.excludesfile": "ignore", "core.attributesfile": "attributes"}
_MOST_DIRECTORIES = 20_000
_MOST_BYTES = 1 << 26

# A pattern of git has hardly ever one of these; then it is worth looking closer.
_ODD = pattern(rb"[=:@]|\S[ \t]+\S|[A-Za-z0-9+/_\-]{16}")


def odd_rule_in(root: str) -> str | None:
    """Return which rules at the top of a worktree cannot be read, if any."""
    return next((name for name in NAMES if _blocks(f"{root}/{name}")), None)


def odd_rule_below(root: str) -> str | None:
    """Return which rules anywhere in a worktree cannot be read, by their path in it."""
    for seen, (place, directories, names) in enumerate(os.walk(root)):
        if seen > _MOST_DIRECTORIES:
            return None
        directories[:] = [name for name in directories if name != ".git"]
        for name in NAMES:
            if name in names and _blocks(f"{place}/{name}"):
                return os.path.relpath(f"{place}/{name}", root)
    return None


def plain_rules(
    settings: Mapping[str, str], environ: Mapping[str, str], root: str
) -> dict[str, str]:
    """Return settings in which no file of rules is named that cannot be read."""
    return {**settings, **dict(_replaced(settings, environ, root))}


def rules_of(content: bytes, secrets: "SecretFiles | None" = None) -> bytes:
    """Return the lines that git would heed and that carry no secret."""
    lines = content.splitlines(keepends=True)
    rules = b"".join(x for x in lines if x.strip() and not x.startswith(b"#"))
    has_own = secrets is not None and secrets.own  # which may look like any pattern
    if not has_own and not _ODD.search(rules):
        return rules
    from holdfast.redaction.files import SecretFiles  # noqa: PLC0415  # a hook seldom needs it

    return (secrets or SecretFiles()).lines_without(rules)


def _replaced(
    settings: Mapping[str, str], environ: Mapping[str, str], root: str
) -> Iterator[tuple[str, str]]:
    home = environ.get("HOME", "")
    usual = environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
    for setting, name in _NAMED.items():
        path = settings.get(setting) or f"{usual}/git/{name}"
        if path.startswith("~/"):
            path = f"{home}{path[1:]}"
        if _blocks(os.path.join(root, path)):
            yield setting, os.devnull


def _blocks(path: str) -> bool:
    """Say whether reading what a path leads to could take for ever."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return False
    if stat.S_ISREG(found.st_mode):
        return found.st_size > _MOST_BYTES
    return not stat.S_ISDIR(found.st_mode)
