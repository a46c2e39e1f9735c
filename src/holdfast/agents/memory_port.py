"""The directory in which the client remembers a project: notes, an index, our files."""

from collections.abc import Callable
from typing import Protocol

from holdfast.kernel.shared_files import Changed


class ClientMemory(Protocol):
    """Files of one directory by their bare names, never through a symbolic link."""

    @property
    def directory(self) -> str:
        """Return where it is."""
        ...

    @property
    def is_indexed(self) -> bool:
        """Say whether the client reads the index: its auto memory is on."""
        ...

    def names(self) -> tuple[str, ...]:
        """Return the names of the regular files in it; none where there is none.

        Raises:
            FileOutOfReach: the machine could not look.
        """
        ...

    def read(self, name: str) -> str | None:
        """Return a file's text, or None where there is none.

        Raises:
            FileRefused: it is a link, no regular file, or unreadable.
        """
        ...

    def change(self, name: str, rewrite: Callable[[str | None], str | None]) -> Changed:
        """Put what `rewrite` makes of the text in its place, whole or not at all.

        Two calls at once, also of two processes, come one after the other. `rewrite`
        gives None to leave the file alone, and may be called more than once.

        Raises:
            FileRefused: nothing was changed.
        """
        ...

    def remove(self, name: str, may_go: Callable[[str], bool]) -> bool:
        """Remove a file whose text may go; say whether it went.

        `may_go` gets the text as it is at that moment, while nobody else may change or
        remove anything here. A file that changed under our hands stays.

        Raises:
            FileRefused: it is a link, no regular file, or cannot be removed.
        """
        ...

    def plan(self, path: str) -> str | None:
        """Return the text of a plan, if it is the client's or lies in the project."""
        ...
