"""A project's code: whose it is, where it stood, the snapshot of it, what changed since.

A project is a repository by a stored id with aliases; a workspace is one checkout. An
alias is added when it is first seen and an id never changes, so a repository that gets its
first commit, a new remote or another place stays the same project.

A snapshot is the code as it lay on disk, kept as a git tree of ours. Paths are relative to
the worktree's root, with `/`; bytes that are not UTF-8 are surrogates in them, as
`os.fsdecode` makes them.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from holdfast.domain.text import (
    plain,
    visible,
)
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    import re


SHORT_HASH = 7

EXECUTABLE = 0o100755
REGULAR = 0o100644
SYMLINK = 0o120000

CodeChange = Literal["created", "edited", "deleted", "renamed", "mode"]

# What a command does to a file.
Deed = Literal[
    "written",  # the whole of it
    "extended",
    "edited",  # a part of it
    "moved",
    "removed",
    "restored",  # to what git has: work on it is gone
    "staged",
    "committed",
    "stashed",
    "unstashed",
]
# Deeds that leave work in a file.
SHELL_WORK: frozenset[Deed] = frozenset(["written", "extended", "edited", "moved"])

_PLAIN_BRANCH = pattern(r"[\w][\w./@+-]*")  # a shell takes it as one word
DriftState = Literal["unchanged", "changed", "gone"]

# Signs that some file systems ignore in names, so that `.g\u200cit` would be `.git`.
_UNSEEN = dict.fromkeys(
    [0xFEFF, *range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070)]
)
_LEADS_NOWHERE = pattern(r"(?:^|/)\.{0,2}(?:/|\Z)|\0")
# What may be a git directory somewhere: on Windows, dots and spaces at the end of a name
# and what stands behind a colon are no part of it, and `git~1` is short for `.git`.
_GIT_DIRECTORY = pattern(r"(?:^|[/\\])(?:\.git|git~1)[. ]*(?:\Z|[/\\:])")
# As a link, the list of submodules may not be named either, by any of its short names.
_MODULES = pattern(
    r"(?:^|[/\\])(?:\.gitmodules|gitmod~[1-4]|g?i?7?e?b?a?~[1-9]\d*)[. ]*(?:\Z|:)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectIdentity:
    """What a directory shows of itself.

    A shallow clone shows no root commit: the one it has is not the real one.
    """

    path: str  # real path of the repository's main root, or of the directory
    workspace: str  # real path of the worktree root
    root_commits: tuple[str, ...] = ()  # empty: no git, no commit yet, or shallow
    remote: str | None = None  # normalised: host/owner/name
    is_git: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project as the store knows it."""

    project_id: str
    root: str
    remote: str | None = None
    paths: tuple[str, ...] = ()
    root_commits: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()

    def knows(self, identity: ProjectIdentity) -> bool:
        """Say whether a directory shows nothing of itself that is new."""
        return (
            identity.path in self.paths
            and set(identity.root_commits) <= set(self.root_commits)
            and (identity.remote is None or identity.remote in self.remotes)
        )


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file or directory that a snapshot does not hold, and why.

    Restoring leaves such a path as it is.
    """

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeState:
    """Where the code stood, and the snapshot of it. `reason` says what is missing of it,
    and why."""

    branch: str | None = None
    head: str | None = None
    tree: str | None = None
    dirty: bool = False
    # What is staged, changed or untracked, by its path from the worktree's root; of a
    # directory that ends in `/` nothing is tracked. None: it was not looked at.
    uncommitted: tuple[str, ...] | None = None
    left_out: tuple[LeftOut, ...] = ()  # what the snapshot does not hold
    reason: str = ""


def is_uncommitted(path: str, listed: Iterable[str]) -> bool:
    """Say whether a path from the worktree's root is among those that git lists."""
    return any(
        path == other or (other.endswith("/") and path.startswith(other))
        for other in listed
    )


def branch_mark(code: CodeState) -> str:
    """Return where the code stood: `main@3f2c1a9 +`, the plus for uncommitted work."""
    head = f"@{code.head[:SHORT_HASH]}" if code.head else ""
    mark = plain(code.branch or ("detached" if head else "")) + head
    return f"{mark} +" if mark and code.dirty else mark


