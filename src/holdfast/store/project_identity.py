"""Which project does a directory belong to? Pure.

What the directory shows and what is known go in, an id comes out. A project is recognised
by its place, by the root commit of its history, and by its remote: aliases, which a store
can look up.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from holdfast.domain.code import Project, ProjectIdentity
from holdfast.domain.text import storable
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import replace

HasCommit = Callable[[str], bool]


class Alias(NamedTuple):
    kind: Literal["path", "root_commit", "remote"]
    value: str


def choose_project(
    identity: ProjectIdentity,
    candidates: Sequence[Project],
    has_commit: HasCommit | None,
) -> str | None:
    """Return the id of the project that `identity` belongs to, or None for a new one.

    `candidates` are the projects that share a path, a root commit or a remote with
    `identity`. Of several that match, the place decides, then the root commit, then the
    remote, then the smallest id.
    """
    ranked = [(_match(identity, known, has_commit), known) for known in candidates]
    matching = [
        (tuple(not sign for sign in match), known.project_id)
        for match, known in ranked
        if any(match)
    ]
    return min(matching)[1] if matching else None


def clean_identity(identity: ProjectIdentity) -> ProjectIdentity:
    """Return an identity with only text that every store accepts: a path holds any bytes."""
    return replace(
        identity,
        path=storable(identity.path),
        workspace=storable(identity.workspace),
        root_commits=tuple(storable(commit) for commit in identity.root_commits),
        remote=storable(identity.remote) if identity.remote else None,
    )


def aliases(identity: ProjectIdentity) -> tuple[Alias, ...]:
    """Return every alias a directory shows."""
    remote = (Alias("remote", identity.remote),) if identity.remote else ()
    return (
        Alias("path", identity.path),
        *(Alias("root_commit", commit) for commit in identity.root_commits),
        *remote,
    )


def project_of(
    project_id: str, root: str, remote: str | None, known: Iterable[Alias]
) -> Project:
    """Return a project with its aliases, each kind sorted."""
    known = sorted(known)

    def of(kind: str) -> tuple[str, ...]:
        return tuple(alias.value for alias in known if alias.kind == kind)

    return Project(
        project_id=project_id,
        root=root,
        remote=remote,
        paths=of("path"),
        root_commits=of("root_commit"),
        remotes=of("remote"),
    )


def project_knows(project: Project, identity: ProjectIdentity) -> bool:
    """Say whether a project has every alias a directory shows."""
    have = {
        *(Alias("path", path) for path in project.paths),
        *(Alias("root_commit", commit) for commit in project.root_commits),
        *(Alias("remote", remote) for remote in project.remotes),
    }
    return have.issuperset(aliases(identity))


def _match(
    identity: ProjectIdentity, known: Project, has_commit: HasCommit | None
) -> tuple[bool, bool, bool]:
    """Say whether place, root commit and remote are the project's, in that order."""
    shares_root = not set(identity.root_commits).isdisjoint(known.root_commits)
    shares_remote = identity.remote is not None and identity.remote in known.remotes
    is_there = identity.path in known.paths and (
        shares_root or shares_remote or not _was_replaced(identity, known, has_commit)
    )
    return is_there, shares_root, shares_remote


def _was_replaced(
    identity: ProjectIdentity, known: Project, has_commit: HasCommit | None
) -> bool:
    """Say whether another repository was put where a project used to be.

    Only a repository can contradict one: a project without history has nothing to
    contradict, and a directory without git says nothing. An amended first commit is
    another root, but leaves the old object behind.
    """
    if not identity.is_git or not known.root_commits:
        return False
    if has_commit is None:
        return bool(identity.root_commits)
    return not any(has_commit(commit) for commit in known.root_commits)
