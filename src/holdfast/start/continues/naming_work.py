"""Does a prompt name what only one work has: a label, an identifier, a path, a branch?"""

import re

from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.content_words import folded
from holdfast.start.continues.phrase_book import is_dense
from holdfast.start.continues.work import (
    COMMON_FILES,
    IDENTIFIER,
    SHORTEST_NAME,
    Work,
    apart,
)

# Of such words everybody makes names.
_COMMON_PARTS = frozenset(
    [
        "at", "base", "commit", "count", "created", "data", "date", "dir", "e2e", "file",
        "files", "get", "has", "hash", "id", "index", "is", "key", "list", "main", "message",
        "name", "new", "path", "repo", "root", "session", "set", "setup", "size", "temp",
        "test", "time", "tmp", "type", "updated", "url", "user", "utils", "value",
    ]
)  # fmt: skip
_NAME = pattern(rf"{IDENTIFIER.pattern}|[A-Za-z]\w*(?:[-./]\w+)+", re.ASCII)
_FOREIGN = pattern(r"[A-Za-z][\w'-]+", re.ASCII)
_CAPITAL = pattern(r"(?<=[a-z\u00e0-\u00ff,] )[A-Z][\w-]+")
_COMMON_BRANCHES = frozenset(["main", "master", "dev", "develop", "trunk", "head"])
# Scripts without spaces write their words right beside a name.
_EDGE = "0-9A-Za-z_\u00c0-\u024f-"
_WORD_EDGE = f"(?<![{_EDGE}]){{}}(?![{_EDGE}])"


def names_it(prompt: str, work: Work) -> bool:
    """Say whether a prompt names the checkpoint itself: its number, label or name."""
    text = folded(prompt)
    return any(
        _has(text, folded(one), 2 if one.startswith("#") else SHORTEST_NAME)
        for one in work.labels
    )


def names_work(prompt: str, work: Work) -> bool:
    """Say whether a prompt names something that only this work has."""
    if names_it(prompt, work):
        return True
    text = folded(prompt)
    if any(_is_telling(name) and _has(text, folded(name)) for name in work.names):
        return True
    bases = (path.rpartition("/")[2] for path in work.paths)
    stems = (b.partition(".")[0] for b in bases if folded(b) not in COMMON_FILES)
    if any(_is_telling(stem) and _has(text, folded(stem)) for stem in stems):
        return True
    branch = folded(work.branch)
    if branch and branch not in _COMMON_BRANCHES and _has(text, branch):
        return True
    return ("." in text or "/" in text) and any(_has_path(text, p) for p in work.paths)


def names_in(prompt: str) -> frozenset[str]:
    """Return what looks like an identifier, a path or a flag."""
    found = (folded(name) for name in _NAME.findall(prompt))
    return frozenset(one for one in found if len(one) >= SHORTEST_NAME) - COMMON_FILES


def things_in(prompt: str) -> frozenset[str]:
    """Return the words that a language writes as names: `Braze`, or `vite` in Thai."""
    words = _FOREIGN if is_dense(prompt) else _CAPITAL
    return frozenset(folded(word) for word in words.findall(prompt))


def _has(text: str, wanted: str, shortest: int = SHORTEST_NAME) -> bool:
    if len(wanted) < shortest or wanted not in text:
        return False
    return re.search(_WORD_EDGE.format(re.escape(wanted)), text) is not None


def _has_path(text: str, path: str) -> bool:
    whole = folded(path)
    base = whole.rpartition("/")[2]
    if "/" in whole and _has(text, whole):
        return True
    return base not in COMMON_FILES and "." in base and _has(text, base)


def _is_telling(name: str) -> bool:
    """A plain word may be anybody's, and so may `fileName`; an identifier is somebody's."""
    if name.isalpha() and (name.isupper() or name.islower()):
        return False  # `REVIEW` is the word `review`
    if IDENTIFIER.fullmatch(name) is None and "." not in name:
        return False
    return not set(folded(apart(name)).split()) <= _COMMON_PARTS
