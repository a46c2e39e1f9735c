"""Whether a file belongs to a snapshot, and if not, why."""

import os
import stat

from holdfast.domain.code import (
    EXECUTABLE,
    REGULAR,
    SYMLINK,
    DeniedFiles,
    LeftOut,
    SnapshotBounds,
)
from holdfast.kernel.files import UnsuitableFile, read_file
from holdfast.kernel.lazy_values import dataclass, field
from holdfast.redaction.files import SecretFiles, has_secret_name
from holdfast.snapshot.git.history import History

_MANY = 200  # files to judge at once: then one look at HEAD spares reading most of them

REPOSITORY = "a repository of its own"
DENIED = "the client may not read it"
SECRET = "may hold a secret"  # noqa: S105  # a reason, not a secret
_ODD = "neither a file nor a link"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A path with what lies there; None: nothing."""

    path: str
    stat: os.stat_result | None = None
    problem: str = ""  # why it cannot be seen

    @property
    def size(self) -> int:
        return self.stat.st_size if self.stat else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """The rules of one snapshot."""

    root: str
    limits: SnapshotBounds
    denied: DeniedFiles
    history: History
    secrets: SecretFiles
    many: bool = False
    _inside: dict[str, bool] = field(default_factory=dict)  # directories looked at

    def found(self, path: str) -> FoundFile:
        """Look at a path without following it, nor a link on the way to it."""
        if not self._is_inside(path.rpartition("/")[0]):
            return FoundFile(path)
        try:
            there = os.lstat(f"{self.root}/{path}")
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return FoundFile(path)
        except OSError as problem:
            return FoundFile(path, problem=f"cannot be seen: {problem.strerror}")
        # A file that became a directory is gone; what is in it has paths of its own.
        return FoundFile(path, None if stat.S_ISDIR(there.st_mode) else there)

    def at_sight(self, found: FoundFile) -> LeftOut | None:
        """Return why a file is left out, as far as that shows without reading it."""
        if found.path.endswith("/"):
            return LeftOut(found.path, REPOSITORY)
        if found.stat is None:
            return LeftOut(found.path, found.problem) if found.problem else None
        reason = self._reason(found.path, found.stat)
        return LeftOut(found.path, reason) if reason else None

    def _is_inside(self, folder: str) -> bool:
        """Say whether no link leads to a folder; the root is a real path."""
        if not folder:
            return True
        known = self._inside.get(folder)
        if known is None:
            known = self._is_inside(folder.rpartition("/")[0])
            known = known and not os.path.islink(f"{self.root}/{folder}")
            self._inside[folder] = known
        return known

    def _reason(self, path: str, found: os.stat_result) -> str:
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISLNK(found.st_mode)):
            return _ODD
        if self.denied.covers(f"{self.root}/{path}"):
            return DENIED
        if found.st_size > self.limits.max_file_bytes:
            return f"larger than {_mb(self.limits.max_file_bytes)}"
        return ""

    def read(self, found: FoundFile) -> bytes | LeftOut:
        """Return a file's content, or why it cannot be had. Not judged yet."""
        path = f"{self.root}/{found.path}"
        try:
            if found.stat and stat.S_ISLNK(found.stat.st_mode):
                return os.readlink(os.fsencode(path))
            return read_file(path, limit=self.limits.max_file_bytes)
        except UnsuitableFile:
            return LeftOut(found.path, "it changed while it was read")
        except OSError as problem:
            return LeftOut(found.path, f"cannot be read: {problem.strerror}")

    def is_secret(self, path: str, content: bytes) -> bool:
        """Say whether a content must not be kept."""
        if self.many and self.history.has(path, content):
            return False
        return is_secret(path, content, self.secrets, self.history)


def is_secret(
    path: str, content: bytes, secrets: SecretFiles, history: History
) -> bool:
    """A secret that a commit holds at this path is known already, alone or among more."""
    if has_secret_name(path):
        return not history.has(path, content)
    found = secrets.of(content)
    if not found and not secrets.is_in_name(path):
        return False
    before = history.content(path)
    return before is None or not found <= secrets.of(before)


def is_many(count: int) -> bool:
    return count > _MANY


def mode_of(found: os.stat_result) -> int:
    """Return the mode a tree keeps: what kind it is, and whether it can be run."""
    if stat.S_ISLNK(found.st_mode):
        return SYMLINK
    return EXECUTABLE if found.st_mode & stat.S_IXUSR else REGULAR


def newest_first(
    pending: list[FoundFile], limits: SnapshotBounds
) -> tuple[list[FoundFile], list[LeftOut]]:
    """Return what fits into a snapshot, and what does not: the oldest files wait.

    They fit into one of the next snapshots, which need to read less.
    """
    total = sum(found.size for found in pending)
    if total <= limits.max_total_bytes and len(pending) <= limits.max_files:
        return pending, []
    order = sorted(pending, key=lambda f: -(f.stat.st_mtime_ns if f.stat else 0))
    fitting: list[FoundFile] = []
    waiting: list[LeftOut] = []
    room = limits.max_total_bytes
    for found in order:
        if len(fitting) >= limits.max_files:
            waiting.append(LeftOut(found.path, f"more than {limits.max_files:,} files"))
        elif found.size > room:
            more = f"more than {_mb(limits.max_total_bytes)} at once"
            waiting.append(LeftOut(found.path, more))
        else:
            fitting.append(found)
            room -= found.size
    return fitting, waiting


def _mb(size: int) -> str:
    return f"{size // 1_000_000} MB"
