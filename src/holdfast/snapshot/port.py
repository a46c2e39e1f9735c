"""Keeping code as it lies on disk, and reading it back."""

from collections.abc import Iterable, Iterator, Sequence, Set as AbstractSet
from typing import Protocol

from holdfast.domain.snapshot import Entry, FileChange, Limits, Since, Taken


class Snapshots(Protocol):
    """Trees of ours, held apart from anybody's repository.

    Runs no program that a repository names, and writes nothing into one.
    """

    def take(
        self, directory: str, limits: Limits, seconds: float | None = None
    ) -> Taken:
        """Keep the worktree that a directory lies in, or the directory itself.

        When it returns a tree, every object of it survives a power cut and a removal of
        whatever `hold_only` does not name. It never raises: a tree that could not be
        made, or not in `seconds`, is a reason.
        """
        ...

    def since(
        self, tree: str, directory: str, limits: Limits, seconds: float | None = None
    ) -> Since:
        """Return what changed from `tree` to the directory as it is now. Never raises.

        Files that a snapshot leaves out are not compared.
        """
        ...

    def entries(
        self, tree: str, paths: Sequence[str] | None = None
    ) -> tuple[Entry, ...]:
        """Return every file of a tree, by path; with `paths`, only those of them.

        What that costs depends on how many are asked for, not on the tree.

        Raises:
            SnapshotLost: the tree is not there, or damaged.
        """
        ...

    def differing(
        self, one: str, other: str
    ) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
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
