"""Whether a file belongs to a snapshot, and if not, why.

Asked when a snapshot is taken, and again of trees that older rules took: what may hold a
secret goes. Nothing is rewritten: a tree without those files takes the place of the one
with them.
"""

import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence, Set as AbstractSet
from time import monotonic

from holdfast.domain.code import (
    EXECUTABLE,
    REGULAR,
    SYMLINK,
    DeniedFiles,
    LeftOut,
    SnapshotBounds,
    Taken,
    is_safe_path,
)
from holdfast.kernel.errors import SnapshotLost
from holdfast.kernel.files import UnsuitableFile, read_file, remove_quietly
from holdfast.kernel.lazy_values import dataclass, field
from holdfast.redaction.files import SecretFiles, has_secret_name
from holdfast.snapshot.git import files, trees
from holdfast.snapshot.git.head import History, is_object_id
from holdfast.snapshot.git.repository import Repository, find
from holdfast.snapshot.git.trees import NotTaken, Objects, within
from holdfast.snapshot.take import kept_trees
from holdfast.snapshot.take.tree_writer import Named, writer

_MUCH = 10_000_000  # bytes
_MANY = 200  # files to judge at once: then one look at HEAD spares reading most of them

REPOSITORY = "a repository of its own"
DENIED = "the client may not read it"
SECRET = "may hold a secret"  # noqa: S105  # a reason, not a secret
NO_TIME = "there was no time for it; the next save continues"
_ODD = "neither a file nor a link"
_REFUSED = "git refuses such a name"

_SCAN_SECONDS = 600.0
_SCAN_REF = f"{kept_trees.DRAFTS}/scan"


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
        if not is_safe_path(path, is_link=stat.S_ISLNK(found.st_mode)):
            return _REFUSED
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


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeScan:
    """One scan over many trees, which share most of their files."""

    objects: Objects
    secrets: SecretFiles
    scratch: str
    _holds: dict[str, bool] = field(default_factory=dict)  # by object
    _clean: set[str] = field(default_factory=set)  # trees: most, and often the same

    def cleaned(
        self, tree: str, directories: Sequence[str], commit: str | None
    ) -> Taken:
        """Return the tree without its secrets, held; the same one if it has none."""
        try:
            gone = self._secrets_of(tree, directories, commit)
            if not gone:
                return Taken(tree=tree)
            clean = self._without(tree, gone)
        except SnapshotLost as lost:
            return Taken(reason=lost.message)
        except NotTaken as reason:
            return Taken(reason=str(reason))
        except (OSError, TimeoutError) as problem:
            return Taken(reason=f"it cannot be written: {problem}")
        return Taken(tree=clean, left_out=tuple(LeftOut(p, SECRET) for p in gone))

    def worktrees(self) -> Iterator[str]:
        """Yield each worktree whose index or last look holds a secret."""
        places = f"{self.scratch}/places"
        for key in os.listdir(places) if os.path.isdir(places) else ():
            root = files.read_text(f"{places}/{key}/root")
            refs = (
                f"{group}/{key}" for group in (kept_trees.PLACES, kept_trees.DRAFTS)
            )
            seen = {files.read_text(f"{self.objects.path}/{ref}") for ref in refs}
            commits = [text.strip() for text in seen if text]
            if root and any(self._is_unclean(commit, root) for commit in commits):
                yield root

    def _is_unclean(self, commit: str, root: str) -> bool:
        try:
            return bool(self._secrets_of(commit, (root,), None))
        except (SnapshotLost, NotTaken):
            return True  # it is made again from the files

    def _secrets_of(
        self, tree: str, directories: Sequence[str], commit: str | None
    ) -> list[str]:
        found = [] if tree in self._clean else list(self._suspicious(tree))
        if not found:
            self._clean.add(tree)
            return []
        histories = self._histories(directories, commit)
        if not histories:
            raise NotTaken(
                f"{len(found)} files may hold secrets that its repository holds, too,"
                " and that is not there"
            )
        return [
            path
            for path, content in found
            if all(is_secret(path, content, self.secrets, h) for h in histories)
        ]

    def _suspicious(self, tree: str) -> Iterator[tuple[str, bytes]]:
        """Yield the files that need a closer look; each content is read once."""
        entries = trees.entries(self.objects, tree)
        new = {e.object_id for e in entries if e.object_id not in self._holds}
        for object_id, content in trees.contents(self.objects, sorted(new)):
            self._holds[object_id] = bool(self.secrets.of(content))
        wanted = [
            entry
            for entry in entries
            if self._holds[entry.object_id]
            or has_secret_name(entry.path)
            or self.secrets.is_in_name(entry.path)
        ]
        ids = [entry.object_id for entry in wanted]
        read = trees.contents(self.objects, ids) if ids else iter(())
        for entry, (_, content) in zip(wanted, read, strict=True):
            yield entry.path, content

    def _histories(
        self, directories: Sequence[str], commit: str | None
    ) -> list[History]:
        """Return what the repository holds now and held then; none: it is gone."""
        found = filter(None, (find(os.path.realpath(place)) for place in directories))
        there = {repository.common_dir: repository for repository in found}
        repository = next(iter(there.values()), None)
        if repository is None:
            return [] if commit else [self._history(None, None)]
        then = commit if commit and is_object_id(commit) else None
        both = [self._history(repository, None), self._history(repository, then)]
        return both if then else both[:1]

    def _history(self, repository: Repository | None, commit: str | None) -> History:
        git = within(self.objects.git, None)
        return History(repository, git, self.scratch, commit)

    def _without(self, tree: str, paths: Sequence[str]) -> str:
        until = monotonic() + _SCAN_SECONDS
        with files.locked(self.objects.lock, alone=False, until=until):
            with writer(self.objects, until) as out:
                written = out.finish(_SCAN_REF, tree, map(Named, paths))
            kept_trees.hold(self.objects, written.tree)
            remove_quietly(f"{self.objects.path}/{_SCAN_REF}")
        return written.tree


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


