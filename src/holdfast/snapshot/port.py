"""Code on disk: looking at it and keeping it.

Each protocol is one role; none runs a program that a repository names.
"""

from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set as AbstractSet,
)
from typing import Literal, Protocol

from holdfast.domain.code import (
    CodeState,
    DriftState,
    FileChange,
    ProjectIdentity,
    Since,
    SnapshotBounds,
    Taken,
    TreeEntry,
)
from holdfast.domain.file_history import LineCommit

BranchFate = Literal["there", "merged", "gone"]
Change = Literal["changed", "gone"]

# Objects to their contents, verified, in the order asked for.
Contents = Callable[[Iterable[str]], Iterator[tuple[str, bytes]]]


class Code(Protocol):
    """A directory with code in it, as far as it can be seen safely.

    Runs no program the repository names: no hooks, filters, fsmonitor, pagers, drivers.
    """

    def identity(self, directory: str) -> ProjectIdentity:
        """Return what a directory shows of its project. Works without git, too."""
        ...

    def exists(self, directory: str) -> bool:
        """Say whether this is a directory on this machine."""
        ...

    def state(self, directory: str) -> CodeState:
        """Return branch, head and what is uncommitted, as `uncommitted` tells it."""
        ...

    def uncommitted(self, directory: str) -> tuple[str, ...] | None:
        """Return each staged, changed or untracked path from the worktree's root.

        A directory of which nothing is tracked is one path and ends in `/`. None: there
        is no git, or it could not be seen.
        """
        ...

    def has_commit(self, directory: str, commit: str) -> bool:
        """Say whether the repository still has a commit object."""
        ...

    def head(self, directory: str) -> CodeState:
        """Return branch and head alone: quick whatever the repository's size."""
        ...

    def branch_fate(self, directory: str, branch: str) -> BranchFate:
        """Say what became of a branch: there, merged into what is checked out, gone.

        Where git cannot be asked it is there.
        """
        ...

    def changed(
        self, directory: str, paths: Iterable[str], since_ms: int
    ) -> tuple[tuple[str, Change], ...]:
        """Return which of these files were written since, or are gone, in order."""
        ...

    def content(self, root: str, path: str, limit: int) -> bytes | None:
        """Return what a file of a worktree holds; None where nothing is there.

        Raises:
            FileRefused: it is a link or behind one, no file, too large, or unreadable.
        """
        ...

    def line_commits(
        self, root: str, path: str, content: bytes
    ) -> tuple[LineCommit | None, ...]:
        """Return the commit that brought each line of a content, None where it has none;
        nothing where git cannot tell."""
        ...


