"""A project's aliases: what a directory shows of itself, as pairs a store can look up."""

from collections.abc import Iterable
from typing import Literal

from holdfast.domain.project import Project, ProjectSigns
from holdfast.domain.text import storable
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import replace


class Alias(NamedTuple):
    kind: Literal["path", "root_commit", "remote"]
    value: str


def clean_signs(signs: ProjectSigns) -> ProjectSigns:
    """Return signs with only text that every store accepts: a path holds any bytes."""
    return replace(
        signs,
        path=storable(signs.path),
        workspace=storable(signs.workspace),
        root_commits=tuple(storable(commit) for commit in signs.root_commits),
        remote=storable(signs.remote) if signs.remote else None,
    )


def aliases(signs: ProjectSigns) -> tuple[Alias, ...]:
    """Return every alias a directory shows."""
    remote = (Alias("remote", signs.remote),) if signs.remote else ()
    return (
        Alias("path", signs.path),
        *(Alias("root_commit", commit) for commit in signs.root_commits),
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


def project_knows(project: Project, signs: ProjectSigns) -> bool:
    """Say whether a project has every alias a directory shows."""
    have = {
        *(Alias("path", path) for path in project.paths),
        *(Alias("root_commit", commit) for commit in project.root_commits),
        *(Alias("remote", remote) for remote in project.remotes),
    }
    return have.issuperset(aliases(signs))
