"""Text files that people and agents read, inside one project."""

from collections.abc import Callable
from typing import Protocol

from holdfast.kernel.shared_files import Changed, Seen


class ProjectFiles(Protocol):
    """Files by their path from the project's root, `/` between the parts.

    Never reached through a symbolic link. Bytes that are not UTF-8 are carried as lone
    surrogates and come back as they were.
    """

    def read(self, path: str) -> str | None:
        """Return a file's text, or None where there is none.

        Raises:
            FileRefused: it is a link, no regular file, or unreadable.
        """
        ...

    def change(self, path: str, rewrite: Callable[[str | None], str | None]) -> Changed:
        """Put what `rewrite` makes of the text in its place, whole or not at all.

        Two calls at once, also of two processes, come one after the other. `rewrite`
        gives None to leave the file alone, and may be called more than once. What was
        put in place was read back.

        Raises:
            FileRefused: nothing was changed; the message says why.
        """
        ...

    def exists(self, path: str) -> bool:
        """Say whether a path of the project is a file or directory.

        Raises:
            FileOutOfReach: the machine could not look.
        """
        ...

    def files_in(self, directory: str) -> tuple[Seen, ...]:
        """Return the regular files of a directory by name; none where there is none.

        Raises:
            FileOutOfReach: the machine could not look.
        """
        ...

    def exclude_from_git(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Add paths to this repository's own list of ignored files; return the new ones.

        Raises:
            FileRefused: there is no repository, or its list cannot be written.
        """
        ...

    def is_excluded(self, path: str) -> bool:
        """Say whether that list has a path; True where there is no git to ask."""
        ...

    def skills(self) -> tuple[tuple[str, str], ...]:
        """Return name and description of each installed skill, as far as readable."""
        ...