class Snapshots(Protocol):
    """Trees of ours, held apart from anybody's repository.

    Runs no program that a repository names, and writes nothing into one.
    """

    def take(
        self, directory: str, limits: SnapshotBounds, seconds: float | None = None
    ) -> Taken:
        """Keep the worktree that a directory lies in, or the directory itself.

        When it returns a tree, every object of it survives a power cut and a removal of
        whatever `hold_only` does not name. It never raises: a tree that could not be
        made, or not in `seconds`, is a reason.
        """
        ...

    def since(
        self,
        tree: str,
        directory: str,
        limits: SnapshotBounds,
        seconds: float | None = None,
    ) -> Since:
        """Return what changed from `tree` to the directory as it is now. Never raises.

        Files that a snapshot leaves out are not compared. The tree of now can be
        compared right after; nothing holds it.
        """
        ...

    def entries(
        self, tree: str, paths: Sequence[str] | None = None
    ) -> tuple[TreeEntry, ...]:
        """Return every file of a tree, by path; with `paths`, only those of them.

        What that costs depends on how many are asked for, not on the tree.

        Raises:
            SnapshotLost: the tree is not there, or damaged.
        """
        ...

    def objects_at(
        self, places: Sequence[tuple[str, str]]
    ) -> Mapping[tuple[str, str], str | None]:
        """Return the file's object at each tree and path, for one process; None: the
        tree has no file there. A tree that is not there has no entry.

        Raises:
            SnapshotLost: git cannot be asked.
        """
        ...

    def differing(
        self, one: str, other: str
    ) -> tuple[tuple[TreeEntry, ...], tuple[TreeEntry, ...]]:
        """Return the files of each tree that the other does not have just so.

        What that costs depends on how much differs; sizes are not looked up and are 0.

        Raises:
            SnapshotLost: a tree is not there, or damaged.
        """
        ...

    def read(self, object_id: str) -> bytes:
        """Return one file's content, its hash verified.

        Raises:
            SnapshotLost: it is not there, or damaged.
        """
        ...

    def contents(self, object_ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield each object with its content, verified, in the order asked for.

        One at a time is in memory, and all of them cost one process.

        Raises:
            SnapshotLost: one is not there, or damaged.
        """
        ...

    def changes(self, older: str, newer: str) -> tuple[FileChange, ...]:
        """Return what changed between two trees, by path; a rename is one change.

        Raises:
            SnapshotLost: a tree is not there, or damaged.
        """
        ...

    def patch(self, older: str, newer: str) -> bytes:
        """Return what changed between two trees as a patch that git can apply.

        A rename is one change; a file that is not text is named, and not shown. Bytes
        are as the files have them. Trees that are the same make an empty patch.

        Raises:
            SnapshotLost: a tree is not there, or damaged.
        """
        ...

    def damage(self, trees: Iterable[str]) -> dict[str, str]:
        """Return each tree that is not whole, with what is wrong with it."""
        ...

    def held(self) -> tuple[str, ...]:
        """Return every tree that is held, the one taken longest ago first."""
        ...

    def released(self) -> frozenset[str]:
        """Return every tree that was let go on purpose, by `hold_only`."""
        ...

    def hold_only(self, trees: AbstractSet[str], *, spare_seconds: float) -> int:
        """Let every other tree go, unless it was taken in the last `spare_seconds`.

        A save that is under way may not have put its record yet, so the youngest stay.
        What no tree needs any more is removed from disk. Returns how many went.

        Raises:
            SnapshotLost: the objects cannot be rewritten; everything is still there.
        """
        ...

    def let_go(self, trees: AbstractSet[str], roots: Iterable[str]) -> None:
        """Let these trees go at once, and what is remembered of these worktrees.

        What no other tree needs is removed from disk. The next snapshot of such a
        worktree looks at every file again. Doing it again changes nothing.

        Raises:
            SnapshotLost: the objects cannot be rewritten; doing it again finishes.
        """
        ...

    def without_secrets(
        self, tree: str, directories: Sequence[str], commit: str | None
    ) -> Taken:
        """Return a tree without what may hold a secret by the rules of today, held.

        The same tree if it has none. What the repository in the first of `directories`
        that has one holds at HEAD, or held at `commit`, stays. Never raises: without a
        tree, `reason` says why it could not be looked at.
        """
        ...

    def packed(self, trees: Iterable[str]) -> bytes:
        """Return trees with all that they hold as one pack, in git's own format.

        Raises:
            SnapshotLost: one is not there or damaged, or they are too large.
        """
        ...

    def take_in(
        self, pack: bytes, trees: Sequence[str], directories: Sequence[str]
    ) -> Mapping[str, Taken]:
        """Keep trees of a pack that somebody sent, and hold them.

        Each without what may hold a secret by the rules of today, unless the repository
        in one of `directories` holds it. A tree that names what no snapshot holds is not
        taken. Never raises: without a tree, `reason` says why.
        """
        ...

    def worktrees_with_secrets(self) -> tuple[str, ...]:
        """Return each worktree of which a secret is remembered, for `let_go`."""
        ...

    def size_of(
        self, trees: AbstractSet[str], *, beside: AbstractSet[str] = frozenset()
    ) -> int:
        """Return the bytes on disk that `trees` need and those `beside` them do not.

        Raises:
            SnapshotLost: a tree is not there, or damaged.
        """
        ...

    def size(self) -> int:
        """Return how many bytes everything takes on disk."""
        ...


class Ground(Protocol):
    """Looks only at the files it is asked about: the size of a repository is nothing."""

    def stands(self, root: str) -> CodeState:
        """Return branch and head; whether anything is uncommitted is not looked at."""
        ...

    def states(
        self, root: str, entries: Iterable[TreeEntry]
    ) -> Mapping[str, DriftState]:
        """Say of each file whether it is as its entry says, by path."""
        ...

    def there(self, root: str, paths: Iterable[str]) -> frozenset[str]:
        """Return those of the paths at which something lies; no link is followed."""
        ...

    def commits(self, root: str, since: str, paths: Sequence[str]) -> Mapping[str, str]:
        """Return the newest commit after `since` that changed each path.

        A path that none changed, or of which that cannot be told, has no entry.
        """
        ...
