"""A project is a repository by a stored id with aliases; a workspace is one checkout.

An alias is added when it is first seen and an id never changes, so a repository that
gets its first commit, a new remote or another place stays the same project.
"""

from holdfast.domain.snapshot import LeftOut
from holdfast.domain.text import visible
from holdfast.kernel.lazy_values import dataclass

SHORT_HASH = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectIdentity:
    """What a directory shows of itself.

    A shallow clone shows no root commit: the one it has is not the real one.
    """

    path: str  # real path of the repository's main root, or of the directory
    workspace: str  # real path of the worktree root
    root_commits: tuple[str, ...] = ()  # empty: no git, no commit yet, or shallow
    remote: str | None = None  # normalised: host/owner/name
    is_git: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project as the store knows it."""

    project_id: str
    root: str
    remote: str | None = None
    paths: tuple[str, ...] = ()
    root_commits: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()

    def knows(self, identity: ProjectIdentity) -> bool:
        """Say whether a directory shows nothing of itself that is new."""
        return (
            identity.path in self.paths
            and set(identity.root_commits) <= set(self.root_commits)
            and (identity.remote is None or identity.remote in self.remotes)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeState:
    """Where the code stood, and the snapshot of it. `reason` says what is missing of it,
    and why."""

    branch: str | None = None
    head: str | None = None
    tree: str | None = None
    dirty: bool = False
    left_out: tuple[LeftOut, ...] = ()  # what the snapshot does not hold
    reason: str = ""


def branch_mark(code: CodeState) -> str:
    """Return where the code stood: `main@3f2c1a9 +`, the plus for uncommitted work."""
    head = f"@{code.head[:SHORT_HASH]}" if code.head else ""
    mark = visible(code.branch or ("detached" if head else "")) + head
    return f"{mark} +" if mark and code.dirty else mark
