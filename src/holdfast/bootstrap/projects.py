"""A project's directory: the files that people read, and whether it is the user's."""

import os
from collections.abc import Callable
from functools import cache

from holdfast.app.notes.memory import MemoryPorts
from holdfast.bootstrap import Container
from holdfast.config import load
from holdfast.kernel.clock import local_time
from holdfast.kernel.errors import StoreNotFound
from holdfast.kernel.lazy_values import late
from holdfast.project_notes.project_directory import ProjectDirectory
from holdfast.snapshot.git.repository import (
    find,
    is_own_repository,
    project_directories,
    workspace_of,
)


def project_files(container: Container, workspace: str) -> ProjectDirectory:
    """Return the files of a project that people read, by its worktree's root."""
    repository = find(workspace)
    return ProjectDirectory(
        workspace,
        git_directory=repository.common_dir if repository else None,
        skill_directories=container.agent().skill_directories(workspace),
    )


def is_of_project(container: Container, path: str) -> bool:
    """Say whether a path leads into the project: its programs are not started."""
    real = os.path.realpath(path)
    roots = project_directories(container.directory)
    return any(real == root or real.startswith(f"{root}/") for root in roots)


def memory_ports(container: Container, workspace: str) -> MemoryPorts:
    """Return what the memory files of a project are written with."""
    return MemoryPorts(
        files=project_files(container, workspace),
        redactor=late(lambda: container.redactor),
        today=local_time(container.clock.now_ms())[:10],
    )


def off_places(container: Container) -> Callable[[str], bool]:
    """Return what says whether nothing is to be read of a directory, by the user's
    settings and by those of its project."""

    @cache
    def is_off(directory: str) -> bool:
        there = os.path.isdir(directory)
        settings = load(
            container.places,
            container.environ,
            project=workspace_of(directory) if there else directory,
            flags={},
            tolerant=True,
        )
        return settings.is_off_in(directory)

    return is_off


def is_users_project(container: Container) -> bool:
    """Say whether a container stands in a project of the user's: a repository of their own,
    or a directory that the store knows."""
    if is_own_repository(container.directory):
        return True
    try:
        return bool(container.scope().project_id)
    except StoreNotFound:
        return False