def is_safe_path(path: str, *, is_link: bool = False) -> bool:
    """Say whether a tree may name a path: below its root, in nobody's git directory.

    Git refuses the others in a tree that is read on any machine, so we never make one.
    """
    plain = (path if path.isascii() else path.translate(_UNSEEN)).lower()
    if _LEADS_NOWHERE.search(plain) or _GIT_DIRECTORY.search(plain):
        return False
    return not (is_link and _MODULES.search(plain))


WITHOUT_CODE = "without code"
NOT_LISTED = "…"  # in the place of a path: a record lists the first of many


def why_without_code(code: CodeState) -> str:
    """Return why a checkpoint has no code; empty where it has, or nobody knows."""
    if code.tree is not None:
        return ""
    refused = (left.reason for left in code.left_out if left.path == ".")
    return code.reason or next(refused, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotBounds:
    """How much one snapshot may take."""

    max_file_bytes: int = 5_000_000
    max_total_bytes: int = 200_000_000  # of what is new in it
    max_files: int = 200_000
    max_untracked: int = 20_000  # new files that the repository does not track


@dataclass(frozen=True, slots=True)
class DeniedFiles:
    """What an agent may not read, as one pattern over absolute paths."""

    pattern: "re.Pattern[str] | None" = None
    source: str = ""  # changes whenever the rules do

    def covers(self, path: str) -> bool:
        return self.pattern is not None and self.pattern.match(path) is not None


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One file of a tree. A symlink's content is its target."""

    path: str
    mode: int  # REGULAR, EXECUTABLE or SYMLINK
    object_id: str
    size: int


@dataclass(frozen=True, slots=True)
class FileChange:
    """What happened to one file between two trees; a rename is one change."""

    path: str
    change: CodeChange
    lines_added: int = 0  # zero for what is not text
    lines_removed: int = 0
    old_path: str | None = None  # of a renamed file


class ShellChange(NamedTuple):
    """What a command does to one file, or to every file where `path` is empty.

    Paths are seen from the session's own directory, whole where they lie outside of it.
    One may be a directory or a pattern (`src/*.py`): who knows the files knows which.
    """

    deed: Deed
    path: str
    added: int = 0  # lines, as far as the command tells
    removed: int = 0
    source: str = ""  # what was moved or copied there


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """The answer to taking a snapshot. Without a tree, `reason` says why."""

    tree: str | None = None
    left_out: tuple[LeftOut, ...] = ()  # by path
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """What differs between a kept tree and a directory as it is now."""

    changes: tuple[FileChange, ...] = ()  # by path
    left_out: tuple[LeftOut, ...] = ()
    tree: str | None = None  # of the directory now; nobody holds it
    reason: str = ""  # not empty: it could not be told


def switch_command(branch: str) -> str:
    """Return the command that switches to a branch; a name is never more than a word."""
    name = " ".join(visible(branch).split())
    if _PLAIN_BRANCH.fullmatch(name):
        return f"git switch {name}"
    quoted = name.replace("'", "'\\''")
    return f"git switch '{quoted}'"


@dataclass(frozen=True, slots=True)
class FileDrift:
    """A file that a brief names, under the path by which it does."""

    path: str
    state: DriftState
    commit: str | None = None  # the newest that changed it; None: none did


@dataclass(frozen=True, slots=True)
class BranchMoved:
    """The checkpoint was saved on another branch than the one checked out now."""

    then: str
    now: str

    @property
    def command(self) -> str:
        return switch_command(self.then)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """The ground truth at resume. Without files, nothing could be compared."""

    files: tuple[FileDrift, ...] = ()
    branch: BranchMoved | None = None
    head_then: str | None = None
    head_now: str | None = None
    unverified: tuple[str, ...] = ()  # commands that passed then, with other code

    @property
    def drifted(self) -> tuple[FileDrift, ...]:
        return tuple(file for file in self.files if file.state != "unchanged")

    @property
    def head_moved(self) -> bool:
        return self.head_then is not None and self.head_then != self.head_now

    @property
    def is_unverified(self) -> bool:
        """Say whether what a command told then may not be so now."""
        return bool(self.drifted) or self.head_moved
