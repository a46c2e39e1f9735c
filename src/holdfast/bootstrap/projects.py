"""A project's directory: the files that people read, and whether it is the user's."""

from holdfast.app.notes.memory import MemoryPorts
from holdfast.bootstrap import Container
from holdfast.kernel.clock import local_time
from holdfast.kernel.errors import StoreNotFound
from holdfast.kernel.lazy_values import late
from holdfast.project_notes.project_directory import ProjectDirectory
from holdfast.snapshot.git.repository import find, is_own_repository


def project_files(container: Container, workspace: str) -> ProjectDirectory:
    """Return the files of a project that people read, by its worktree's root."""
    repository = find(workspace)
    return ProjectDirectory(
        workspace,
        git_directory=repository.common_dir if repository else None,
        skill_directories=container.agent().skill_directories(workspace),
    )


def memory_ports(container: Container, workspace: str) -> MemoryPorts:
    """Return what the memory files of a project are written with."""
    return MemoryPorts(
        files=project_files(container, workspace),
        redactor=late(lambda: container.redactor),
        today=local_time(container.clock.now_ms())[:10],
    )


def is_users_project(container: Container) -> bool:
    """Say whether a container stands in a project of the user's: a repository of their own,
    or a directory that the store knows."""
    if is_own_repository(container.directory):
        return True
    try:
        return bool(container.scope().project_id)
    except StoreNotFound:
        return False
