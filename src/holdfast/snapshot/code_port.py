"""Looking at the code without touching it."""

from collections.abc import Iterable
from typing import Literal, Protocol

from holdfast.domain.project import CodeState, ProjectIdentity

BranchFate = Literal["there", "merged", "gone"]
Change = Literal["changed", "gone"]


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
        """Return branch, head and whether anything is uncommitted."""
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
