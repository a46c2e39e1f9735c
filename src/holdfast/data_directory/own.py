"""What in the data directory is ours: the folders we make, and the names we make there.

A data directory may be anything, a person's home, too. What is not named here belongs to
somebody else, whatever it looks like; and where no store is, nothing is ours.
"""

import os
import re
import stat
from collections.abc import Iterator, Sequence

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

_MARKS = ("holdfast.db", "redaction.key")
_STORE = r"holdfast\.db(?:-wal|-shm|-journal)?"
_SESSION = "[0-9A-Za-z-]+"
_DIGEST = "[0-9a-f]{24}"
_NONE, _ANY = "(?!)", ".+"
_SNAPSHOTS = "git/snapshots"
_DEEP = ("git/snapshots", "git/places/")  # git keeps there what it likes
_GIT_HALF = r"[\w.-]+?(?:\.(\d+)-\d+)?\.lock"
# Folder, names of whole files, and of half ones that are not `.NAME.tmp` or with a writer.
_FORMS = (
    (
        "",
        rf"{_STORE}|head|redaction\.key|store\.lock|pruned",
        r"\.holdfast\.db\.new(?:-wal|-shm|-journal)?",
    ),
    (
        "spool",
        r"\d{12}-[0-9a-f]+\.json(?:\.bad)?|reserve|adding\.lock|draining\.lock",
        _NONE,
    ),
    ("requests", rf"{_DIGEST}\.json|work\.lock", _NONE),
    ("forgetting", rf"{_DIGEST}\.json|adding\.lock", _NONE),
    ("restores", r"[0-9a-f]{32}\.json(?:\.lock)?", r"[0-9a-f]{32}\.json\.half"),
    ("pending", _SESSION, _NONE),
    ("notices", _DIGEST, _NONE),
    ("env", rf"{_SESSION}\.sh", _NONE),
    ("log", r"hook\.log(?:\.1)?|audit\.log|bug-\d+\.md", _NONE),
    ("backups", r"schema-\d+\.db", r"\.schema-\d+\.db\.tmp-journal"),
    ("quarantine", r"[a-z_]+-[0-9a-f]{16}\.row\.json", _NONE),
    (r"quarantine/store-\d{3}", rf"{_STORE}|unfinished", _NONE),
    ("claude-code", r"install\.json", _NONE),
    ("git", "roots-[0-9a-f]{40}", _NONE),
    ("git/drafts", _NONE, r"roots-(\d+)"),
    ("git/places", _NONE, _NONE),
    (rf"git/places/{_DIGEST}", _ANY, rf"index\.lock|{_GIT_HALF}"),
    ("git/snapshots", _ANY, _GIT_HALF),
    ("git/snapshots/refs", _ANY, _NONE),
    ("git/snapshots/refs/(?:trees|places|drafts)", _ANY, _GIT_HALF),
    ("git/snapshots/objects", _ANY, _NONE),
    ("git/snapshots/objects/(?:pack|info|[0-9a-f]{2})", _ANY, "tmp_[a-z]+_.+"),
)


class Own(NamedTuple):
    """A file of ours."""

    path: str
    is_half: bool
    writer: int | None  # the process that wrote a half one, where its name tells


class Folder(NamedTuple):
    """A directory of ours, with those of its files that are."""

    path: str
    files: tuple[Own, ...]
    is_shared: bool  # somebody else keeps something in it


def is_ours(home: str) -> bool:
    """Say whether a store of ours is, or was, in this directory."""
    return any(_is_file(f"{home}/{name}") for name in _MARKS)


def own_folders(home: str) -> Iterator[Folder]:
    """Yield what is ours, one directory after the other; links are nobody's."""
    if not is_ours(home):
        return
    forms = [
        (pattern(folder), *_compiled(whole, half)) for folder, whole, half in _FORMS
    ]
    for path, folders, names in os.walk(home):
        relative = path.removeprefix(home).strip("/")
        found = next((form for form in forms if form[0].fullmatch(relative)), None)
        if found is None or (relative == _SNAPSHOTS and not _is_objects(path)):
            folders.clear()
            continue
        files = tuple(
            own for name in names if (own := _own(f"{path}/{name}", name, *found[1:]))
        )
        inside = [name for name in folders if _is_known(f"{relative}/{name}", forms)]
        is_all = len(files) == len(names) and len(inside) == len(folders)
        folders[:] = inside
        yield Folder(path, files, not is_all and not relative.startswith(_DEEP))


def _compiled(whole: str, half: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    usual = rf"\.(?:{whole})(?:\.(\d+))?\.tmp|(?:{whole})\.(\d+)\.tmp"
    return pattern(whole), pattern(f"{usual}|{half}")


def _is_known(relative: str, forms: Sequence[tuple[re.Pattern[str], ...]]) -> bool:
    return any(form[0].fullmatch(relative.lstrip("/")) for form in forms)


def _own(
    path: str, name: str, whole: re.Pattern[str], half: re.Pattern[str]
) -> Own | None:
    if not _is_file(path):
        return None
    if found := half.fullmatch(name):
        writer = next((told for told in found.groups() if told), None)
        return Own(path, is_half=True, writer=int(writer) if writer else None)
    return Own(path, is_half=False, writer=None) if whole.fullmatch(name) else None


def _is_objects(path: str) -> bool:
    return _is_file(f"{path}/config") and os.path.isdir(f"{path}/refs/trees")


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False
