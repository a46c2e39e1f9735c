"""A restore: what lies on disk, what would be done to it, and the note that undoes it.

Paths are those of a snapshot: relative to the worktree's root, with `/`.
"""

from collections.abc import Mapping
from typing import Literal

from holdfast.domain.code import LeftOut, TreeEntry
from holdfast.kernel.lazy_values import dataclass, field

NEWER = "newer than the checkpoint"  # why a file stays that was not there then
Kind = Literal["file", "symlink", "directory", "other", "behind"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RestorePlace:
    """Where files would be written."""

    root: str  # real path; every step stays below it
    head: str | None = None
    branch: str | None = None
    underway: str = ""  # an operation of git that is not finished, such as `a rebase`
    is_bare: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundOnDisk:
    """What lies at a path; links are not followed.

    `behind`: a part of the way there is no directory, and `blocker` is that part.
    """

    kind: Kind
    identity: tuple[int, int] = (0, 0)  # equal: one file under two spellings
    inside: tuple[str, ...] = ()  # every file below a directory
    blocker: str = ""


@dataclass(frozen=True, slots=True)
class Write:
    """Put a file in place of `before`, or where nothing lies."""

    entry: TreeEntry
    before: TreeEntry | None = None
    permissions: int | None = None  # None: as before, or as the umask has it

    @property
    def path(self) -> str:
        return self.entry.path


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a file that is as `entry` says."""

    entry: TreeEntry

    @property
    def path(self) -> str:
        return self.entry.path


@dataclass(frozen=True, slots=True)
class Respell:
    """Give a file a name that its file system takes for the same, such as `A` for `a`."""

    entry: TreeEntry
    path: str


Step = Write | Remove | Respell


@dataclass(frozen=True, slots=True, kw_only=True)
class RestorePlan:
    """What a restore will do, in order. With a refusal it may do nothing."""

    steps: tuple[Step, ...] = ()
    kept: tuple[LeftOut, ...] = ()  # files that stay as they are, and why
    refused: tuple[LeftOut, ...] = ()

    @property
    def written(self) -> tuple[str, ...]:
        return tuple(step.path for step in self.steps if not isinstance(step, Remove))

    @property
    def removed(self) -> tuple[str, ...]:
        return tuple(step.path for step in self.steps if isinstance(step, Remove))

    @property
    def puts(self) -> tuple[TreeEntry, ...]:
        """Return every file as it will be once it is written."""
        return tuple(step.entry for step in self.steps if isinstance(step, Write))

    @property
    def touched(self) -> tuple[str, ...]:
        """Return every path that the steps change, a respelled one's both."""
        spelled = [s.entry.path for s in self.steps if isinstance(s, Respell)]
        return tuple(sorted({*spelled, *(step.path for step in self.steps)}))


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeRestore:
    """What git does not know of the files and directories that a restore touches."""

    permissions: Mapping[str, int] = field(default_factory=dict)
    directories: Mapping[str, int | None] = field(default_factory=dict)  # None: absent

    @property
    def there(self) -> frozenset[str]:
        """Return the directories that there were."""
        return frozenset(d for d, mode in self.directories.items() if mode is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreNote:
    """Written before the first file is: all that undoing needs."""

    token: str  # in the name of the one file that is being written
    restored: str  # id of the checkpoint whose code was wanted
    saved_first: str  # id of the checkpoint that holds what was there
    tree: str  # its tree
    at: int
    paths: tuple[str, ...]
    wrote: tuple[TreeEntry, ...] = ()  # what it put in place, held by the restored tree
    before: BeforeRestore = field(default_factory=BeforeRestore)
    remake: tuple[str, ...] = ()  # directories that undoing found gone
    is_done: bool = False
