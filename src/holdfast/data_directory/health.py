"""Check the data directory: its files, their permissions, leftovers and locks.

A data directory may be anything, a person's home, too. What is not named here belongs to
somebody else, whatever it looks like; and where no store is, nothing is ours. Half files of
killed processes have names of their own and were never acknowledged. One is left alone
while its process lives, or while it is so young that somebody may be at it. Locks of the
dead the kernel frees by itself.
"""

import fcntl
import os
import re
import stat
from collections.abc import Iterator, Sequence

from holdfast.domain.query import HealthResult
from holdfast.kernel.files import is_running
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
    ("sync", r"[a-z-]+\.lock", _NONE),
    ("access", r"tokens\.json|lock", _NONE),
    ("pending", _SESSION, _NONE),
    ("notices", _DIGEST, _NONE),
    ("env", rf"{_SESSION}\.sh", _NONE),
    ("log", r"hook\.log(?:\.1)?|audit\.log|bug-\d[\d-]*\.md", _NONE),
    ("backups", r"schema-\d+\.db", r"\.schema-\d+\.db\.tmp-journal"),
    ("journal", r"\d{12}\.log", _NONE),
    ("quarantine", r"[a-z_]+-[0-9a-f]{16}\.row\.json", _NONE),
    (r"quarantine/store-\d{3}", rf"{_STORE}|head|unfinished", _NONE),
    (r"quarantine/journal-\d{3}", r"\d{12}\.log", _NONE),
    ("claude-code", r"install\.json", _NONE),
    ("codex|gemini", r"install\.json|launch|holdfast", _NONE),
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

_OTHERS = 0o077
_PERMISSIONS = "permissions"

_LEFTOVERS = "leftovers"
_YOUNG = 600.0  # seconds

_LOCKS = "locks"
_TABLE = "/proc/locks"


class OwnFile(NamedTuple):
    """A file of ours."""

    path: str
    is_half: bool
    writer: int | None  # the process that wrote a half one, where its name tells


class Folder(NamedTuple):
    """A directory of ours, with those of its files that are."""

    path: str
    files: tuple[OwnFile, ...]
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


def check_modes(home: str) -> HealthResult:
    """Say whether others can reach anything of ours."""
    found = list(_open_to_others(home))
    if not found:
        return HealthResult(_PERMISSIONS, "ok", "only you can read the data")
    many = "1 file" if len(found) == 1 else f"{len(found):,} files"
    return HealthResult(
        _PERMISSIONS,
        "warn",
        f"others may reach {many}, such as `{found[0]}`",
        "close them with `holdfast doctor --repair`",
    )


def close_modes(home: str) -> Iterator[str]:
    """Take the rights of others away; say how many files that were.

    Raises:
        OSError: one of them is not ours to change.
    """
    count = 0
    for path in list(_open_to_others(home)):
        os.chmod(path, stat.S_IMODE(os.lstat(path).st_mode) & ~_OTHERS)
        count += 1
    if count:
        yield f"others could reach {count:,} files and directories: closed"


def check_leftovers(home: str, now_ms: int) -> HealthResult:
    """Say whether killed processes left something behind."""
    found = list(_left_behind(home, now_ms))
    if not found:
        return HealthResult(_LEFTOVERS, "ok", "no half-written files")
    many = "1 half-written file" if len(found) == 1 else f"{len(found):,} such files"
    return HealthResult(
        _LEFTOVERS,
        "warn",
        f"killed processes left {many}: `{os.path.relpath(found[0], home)}`",
        "remove them with `holdfast doctor --repair`",
    )


def remove_leftovers(home: str, now_ms: int) -> Iterator[str]:
    """Remove what killed processes left; say how much that was."""
    count = 0
    for path in list(_left_behind(home, now_ms)):
        os.unlink(path)
        count += 1
    if count:
        many = "1 half-written file" if count == 1 else f"{count:,} half-written files"
        yield f"{many} of killed processes removed"


def check_locks(home: str) -> HealthResult:
    """Say who holds a lock; a hanging process keeps everybody waiting."""
    held = [(path, _holder(path)) for path in _locks(home) if _is_held(path)]
    if not held:
        return HealthResult(_LOCKS, "ok", "none is held")
    path, pid = held[0]
    who = f"process {pid}" if pid else "another process"
    return HealthResult(
        _LOCKS,
        "warn",
        f"`{os.path.relpath(path, home)}` is held by {who}",
        "it is free again when that process ends; look whether it hangs",
    )


def _compiled(whole: str, half: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    usual = rf"\.(?:{whole})(?:\.(\d+))?\.tmp|(?:{whole})\.(\d+)\.tmp"
    return pattern(whole), pattern(f"{usual}|{half}")


def _is_known(relative: str, forms: Sequence[tuple[re.Pattern[str], ...]]) -> bool:
    return any(form[0].fullmatch(relative.lstrip("/")) for form in forms)


def _own(
    path: str, name: str, whole: re.Pattern[str], half: re.Pattern[str]
) -> OwnFile | None:
    if not _is_file(path):
        return None
    if found := half.fullmatch(name):
        writer = next((told for told in found.groups() if told), None)
        return OwnFile(path, is_half=True, writer=int(writer) if writer else None)
    return OwnFile(path, is_half=False, writer=None) if whole.fullmatch(name) else None


def _is_objects(path: str) -> bool:
    return _is_file(f"{path}/config") and os.path.isdir(f"{path}/refs/trees")


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def _open_to_others(home: str) -> Iterator[str]:
    """Yield what is ours and others have rights on; never what is somebody else's."""
    for folder in own_folders(home):
        paths = [own.path for own in folder.files]
        if not folder.is_shared:
            paths.insert(0, folder.path)
        yield from (path for path in paths if _is_open(path))


def _is_open(path: str) -> bool:
    try:
        return bool(os.lstat(path).st_mode & _OTHERS)
    except OSError:
        return False


def _left_behind(home: str, now_ms: int) -> Iterator[str]:
    for folder in own_folders(home):
        for own in folder.files:
            if own.is_half and _is_left(own, now_ms / 1000):
                yield own.path


def _is_left(own: OwnFile, now: float) -> bool:
    if own.writer is not None:
        return not is_running(own.writer)
    return _age(own.path, now) > _YOUNG


def _age(path: str, now: float) -> float:
    try:
        return now - os.lstat(path).st_mtime
    except OSError:
        return 0.0


def _locks(home: str) -> Iterator[str]:
    for folder in own_folders(home):
        yield from sorted(own.path for own in folder.files if own.path.endswith("lock"))


def _is_held(path: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def _holder(path: str) -> int | None:
    """Return the process the kernel names as holder, where it keeps a table."""
    try:
        inode = f":{os.stat(path).st_ino} "
        with open(_TABLE, encoding="ascii") as file:
            lines = [line.split() for line in file if inode in line]
        return int(lines[0][4]) if lines else None
    except (OSError, ValueError, IndexError):
        return None
