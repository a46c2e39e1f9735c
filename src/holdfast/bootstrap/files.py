"""The files that people read: the project's memory, and the client's own."""

from holdfast.app.notes.memory import MemoryPorts
from holdfast.bootstrap import Container
from holdfast.kernel.clock import local_time
from holdfast.kernel.directory_files import DirectoryFiles
from holdfast.kernel.lazy_objects import late
from holdfast.snapshot.git.layout import find


def project_files(container: Container, workspace: str) -> DirectoryFiles:
    """Return the files of a project that people read, by its worktree's root."""
    repository = find(workspace)
    return DirectoryFiles(
        workspace,
        git_directory=repository.common_dir if repository else None,
        skill_directories=(
            f"{container.places.claude_dir}/skills",
            f"{workspace}/.claude/skills",
        ),
    )


def memory_ports(container: Container, workspace: str) -> MemoryPorts:
    """Return what the memory files of a project are written with."""
    return MemoryPorts(
        files=project_files(container, workspace),
        redactor=late(lambda: container.redactor),
        today=local_time(container.clock.now_ms())[:10],
    )
