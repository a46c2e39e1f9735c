"""Looking at the code without touching it."""

from typing import Protocol

from holdfast.domain.project import CodeState, ProjectSigns


class Code(Protocol):
    """A directory with code in it, as far as it can be seen safely.

    Runs no program the repository names: no hooks, filters, fsmonitor, pagers, drivers.
    """

    def signs(self, directory: str) -> ProjectSigns:
        """Return what a directory shows of its project. Works without git, too."""
        ...

    def exists(self, directory: str) -> bool:
        """Say whether this is a directory on this machine."""
        ...

    def state(self, directory: str) -> CodeState:
        """Return branch, head and whether anything is uncommitted."""
        ...

    def has_commit(self, directory: str, commit: str) -> bool:
        """Say whether the repository still has a commit object."""
        ...
