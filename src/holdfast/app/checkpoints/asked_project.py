"""Decide which project a caller over HTTP means, among those they may use. Pure.

What they name is compared with what the store knows of its projects, and leads into no file
system: a directory of theirs is none of this machine's. A project that they may not use is
told apart from one that is not there by nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.text import beginning, plain
from holdfast.kernel.errors import UsageWrong

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.access import Grant
    from holdfast.domain.code import Project

_MOST_NAMED = 10
_LONGEST = 100


def usable(grant: Grant, projects: Iterable[Project]) -> tuple[Project, ...]:
    """Return the projects that a grant is for."""
    return tuple(one for one in projects if grant.is_for(one.project_id))


def asked_project(text: str, mine: Sequence[Project], here: str) -> Project:
    """Return the project that is named: by its id, its path or remote where it is known,
    or the name of its directory if one alone has it. Nothing named: the only one there
    is, else the one that the server was started in.

    Raises:
        UsageWrong: none is meant, or several.
    """
    wanted = text.strip()
    if not wanted:
        default = [one for one in mine if len(mine) == 1 or one.project_id == here]
        if not default:
            raise _unclear("name the project", mine)
        return default[0]
    known = wanted.rstrip("/")
    exactly = [one for one in mine if known in _names(one)]
    found = exactly or [one for one in mine if known == directory_name(one)]
    if len(found) != 1:
        said = beginning(plain(wanted), _LONGEST)
        what = "is not a project that you may use here"
        several = "is the name of several projects here"
        raise _unclear(f"`{said}` {several if found else what}", mine)
    return found[0]


def directory_name(project: Project) -> str:
    return project.root.rstrip("/").rpartition("/")[2]


def _names(project: Project) -> set[str]:
    known = (project.root, *project.paths, project.remote, *project.remotes)
    return {project.project_id, *filter(None, known)}


def _unclear(why: str, mine: Sequence[Project]) -> UsageWrong:
    listed = [f"`{plain(directory_name(one))}` ({one.project_id})" for one in mine]
    told = (
        ", ".join(listed[:_MOST_NAMED])
        or "none: this token is not for any project here"
    )
    return UsageWrong(why, hint=f"pass `project_path` as one of: {told}")
