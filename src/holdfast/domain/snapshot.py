"""A snapshot: the code as it lay on disk, kept as a git tree of ours.

Paths are relative to the worktree's root, with `/`; bytes that are not UTF-8 are
surrogates in them, as `os.fsdecode` makes them.
"""

from typing import TYPE_CHECKING, Literal

from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    import re

EXECUTABLE = 0o100755
REGULAR = 0o100644
SYMLINK = 0o120000

CodeChange = Literal["created", "edited", "deleted", "renamed", "mode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotBounds:
    """How much one snapshot may take."""

    max_file_bytes: int = 5_000_000
    max_total_bytes: int = 200_000_000  # of what is new in it
    max_files: int = 200_000


@dataclass(frozen=True, slots=True)
class DeniedFiles:
    """What an agent may not read, as one pattern over absolute paths."""

    pattern: "re.Pattern[str] | None" = None
    source: str = ""  # changes whenever the rules do

    def covers(self, path: str) -> bool:
        return self.pattern is not None and self.pattern.match(path) is not None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file or directory that a snapshot does not hold, and why.

    Restoring leaves such a path as it is.
    """

    path: str
    reason: str


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
    reason: str = ""  # not empty: it could not be told
