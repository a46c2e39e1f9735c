"""Putting files into a directory, and remembering how to take that back."""

from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set as AbstractSet,
)
from contextlib import AbstractContextManager
from typing import Protocol

from holdfast.domain.restore import Before, Found, Place, RestoreNote, Step
from holdfast.domain.snapshot import Entry, LeftOut

# Objects to their contents, verified, in the order asked for.
Contents = Callable[[Iterable[str]], Iterator[tuple[str, bytes]]]


class Restoring(Protocol):
    """The only hand that writes into a worktree.

    Never through a symlink, never outside of the root, and a file holds its old or its
    new content whatever happens.
    """

    def place(self, directory: str) -> Place:
        """Return the worktree that a directory lies in, or the directory itself."""
        ...

    def look(self, root: str, paths: Iterable[str]) -> Mapping[str, Found]:
        """Return what lies at each path; where nothing does, it has no entry."""
        ...

    def still_there(self, root: str, entries: Iterable[Entry]) -> tuple[Entry, ...]:
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

    def before(self, root: str, paths: Iterable[str]) -> Before:
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
        self, directory: str, entries: Sequence[Entry], contents: Contents
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