def is_much(pending: Sequence[FoundFile], limits: SnapshotBounds) -> bool:
    """Say whether it is so much to read that the order matters."""
    total = sum(found.size for found in pending)
    return total > min(_MUCH, limits.max_total_bytes)


def mode_of(found: os.stat_result) -> int:
    """Return the mode a tree keeps: what kind it is, and whether it can be run."""
    if stat.S_ISLNK(found.st_mode):
        return SYMLINK
    return EXECUTABLE if found.st_mode & stat.S_IXUSR else REGULAR


def fewest_beside_first(
    untracked: Sequence[str], tracked: AbstractSet[str], most: int
) -> tuple[list[str], list[LeftOut]]:
    """Return which new files may be looked at, and which wait for the next snapshots.

    What the repository tracks is never too much. Of the rest, a file among few comes
    before one of the thousands that a program made in one directory.
    """
    new = [path for path in untracked if path not in tracked]
    if len(new) <= most:
        return list(untracked), []
    beside = Counter(path.rpartition("/")[0] for path in new)
    new.sort(key=lambda path: beside[path.rpartition("/")[0]])
    more = f"more than {most:,} new files at once"
    waiting = [LeftOut(path, more) for path in new[most:]]
    return [*(path for path in untracked if path in tracked), *new[:most]], waiting


def in_order(pending: list[FoundFile], later: AbstractSet[str]) -> list[FoundFile]:
    """Return what is to be read with `later` behind the rest, the newest of each first."""

    def place(found: FoundFile) -> tuple[bool, int]:
        return found.path in later, -(found.stat.st_mtime_ns if found.stat else 0)

    return sorted(pending, key=place)


def what_fits(
    pending: list[FoundFile], limits: SnapshotBounds
) -> tuple[list[FoundFile], list[LeftOut]]:
    """Return what fits into a snapshot, in order, and what does not.

    That fits into one of the next snapshots, which need to read less.
    """
    fitting: list[FoundFile] = []
    waiting: list[LeftOut] = []
    room = limits.max_total_bytes
    for found in pending:
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
