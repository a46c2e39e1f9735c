"""Putting code back, and running a command over it.

Each protocol is one role; none runs a program that a repository names.
"""

from collections.abc import (
    Iterable,
    Mapping,
    Sequence,
    Set as AbstractSet,
)
from contextlib import AbstractContextManager
from typing import Protocol

from holdfast.domain.code import LeftOut, TreeEntry
from holdfast.domain.restore import (
    BeforeRestore,
    FoundOnDisk,
    RestoreNote,
    RestorePlace,
    Step,
)
from holdfast.snapshot.port import Contents


class Restoring(Protocol):
    """The only hand that writes into a worktree.

    Never through a symlink, never outside of the root, and a file holds its old or its
    new content whatever happens.
    """

    def place(self, directory: str) -> RestorePlace:
        """Return the worktree that a directory lies in, or the directory itself."""
        ...

    def look(self, root: str, paths: Iterable[str]) -> Mapping[str, FoundOnDisk]:
        """Return what lies at each path; where nothing does, it has no entry."""
        ...

    def still_there(
        self, root: str, entries: Iterable[TreeEntry]
    ) -> tuple[TreeEntry, ...]:
        """Return those of the files that lie on disk as the entries say."""
        ...

    def ignored(
        self, rules: Mapping[str, bytes], paths: Sequence[str]
    ) -> tuple[str, ...]:
        """Return those of `paths` that the rules ignore: a `.gitignore`'s path, its text.

        Where that cannot be told, all of them.
        """
        ...

    def closed(self, root: str, paths: Iterable[str]) -> tuple[LeftOut, ...]:
        """Return those of the paths that may not be written or removed, and why."""
        ...

    def before(self, root: str, paths: Iterable[str]) -> BeforeRestore:
        """Return permissions of files, and of every directory on the way to them."""
        ...

    def carry_out(
        self,
        root: str,
        steps: Sequence[Step],
        contents: Contents,
        token: str,
        keep: AbstractSet[str] = frozenset(),
    ) -> None:
        """Do the steps in order, each only if what it replaces is still there.

        Directories that a removal leaves empty go, too, unless they are in `keep`.

        Raises:
            RestoreStopped: a step could not be done; those before it stay done.
        """
        ...

    def gone_directories(self, root: str, note: RestoreNote) -> tuple[str, ...]:
        """Return the directories that were there before a restore and are not now."""
        ...

    def settle(self, root: str, note: RestoreNote) -> None:
        """Remove the directories a restore made, if empty; make those of `remake`."""
        ...

    def fill(
        self, directory: str, entries: Sequence[TreeEntry], contents: Contents
    ) -> None:
        """Make a new directory with these files; it appears whole or not at all.

        Raises:
            RestoreRefused: it is there and not empty, or lies in a git directory.
            RestoreStopped: it cannot be written.
        """
        ...

    def notes(self, root: str) -> tuple[RestoreNote, ...]:
        """Return the restores that can be undone, the latest last.

        What a killed restore left half written is removed first.
        """
        ...

    def keep_notes(self, root: str, notes: Sequence[RestoreNote]) -> None:
        """Keep the notes of a worktree, durably, in place of those before.

        Raises:
            RestoreStopped: they cannot be written.
        """
        ...

    def alone(self, root: str) -> AbstractContextManager[None]:
        """Let nobody else restore here meanwhile.

        Raises:
            RestoreRefused: somebody does.
        """
        ...


class Trials(Protocol):
    """Each trial has a directory of its own, which is gone afterwards."""

    def run(
        self, entries: Sequence[TreeEntry], contents: Contents, command: Sequence[str]
    ) -> int:
        """Run a command in a directory with just these files; return its exit status.

        The words go to the program as they are, without a shell. Whatever ends the
        trial, an interrupt too, the directory is removed.

        Raises:
            BisectFailed: it cannot be started.
            RestoreStopped: the files cannot be written.
        """
        ...
