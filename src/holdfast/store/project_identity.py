"""Which project does a directory belong to?

Pure: what the directory shows and what is known go in, an id comes out. A project is
recognised by its place, by the root commit of its history, and by its remote.
"""

from collections.abc import Callable, Sequence

from holdfast.domain.project import Project, ProjectSigns

HasCommit = Callable[[str], bool]


def choose(
    signs: ProjectSigns, candidates: Sequence[Project], has_commit: HasCommit | None
) -> str | None:
    """Return the id of the project that `signs` belong to, or None for a new one.

    `candidates` are the projects that share a path, a root commit or a remote with
    `signs`. Of several that match, the place decides, then the root commit, then the
    remote, then the smallest id.
    """
    ranked = [(_match(signs, known, has_commit), known) for known in candidates]
    matching = [
        (tuple(not sign for sign in match), known.project_id)
        for match, known in ranked
        if any(match)
    ]
    return min(matching)[1] if matching else None


def _match(
    signs: ProjectSigns, known: Project, has_commit: HasCommit | None
) -> tuple[bool, bool, bool]:
    """Say whether place, root commit and remote are the project's, in that order."""
    shares_root = not set(signs.root_commits).isdisjoint(known.root_commits)
    shares_remote = signs.remote is not None and signs.remote in known.remotes
    is_there = signs.path in known.paths and (
        shares_root or shares_remote or not _was_replaced(signs, known, has_commit)
    )
    return is_there, shares_root, shares_remote


def _was_replaced(
    signs: ProjectSigns, known: Project, has_commit: HasCommit | None
) -> bool:
    """Say whether another repository was put where a project used to be.

    Only a repository can contradict one: a project without history has nothing to
    contradict, and a directory without git says nothing. An amended first commit is
    another root, but leaves the old object behind.
    """
    if not signs.is_git or not known.root_commits:
        return False
    if has_commit is None:
        return bool(signs.root_commits)
    return not any(has_commit(commit) for commit in known.root_commits)
